"""How a question about a commit history is worded: kinds of change, and what it asks for."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from tallysql.compiling.rules.lexicon import lexicon
from tallysql.compiling.rules.tokens import lemmas

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallysql.compiling.rules.tokens import Board

STATUSES = frozenset({"added", "modified", "deleted", "renamed"})
EVERY = "every"
IMPLIED = {
    "count_files": {"how_many", "files"},
    "count_commits": {"how_many", "commits"},
    "count_changes": {"how_many", "per_commit"},
    "count_people": {"how_many", "authors"},
}
"""Cues that say what is counted → the features that they hold."""

COUNTS = frozenset({"how_many", "times", *IMPLIED})
_AGES = frozenset({"newest", "oldest", "youngest"})
_PRESENT = frozenset({"is", "are"})
_PAST = frozenset({"was", "were", "has", "have", "had", "did"})


@dataclass(frozen=True, slots=True)
class Wording:
    """The patterns and words of history.toml, compiled.

    Attributes:
        kinds: kind of change → pattern of the words for it.
        kind: one word for any kind of change.
        aside: a list of kinds in brackets.
        outside: a list of kinds that is left out, after the word that says so.
        cues: pattern and feature, in the order in which they are tried.
        early: those that are read before a question can be declined for one of its words.
        form: a sentence that only tells the form of the answer; `form_words` are all it may hold.
    """

    kinds: dict[str, re.Pattern[str]]
    kind: re.Pattern[str]
    aside: re.Pattern[str]
    outside: re.Pattern[str]
    cues: tuple[tuple[re.Pattern[str], str], ...]
    early: tuple[tuple[re.Pattern[str], str], ...]
    form: re.Pattern[str]
    form_words: frozenset[str]
    ignored: frozenset[str]


@cache
def wording() -> Wording:
    """Return the wording, read once."""
    raw = tomllib.loads(resources.files(__package__).joinpath("history.toml").read_text("utf-8"))
    any_kind = "|".join(raw["kinds"].values())
    between = "|".join(re.escape(word) for word in raw["between"]["words"].split())
    several = rf"(?:(?:{any_kind}|{between})(?= |$) ?)+"
    return Wording(
        kinds={name: re.compile(rf"\b{pattern}\b") for name, pattern in raw["kinds"].items()},
        kind=re.compile(rf"\b(?:{any_kind})\b"),
        aside=re.compile(rf"\( (?:i\.e|that is|whether|meaning)?[ .,]*{several}\)"),
        outside=re.compile(rf"(?:\( )?{raw['except']['pattern']} {several}(?:\))?"),
        cues=_compiled(cue for cue in raw["cue"] if not cue.get("early")),
        early=_compiled(cue for cue in raw["cue"] if cue.get("early")),
        form=re.compile(raw["form"]["pattern"]),
        form_words=frozenset(raw["form"]["words"].split()),
        ignored=frozenset(raw["ignored"]["words"].split()),
    )


def _compiled(cues: Iterable[dict[str, str]]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(cue["pattern"]), cue["feature"]) for cue in cues)


@dataclass
class Asked:
    """What a question asks for.

    Attributes:
        features: the cues that it holds.
        kinds: the kinds of change that it names; empty where it names none.
        spoken: whether it names kinds at all, `changed` and `touched` included.
        back, nth: numbers of the cues of these names.
        counts: how often it asks for a count.
        form: features that the sentence about the answer's form holds.
        unsettled: `changed` is among what it leaves out, which says not what is left.
    """

    features: set[str] = field(default_factory=set)
    kinds: frozenset[str] = frozenset()
    spoken: bool = False
    back: int = 0
    counts: int = 0
    nth: int = 0
    form: set[str] = field(default_factory=set)
    unsettled: bool = False

    def any(self, *names: str) -> bool:
        """Whether it has one of the features."""
        return bool(self.features & set(names))


def read_form(board: Board) -> set[str]:
    """Claim the sentences that only tell the form of the answer; return what they hold."""
    features: set[str] = set()
    while found := board.search(wording().form):
        words = set(found.group().replace("\x00", " ").split())
        if any(word not in wording().form_words and word[0].isalnum() for word in words):
            break
        board.claim(*board.span(found), "answer form")
        features |= _form_features(words)
    return features


def read_early(board: Board) -> Asked:
    """Read the form of the answer, and phrases whose words alone would say something else."""
    asked = Asked(form=read_form(board))
    _read_cues(board, asked, wording().early)
    return asked


def read_asked(board: Board, asked: Asked) -> Asked:
    """Read and claim the rest of the wording; what nothing places stays unclaimed."""
    _read_whether(board, asked)
    outside = _read_kinds(board, wording().outside, "left out: these kinds of change", least=1)
    aside = _read_kinds(board, wording().aside, "kinds of change", least=2)
    _read_cues(board, asked, wording().cues)
    named = _read_kinds(board, wording().kind, "kind of change", least=1)
    if not named and _AGES & set(board.canon):
        named = {"added"}  # the newest file is the one that was added last
    _settle_kinds(asked, named, aside, outside)
    _ignore(board)
    return asked


def _read_whether(board: Board, asked: Asked) -> None:
    """A question that opens with an auxiliary, after its scope, wants yes or no."""
    opening = next((i for i in board.free() if board.tokens[i].kind != "punct"), None)
    if opening is None:
        return
    length = 1 if board.canon[opening] in _PAST else 0
    if board.canon[opening] in _PRESENT and board.canon[opening + 1 : opening + 2] == ["there"]:
        length = 2
    if length:
        board.claim(opening, opening + length, "cue: yes or no")
        asked.features.add("yes_no")


def _form_features(words: set[str]) -> set[str]:
    told = {
        "step": {"step"},
        "hash": {"characters", "hash"},
        "integer": {"integer", "integers", "number", "count", "counts"},
        "list": {"list"},
        "path": {"path", "paths", "file", "files"},
    }
    return {name for name, marks in told.items() if marks & words}


def _read_kinds(board: Board, pattern: re.Pattern[str], became: str, *, least: int) -> set[str]:
    """Claim lists of kinds that hold at least so many; return the kinds."""
    kinds: set[str] = set()
    at = 0
    while found := pattern.search(board.text, at):
        at = found.end()
        held = {name for name, word in wording().kinds.items() if word.search(found.group())}
        if len(held) >= least:
            kinds |= held
            board.claim(*board.span(found), became)
    return kinds


def _read_cues(board: Board, asked: Asked, cues: tuple[tuple[re.Pattern[str], str], ...]) -> None:
    for pattern, feature in cues:
        while found := board.search(pattern):
            first, last = board.span(found)
            if first == last:
                break
            held = {name: text for name, text in found.groupdict().items() if text}
            numbers = [text for name, text in held.items() if name in {"n", "m"}]
            number = int(numbers[0]) if numbers and numbers[0].isdigit() else 1
            asked.back = number if feature == "back" else 1 if feature == "back_one" else asked.back
            asked.nth = number if feature == "nth" else asked.nth
            board.claim(first, last, f"cue: {feature.replace('_', ' ')}")
            asked.features.add(feature)
            asked.features |= {n.removeprefix("also_") for n in held if n.startswith("also_")}
            asked.features |= IMPLIED.get(feature, set())
            asked.counts += feature in COUNTS


def _settle_kinds(asked: Asked, named: set[str], aside: set[str], outside: set[str]) -> None:
    """Kinds in brackets say which changes `changed` means; kinds left out leave the others."""
    asked.unsettled = EVERY in outside and not outside >= STATUSES
    if "new" in asked.features and not (named | aside) & STATUSES:
        named = {"added"}
    asked.spoken = bool(named or aside or outside) or "in_place" in asked.features
    kinds = set(STATUSES) if EVERY in named or not named else named & STATUSES
    if aside & STATUSES and (EVERY in named or named <= aside):
        kinds = aside & STATUSES
    if "in_place" in asked.features:
        kinds = {"modified"}
    asked.kinds = frozenset(kinds - outside) if asked.spoken else frozenset()


def _ignore(board: Board) -> None:
    known = lexicon().ignored
    for i in board.free():
        token = board.tokens[i]
        forms = {board.canon[i], *lemmas(board.canon[i])}
        if token.kind == "punct" or board.canon[i] in {"i.e", "e.g"}:
            board.claim(i, i + 1, "punctuation")
        elif board.canon[i].startswith("<"):  # a tag, or a quoted none
            board.claim(i, i + 1, f"names a {board.canon[i].strip('<_>')}")
        elif forms & known.keys() or forms & wording().ignored:
            board.claim(i, i + 1, "ignored: says nothing of the events")
