"""Verdicts of a model judge, and of a second one, on many answers at a time.

An answer that was judged before is not asked about again: replies are kept (docs/models.md).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tallysql.errors import ModelError
from tallysql.scoring.judge import Prediction, judge
from tallysql.scoring.metrics import JUDGES
from tallysql.scoring.statistics import Agreement, agreement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tallysql.llm.models import Models
    from tallysql.scoring.references import Pair
    from tallysql.scoring.score import Scored


@dataclass(frozen=True, slots=True)
class Bench:
    """Who judges.

    Attributes:
        models: their role `judge` is the first judge.
        second: model of the second judge, none if None.
        wording: template of the prompt, the shipped one if None.
        jobs: answers that wait for a verdict at one time.
    """

    models: Models
    second: str | None = None
    wording: str | None = None
    jobs: int = 1


def judged(scored: Sequence[Scored], bench: Bench) -> tuple[list[Scored], list[str]]:
    """Add the judges' verdicts.

    A question without an answer is not judged: it is worth nothing. Where none is the right answer,
    there is nothing to judge either.

    Returns:
        the same questions in the same order, and a line for each call that failed.
    """
    failures: list[str] = []
    found = list(scored)
    for metric, model in zip(JUDGES, (None, bench.second), strict=True):
        if metric == JUDGES[0] or model is not None:
            with ThreadPoolExecutor(bench.jobs) as pool:
                verdicts = pool.map(lambda one, m=model: _verdict(one.pair, bench, m), found)
                found = [
                    _with(one, metric, *verdict)
                    for one, verdict in zip(found, verdicts, strict=True)
                ]
            failures += [
                f"{metric}: question {one.pair.reference.question.question_id}: {note}"
                for one in found
                if (note := one.notes.get(f"{metric} failed")) is not None
            ]
    return found, failures


def judges_agree(scored: Iterable[Scored]) -> Agreement:
    """Return how far the two judges agree on the answers that both have given a verdict on."""
    one, two = JUDGES
    return agreement(
        (bool(s.scores[one]), bool(s.scores[two]))
        for s in scored
        if s.scores.get(one) is not None and s.scores.get(two) is not None and s.pair.answer
    )


def _verdict(pair: Pair, bench: Bench, model: str | None) -> tuple[float | None, str, bool]:
    """Return score, what was said, and whether the call failed."""
    reference, answer, facts = pair.reference.answer, pair.answer, pair.reference.facts
    if reference is None or answer is None:
        return float(reference is None and answer is None and pair.record is not None), "", False
    question = pair.reference.question
    shown = Prediction(
        question.question,
        reference,
        answer,
        task_type=str(facts.get("task_type") or ""),
        episode=question.trajectory_id,
        task=str(facts.get("task") or ""),
    )
    try:
        found = judge(shown, bench.models, wording=bench.wording, model=model)
    except ModelError as error:
        return None, error.message, True
    return None if found.correct is None else float(found.correct), found.text, False


def _with(one: Scored, metric: str, score: float | None, said: str, failed: bool) -> Scored:
    note = {f"{metric} failed" if failed else metric: said} if said or failed else {}
    return replace(one, scores={**one.scores, metric: score}, notes={**one.notes, **note})
