"""The lines of a context that are not verbatim text: headers, index records, marks."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.reading.anchors import Candidate


def header(step: int, record: str = "", *, shown: bool = True) -> str:
    """Return the line that a step begins with; it is all of a step whose text is not shown."""
    told = f"[step {step}] {record}" if record else f"[step {step}]"
    return f"{told}\n" if shown else f"{told} · not shown\n"


def not_shown(first: int, last: int, steps: int) -> str:
    """Return the mark of a run of steps that are left out for want of budget."""
    return f"[step {first} not shown]\n" if steps == 1 else f"[steps {first}-{last} not shown]\n"


def gap_lines(steps: Sequence[Candidate]) -> dict[int, str]:
    """Return step → the mark before it of steps out of scope between it and the one before."""
    return {
        after.step: f"[steps {before.step + 1}-{after.step - 1} out of scope]\n"
        for before, after in pairwise(steps)
        if after.place > before.place + 1
    }


def counter_line(counts: Sequence[tuple[str, int]]) -> str:
    """Return the actions per tool in one line."""
    listed = ", ".join(f"{tool} {events}" for tool, events in counts)
    return f"[actions per tool in scope: {listed}]\n"


def scope_line(scope: tuple[int, int], extent: tuple[int, int]) -> str:
    """Return the line that says which steps are in scope, where not all are."""
    lo, hi = scope
    return f"[scope: steps {lo} to {hi} of steps {extent[0]} to {extent[1]}]\n"
