"""What a stretch of the question names, and the word lists that readings share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from tallysql.compiling.rules.lexicon import data, lexicon
from tallysql.compiling.rules.tokens import lemmas

if TYPE_CHECKING:
    from tallysql.compiling.rules.lexicon import Kind
    from tallysql.plan.nodes import By, Field, Term

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
    noun: By | None = None
    weak: bool = False
    negated: bool = False
    loose: bool = False
    spellings: tuple[Term, ...] = ()


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
def plain(word: str) -> bool:
    """Whether a word is ordinary English to the compiler, so that as a name it must stand out."""
    known = lexicon()
    return bool(lemmas(word) & (set(known.ignored) | known.generic | set(known.values)))
