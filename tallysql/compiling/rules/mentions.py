"""The linker: from the words of a question to the vocabulary of the log.

Each stretch of words that names something becomes a Mention; words that say nothing of the events
are claimed with the reason; what is left over is not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from tallysql.compiling.rules.lexicon import Kind, data, lexicon
from tallysql.compiling.rules.tokens import Board, lemmas, tokenize
from tallysql.compiling.rules.vocabulary import Meaning, Vocabulary, _bare
from tallysql.plan.nodes import Field, Term

if TYPE_CHECKING:
    from collections.abc import Iterable

Role = Literal["act", "condition", "noun", "generic", "element", "absent"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of the question that names something of the log.

    Attributes:
        first, last: the token range.
        role: act (a set of acts), condition (terms over one field), noun (a value to group or
            list by), generic (any event), element (a sort of page element without its label).
        negated: what it names is to be left out.
        weak, loose: yield to stricter acts.
        spellings: of a file, all targets that are it.
        spoken: the words, for labels.
    """

    first: int
    last: int
    role: Role
    spoken: str
    acts: frozenset[str] = frozenset()
    field: Field | None = None
    terms: tuple[Term, ...] = ()
    kind: Kind | None = None
    noun: str | None = None
    weak: bool = False
    negated: bool = False
    loose: bool = False
    spellings: tuple[Term, ...] = ()


_EXIT = re.compile(
    r"\b(?:with |had |have |has |an? |of |the )*(?:(?:exit(?:ed|ing|s)?|return(?:ed|ing|s)?|status)(?: (?:with|in))?(?: an?| the)?"
    r"(?: exit)? ?(?:(?:status |return )?(?:code|status|value)s?)?|code)(?: (?:of|was|is|equal to|=|:|being|were))? (?P<code>-?\d+)\b"
)
_OTHER_CODE = re.compile(r"\bwith (?:something|anything) (?:else|other)\b|\bwith (?:a |some )?(?:different|other|another) (?:exit )?(?:code|status)s?\b")


def link(board: Board, vocabulary: Vocabulary, first: int, last: int) -> list[Mention]:
    """Link the unclaimed tokens first..last-1, claiming each that says something."""
    return Linker(board, vocabulary).run(first, last)


