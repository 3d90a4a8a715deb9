"""What an arm's answer and evidence are worth on one question (paper, appendix H, table 15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallysql.scoring.extract import is_right

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.probe.arms import Evidence, Steps
    from benchmarks.probe.generate import Case

MEASURES = ("right", "wrong", "exact", "precision", "recall", "f1", "extra", "missed")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one arm made of one question; a measure is None where it is not defined.

    Attributes:
        right: the answer says what the gold says.
        wrong: there is an answer, and it says something else.
        exact: some candidate set is S*; like precision, recall and f1 defined for non-empty S*.
        precision, recall, f1: of the candidate set with the highest F1; zero without evidence.
        extra, missed: for counts with evidence, events of that set that are not in S*, and events
            of S* that are not in that set.
    """

    case: Case
    answer: str | None
    right: float
    wrong: float
    exact: float | None = None
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    extra: float | None = None
    missed: float | None = None

    def measure(self, name: str) -> float | None:
        """Return one of MEASURES."""
        value: float | None = getattr(self, name)
        return value


def judge(case: Case, evidence: Evidence) -> Verdict:
    """Compare an arm's answer and candidate sets with the gold."""
    right = is_right(case["format"], case["answer"], evidence.answer)
    wrong = evidence.answer is not None and not right
    gold = frozenset(case["gold_steps"])
    best = best_candidate(gold, evidence.candidates)
    counted = case["op"] == "count" and best is not None
    extra = float(len(best - gold)) if counted and best is not None else None
    missed = float(len(gold - best)) if counted and best is not None else None
    if not gold:
        return Verdict(case, evidence.answer, right, wrong, extra=extra, missed=missed)
    precision, recall, f1 = overlap(gold, best or frozenset())
    exact = float(best == gold)
    return Verdict(case, evidence.answer, right, wrong, exact, precision, recall, f1, extra, missed)


def best_candidate(gold: frozenset[int], candidates: Iterable[Steps]) -> frozenset[int] | None:
    """Return the candidate with the highest F1, of equals the smallest; None without evidence.

    The size decides where the gold is empty, so that every candidate is as bad as it is large.
    """
    sets = map(frozenset, candidates)
    return max(sets, key=lambda found: (overlap(gold, found)[2], -len(found)), default=None)


def overlap(gold: frozenset[int], found: frozenset[int]) -> tuple[float, float, float]:
    """Return precision, recall and F1; all zero where nothing is shared."""
    shared = len(gold & found)
    if not shared:
        return 0.0, 0.0, 0.0
    precision, recall = shared / len(found), shared / len(gold)
    return precision, recall, 2 * precision * recall / (precision + recall)
