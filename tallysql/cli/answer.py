"""`answer`: a file of questions in, one JSON record each out."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from tallysql.cli.ask import profile_option
from tallysql.cli.view import budget_option, system_option

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tallysql.answering.records import Record
    from tallysql.answering.systems import System
    from tallysql.api import Memory
    from tallysql.cli import Settings


@click.command()
@click.argument("questions")
@click.option("-o", "--output", default="-", metavar="OUT", help="JSONL file; - for stdout.")
@click.option(
    "--trajectories",
    multiple=True,
    metavar="SOURCE",
    help="Load these into memory first and use no database file; may be given again.",
)
@system_option("tallymem")
@profile_option
@click.option("--compiler", type=click.Choice(["rules"]), default="rules", show_default=True)
@click.option("--reader", type=click.Choice(["computed"]), default="computed", show_default=True)
@budget_option
@click.pass_obj
def answer(  # noqa: PLR0913, PLR0917 - one parameter an option
    settings: Settings,
    questions: str,
    output: str,
    trajectories: tuple[str, ...],
    system: System,
    profile: str,
    compiler: str,
    reader: str,
    budget: int,
) -> None:
    """Answer every question of a file (JSONL, CSV, Parquet or AMA-Bench's own).

    Records are written in input order to OUT.partial, which is renamed when complete; interrupted
    work resumes from it. A declined question is no failure; a failing one is named, the others are
    answered, and the exit code is 1.
    """
    with ExitStack() as stack:
        memory, damaged = _memory(settings, trajectories)
        stack.enter_context(memory)
        listed = memory.read_questions(questions)
        rows = [
            {"question_id": q.question_id, "trajectory_id": q.trajectory_id, "question": q.question}
            for q in listed
        ]
        out = None if output == "-" else output
        records = memory.answer(rows, out, profile=profile, system=system, budget=budget)
        if out is None:
            records = _echoed(records)
        statuses = Counter(_watched(records, len(rows)))
    shown = ", ".join(f"{count} {status}" for status, count in statuses.most_common())
    click.echo(f"{len(rows)} questions: {shown}", err=True)
    if statuses["error"] or damaged:
        click.get_current_context().exit(1)


def _memory(settings: Settings, trajectories: tuple[str, ...]) -> tuple[Memory, bool]:
    """Return the memory to ask, and whether some of its sources were damaged."""
    from tallysql.api import open_memory

    if not trajectories:
        return open_memory(settings.db, read_only=True, wait=settings.wait), False
    from tallysql.cli.sources import load_with_progress

    memory = open_memory()
    report = load_with_progress(memory, trajectories)
    return memory, not report.clean


def _echoed(records: Iterable[Record]) -> Iterator[Record]:
    from tallysql.answering.batch import as_line

    for record in records:
        sys.stdout.buffer.write(as_line(record))
        yield record
    sys.stdout.buffer.flush()


def _watched(records: Iterable[Record], total: int) -> Iterator[str]:
    """Yield each record's status; name failures, and show progress on a terminal."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    for record in track(
        records,
        "answering",
        total,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ):
        if record["status"] == "error":
            where = f"question {record['question_id']}: trajectory {record['trajectory_id']}"
            click.echo(f"error: {where}: {record['error']}", err=True)
        yield record["status"]
