"""The measures of several arms as JSON and as plain text tables."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from benchmarks.probe.intervals import Estimate, Resampling
from benchmarks.probe.metrics import MEASURES
from benchmarks.probe.templates import TEMPLATES
from tallysql.scoring.load import BINS, MORE, load_bin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console

    from benchmarks.probe.metrics import Verdict

Cells = dict[str, Estimate]
"""Measure → estimate."""
Report = dict[str, Any]
_PAPER = {template.name for template in TEMPLATES if template.of_the_paper}
_WITH_INTERVAL = ("right", "exact", "f1")
_PERCENT = ("right", "wrong", "exact", "precision", "recall", "f1")
_HEADS = {
    "right": "answer right %",
    "wrong": "wrong %",
    "exact": "exactly S* %",
    "precision": "P %",
}
_HEADS |= {"recall": "R %", "f1": "F1 %"}


def report(verdicts: Mapping[str, Sequence[Verdict]], *, resamples: int) -> Report:
    """Return all measures of all arms.

    Args:
        verdicts: by arm, over the same questions in the same order.
        resamples: for the intervals.

    Returns:
        `{"arms": {arm: {"template"|"load"|"all": {group: {measure: {n, mean, low, high}}}}},
        "differences": [{arms, measure, n, mean, low, high}], "resamples", "trajectories"}`; means
        are shares from 0 to 1, extra and missed are events a question.
    """
    first = next(iter(verdicts.values()))
    trajectories = {verdict.case["trajectory_id"] for verdict in first}
    resampling = Resampling(trajectories, resamples=resamples)
    return {
        "questions": len(first),
        "trajectories": len(trajectories),
        "resamples": resamples,
        "arms": {arm: _tables(found, resampling) for arm, found in verdicts.items()},
        "differences": list(_differences(verdicts, resampling)),
    }


def _tables(verdicts: Sequence[Verdict], resampling: Resampling) -> dict[str, Any]:
    templates: dict[str, list[Verdict]] = defaultdict(list)
    loads: dict[str, list[Verdict]] = {name: [] for name in (*dict(BINS).values(), MORE)}
    for verdict in verdicts:
        templates[verdict.case["template"]].append(verdict)
        loads[load_bin(verdict.case["load"])].append(verdict)
    ofs = {
        "template": templates,
        "load": {name: found for name, found in loads.items() if found},
        "all": {
            "the paper's": [v for v in verdicts if v.case["template"] in _PAPER],
            "all": list(verdicts),
        },
    }
    return {
        by: {name: _cells(found, resampling) for name, found in groups.items() if found}
        for by, groups in ofs.items()
    }


def _cells(verdicts: Sequence[Verdict], resampling: Resampling) -> dict[str, Any]:
    return {name: asdict(resampling.estimate(_seen(verdicts, name))) for name in MEASURES}


def _seen(verdicts: Iterable[Verdict], measure: str) -> list[tuple[str, float | None]]:
    return [(verdict.case["trajectory_id"], verdict.measure(measure)) for verdict in verdicts]


def _differences(
    verdicts: Mapping[str, Sequence[Verdict]], resampling: Resampling
) -> Iterable[dict[str, Any]]:
    """Compare the first arm with each other one."""
    (arm, first), *others = verdicts.items()
    for other, found in others:
        for measure in ("right", "exact"):
            estimate = resampling.difference(_seen(first, measure), _seen(found, measure))
            yield {"arms": [arm, other], "measure": measure, **asdict(estimate)}


def show(found: Report, console: Console) -> None:
    """Print a table for each arm, then the differences."""
    for arm, tables in found["arms"].items():
        for by in ("template", "load"):
            _print_table(f"{arm}, by {by}", by, tables[by] | tables["all"], console)
    for row in found["differences"]:
        one, two = row["arms"]
        said = f"{one} minus {two}, {row['measure']}: {_points(row)} points"
        console.print(said, markup=False, highlight=False)
    console.print(
        f"{found['questions']} questions, {found['trajectories']} trajectories; 95 % intervals "
        f"resample trajectories, {found['resamples']} times; extra and missed: events a count.",
        markup=False,
        highlight=False,
    )


def _print_table(title: str, by: str, rows: Mapping[str, Any], console: Console) -> None:
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, highlight=False)
    table.add_column(by, no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    for measure in MEASURES:
        table.add_column(_HEADS.get(measure, measure), justify="right", no_wrap=True)
    for name, cells in rows.items():
        shown = [_cell(measure, cells[measure]) for measure in MEASURES]
        table.add_row(name, str(cells["right"]["n"]), *shown)
    console.print(table)


def _cell(measure: str, cell: Mapping[str, Any]) -> str:
    if cell["mean"] is None:
        return ""
    if measure not in _PERCENT:
        return f"{cell['mean']:.2f}"
    mean = f"{100 * cell['mean']:.1f}"
    if measure not in _WITH_INTERVAL:
        return mean
    return f"{mean} ({100 * cell['low']:.1f}-{100 * cell['high']:.1f})"


def _points(cell: Mapping[str, Any]) -> str:
    return f"{100 * cell['mean']:+.1f} ({100 * cell['low']:+.1f} to {100 * cell['high']:+.1f})"
