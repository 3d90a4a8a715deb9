"""What a context shows of the deciding steps, and means with intervals by trajectory."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tallysql.reading.view import View

Lengths = dict[int, dict[tuple[int, str], int]]
"""step → (call, field) → characters."""

RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Case:
    """One question and the steps that decide it, in the three ways of knowing them."""

    trajectory_id: str
    question: str
    named: tuple[int, ...]
    quoted: tuple[int, ...]
    cited: tuple[int, ...]


def shown_characters(view: View) -> dict[tuple[int, int, str], int]:
    """Return (step, call, field) → characters shown."""
    shown: defaultdict[tuple[int, int, str], int] = defaultdict(int)
    for excerpt in view.excerpts:
        span = excerpt.span
        shown[span.step, span.call, span.field] += span.end - span.start
    return shown


def covered(view: View, steps: Iterable[int], lengths: Lengths, cap: int | None) -> list[bool]:
    """Return per step whether the context shows each of its fields whole, or up to a cap."""
    shown = shown_characters(view)
    return [
        all(
            shown.get((step, call, field), 0) >= (length if cap is None else min(length, cap))
            for (call, field), length in lengths[step].items()
        )
        for step in steps
    ]


def mean_with_interval(values: Mapping[str, Sequence[float]]) -> tuple[float, float, float]:
    """Return mean and 95 % interval of values by trajectory, resampling whole trajectories."""
    sums = [(sum(of_one), len(of_one)) for of_one in values.values() if of_one]
    if not sums:
        return (float("nan"),) * 3
    rng = random.Random(1)
    means = sorted(_mean(rng.choices(sums, k=len(sums))) for _ in range(RESAMPLES))
    return _mean(sums), means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES)]


def _mean(sums: Sequence[tuple[float, int]]) -> float:
    return sum(total for total, _ in sums) / sum(count for _, count in sums)
