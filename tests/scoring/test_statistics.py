"""Intervals and tests against computations that share no code with them."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from statsmodels.stats.descriptivestats import sign_test as independent_sign_test
from statsmodels.stats.inter_rater import cohens_kappa

from benchmarks.probe.intervals import Resampling
from tallysql.scoring.statistics import (
    RESAMPLES,
    SEED,
    agreement,
    estimate,
    permutation_test,
    sign_test,
)


@pytest.mark.parametrize(("wins", "losses"), [(79, 63), (47, 14), (17, 1), (3, 3), (1, 0), (0, 5)])
def test_the_sign_test_is_exact(wins: int, losses: int) -> None:
    differences = [1] * wins + [-1] * losses + [0] * 7
    _, expected = independent_sign_test(np.array(differences))
    assert sign_test(wins, losses) == pytest.approx(expected, rel=1e-12)
    n, least = wins + losses, min(wins, losses)
    tail = sum(math.comb(n, k) for k in range(least + 1)) / 2**n
    assert sign_test(wins, losses) == pytest.approx(min(1.0, 2 * tail), rel=1e-12)


def test_the_paper_s_sign_tests() -> None:
    assert round(sign_test(79, 63), 2) == 0.21
    assert sign_test(17, 1) == pytest.approx(1.4e-4, abs=0.05e-4)
    assert sign_test(0, 0) == 1.0


VALUES = [("a", 1.0), ("a", 0.0), ("b", 1.0), ("c", 0.0), ("c", 0.0), ("c", 1.0), ("d", 1.0)]


def by_trajectory(values: list[tuple[str, float]]) -> list[list[float]]:
    names = sorted({name for name, _ in values})
    return [[value for one, value in values if one == name] for name in names]


def drawn_means(values: list[tuple[str, float]], draws: np.ndarray) -> list[float]:
    """Draw trajectories one by one and average their questions: what is meant, written out."""
    groups = by_trajectory(values)
    means = []
    for draw in draws:
        questions = [value for place in draw for value in groups[place]]
        means.append(math.fsum(questions) / len(questions))
    return means


def test_the_interval_is_the_percentile_interval_of_the_same_draws() -> None:
    draws = np.random.default_rng(SEED).integers(0, 4, size=(2000, 4))
    expected = np.percentile(drawn_means(VALUES, draws), (2.5, 97.5))
    found = estimate(VALUES, resamples=2000)
    assert found is not None
    assert found.mean == pytest.approx(4 / 7, rel=1e-12)
    assert (found.low, found.high) == pytest.approx(tuple(expected), rel=1e-12)


def test_the_interval_agrees_with_all_possible_draws() -> None:
    """Four trajectories can be drawn in 256 ways: no chance is left."""
    every = np.array(list(itertools.product(range(4), repeat=4)))
    low, high = np.percentile(drawn_means(VALUES, every), (2.5, 97.5))
    found = estimate(VALUES, resamples=50_000)
    assert found is not None
    assert found.low == pytest.approx(low, abs=0.02)
    assert found.high == pytest.approx(high, abs=0.02)


def test_the_interval_agrees_with_the_probe_s() -> None:
    """Another implementation of the same rule, which counts how often each is drawn."""
    draw = random.Random(3)
    values = [(f"t{draw.randint(0, 39)}", float(draw.random() < 0.6)) for _ in range(400)]
    found = estimate(values)
    other = Resampling({name for name, _ in values}).estimate(values)
    assert found is not None
    assert found.mean == other.mean
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=0.005)


def test_trajectories_are_drawn_not_questions() -> None:
    """Questions that repeat each other within a trajectory make an interval no narrower."""
    once = [(f"t{at}", float(at % 3 == 0)) for at in range(30)]
    assert estimate(once * 20) == estimate(once)


def test_what_has_no_interval() -> None:
    assert estimate([]) is None
    alone = estimate([("a", 1.0), ("a", 0.0)])
    assert alone is not None
    assert (alone.mean, alone.low, alone.high) == (0.5, None, None)


def test_the_permutation_test_is_exact_where_all_can_be_counted() -> None:
    one, other = [1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0]
    values = one + other
    gap = abs(sum(one) / 4 - sum(other) / 3)
    gaps = []
    for chosen in itertools.combinations(range(7), 4):
        inside = sum(values[at] for at in chosen)
        gaps.append(inside / 4 - (sum(values) - inside) / 3)
    above = sum(g >= gap - 1e-9 for g in gaps) / len(gaps)
    below = sum(g <= gap + 1e-9 for g in gaps) / len(gaps)
    expected = min(1.0, 2 * min(above, below))
    assert permutation_test(one, other) == pytest.approx(expected, rel=1e-9)
    assert permutation_test([1.0], []) is None


def test_the_permutation_test_of_many() -> None:
    """33 of 84 against 46 of 255: what can be drawn agrees with a test of proportions."""
    p = permutation_test([1.0] * 33 + [0.0] * 51, [1.0] * 46 + [0.0] * 209, resamples=RESAMPLES)
    assert p is not None
    assert p < 0.001
    assert permutation_test([1.0, 0.0] * 30, [0.0, 1.0] * 30) == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize("table", [[[40, 9], [6, 45]], [[1, 0], [0, 1]], [[5, 5], [5, 5]]])
def test_kappa(table: list[list[int]]) -> None:
    verdicts = [
        (bool(one), bool(other))
        for one in (0, 1)
        for other in (0, 1)
        for _ in range(table[one][other])
    ]
    found = agreement(verdicts)
    assert found.n == len(verdicts)
    assert found.share == pytest.approx((table[0][0] + table[1][1]) / len(verdicts))
    expected = cohens_kappa(np.array(table), return_results=False)
    assert found.kappa == pytest.approx(expected, abs=1e-12)


def test_kappa_that_is_not_defined() -> None:
    assert agreement([(True, True)] * 3).kappa is None
    assert agreement([]).n == 0
