"""Writes report.html and labels.html of a scored run folder."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from benchmarks.report import plots
from benchmarks.report.packed import PIECE, cut, listed, packed, pieces
from benchmarks.runs.attribution import CAUSES, LABELS, read_labels
from benchmarks.runs.folder import write_whole
from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.runs.folder import Row, RunFolder
    from tallysql.scoring.references import Reference

HERE = Path(__file__).parent
NOT_A_MEASUREMENT = "smol"
"""Part of the name of models that are only used to see that everything runs."""


def write_report(folder: RunFolder) -> Path:
    """Write both pages, and return the place of the report.

    Raises:
        InputError: the folder is not scored.
    """
    scores = folder.read("scores.json")
    if scores is None:
        raise InputError(f"{folder.path}: not scored yet", "python -m benchmarks.report FOLDER")
    references = folder.references()
    systems = folder.systems()
    details, deciding = _details(folder, scores["metric"])
    attribution = folder.read("attribution.json") or {"systems": {}, "cases": []}
    causes = {(c["system"], c["question_id"]): c["cause"] for c in attribution["cases"]}
    rows = listed(references, deciding, systems, _loads(folder, scores), causes)
    page = _template("report.html.j2").render(
        config=folder.config,
        versions=folder.read("versions.json") or {},
        scores=scores,
        systems=systems,
        overall=_overall(scores),
        costs=costs(folder, scores),
        tables=folder.tables(),
        attribution=attribution,
        causes=CAUSES,
        plots=_plots(folder, scores),
        groups=_groups(scores),
        index=packed({"questions": rows, "systems": systems, "piece": PIECE}),
        pieces=list(pieces(folder, references, systems, details)),
        style=_asset("report.css"),
        script=_asset("report.js"),
        only_plumbing=NOT_A_MEASUREMENT in str(folder.config.get("model") or "").lower(),
    )
    write_whole(folder.path / "report.html", page)
    _write_labels(folder, references, attribution["cases"])
    return folder.path / "report.html"


def _template(name: str) -> Any:
    import jinja2

    loader = jinja2.FileSystemLoader(HERE)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True)
    environment.filters["percent"] = percent
    environment.undefined = jinja2.StrictUndefined
    return environment.get_template(name)


def _asset(name: str) -> Any:
    """Return a file of the page that is the project's own, and so is not escaped."""
    from markupsafe import Markup

    return Markup((HERE / name).read_text("utf-8"))


def percent(row: Row, name: str = "mean") -> str:
    """Return a share in percent with its interval."""
    middle = row.get(name)
    if middle is None:
        return ""
    names = ("low", "high") if name == "mean" else (f"{name}_low", f"{name}_high")
    low, high = (row.get(end) for end in names)
    sign = "+" if name == "difference" else ""
    shown = f"{100 * middle:{sign}.1f}"
    if low is None or high is None:
        return shown
    return f"{shown} [{100 * low:{sign}.1f}, {100 * high:{sign}.1f}]"


def _details(
    folder: RunFolder, metric: str
) -> tuple[dict[tuple[str, str], list[Row]], dict[tuple[str, str], float | None]]:
    """Return all scores by system and question, and those of the deciding metric."""
    every: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    deciding: dict[tuple[str, str], float | None] = {}
    for row in pq.read_table(folder.path / "details.parquet").to_pylist():
        key = row["system"], row["question_id"]
        every[key].append({name: row[name] for name in ("metric", "score", "said")})
        if row["metric"] == metric:
            deciding[key] = row["score"]
    return dict(every), deciding


def _loads(folder: RunFolder, scores: Row) -> dict[str, Any]:
    records = folder.records(scores["loads"]) if scores["loads"] else []
    return {record["question_id"]: record.get("aggregation_load") for record in records}


def _overall(scores: Row) -> list[Row]:
    return [row for row in scores["rows"] if row["by"] == "all"]