class Linker:
    """One pass over a token range; each method tries one way to read the token at hand."""

    def __init__(self, board: Board, vocabulary: Vocabulary) -> None:
        self.board = board
        self.vocabulary = vocabulary
        self.mentions: list[Mention] = []

    def run(self, first: int, last: int) -> list[Mention]:
        """Read the range from left to right, the longest reading of each place first."""
        self._exit_codes(first, last)
        i = first
        while i < last:
            if self.board.became[i] is None:
                i += self._read(i, self._free_until(i, last))
            else:
                i += 1
        return sorted(self.mentions, key=lambda mention: mention.first)

    def _free_until(self, i: int, last: int) -> int:
        while i < last and self.board.became[i] is None:
            i += 1
        return i

    def _read(self, i: int, last: int) -> int:
        for reading in (
            self._quoted, self._punctuation, self._file, self._named, self._file_sort, self._code, self._error,
            self._apart, self._begun, self._fixture, self._element, self._noun, self._generic, self._ignored, self._partial, self._contained,
            self._absent,
        ):  # fmt: skip
            length = reading(i, last)
            if length:
                return length
        return 1

    def _add(self, first: int, last: int, became: str, **named: object) -> int:
        tokens = self.board.tokens
        spoken = self.board.question[tokens[first].start : tokens[last - 1].end]
        self.mentions.append(Mention(first, last, spoken=spoken.strip("\"'`“”‘’"), **named))  # type: ignore[arg-type]
        self.board.claim(first, last, became)
        return last - first

    def _condition(self, first: int, last: int, field: Field, terms: Iterable[Term], kind: Kind | None = None) -> int:
        found = tuple(terms)
        names = " or ".join(repr(term.text) for term in found[:4]) + (" …" if len(found) > 4 else "")
        told = f"{field} = {names}" + (f" ({kind.name})" if kind else "")
        return self._add(first, last, told, role="condition", field=field, terms=found, kind=kind)

    def _acts(self, first: int, last: int, meaning: Meaning, weak: bool = False) -> int:
        acts = ", ".join(sorted(meaning.acts)[:6]) + (", …" if len(meaning.acts) > 6 else "")
        told = f"{meaning.kind.name} = act in {{{acts}}}" if meaning.kind else f"act in {{{acts}}}"
        self._add(
            first, last, told, role="act", acts=meaning.acts, kind=meaning.kind,
            weak=meaning.weak or weak, loose=meaning.rank > 1, noun=self._files_made(first, last, meaning),
        )  # fmt: skip
        for field, terms in (meaning.kind.where if meaning.kind else {}).items():
            self._also(first, last, field, terms, meaning.kind)
        return last - first

    def _files_made(self, first: int, last: int, meaning: Meaning) -> str | None:
        """A kind named with its plural files (`new files`) also names what is listed."""
        plural = last - first > 1 and meaning.kind is not None and self.board.canon[last - 1] in {"files", "scripts"}
        return "path" if plural else None

    def _also(self, first: int, last: int, field: str, terms: Iterable[str], kind: Kind | None) -> None:
        found = tuple(Term(text, "substring" if field in {"action", "observation"} else None) for text in terms)
        self.mentions.append(
            Mention(first, last, "condition", kind.name if kind else "", field=field, terms=found, kind=kind)  # type: ignore[arg-type]
        )

    # ways to read the token at i; each returns how many tokens it claimed, 0 for none

    def _exit_codes(self, first: int, last: int) -> None:
        while found := self.board.search(_EXIT, first, last):
            self._condition(*self.board.span(found), "exit_code", [Term(found["code"])])
        if any("exit" in lemmas(word) for word in self.board.canon):
            while found := self.board.search(_OTHER_CODE, first, last):
                self._condition(*self.board.span(found), "exit_code", [Term("nonzero")])

    def _quoted(self, i: int, last: int) -> int:
        token = self.board.tokens[i]
        if token.kind != "quoted":
            return 0
        return self._literal(i, i + 1, token.text, quoted=True)

    def _literal(self, first: int, last: int, text: str, quoted: bool = False) -> int:
        """Read a text that is meant verbatim."""
        words = self.vocabulary
        lowered = text.strip().lower()
        canon = [token.canon for token in tokenize(text)]
        found = words.match(canon, 0, len(canon)) if canon else None
        if lowered in words.exact and not (found and found[0] == len(canon) and found[1].role == "act" and self._acts_nearby(last)):
            return self._condition(first, last, "target", [Term(v, "exact") for v in self._spellings(lowered)])
        if found and found[0] == len(canon):
            return self._named_as(first, last, found[1])
        if found and found[1].role == "act":
            rest = words.match(canon, found[0], len(canon))
            if rest and found[0] + rest[0] == len(canon) and rest[1].role == "target":
                self._acts(first, last, found[1])
                self._also_terms(first, last, "target", rest[1].values)
                return last - first
            return self._condition(first, last, "action", [Term(text, "exact" if "." not in str(found[1].acts) else "word")])
        paths = words.paths_named(text)
        if paths:
            return self._path(first, last, paths)
        readings = (self._part_of_target, self._error_text)
        for reading in reversed(readings) if self._fails() else readings:
            if reading(first, last, text):
                return last - first
        if not quoted:
            return 0
        if self._speaks():
            return self._condition(first, last, "observation", [Term(text, "substring")])
        return 0

    def _acts_nearby(self, i: int) -> bool:
        following = self.board.canon[i : i + 1]
        return bool(following) and bool(lemmas(following[0]) & {"action", "call", "command", "step", "operation", "event", "move", "tool"})

    def _also_terms(self, first: int, last: int, field: Field, values: Iterable[str]) -> None:
        found = tuple(Term(value, "exact") for value in values)
        self.mentions.append(Mention(first, last, "condition", found[0].text, field=field, terms=found))

    def _spellings(self, lowered: str) -> list[str]:
        return [self.vocabulary.exact[lowered].values[0]]

    def _fails(self) -> bool:
        spoken = set().union(*(lemmas(word) for word in self.board.canon))
        return bool(spoken & {"error", "fail", "message", "return", "end", "exception", "failure"})

    def _speaks(self) -> bool:
        spoken = set().union(*(lemmas(word) for word in self.board.canon))
        return bool(spoken & words_of("speaking"))

    def _punctuation(self, i: int, _: int) -> int:
        if self.board.tokens[i].kind != "punct":
            return 0
        if self.board.canon[i] == ":" and (length := self._after_colon(i)):
            return length
        self.board.claim(i, i + 1, "punctuation")
        return 1

    def _after_colon(self, i: int) -> int:
        tail = self.board.question[self.board.tokens[i].end :].strip().rstrip("?.! ")
        bare = tail[1:-1] if tail[:1] in "\"'`“" and tail[1:-1].count(tail[0]) == 0 else tail
        if bare.lower() not in self.vocabulary.exact:
            return 0
        self.board.claim(i, i + 1, "punctuation")
        return 1 + self._condition(i + 1, len(self.board.tokens), "target", [Term(self._spellings(bare.lower())[0], "exact")])

    def _named(self, i: int, last: int) -> int:
        found = self.vocabulary.match(self.board.canon, i, last)
        if not found:
            return 0
        length, meaning = found
        word = self.board.canon[i]
        noun_like = meaning.kind and not meaning.kind.ending and not meaning.kind.weak
        if length == 1 and noun_like and lexicon().values.get(word) and (word.endswith("s") or self._after_which(i)):
            return 0
        if meaning.role == "target" and length == 1 and word != meaning.phrase.lower() and _bare(meaning.phrase)[0] != word:
            return 0
        if not self._meant(i, length, meaning):
            return 0
        if meaning.role == "target" and length == 1 and self._names_a_page(i) and self._part_of_target(i, i + 1, self.board.tokens[i].text):
            return 1
        return self._named_as(i, i + length, meaning)

    def _after_which(self, i: int) -> bool:
        return bool({"which", "what", "each", "every", "per", "different", "distinct"} & set(self.board.canon[max(0, i - 1) : i]))

    def _names_a_page(self, i: int) -> bool:
        return bool({"article", "page", "website", "site", "domain", "url", "pages", "urls", "articles"} & set(self.board.canon[i + 1 : i + 2]))

    def _meant(self, i: int, length: int, meaning: Meaning) -> bool:
        """Guard one-word names that are also ordinary words: they need their capital letter."""
        word = self.board.canon[i]
        if length > 1 or meaning.kind is not None or not _plain(word):
            return True
        if meaning.role == "act" and (self._stands_alone(i) or self._verb_of_events(word)):
            return True
        text = self.board.tokens[i].text
        names = meaning.values or tuple(meaning.acts)
        if any(name == text for name in names) and text[:1].isupper():
            return i > 0 and self.board.canon[i - 1] not in {".", "?", "!"}
        follows = self.board.canon[i + 1 : i + 2]
        return meaning.role == "act" and bool(follows) and bool(lemmas(follows[0]) & {"action", "command", "call"})

    def _verb_of_events(self, word: str) -> bool:
        general = lemmas(word) & words_that("a general verb")
        return bool(general) or (word not in lexicon().values and not lemmas(word) & set(lexicon().ignored))

    def _stands_alone(self, i: int) -> bool:
        """Whether a move such as `up` is said as one: `were up?`, `moved up`, `the up moves`."""
        before = lemmas(self.board.canon[i - 1]) if i else frozenset()
        after = self.board.canon[i + 1 : i + 2]
        ends = not after or after[0] in {"?", ".", ",", ";"} or bool(lemmas(after[0]) & lexicon().generic)
        named = bool(after) and bool(lemmas(after[0]) & lexicon().generic)
        return word_is_move(self.vocabulary, self.board.canon[i]) and (named or ends) and bool(named or before & {"be", "move", "go", "press", "play", "choose", "swipe", "the", "a", "an", "or", "and"})

    def _named_as(self, first: int, last: int, meaning: Meaning) -> int:
        kind = meaning.kind
        if meaning.role == "act":
            if kind is None and (literal := self._command(first, last, meaning)):
                return literal
            plain = last - first == 1 and self.board.tokens[first].kind == "word" and _plain(meaning.phrase)
            follows = self.board.canon[last : last + 1]
            called = bool(follows) and bool(lemmas(follows[0]) & lexicon().generic)
            loose = bool(lemmas(self.board.canon[first]) & (words_that("a general verb") | words_that("asks to be told")))
            return self._acts(first, last, meaning, weak=kind is None and plain and loose and not called)
        if meaning.role == "class":
            return self._add(
                first, last, f"target = any {meaning.phrase}", role="condition", field="target",
                terms=(Term(meaning.phrase, "word"),), noun="target",
            )  # fmt: skip
        if meaning.role == "kind" and kind:
            return self._kind(first, last, kind)
        if meaning.role == "author":
            return self._condition(first, last, "author", [Term(v, "exact") for v in meaning.values])
        if len(meaning.values) == 1 and (paths := self.vocabulary.paths_named(meaning.values[0])):
            return self._path(first, last, paths)
        return self._condition(first, last, "target", [Term(meaning.values[0], "exact")])

    def _command(self, first: int, last: int, meaning: Meaning) -> int:
        """A program with words of its own behind it is a command line: git stash pop."""
        act = min(meaning.acts)
        if len(meaning.acts) > 1 or act.rpartition(".")[2].lower() != meaning.phrase or "." not in act:
            return 0
        stop = last
        while stop < len(self.board.tokens) and self._argument(stop):
            stop += 1
        if stop == last:
            return 0
        text = self.board.question[self.board.tokens[first].start : self.board.tokens[stop - 1].end]
        self._add(first, stop, f"act in {{{act}}} and action = {text!r}", role="act", acts=meaning.acts)
        self.mentions.append(Mention(first, stop, "condition", text, field="action", terms=(Term(text),)))
        return stop - first

    def _argument(self, i: int) -> bool:
        token, word = self.board.tokens[i], self.board.canon[i]
        if self.board.became[i] is not None or token.kind != "word" or _plain(word):
            return False
        return not self.vocabulary.match(self.board.canon, i, len(self.board.tokens)) and not self.vocabulary.lacks(self.board.canon, i, i + 1)

    def _kind(self, first: int, last: int, kind: Kind) -> int:
        if kind.errors:
            return self._error_kind(first, last, kind)
        claimed = 0
        for field, terms in kind.where.items():
            match = "substring" if field in {"action", "observation"} else None
            claimed = self._condition(first, last, field, [Term(text, match) for text in terms], kind)  # type: ignore[arg-type]
        if kind.ending == "outcome" and self.board.canon[last - 1] in {"error", "errors", "failures"}:
            self.mentions[-1] = replace(self.mentions[-1], noun="error")
        return claimed

    def _error_kind(self, first: int, last: int, kind: Kind) -> int:
        texts = [error.lower() for error in self.vocabulary.catalog.errors]
        known = [term for term in kind.errors if any(term in text for text in texts)]
        if not known:
            return self._condition(first, last, "observation", [Term(kind.errors[0], "substring")], kind)
        return self._condition(first, last, "error", [Term(term, "substring") for term in known], kind)

    def _code(self, i: int, _: int) -> int:
        token = self.board.tokens[i]
        if token.kind not in {"code", "word"}:
            return 0
        lowered = token.text.lower()
        if token.kind == "code" and lowered in self.vocabulary.exact:
            return self._condition(i, i + 1, "target", [Term(self._spellings(lowered)[0], "exact")])
        if directory := self._directory(i, token.text):
            return directory
        if token.kind == "code" and re.search(r"[./]", token.text) and self._part_of_target(i, i + 1, token.text):
            return 1
        if token.text.startswith(("[", "(")):
            return self._condition(i, i + 1, "action", [Term(token.text)])
        return 0

    def _path(self, first: int, last: int, paths: tuple[str, ...]) -> int:
        known = [path for path in paths if path in self.vocabulary.catalog.paths]
        if len({tuple(path.split("/")[-3:]) for path in known}) > 1:
            return 0
        terms = [Term(path, "exact") for path in (known or paths)]
        length = self._condition(first, last, "path" if known else "target", terms)
        everywhere = tuple(Term(path, "exact") for path in paths)
        self.mentions[-1] = replace(self.mentions[-1], noun="path", spellings=everywhere)
        return length

    def _directory(self, i: int, text: str) -> int:
        name = text.rstrip("/").lower()
        if not text.endswith("/") and not set(self.board.canon) & {"directory", "folder", "directories", "folders"}:
            return 0
        paths = self.vocabulary.catalog.paths
        tops = {path[: at + len(name) + 1] for path in paths if (at := f"/{path.lower()}".find(f"/{name}/")) >= 0}
        if not name or not tops:
            return 0
        return self._condition(i, i + 1, "path", [Term(top, "prefix") for top in sorted(tops)])

    def _file(self, i: int, _: int) -> int:
        token = self.board.tokens[i]
        if token.kind != "code" or not re.search(r"[./]", token.text):
            return 0
        paths = self.vocabulary.paths_named(token.text)
        return self._path(i, i + 1, paths) if paths else 0

    def _file_sort(self, i: int, last: int) -> int:
        ending = data()["extensions"].get(self.board.canon[i])
        follows = self.board.canon[i + 1] if i + 1 < last else ""
        if not ending or lexicon().values.get(follows) != "path":
            return 0
        names = [*self.vocabulary.catalog.paths, *self.vocabulary.catalog.targets]
        values = tuple(dict.fromkeys(name for name in names if name.lower().endswith(ending)))
        if not values:
            return 0
        return self._condition(i, i + 1, "target", [Term(value, "exact") for value in values])

    def _error(self, i: int, last: int) -> int:
        if self.board.canon[i] in {"bad", "invalid", "wrong", "illegal"} and i + 1 < last and (length := self._error(i + 1, last)):
            self.board.claim(i, i + 1, "ignored: says that it is an error")
            return 1 + length
        for length in range(min(10, last - i), 0, -1):
            words = [w for w in self.board.canon[i : i + length]]
            if length == 1 and not (self.board.tokens[i].kind == "code" or self._error_follows(i)):
                break
            if self.board.tokens[i].kind == "punct" or self.board.tokens[i + length - 1].kind == "punct":
                continue
            found = error_texts(self.vocabulary, words)
            if found and not all(_plain(word) for word in words):
                return self._condition(i, i + length, "error", [Term(text, "substring") for text in found])
        return 0

    def _error_follows(self, i: int) -> bool:
        follows = self.board.canon[i + 1 : i + 2]
        return bool(follows) and bool(lemmas(follows[0]) & {"error", "exception"}) and len(self.board.canon[i]) > 3

    def _error_text(self, first: int, last: int, text: str) -> int:
        found = error_texts(self.vocabulary, [token.canon for token in tokenize(text)])
        return self._condition(first, last, "error", [Term(found_text, "substring") for found_text in found]) if found else 0

    def _apart(self, i: int, last: int) -> int:
        found = self.vocabulary.spelled_apart(self.board.canon, i, last)
        return self._condition(i, i + found[0], "target", [Term(found[1].values[0], "exact")]) if found else 0

    def _begun(self, i: int, _: int) -> int:
        found = self.vocabulary.begins(self.board.canon[i]) if self.board.tokens[i].kind == "word" and not _plain(self.board.canon[i]) else None
        return self._acts(i, i + 1, found) if found else 0

    def _fixture(self, i: int, _: int) -> int:
        """The sort of a labelled element: `the Go button` is Go."""
        if not lemmas(self.board.canon[i]) & words_of("fixtures"):
            return 0
        beside = [m for m in self.mentions if m.field == "target" and m.last == i and m.noun is None]
        if beside:
            self.board.claim(i, i + 1, "ignored: the sort of the element named")
        return 1 if beside else 0

    def _element(self, i: int, last: int) -> int:
        """A sort of page element: beside a label it adds nothing, alone it is a condition."""
        for length, forms in ((2, [" ".join(self.board.canon[i : i + 2])]), (1, sorted(lemmas(self.board.canon[i])))):
            for form in forms:
                told = data()["elements"].get(form) if i + length <= last else None
                if told and "click" in self.vocabulary.tool_of:
                    term = Term(told, "substring")
                    noun = lexicon().values.get(self.board.canon[i])
                    return self._add(i, i + length, f"element: {form}", role="element", field="action", terms=(term,), noun=noun)
        return 0

    def _noun(self, i: int, _: int) -> int:
        value = lexicon().values.get(self.board.canon[i])
        if value is None:
            return 0
        return self._add(i, i + 1, f"value: {value}", role="noun", noun=value)

    def _generic(self, i: int, _: int) -> int:
        if not lemmas(self.board.canon[i]) & lexicon().generic:
            return 0
        return self._add(i, i + 1, "any event", role="generic")

    def _ignored(self, i: int, _: int) -> int:
        known = lexicon().ignored
        if self._a_name(i) or (word_is_move(self.vocabulary, self.board.canon[i]) and self.board.canon[i] != "do"):
            return 0
        for form in (self.board.canon[i], *sorted(lemmas(self.board.canon[i]))):
            if form in known:
                self.board.claim(i, i + 1, "ignored: " + known[form])
                return 1
        return 0

    def _a_name(self, i: int) -> bool:
        """Whether a capital letter inside a sentence marks an ordinary word as a name."""
        text = self.board.tokens[i].text
        inside = i > 0 and self.board.canon[i - 1] not in {".", "?", "!", ":", ";", "("} and i - 1 in range(len(self.board.canon))
        return inside and text[:1].isupper() and text[1:].islower() and self.board.tokens[i].kind == "word" and text not in {"I"}

    def _partial(self, i: int, last: int) -> int:
        """A name inside longer names: `finviz.com` in addresses, `search` in `the search field`."""
        token = self.board.tokens[i]
        beside = set().union(*(lemmas(word) for word in self.board.canon[i + 1 : i + 2]), set())
        telling = token.kind == "code" or any(c.isupper() for c in token.text) or beside & words_of("fixtures")
        if not telling or len(token.text) < 3:
            return 0
        end = i + 1
        while end < last and self.board.tokens[end].text[:1].isupper():
            end += 1
        for stop in range(end, i, -1):
            text = self.board.question[token.start : self.board.tokens[stop - 1].end]
            if self._part_of_target(i, stop, text):
                return stop - i
        return 0

    def _part_of_target(self, first: int, last: int, text: str) -> int:
        inside = re.compile(rf"(?<![^\W_]){re.escape(text.strip().lower())}(?![^\W_])")
        known = [t for t in self.vocabulary.catalog.targets if inside.search(t.lower())]
        if not known:
            return 0
        loose = [t for t in self.vocabulary.catalog.targets if text.lower() in t.lower()]
        same = len(loose) == len(known)
        terms = [Term(text.strip(), "substring")] if same else [Term(t, "exact") for t in known[:60]]
        return self._condition(first, last, "target", terms)

    def _absent(self, i: int, last: int) -> int:
        """A kind of event that this log does not hold: fine in a list with others, alone it is not."""
        length = self.vocabulary.lacks(self.board.canon, i, last)
        if not self.vocabulary.catalog.targets and lemmas(self.board.canon[i]) & PLAYING:
            self.board.claim(i, i + 1, "ignored: a general verb")
            return 1
        return self._add(i, i + length, "no such event in this log", role="absent") if length else 0

    def _contained(self, i: int, last: int) -> int:
        """Unknown words right after `mention`, `contain`, …: the action's own words."""
        at = i - 1
        while at >= 0 and self.board.canon[at] in {"the", "a", "an", "any", "word", "string", "text"}:
            at -= 1
        before = lemmas(self.board.canon[at]) if at >= 0 else frozenset()
        stop = i
        while stop < last and self.board.tokens[stop].kind in {"word", "code", "number"} and not _plain(self.board.canon[stop]):
            stop += 1
        if stop == i:
            return 0
        text = self.board.question[self.board.tokens[i].start : self.board.tokens[stop - 1].end]
        if before & {"mention", "contain", "include", "involve", "reference"}:
            return self._condition(i, stop, "action", [Term(text)])
        if before & {"say", "report"} or (before & {"into"} and lemmas(self.board.canon[at - 1]) & {"run", "bump"}):
            return self._condition(i, stop, "observation", [Term(text, "substring")])
        return 0


