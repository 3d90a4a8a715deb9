"""Scores of every system of a run folder, in all and by group, and what follows from them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.cases import FAMILIES
from benchmarks.runs.attribution import attribute
from benchmarks.runs.systems import models_of
from tallysql.errors import InputError
from tallysql.scoring.judging import Bench, judged, judges_agree
from tallysql.scoring.metrics import JUDGES
from tallysql.scoring.references import pair_up
from tallysql.scoring.score import Breakdown, Scored, score_pairs, summary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.runs.folder import Row, RunFolder
    from tallysql.scoring.references import Pair, Reference

RULE_MADE = "rule-made"
"""The metric of questions made by rule: the answer contains what the reference says."""

BASELINES = ("tm", "rules-refined")
"""The others are compared with the first of these that answered."""

LOADS_FROM = ("tallymem-principal", "tallymem", "rules-refined")
"""Aggregation loads are those that the first of these has compiled, for all systems."""

PREFERRED = ("judge", "extract", RULE_MADE, "exact", "ama")


def score_folder(folder: RunFolder, *, jobs: int = 1) -> Row:
    """Score all systems; write scores.json, scores.parquet, details.parquet, attribution.json.

    Returns:
        what scores.json holds: `{"metric", "baseline", "loads", "rows", "agreement", "failures"}`;
        `metric` is the one that decides which answers are wrong.
    """
    references = folder.references()
    names = folder.systems()
    if not names:
        raise InputError(f"{folder.path}: no answers to score")
    metrics = list(folder.config["metrics"])
    loads = _loads(folder, names)
    scored: dict[str, list[Scored]] = {}
    agreement, failures = {}, []
    for name in names:
        pairs, _ = pair_up(references, folder.records(name), str(folder.answers(name)))
        found = [_rule_made(one) for one in score_pairs(_with_loads(pairs, loads), metrics)]
        if "judge" in metrics:
            bench = Bench(models_of(folder), folder.config.get("second_judge"), None, jobs)
            found, failed = judged(found, bench)
            failures += [f"{name}: {line}" for line in failed]
            agreement[name] = _agreement(found)
        scored[name] = found
    content = _content(folder, scored, agreement)
    content["failures"] = failures
    folder.write("scores.json", content)
    _write_parquet(folder, content["rows"], scored)
    wrong = _wrong(scored, content["metric"])
    attribute(folder, wrong, references)
    return content


def _content(folder: RunFolder, scored: Mapping[str, list[Scored]], agreement: Row) -> Row:
    shown = _metrics(folder, scored)
    baseline = next((name for name in BASELINES if name in scored), next(iter(scored)))
    breakdown = Breakdown(folder.config["by"], resamples=folder.config["resamples"])
    rows = [
        {"system": name, **row}
        for name, found in scored.items()
        for row in summary(found, shown, breakdown, scored[baseline] if name != baseline else None)
    ]
    return {
        "metric": next(name for name in PREFERRED if name in shown),
        "metrics": shown,
        "baseline": baseline,
        "loads": next((name for name in LOADS_FROM if name in scored), None),
        "rows": rows,
        "agreement": agreement,
    }


def _metrics(folder: RunFolder, scored: Mapping[str, list[Scored]]) -> list[str]:
    """Return the metrics that are defined for some question."""
    defined = {metric for found in scored.values() for one in found for metric in one.scores}
    return [name for name in (*folder.config["metrics"], JUDGES[1], RULE_MADE) if name in defined]


def _rule_made(one: Scored) -> Scored:
    """Add what a computed answer to a question made by rule is worth; a model's wording is free."""
    facts, record = one.pair.reference.facts, one.pair.record or {}
    if facts.get("rule_made") is None or record.get("status") == "read":
        return one
    answer = one.pair.answer
    right = answer is not None and FAMILIES[facts["template"]](facts["rule_made"], answer)
    return replace(one, scores={**one.scores, RULE_MADE: float(right)})


def _loads(folder: RunFolder, names: Sequence[str]) -> dict[str, int | None]:
    source = next((name for name in LOADS_FROM if name in names), None)
    records = folder.records(source) if source is not None else []
    return {record["question_id"]: record.get("aggregation_load") for record in records}


def _with_loads(pairs: Sequence[Pair], loads: Mapping[str, int | None]) -> list[Pair]:
    return [
        replace(
            pair,
            record={
                **pair.record,
                "aggregation_load": loads.get(pair.reference.question.question_id),
            },
        )
        if pair.record is not None
        else pair
        for pair in pairs
    ]


def _agreement(scored: Sequence[Scored]) -> Row:
    found = judges_agree(scored)
    return {"n": found.n, "share": found.share, "kappa": found.kappa}


def _wrong(scored: Mapping[str, list[Scored]], metric: str) -> dict[str, Sequence[str]]:
    return {
        name: [
            one.pair.reference.question.question_id
            for one in found
            if metric in one.scores and one.worth(metric) < 1
        ]
        for name, found in scored.items()
    }


def _write_parquet(
    folder: RunFolder, rows: Sequence[Row], scored: Mapping[str, list[Scored]]
) -> None:
    """Write scores and details as tables for SQL."""
    pq.write_table(pa.Table.from_pylist(list(rows)), folder.path / "scores.parquet")
    details = [
        {
            "system": name,
            "question_id": one.pair.reference.question.question_id,
            "trajectory_id": one.trajectory_id,
            "reference": one.pair.reference.answer,
            "answer": one.pair.answer,
            "metric": metric,
            "score": score,
            "said": one.notes.get(metric),
        }
        for name, found in scored.items()
        for one in found
        for metric, score in one.scores.items()
    ]
    pq.write_table(pa.Table.from_pylist(details), folder.path / "details.parquet")


def references_by_id(references: Sequence[Reference]) -> dict[str, Reference]:
    """Return question id → reference."""
    return {reference.question.question_id: reference for reference in references}
