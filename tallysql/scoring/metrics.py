"""Metrics by name: what one answer is worth against its reference, from 0 to 1.

No answer is worth nothing, except where none is right. See docs/evaluation.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tallysql.scoring import ama, exact
from tallysql.scoring.extract import FORMS, extract

if TYPE_CHECKING:
    from tallysql.scoring.references import Pair

Metric = Callable[["Pair"], float | None]
"""Returns None where the metric is not defined for a question, or has no verdict on it."""


def _compared(compare: Callable[[str, str], float]) -> Metric:
    def score(pair: Pair) -> float:
        answer, reference = pair.answer, pair.reference.answer
        if reference is None or answer is None:
            return float(answer is None and reference is None and pair.record is not None)
        return float(compare(answer, reference))

    return score


def _extracted(pair: Pair) -> float | None:
    """Compare what answer and reference say in the form that the question's record names."""
    form = pair.reference.facts.get("format")
    if form not in FORMS:
        return None
    return _compared(lambda said, gold: extract(form, said) == extract(form, gold))(pair)


METRICS: dict[str, Metric] = {
    "exact": _compared(exact.exact_match),
    "ama": _compared(ama.exact_match),
    "ama-f1": _compared(ama.f1),
    "extract": _extracted,
}
"""Name → metric, those that need no model."""

JUDGES = ("judge", "judge-2")
"""Metrics whose verdicts a model gives; the second is another model's."""