PLAYING = frozenset(("press", "play", "choose", "pick", "swipe", "hit", "make", "move", "go", "walk", "head", "step"))
"""Verbs that say no more than `act` in a game played by bare moves."""

WORD_GAP = r"\W+"


def word_is_move(vocabulary: Vocabulary, word: str) -> bool:
    """Whether a word is an act by itself, as in games played by `up` and `left`."""
    return word in vocabulary.tool_of


def error_texts(vocabulary: Vocabulary, words: list[str]) -> list[str]:
    """Return the spellings in which the log's errors hold the words in a row."""
    bare = [w for word in words for w in re.findall(r"\w+", word)]
    if not bare or (len(bare) == 1 and len(bare[0]) < 4) or bare[0].removesuffix("s") not in vocabulary.error_text:
        return []
    last = re.escape(bare[-1].removesuffix("s")) + "s?"
    words = [*(re.escape(w) for w in bare[:-1]), last]
    # a status code may stand before words of its own: 500 Server Error: Internal Server Error
    rest = r"\W+(?:\w+\W+){0,2}?" + r"\W+".join(words[1:]) if bare[0].isdigit() and len(words) > 1 else ""
    inside = re.compile(rf"(?<!\w){words[0] + rest if rest else WORD_GAP.join(words)}(?!\w)", re.IGNORECASE)
    found = (inside.search(error) for error in vocabulary.catalog.errors)
    return list(dict.fromkeys(match.group() for match in found if match))


@cache
def words_of(group: str) -> frozenset[str]:
    """Return a word list of the lexicon as a set."""
    found: set[str] = set()
    for words in data()[group].values():
        found |= set(words.split())
    return frozenset(found)


@cache
def words_that(why: str) -> frozenset[str]:
    """Return the words that are ignored for one reason."""
    return frozenset(word for word, reason in lexicon().ignored.items() if reason == why)


@cache
def _plain(word: str) -> bool:
    """Whether a word is ordinary English to the compiler, so that as a name it must stand out."""
    known = lexicon()
    return bool(lemmas(word) & (set(known.ignored) | known.generic | set(known.values)))
