"""Questions as tokens, and the board on which each stage claims the ones that it understood.

A token keeps its place in the question. Its canonical form is what the patterns see: lower case,
number words as digits, hyphened words apart, `didn't` as `did not`, quoted strings as `<q>`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Literal

from tallysql.compiling.compilation import TraceEntry
from tallysql.compiling.rules.lexicon import data, lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

TokenKind = Literal["word", "number", "ordinal", "quoted", "code", "punct"]

_TOKEN = re.compile(
    r"""
    (?P<quoted>"[^"\n]+"|“[^”\n]+”|`[^`\n]+`|‘[^’\n]+’|«[^»\n]+»|(?<!\w)'[^'\n]+(?:'\w[^'\n]*)*'(?!\w))
  | (?P<tuple>\(\([^()]*\)\s*,\s*\([^()]*\)\))
  | (?P<bracket>\[[^\]\s]+\])
  | (?P<ordinal>\d+(?:st|nd|rd|th)\b)
  | (?P<number>(?:(?<![\w.])|(?<=\d\.\.))-?\d+(?:,\d{3})*(?![\w/]|\.\d))
  | (?P<dots>\.{2,3}(?=\d))
  | (?P<contraction>[A-Za-z]+n['’]t\b)
  | (?P<word>[!\#@/~$.]*\w(?:[\w./:@+\#%?=&~*\\()-]*[\w/*])?)(?:['’](?:s|d|ll|re|ve|m)\b)?
  | (?P<punct>\S)
    """,
    re.VERBOSE,
)
_HYPHENED = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_CODE = re.compile(r"[_./\\\[\]#!@:()]|\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]")
_CLAIMED = "\x00"


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of the question: its text, canonical form, kind and character range."""

    text: str
    canon: str
    kind: TokenKind
    start: int
    end: int


@lru_cache(maxsize=4096)
def tokenize(text: str) -> tuple[Token, ...]:
    """Cut text into tokens; questions and catalog values are cut by the same rules."""
    return tuple(_merge_numbers(list(_raw_tokens(text))))


def _raw_tokens(text: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(text):
        piece, start, kind = found.group(0), found.start(), found.lastgroup
        if kind == "quoted":
            yield Token(piece[1:-1].strip(), "<q>", "quoted", start, found.end())
        elif kind in {"tuple", "bracket"}:
            yield Token(piece, piece.lower(), "code", start, found.end())
        elif kind == "number":
            yield Token(piece, piece.replace(",", ""), "number", start, found.end())
        elif kind == "contraction":
            yield from _contraction(piece, start)
        elif kind == "word":
            yield from _words(found.group("word"), start, found.end())
        else:
            canon = "-" if piece in "–—−‐" else piece.lower()
            yield Token(
                piece, canon, "ordinal" if kind == "ordinal" else "punct", start, found.end()
            )


def _contraction(piece: str, start: int) -> Iterator[Token]:
    stem = piece[:-3].lower()
    stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(stem, stem)
    cut = start + len(piece) - 3
    yield Token(piece[:-3], stem, "word", start, cut)
    yield Token(piece[-3:], "not", "word", cut, start + len(piece))


def _words(piece: str, start: int, end: int) -> Iterator[Token]:
    """Hyphened words fall apart; a stray closing bracket is punctuation."""
    while piece.endswith(")") and piece.count("(") < piece.count(")"):
        piece = piece[:-1]
    if _HYPHENED.fullmatch(piece):
        for part in re.finditer(r"[A-Za-z]+", piece):
            last = part.end() == len(piece)
            yield Token(
                part.group(),
                part.group().lower(),
                "word",
                start + part.start(),
                end if last else start + part.end(),
            )
        return
    kind: TokenKind = "code" if _CODE.search(piece) else "word"
    canon = piece.lower()
    yield Token(piece, data()["typos"].get(canon, canon), kind, start, end)


def _merge_numbers(tokens: list[Token]) -> Iterator[Token]:
    """Join number words: `twenty five` → 25, `one hundred and ten` → 110, `third` → 3rd."""
    i = 0
    while i < len(tokens):
        length, value = _number_at(tokens, i)
        if length:
            first, last = tokens[i], tokens[i + length - 1]
            kind: TokenKind = "ordinal" if value.endswith(("st", "nd", "rd", "th")) else "number"
            text = " ".join(token.text for token in tokens[i : i + length])
            yield Token(text, value, kind, first.start, last.end)
            i += length
        else:
            yield tokens[i]
            i += 1


def _number_at(tokens: list[Token], i: int) -> tuple[int, str]:
    words = lexicon()
    total, length, seen = 0, 0, False
    while i + length < len(tokens):
        word = tokens[i + length].canon if tokens[i + length].kind == "word" else ""
        if word == "hundred":
            total, seen = max(total, 1) * 100, True
        elif word in words.numbers:
            if seen and not _continues(total, words.numbers[word]):
                break
            total, seen = total + words.numbers[word], True
        elif word in words.ordinals and (not seen or _continues(total, words.ordinals[word])):
            return length + 1, _ordinal(total + words.ordinals[word])
        elif word == "first" and seen and _continues(total, 1):
            return length + 1, _ordinal(total + 1)
        elif not (word == "and" and total >= 100 and _more_follows(tokens, i + length + 1)):
            break
        length += 1
    alone_one = length == 1 and tokens[i].canon == "one"
    return (0, "") if not seen or alone_one else (length, str(total))


def _continues(total: int, value: int) -> bool:
    return (total % 100 == 0 and value < 100) or (
        total % 10 == 0 and total % 100 >= 20 and value < 10
    )


def _more_follows(tokens: list[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i].canon in lexicon().numbers


def _ordinal(value: int) -> str:
    suffix = (
        "th" if value % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    )
    return f"{value}{suffix}"


_ENDINGS = (
    ("ies", "y"), ("ied", "y"), ("ying", "y"), ("es", ""), ("es", "e"), ("s", ""),
    ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"),
)  # fmt: skip


@cache
def lemmas(word: str) -> frozenset[str]:
    """Return the word and what it may be an inflection of: `clicked` → {clicked, click, clicke}."""
    forms = {word, *lexicon().irregular.get(word, ())}
    for ending, repair in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2 or word.endswith("ss"):
            continue
        forms.add(stem + repair)
        if not repair and len(stem) > 2 and stem[-1] == stem[-2]:
            forms.add(stem[:-1])
    return frozenset(forms)


class Board:
    """A question under compilation: its tokens and what became of each.

    Attributes:
        question: the text as asked.
        tokens: its tokens, in order.
        became: per token what it became, None while nobody claimed it.
    """

    def __init__(self, question: str, corrections: dict[str, str] | None = None) -> None:
        self.question = question
        self.tokens = tokenize(question)
        self.corrections = corrections or {}
        self.canon = [self.corrections.get(t.canon, t.canon) for t in self.tokens]
        self.became: list[str | None] = [None] * len(self.tokens)
        self._starts: list[int] = []
        at = 0
        for canon in self.canon:
            self._starts.append(at)
            at += len(canon) + 1
        self.text = " ".join(self.canon)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """All words of the question, with what they may be inflections of."""
        return frozenset().union(*(lemmas(word) for word in self.canon))

    def claim(self, first: int, last: int, became: str) -> None:
        """Mark tokens first..last-1 as understood; those already claimed keep their owner."""
        for i in range(first, last):
            if self.became[i] is None:
                self.became[i] = became
                at, size = self._starts[i], len(self.canon[i])
                self.text = self.text[:at] + _CLAIMED * size + self.text[at + size :]

    def span(self, found: re.Match[str], group: int | str = 0) -> tuple[int, int]:
        """Return the token range of a match in `text`."""
        low, high = found.span(group)
        first = next((i for i, at in enumerate(self._starts) if at >= low), len(self.tokens))
        last = next((i for i, at in enumerate(self._starts) if at >= high), len(self.tokens))
        return first, last

    def search(
        self, pattern: re.Pattern[str], first: int = 0, last: int | None = None
    ) -> re.Match[str] | None:
        """Look for a pattern among unclaimed tokens first..last-1."""
        return pattern.search(self.text, self.at(first), self.until(last))

    def at(self, token: int) -> int:
        """Return the offset in `text` of a token."""
        return self._starts[token] if token < len(self._starts) else len(self.text)

    def until(self, last: int | None) -> int:
        """Return the offset in `text` at which token last-1 ends."""
        return self.at(last) if last is not None else len(self.text)

    def free(self, first: int = 0, last: int | None = None) -> list[int]:
        """Return the tokens of a range that nobody has claimed."""
        end = len(self.tokens) if last is None else last
        return [i for i in range(first, end) if self.became[i] is None]

    def trace(self) -> tuple[TraceEntry, ...]:
        """Return the question's stretches in order, each with what it became."""
        entries: list[TraceEntry] = []
        i = 0
        while i < len(self.tokens):
            j = i + 1
            while j < len(self.tokens) and self.became[j] == self.became[i]:
                j += 1
            text = self.question[self.tokens[i].start : self.tokens[j - 1].end]
            entries.append(TraceEntry(text, self.became[i] or "not understood"))
            i = j
        return tuple(entries)
