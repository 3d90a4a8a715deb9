"""Small typing errors: unknown words that one or two letters part from a known one."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from tallysql.compiling.rules.lexicon import kinds, lexicon
from tallysql.compiling.rules.mentions import words_of
from tallysql.compiling.rules.tokens import lemmas

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallysql.compiling.rules.vocabulary import Vocabulary

_SHORTEST = 4
_COMPASS = re.compile(r"(?:north|south)?(?:east|west)?(?:ward)?s?")


def corrections(unknown: Iterable[str], vocabulary: Vocabulary) -> dict[str, str]:
    """Return the unknown words that can be read as a known one; empty if any cannot.

    Words with digits are never corrected: drawer 1 is not drawer 10.
    """
    fixed: dict[str, str] = {}
    known = _english() | vocabulary.words
    for word in unknown:
        forms = sorted(lemmas(word), key=lambda form: (form != word, form))
        right = next(filter(None, (_nearest(form, known) for form in forms)), None)
        if right is None:
            return {}
        fixed[word] = right
    return fixed


def _nearest(word: str, known: frozenset[str]) -> str | None:
    from rapidfuzz.distance import DamerauLevenshtein

    if len(word) < _SHORTEST or not word.isalpha() or _COMPASS.fullmatch(word):
        return None
    if word in words_of("spelled"):
        return None
    allowed = 1 if len(word) < 10 else 2
    scored = sorted(
        (distance, candidate)
        for candidate in known
        if candidate[0] == word[0] and candidate.isalpha()
        and (distance := DamerauLevenshtein.distance(word, candidate, score_cutoff=allowed))
        <= allowed
    )  # fmt: skip
    if not scored or (len(scored) > 1 and scored[1][0] == scored[0][0]):
        return None
    return scored[0][1]


@cache
def _english() -> frozenset[str]:
    words = {
        word
        for kind in kinds()
        for phrase in kind.phrases
        for word in phrase.split()
        if len(word) > 3
    }
    return frozenset(
        words
        | {word for word in lexicon().values if len(word) > 4}
        | {
            "many",
            "often",
            "first",
            "last",
            "which",
            "times",
            "action",
            "actions",
            "step",
            "steps",
            "agent",
        }
    )
