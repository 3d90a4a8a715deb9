"""What a question gives the reading view to look for."""

from __future__ import annotations

import re
from dataclasses import dataclass

_REFERENCE = re.compile(
    r"\b(?:time)?(?:steps?|turns?|iterations?)(?:\s+(?:number|index|id|no\.?))?\s*#?\s*\d+"
    r"(?:\s*(?:,|-|–|—|/|\b(?:and|or|to|through)\b)\s*(?:(?:step|turn)s?\s*)?#?\d+)*",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w{2,}")
_PATH = re.compile(r"[\w.~/\\+-]*[./][\w.~/\\+-]*\w")
_QUOTED = re.compile(r"\"([^\"]{4,})\"|“([^”]{4,})”|`([^`]{4,})`|(?<!\w)'([^']{4,})'(?!\w)")
_HOW_MANY_TIMES = re.compile(r"\bhow\s+many\s+times\b", re.IGNORECASE)
STOP_WORDS = frozenset(
    word
    for line in (
        "about after agent all an and any are as at be been before between by can could did do",
        "does during each for from had has have how if in into is it its many most not of on or",
        "out over so step steps that the their them then there these they this those through time",
        "times to turn turns until up use used using was were what when where whether which while",
        "who why with would you",
    )
    for word in line.split()
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the view reads it.

    Attributes:
        terms: distinct lower-cased words without step references and stop words, sorted.
        paths: lower-cased texts that look like a path or a file name, sorted.
        quotes: texts that the question quotes, four characters or more, sorted.
        lo: first step in scope, None where open.
        hi: last step in scope, None where open.
        named: steps that the question names; they are shown even outside the scope.
        counts: the question asks "how many times".
    """

    terms: tuple[str, ...]
    paths: tuple[str, ...]
    quotes: tuple[str, ...] = ()
    lo: int | None = None
    hi: int | None = None
    named: tuple[int, ...] = ()
    counts: bool = False


def read_question(
    question: str, *, lo: int | None = None, hi: int | None = None, named: tuple[int, ...] = ()
) -> Asked:
    """Return what to look for; scope and named steps come from the scope parser."""
    text = _REFERENCE.sub(" ", question)
    words = {word.lower() for word in _WORD.findall(text)}
    terms = tuple(sorted(words - STOP_WORDS))
    paths = tuple(sorted({_as_path(found) for found in _PATH.findall(text)}))
    quotes = tuple(sorted({"".join(groups) for groups in _QUOTED.findall(question)}))
    counts = _HOW_MANY_TIMES.search(question) is not None
    return Asked(terms, paths, quotes, lo, hi, tuple(sorted(set(named))), counts)


def _as_path(text: str) -> str:
    return text.lower().removeprefix("./")
