"""`answer`: a file of questions in, one JSON record each out."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallysql.cli.ask import profile_option
from tallysql.cli.models import (
    Prompts,
    compiler_option,
    dry_run_option,
    jobs_option,
    model_options,
    models_from,
    reader_option,
    route_option,
    say_account,
)
from tallysql.cli.output import escaped, say
from tallysql.cli.view import budget_option, system_option

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tallysql.answering.records import Record
    from tallysql.api import Memory
    from tallysql.cli import Settings
    from tallysql.engine.portable import Engine
    from tallysql.llm.models import Models


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
@compiler_option
@reader_option
@route_option
@budget_option
@jobs_option
@dry_run_option
@click.option(
    "--engine",
    type=click.Choice(["duckdb", "spark"]),
    default="duckdb",
    show_default=True,
    help="Where plans run; spark needs --ledger and the extra of that name.",
)
@click.option(
    "--master",
    metavar="URL",
    default="local[*]",
    show_default=True,
    help="Spark's master, such as spark://host:7077.",
)
@click.option(
    "--spark-option",
    "spark_options",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the Spark session; may be given again.",
)
@model_options("compile", "read")
@click.pass_obj
def answer(
    settings: Settings,
    /,
    questions: str,
    output: str,
    trajectories: tuple[str, ...],
    jobs: int,
    dry_run: bool,
    **given: Any,
) -> None:
    """Answer every question of a file (JSONL, CSV, Parquet or AMA-Bench's own).

    Records are written in input order to OUT.partial, which is renamed when complete; interrupted
    work resumes from it. A declined question is no failure; a failing one is named, the others are
    answered, and the exit code is 1.
    """
    from tallysql.answering.resume import check_out

    check_out(output, (questions, *(trajectories or (settings.db,))))
    with ExitStack() as stack:
        out = None if output == "-" or dry_run else output
        prompts = _prompts(stack, output) if dry_run else None
        models = models_from(given, _calls(settings, trajectories, output), prompts)
        memory, damaged = _memory(settings, trajectories, models)
        stack.enter_context(memory)
        engine = _engine(stack, settings, given)
        listed = memory.read_questions(questions)
        rows = [
            {"question_id": q.question_id, "trajectory_id": q.trajectory_id, "question": q.question}
            for q in listed
        ]
        records = memory.answer(rows, out, jobs=jobs, engine=engine, **given)
        if prompts is not None:
            Counter(record["status"] for record in records)
            prompts.say()
            return
        if out is None:
            records = _echoed(records)
        statuses = Counter(_watched(records, len(rows)))
    shown = ", ".join(f"{count} {status}" for status, count in statuses.most_common())
    say(f"{len(rows)} questions: {shown}")
    say_account(models.account)
    if statuses["error"] or damaged:
        click.get_current_context().exit(1)


def _engine(stack: ExitStack, settings: Settings, given: dict[str, Any]) -> Engine | None:
    """Take the options about engines; start a Spark session for as long as the command runs."""
    name, master = given.pop("engine"), given.pop("master")
    options = dict(map(_setting, given.pop("spark_options")))
    if name != "spark":
        return None
    from tallysql.engine.spark import spark_engine

    if not Path(settings.db).is_dir():
        problem = "--engine spark reads a folder that `export all` wrote: --ledger DIR"
        raise click.UsageError(problem)
    return stack.enter_context(spark_engine(settings.db, master, options))


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--spark-option")
    return name, value


def _prompts(stack: ExitStack, output: str) -> Prompts:
    if output == "-":
        return Prompts(sys.stdout)
    return Prompts(stack.enter_context(Path(output).open("w", encoding="utf-8")))


def _calls(settings: Settings, trajectories: tuple[str, ...], output: str) -> str:
    """Return where replies are kept: beside the database, or beside the answers without one."""
    from tallysql.llm.models import calls_file

    if not trajectories:
        return calls_file(settings.db)
    return ":memory:" if output == "-" else calls_file(output)


def _memory(
    settings: Settings, trajectories: tuple[str, ...], models: Models
) -> tuple[Memory, bool]:
    """Return the memory to ask, and whether some of its sources were damaged."""
    from tallysql.api import open_memory

    if not trajectories:
        wait = settings.wait
        return open_memory(settings.db, read_only=True, wait=wait, models=models), False
    from tallysql.cli.sources import load_with_progress

    memory = open_memory(models=models)
    report = load_with_progress(memory, trajectories)
    return memory, not report.clean


def _echoed(records: Iterable[Record]) -> Iterator[Record]:
    from tallysql.answering.batch import as_line

    on_terminal = sys.stdout.isatty()
    for record in records:
        line = as_line(record)
        sys.stdout.buffer.write(escaped(line.decode()).encode() if on_terminal else line)
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
            say(f"error: {where}: {record['error']}")
        yield record["status"]