def _groups(scores: Row) -> list[tuple[str, list[Row]]]:
    """Return the rows of the deciding metric by dimension."""
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for row in scores["rows"]:
        if row["by"] != "all" and row["metric"] == scores["metric"]:
            found[row["by"]].append(row)
    return list(found.items())


def costs(folder: RunFolder, scores: Row) -> list[Row]:
    """Return what each system's answers cost: model calls and tokens, CPU time, a question."""
    shares = {row["system"]: row for row in _overall(scores) if row["metric"] == scores["metric"]}
    rows = []
    for name in folder.systems():
        records = folder.records(name)
        uses = [
            use
            for record in records
            for use in (record.get("usage") or {}).values()
            if isinstance(use, dict) and "calls" in use
        ]
        measured = folder.read(f"costs/{name}.json") or {}
        seconds, asked = measured.get("cpu_seconds"), max(1, len(records))
        tokens = sum(use["prompt_tokens"] + use["completion_tokens"] for use in uses)
        rows.append(
            {
                "system": name,
                "calls": sum(use["calls"] for use in uses) / asked,
                "tokens": tokens / asked,
                "milliseconds": None if seconds is None else 1000 * seconds / asked,
                "score": shares.get(name),
            }
        )
    return rows


def _plots(folder: RunFolder, scores: Row) -> list[tuple[str, Any]]:
    from markupsafe import Markup

    rows, metric = scores["rows"], scores["metric"]
    found = costs(folder, scores)
    unit, name = ("model tokens", "tokens") if any(r["tokens"] for r in found) else ("", "")
    if not unit:
        unit, name = "CPU milliseconds", "milliseconds"
    spent = [
        {
            "system": row["system"],
            "cost": row[name],
            "percent": 100 * row["score"]["mean"],
            "low": 100 * (row["score"]["low"] or 0),
            "high": 100 * (row["score"]["high"] or row["score"]["mean"]),
        }
        for row in found
        if row[name] is not None and row["score"] is not None
    ]
    drawn = [
        ("Accuracy by aggregation load, 95 % intervals", plots.by_load(rows, metric)),
        (
            "Accuracy by the load that the reference states or lets expect",
            plots.by_load(rows, metric, "reference-load"),
        ),
        (
            "Access against aggregation, with the number of questions",
            plots.access_by_aggregation(rows, metric),
        ),
        ("Accuracy by template", plots.by_group(rows, metric, "template")),
        ("Accuracy by family of questions", plots.by_group(rows, metric, "family")),
        (f"Cost against accuracy: {unit}", plots.cost(spent, unit)),
    ]
    # vl-convert escapes the texts that it draws.
    return [(title, Markup(svg)) for title, svg in drawn if svg is not None]


def _write_labels(
    folder: RunFolder, references: Sequence[Reference], cases: Sequence[Mapping[str, Any]]
) -> None:
    """Write the page on which errors that no program can explain are labelled by hand."""
    by_id = {reference.question.question_id: reference for reference in references}
    queue = [case for case in cases if case["cause"] == "to label"]
    records = {
        name: {record["question_id"]: record for record in folder.records(name)}
        for name in {case["system"] for case in queue}
    }
    rows = []
    for case in queue:
        reference = by_id[case["question_id"]]
        record = records[case["system"]][case["question_id"]]
        rows.append(
            {
                "system": case["system"],
                "question_id": case["question_id"],
                "trajectory": reference.question.trajectory_id,
                "question": reference.question.question,
                "reference": reference.answer,
                "answer": record.get("answer"),
                "plan": record.get("plan"),
                "evidence": cut(record.get("evidence") or ""),
            }
        )
    page = _template("labels.html.j2").render(
        run=f"{folder.config['benchmark']} {folder.config['data']['sha256'][:12]}",
        count=len(rows),
        data=packed({"queue": rows, "labels": LABELS, "given": read_labels(folder)}),
        style=_asset("report.css"),
        script=_asset("labels.js"),
    )
    write_whole(folder.path / "labels.html", page)
