"""Scores of an answer file against references, in all and by group, alone or against another file.

Nothing is dropped: a question without a record is *missing*, a record without an answer is
*unanswered*, an answer without a verdict is *unjudged*; each counts as worth nothing and is counted
beside the mean. See docs/evaluation.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from tallysql.scoring.dimensions import dimension
from tallysql.scoring.load import BIN_NAMES
from tallysql.scoring.metrics import JUDGES, METRICS
from tallysql.scoring.statistics import RESAMPLES, estimate, permutation_test, sign_test

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tallysql.scoring.references import Pair

Row = dict[str, Any]
ALL = "all"


@dataclass(frozen=True, slots=True)
class Scored:
    """One question and what its answer is worth by each metric.

    Attributes:
        scores: by metric; without an entry the metric is not defined for the question, None means
            that a judge gave no verdict.
        notes: what a judge said, by metric.
    """

    pair: Pair
    scores: Mapping[str, float | None]
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def trajectory_id(self) -> str:
        """Of the question."""
        return self.pair.reference.question.trajectory_id

    def worth(self, metric: str) -> float:
        """Return the score, 0 where there is no verdict."""
        return self.scores[metric] or 0.0


@dataclass(frozen=True, slots=True)
class Breakdown:
    """How scores are summed up.

    Attributes:
        by: dimensions, each one or a cross of several; all questions together always come first.
        between: the dimensions whose groups are compared with each other by a permutation test.
        resamples: of intervals and permutation tests.
    """

    by: Sequence[str] = ()
    between: Sequence[str] = ()
    resamples: int = RESAMPLES


def score_pairs(pairs: Iterable[Pair], metrics: Sequence[str]) -> list[Scored]:
    """Score every pair by the metrics that need no model; judges' verdicts are added later."""
    computed = [name for name in metrics if name not in JUDGES]
    scored = []
    for pair in pairs:
        found = {name: METRICS[name](pair) for name in computed}
        scored.append(Scored(pair, {name: s for name, s in found.items() if s is not None}))
    return scored


def summary(
    scored: Sequence[Scored],
    metrics: Sequence[str],
    breakdown: Breakdown,
    against: Sequence[Scored] | None = None,
) -> list[Row]:
    """Return a row for each metric and group.

    Args:
        scored: every question once.
        metrics: which of their scores.
        breakdown: the groups.
        against: the same questions in the same order, as another file answers them.

    Returns:
        rows with metric, by, group, questions, trajectories, mean, low, high, missing, unanswered,
        unjudged; with `against` also other, wins, losses, ties, difference, difference_low,
        difference_high and p of the sign test. Shares run from 0 to 1.
    """
    rows = []
    for by in (ALL, *breakdown.by):
        groups = _groups(scored, by)
        for metric in metrics:
            for name, places in groups.items():
                chosen = [at for at in places if metric in scored[at].scores]
                if chosen:
                    row = {"metric": metric, "by": by, "group": name}
                    row |= _measured([scored[at] for at in chosen], metric, breakdown)
                    if against is not None:
                        others = ((scored[at], against[at]) for at in chosen)
                        both = [(one, two) for one, two in others if metric in two.scores]
                        row |= _compared(both, metric, breakdown)
                    rows.append(row)
    return rows


def permutations(
    scored: Sequence[Scored], metrics: Sequence[str], breakdown: Breakdown
) -> list[Row]:
    """Compare the groups of a dimension with each other, two at a time, p values not corrected.

    Returns:
        rows with metric, by, one, other, their means, the difference and the two-sided p.
    """
    rows = []
    for by in breakdown.between:
        groups = _groups(scored, by)
        for metric in metrics:
            values = {
                name: [scored[at].worth(metric) for at in places if metric in scored[at].scores]
                for name, places in groups.items()
            }
            names = [name for name, found in values.items() if found]
            for at, one in enumerate(names):
                for other in names[at + 1 :]:
                    a, b = values[one], values[other]
                    means = sum(a) / len(a), sum(b) / len(b)
                    rows.append(
                        {
                            "metric": metric,
                            "by": by,
                            "one": one,
                            "other": other,
                            "questions": [len(a), len(b)],
                            "means": list(means),
                            "difference": means[0] - means[1],
                            "p": permutation_test(a, b, resamples=breakdown.resamples),
                        }
                    )
    return rows


def details(scored: Iterable[Scored], by: Sequence[str] = ()) -> Iterable[Row]:
    """Yield a row for each question: ids, reference, answer, scores, verdicts and groups."""
    groups = {name: dimension(name) for name in by}
    for one in scored:
        question = one.pair.reference.question
        yield {
            "question_id": question.question_id,
            "trajectory_id": question.trajectory_id,
            "question": question.question,
            "reference": one.pair.reference.answer,
            "answer": one.pair.answer,
            "status": one.pair.record.get("status") if one.pair.record is not None else "missing",
            "scores": dict(one.scores),
            "notes": dict(one.notes),
            "groups": {name: of(one.pair) for name, of in groups.items()},
        }


def counts(scored: Sequence[Scored]) -> dict[str, int]:
    """Return how many questions there are, and how many are missing or unanswered."""
    return {"questions": len(scored), **_left_open([one.pair for one in scored])}


def _left_open(pairs: Iterable[Pair]) -> dict[str, int]:
    open_ = Counter(
        "missing" if pair.record is None else "unanswered" for pair in pairs if pair.answer is None
    )
    return {name: open_[name] for name in ("missing", "unanswered")}


def _groups(scored: Sequence[Scored], by: str) -> dict[str, list[int]]:
    """Return the places of each group's questions; loads in their order, the rest by name."""
    if by == ALL:
        return {ALL: list(range(len(scored)))}
    of = dimension(by)
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(scored):
        groups[of(one.pair)].append(place)
    return {name: groups[name] for name in sorted(groups, key=_order)}


def _order(name: str) -> list[tuple[int, str]]:
    """Return what sorts crossed names part by part, bins of loads by size."""
    parts = name.split(" * ")
    return [(BIN_NAMES.index(part) if part in BIN_NAMES else -1, part) for part in parts]


def _measured(chosen: Sequence[Scored], metric: str, breakdown: Breakdown) -> Row:
    values = [(one.trajectory_id, one.worth(metric)) for one in chosen]
    found = estimate(values, resamples=breakdown.resamples)
    return {
        "questions": len(chosen),
        "trajectories": len({name for name, _ in values}),
        **(asdict(found) if found is not None else {}),
        **_left_open([one.pair for one in chosen]),
        "unjudged": sum(one.scores[metric] is None for one in chosen),
    }


def _compared(both: Sequence[tuple[Scored, Scored]], metric: str, breakdown: Breakdown) -> Row:
    gaps = [(one.trajectory_id, one.worth(metric) - two.worth(metric)) for one, two in both]
    wins, losses = sum(gap > 0 for _, gap in gaps), sum(gap < 0 for _, gap in gaps)
    found = estimate(gaps, resamples=breakdown.resamples)
    if found is None:
        return {}
    return {
        "other": sum(two.worth(metric) for _, two in both) / len(both),
        "wins": wins,
        "losses": losses,
        "ties": len(gaps) - wins - losses,
        "difference": found.mean,
        "difference_low": found.low,
        "difference_high": found.high,
        "p": sign_test(wins, losses),
    }
