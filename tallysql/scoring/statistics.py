"""Intervals, paired tests and agreement; needs scipy (the extra `score`).

Questions about one trajectory are correlated, so intervals resample whole trajectories (paper,
appendix H). The sign test counts questions (paper, appendix A).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RESAMPLES = 10_000
SEED = 20_240
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over questions; the ends of its interval are None where there is one trajectory."""

    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two judges agree on `n` answers that both have judged.

    Attributes:
        kappa: Cohen's; None where both always say the same one thing.
    """

    n: int
    share: float | None
    kappa: float | None


def estimate(
    values: Iterable[tuple[str, float]], *, resamples: int = RESAMPLES, seed: int = SEED
) -> Estimate | None:
    """Return the mean of values with its percentile interval, None if there are none.

    Args:
        values: trajectory id and value of each question.
        resamples: how often as many trajectories as there are are drawn, with replacement.
        seed: of the draws.
    """
    import numpy as np

    by_trajectory: defaultdict[str, list[float]] = defaultdict(list)
    for name, value in values:
        by_trajectory[name].append(value)
    if not by_trajectory:
        return None
    drawn = [by_trajectory[name] for name in sorted(by_trajectory)]
    totals = np.array([sum(found) for found in drawn], dtype=float)
    counts = np.array([len(found) for found in drawn], dtype=float)
    mean = float(totals.sum() / counts.sum())
    if len(drawn) < 2:
        return Estimate(mean)
    found = scipy_stats().bootstrap(
        (totals, counts),
        lambda total, count, axis: total.sum(axis=axis) / count.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    interval = found.confidence_interval
    return Estimate(mean, float(interval.low), float(interval.high))


def sign_test(wins: int, losses: int) -> float:
    """Return the two-sided p of the paired sign test; ties do not count, none decided gives 1."""
    decided = wins + losses
    return float(scipy_stats().binomtest(wins, decided).pvalue) if decided else 1.0


def permutation_test(
    one: Sequence[float],
    other: Sequence[float],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> float | None:
    """Return the two-sided p of the difference in means of two groups, None if one is empty."""
    import numpy as np

    if not one or not other or len(one) + len(other) < 3:
        return None
    found = scipy_stats().permutation_test(
        (np.asarray(one, dtype=float), np.asarray(other, dtype=float)),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        permutation_type="independent",
        vectorized=True,
        n_resamples=resamples,
        rng=np.random.default_rng(seed),
    )
    return float(found.pvalue)


def agreement(verdicts: Iterable[tuple[bool, bool]]) -> Agreement:
    """Return the share of equal verdicts and Cohen's kappa of two judges."""
    pairs = list(verdicts)
    n = len(pairs)
    if not n:
        return Agreement(0, None, None)
    share = sum(one == other for one, other in pairs) / n
    yes_one, yes_other = (sum(said) / n for said in zip(*pairs, strict=True))
    chance = yes_one * yes_other + (1 - yes_one) * (1 - yes_other)
    return Agreement(n, share, None if chance == 1 else (share - chance) / (1 - chance))


def scipy_stats() -> Any:
    """Return scipy.stats.

    Raises:
        InputError: scipy is not installed.
    """
    try:
        from scipy import stats
    except ImportError as error:
        hint = "pip install 'tallysql[score]'"
        raise InputError("intervals and tests need scipy", hint) from error
    return stats
