"""Means with 95 % intervals that resample whole trajectories (paper, appendix H).

Questions of one trajectory are correlated, so the trajectory is the unit that is drawn. Needs
numpy, the `bench` extra.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 10_000
SEED = 20_240
Observation = tuple[str, float | None]
"""A trajectory id and the measure's value; None where the measure is not defined."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over `n` questions with the ends of its interval; None where there is none."""

    n: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None


class Resampling:
    """The same drawn trajectories for every estimate, so that differences are paired.

    Args:
        trajectories: the ids to draw from; their order does not matter.
        resamples: how often as many as there are are drawn, with replacement.
    """

    def __init__(
        self, trajectories: Iterable[str], *, resamples: int = RESAMPLES, seed: int = SEED
    ) -> None:
        import numpy as np

        self._places = {name: at for at, name in enumerate(sorted(set(trajectories)))}
        k = len(self._places)
        draws = np.random.default_rng(seed).multinomial(k, np.full(k, 1 / k), size=resamples)
        self._draws: NDArray[np.float64] = draws.astype(np.float64)

    def estimate(self, observations: Iterable[Observation]) -> Estimate:
        """Return the mean over questions and its percentile interval."""
        import numpy as np

        totals, counts = self._sums(observations)
        n = int(counts.sum())
        if not n:
            return Estimate(0)
        drawn = self._draws @ counts
        seen = drawn > 0  # a resample may hold no question of a small group
        means = (self._draws @ totals)[seen] / drawn[seen]
        low, high = np.percentile(means, (2.5, 97.5))
        return Estimate(n, float(totals.sum() / n), float(low), float(high))

    def difference(
        self, observations: Sequence[Observation], others: Sequence[Observation]
    ) -> Estimate:
        """Return the mean of the paired differences of two arms over the same questions."""
        pairs = zip(observations, others, strict=True)
        return self.estimate(
            (name, None if one is None or two is None else one - two)
            for (name, one), (_, two) in pairs
        )

    def _sums(
        self, observations: Iterable[Observation]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return each trajectory's total of defined values and their number."""
        import numpy as np

        values: Mapping[str, list[float]] = defaultdict(list)
        for name, value in observations:
            if value is not None:
                values[name].append(float(value))
        totals, counts = np.zeros(len(self._places)), np.zeros(len(self._places))
        for name, found in values.items():
            totals[self._places[name]] = sum(found)
            counts[self._places[name]] = len(found)
        return totals, counts
