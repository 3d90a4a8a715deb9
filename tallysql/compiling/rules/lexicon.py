"""The compiler's English, read from the data files beside this module."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tallysql.plan.nodes import By, Field

_FILES = ("lexicon.toml", "cues.toml")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words and patterns of lexicon.toml and cues.toml.

    Attributes:
        irregular: inflected form → base forms.
        ignored: word → why it carries no condition.
        generic: base forms of nouns that name any event.
        values: noun → the value of an event that it names.
        decline: pattern → what the question asks that no plan answers.
        forms: pattern → the answer form it asks for, '' where it only orders the answer.
        cues: pattern → feature of the question.
    """

    numbers: dict[str, int]
    ordinals: dict[str, int]
    irregular: dict[str, frozenset[str]]
    ignored: dict[str, str]
    generic: frozenset[str]
    values: dict[str, By]
    decline: tuple[tuple[re.Pattern[str], str], ...]
    forms: tuple[tuple[re.Pattern[str], str], ...]
    cues: tuple[tuple[re.Pattern[str], str], ...]
    negations: tuple[re.Pattern[str], ...]
    courtesies: tuple[re.Pattern[str], ...]
    thresholds: tuple[tuple[re.Pattern[str], str], ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event as people name it; see kinds.toml for what each field means."""

    name: str
    phrases: tuple[str, ...]
    acts: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    weak: bool = False
    broad: bool = False
    needs: str | None = None
    by: By | None = None
    states: bool = False
    ending: str | None = None
    texts: bool = False
    firm: bool = False
    single: bool = False
    errors: tuple[str, ...] = ()
    where: dict[Field, tuple[str, ...]] = field(default_factory=dict)
    unless: dict[Field, tuple[str, ...]] = field(default_factory=dict)
    narrow: dict[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def lexicon() -> Lexicon:
    """Return the lexicon, read once."""
    raw = data()
    return Lexicon(
        numbers=raw["numbers"],
        ordinals=raw["ordinals"],
        irregular=_irregular(raw["irregular"]),
        ignored={word: group["why"] for group in raw["ignored"] for word in group["words"].split()},
        generic=frozenset(raw["generic"]["nouns"].split()),
        values={noun: value for value, nouns in raw["values"].items() for noun in nouns.split()},
        decline=_patterns(raw["decline"], "reason"),
        forms=_patterns(raw["form"], "form"),
        cues=_patterns(raw["cue"], "feature"),
        negations=tuple(re.compile(pattern) for pattern in raw["negation"]["patterns"]),
        courtesies=tuple(re.compile(pattern) for pattern in raw["courtesy"]["patterns"]),
        thresholds=_patterns(raw["threshold"], "how"),
    )


@cache
def data() -> dict[str, Any]:
    """Return the raw tables of the lexicon, read once."""
    raw: dict[str, Any] = {}
    for name in _FILES:
        raw |= read_table(name)
    return raw


@cache
def pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of cues.toml by its name."""
    return re.compile(data()["patterns"].get(name) or data()["courtesy"][name])


@cache
def kinds() -> tuple[Kind, ...]:
    """Return the kinds of event, in the order of the file."""
    return tuple(
        Kind(**{key: _frozen(value) for key, value in raw.items()})
        for raw in read_table("kinds.toml")["kind"]
    )


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    if isinstance(value, dict):
        return {key: tuple(terms) for key, terms in value.items()}
    return value


@cache
def read_table(name: str) -> dict[str, Any]:
    """Return a data file beside this module, read once."""
    return tomllib.loads(resources.files(__package__).joinpath(name).read_text("utf-8"))


def _irregular(bases: dict[str, list[str]]) -> dict[str, frozenset[str]]:
    forms: dict[str, set[str]] = {}
    for base, inflected in bases.items():
        for form in inflected:
            forms.setdefault(form, set()).add(base)
    return {form: frozenset(found) for form, found in forms.items()}


def _patterns(entries: list[dict[str, str]], value: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(entry["pattern"]), entry[value]) for entry in entries)
