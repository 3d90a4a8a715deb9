"""`ask` and `plan`: one question about one trajectory, or about many."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tallysql.cli.models import (
    compiler_option,
    model_options,
    models_from,
    reader_option,
    route_option,
)
from tallysql.cli.output import json_text, say
from tallysql.cli.totals import total_of
from tallysql.plan.profiles import PROFILES

if TYPE_CHECKING:
    from tallysql.answering.records import Record
    from tallysql.api import Memory
    from tallysql.cli import Settings
    from tallysql.engine.paths import Path

profile_option = click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default="refined",
    show_default=True,
    help="Named settings of the plan language.",
)
trajectory_option = click.option(
    "-t", "--trajectory", metavar="ID", help="Trajectory; may be left out if there is only one."
)


class QuestionText(click.ParamType[str]):
    """A question; bytes of the command line that are no UTF-8 become U+FFFD."""

    name = "text"

    def convert(self, value: str, *_: object) -> str:
        """Return text that can be stored and printed."""
        from tallysql.archive.formats.json_text import replace_surrogates

        return str(replace_surrogates(value)[0])


@click.command()
@click.argument("question", type=QuestionText())
@click.option(
    "-t",
    "--trajectory",
    metavar="ID|GLOB",
    help="Trajectory, or a pattern such as 'run-*'; may be left out if there is only one.",
)
@click.option("--all", "every", is_flag=True, help="Ask about every trajectory.")
@click.option(
    "--where",
    metavar="SQL",
    help="Ask about those that satisfy a condition, such as \"domain = 'software'\".",
)
@profile_option
@compiler_option
@reader_option
@route_option
@model_options("compile", "read")
@click.option("--json", "as_json", is_flag=True, help="Print the answer record.")
@click.option("--explain", is_flag=True, help="Also show the trace, the plan and the SQL.")
@click.pass_obj
def ask(
    settings: Settings,
    /,
    question: str,
    trajectory: str | None,
    every: bool,
    where: str | None,
    as_json: bool,
    explain: bool,
    **given: Any,
) -> None:
    """Answer a question about a trajectory, with the steps that prove the answer.

    About many trajectories it gives one record each (JSON lines when piped) and, on a terminal, a
    table with the total of counts.
    """
    from tallysql.api import open_memory
    from tallysql.engine.paths import path_of, path_of_many
    from tallysql.llm.models import calls_file

    models = models_from(given, calls_file(settings.db))
    with open_memory(settings.db, read_only=True, wait=settings.wait, models=models) as memory:
        if every or where is not None or _is_pattern(memory, trajectory):
            records = list(memory.ask_each(question, like=trajectory, where=where, **given))
            if explain:
                _tell_path(path_of_many(memory.store, len(records)), records)
            _tell_each(records, as_json=as_json)
            return
        record = memory.ask(question, trajectory, **given)
        if explain:
            _tell_path(path_of(memory.store, record["trajectory_id"]), [record])
    if as_json or not sys.stdout.isatty():
        click.echo(json_text(record))
    else:
        from tallysql.cli.show import show_record

        show_record(record, explain=explain)
    if record["status"] == "error":
        say(f"error: {record['error']}")
        click.get_current_context().exit(1)


def _is_pattern(memory: Memory, trajectory: str | None) -> bool:
    """Whether what names the trajectory is a pattern, and not an id that reads like one."""
    if trajectory is None or not set(trajectory) & set("*?["):
        return False
    return trajectory not in memory.trajectories()


def _tell_path(path: Path, records: list[Record]) -> None:
    """Say how the engine ran the plan, if there was one to run."""
    if any(record["results"] for record in records):
        say(f"path: {path}")


def _tell_each(records: list[Record], *, as_json: bool) -> None:
    if as_json or not sys.stdout.isatty():
        for record in records:
            click.echo(json_text(record))
        if (total := total_of(records)) is not None:
            say(f"total: {total}")
    else:
        from tallysql.cli.show import show_records

        show_records(records, total_of(records))
    failed = [record for record in records if record["status"] == "error"]
    for record in failed:
        say(f"error: trajectory {record['trajectory_id']}: {record['error']}")
    if failed:
        click.get_current_context().exit(1)


@click.command()
@click.argument("question", type=QuestionText(), required=False)
@trajectory_option
@profile_option
@compiler_option
@model_options("compile")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of plans instead.")
@click.pass_obj
def plan(
    settings: Settings,
    /,
    question: str | None,
    trajectory: str | None,
    schema: bool,
    **given: Any,
) -> None:
    """Compile a question and print its plan as JSON, as `run` takes it."""
    if schema:
        from tallysql.plan.profiles import profile_named
        from tallysql.plan.schema import plan_schema

        click.echo(json.dumps(plan_schema(profile_named(given["profile"])), indent=2))
        return
    if question is None:
        raise click.UsageError("give a question, or --schema")
    click.echo(json_text(_compiled(settings, question, trajectory, given)))


def _compiled(
    settings: Settings, question: str, trajectory: str | None, given: dict[str, Any]
) -> dict[str, Any]:
    from tallysql.api import open_memory
    from tallysql.llm.models import calls_file
    from tallysql.plan.parse import plan_to_json

    models = models_from(given, calls_file(settings.db))
    with open_memory(settings.db, read_only=True, wait=settings.wait, models=models) as memory:
        named = trajectory if trajectory is not None else memory.only_trajectory()
        return plan_to_json(memory.plan(question, named, **given).plan)
