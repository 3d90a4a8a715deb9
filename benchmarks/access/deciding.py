"""The steps that decide a question: named or quoted by it, or cited in its reference answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_UNIT = r"(?:time)?(?:steps?|turns?|idx|index)"
_CITED = re.compile(
    rf"\b{_UNIT}\s*(?:numbers?\s*|no\.\s*|#\s*|:\s*|\(s\)\s*)*"
    r"(?P<list>\d+(?!\w)(?:\s*(?:,|-|–|—|&|/|\band\b|\bor\b|\bto\b|\bthrough\b|,\s*and\b)\s*"
    rf"(?:{_UNIT}\s*)?\d+(?!\w)(?!\s*times))*)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"(\d+)\s*(?:-|–|—|\bto\b|\bthrough\b)\s*(?:{_UNIT}\s*)?(\d+)|(\d+)", re.IGNORECASE
)
_QUOTED = re.compile(r"\"([^\"]{8,})\"|“([^”]{8,})”|`([^`]{8,})`|(?<!\w)'([^']{8,})'(?!\w)")
LONGEST_RANGE = 20
MOST_QUOTING = 3


def cited_steps(answer: str, known: Iterable[int]) -> tuple[int, ...]:
    """Return the steps that a reference answer cites: "Step 3", "steps 4, 6 and 9", "turns 2-5".

    Ranges of more than 20 steps are left out: they bound a stretch, they do not cite each step.
    """
    found: set[int] = set()
    for cited in _CITED.finditer(answer):
        for lo, hi, one in _RANGE.findall(cited["list"]):
            if one:
                found.add(int(one))
            elif 0 <= int(hi) - int(lo) < LONGEST_RANGE:
                found.update(range(int(lo), int(hi) + 1))
    return tuple(sorted(found & set(known)))


def quoting_steps(question: str, texts: Mapping[int, str]) -> tuple[int, ...]:
    """Return the steps that hold a text which the question quotes, if at most three do."""
    found: set[int] = set()
    for groups in _QUOTED.findall(question):
        quoted = "".join(groups)
        holding = [step for step, text in texts.items() if quoted in text]
        if len(holding) <= MOST_QUOTING:
            found.update(holding)
    return tuple(sorted(found))
