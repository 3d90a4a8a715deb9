"""Answer records for people: tables on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table

from tallysql.cli.output import json_text, printable
from tallysql.engine.evidence import compress_steps

if TYPE_CHECKING:
    from tallysql.answering.records import Record


def show_record(record: Record, *, explain: bool) -> None:
    """Print the answer and the steps of each result; with `explain` also how it came about."""
    console = Console()
    answer = record["answer"]
    if answer is None:
        reason = _decline(record)
        console.print(f"[bold]no computed answer[/bold]{': ' + _safe(reason) if reason else ''}")
    else:
        console.print(f"[bold]{_safe(answer)}[/bold]")
    if record["results"]:
        console.print(_results_table(record["results"]))
    if explain:
        _explain(console, record)


def show_records(records: list[Record], total: str | None) -> None:
    """Print one row a trajectory, and the total where the answers add up."""
    table = Table("trajectory", "answer", "matched", "steps", box=None, header_style="dim")
    for record in records:
        steps = sorted({step for result in record["results"] for step in result["steps"]})
        answer = record["answer"]
        table.add_row(
            _safe(record["trajectory_id"]),
            _safe(answer) if answer is not None else f"[dim]- {_safe(_decline(record))}[/dim]",
            str(record["aggregation_load"] or 0),
            compress_steps(steps),
        )
    if total is not None:
        table.add_row(
            "[bold]total[/bold]", f"[bold]{_safe(total)}[/bold]", "", "", end_section=True
        )
    Console().print(table)


def _decline(record: Record) -> str:
    plan = record["plan"] or {}
    if not plan.get("applicable", True):
        return str(plan["reason"])
    return "; ".join(r["reason"] for r in record["results"] if r["reason"])


def _results_table(results: list[dict[str, Any]]) -> Table:
    table = Table("operation", "state", "matched", "steps", box=None, header_style="dim")
    for result in results:
        state = result["state"]
        table.add_row(
            result["op"],
            _safe(f"{state}: {result['reason']}" if result["reason"] else state),
            str(result["matched"]),
            compress_steps(result["steps"]),
        )
    return table


def _explain(console: Console, record: Record) -> None:
    trace = Table("words", "became", title="trace", title_justify="left", box=None)
    for entry in record["trace"]:
        trace.add_row(_safe(entry["text"]), _safe(entry["became"]))
    console.print(trace)
    console.print(Syntax(json_text(record["plan"], indent=2), "json"))
    for result in record["results"]:
        console.print(Syntax(result["sql"], "sql", word_wrap=True))
        console.print(_safe(json_text(result["params"])))


def _safe(text: object) -> str:
    return escape(printable(str(text)))
