"""Aggregation loads: bins, and the load that a reference answer lets expect (paper, appendix G)."""

from __future__ import annotations

import re

BINS = ((0, "0"), (5, "1-5"), (15, "6-15"), (40, "16-40"), (100, "41-100"))
"""Highest load of each bin and its name; what is more is `>100`."""

LOW = 15
"""The highest load that counts as low; the router attaches evidence above it."""

MORE = ">100"
UNDEFINED = "undefined"
BIN_NAMES = (*(name for _, name in BINS), MORE, UNDEFINED)

_TIMES = re.compile(r"\b(\d{1,6})\s*(?:times|x\b|×)|[x×]\s*(\d{1,6})\b", re.IGNORECASE)
_CITED = re.compile(
    r"\b(?:steps?|turns?)\s*#?\s*(?P<list>\d+(?:\s*(?:,|-|–|—|and|&|to)+\s*(?:(?:steps?|turns?)\s*)?\d+)*)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(\d+)(?:\s*(?:-|–|—|to)\s*(\d+))?")
_LONGEST = 10_000
"""A range of more steps than that is a slip of the pen, not a citation."""


def load_bin(load: float | None) -> str:
    """Return the bin of an aggregation load; None is `undefined`."""
    if load is None:
        return UNDEFINED
    return next((name for top, name in BINS if load <= top), MORE)


def reference_load(reference: str) -> int | None:
    """Return how many events a reference answer speaks of, beside the load that is compiled.

    The larger of the sum of its "N times" counts and the number of steps that it cites, each step
    once ("steps 3, 5-7" are four); None if it has neither.
    """
    counted = sum(int(before or behind) for before, behind in _TIMES.findall(reference))
    cited: set[int] = set()
    for found in _CITED.finditer(reference):
        for lo, hi in _RANGE.findall(found["list"]):
            end = int(hi or lo)
            if 0 <= end - int(lo) < _LONGEST:
                cited.update(range(int(lo), end + 1))
    return max(counted, len(cited)) or None
