"""`run`: executes a plan given as JSON."""

from __future__ import annotations

import json
import sys
from typing import IO, TYPE_CHECKING, Any

import click

from tallysql.cli.output import json_text, printable
from tallysql.plan.profiles import PROFILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.api import Memory
    from tallysql.cli import Settings
    from tallysql.engine.results import Result


DIALECT_NAMES = (
    "duckdb", "sqlite", "spark", "postgres", "trino", "bigquery", "snowflake", "clickhouse",
)  # fmt: skip
"""Those of `tallysql.lowering.dialects`, told without importing it."""


@click.command()
@click.argument("plan", type=click.File("r", encoding="utf-8"), metavar="PLAN.json")
@click.option(
    "-t", "--trajectory", metavar="ID", help="Trajectory; may be left out if there is only one."
)
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default="refined",
    show_default=True,
    help="Named settings of the plan language.",
)
@click.option(
    "--dialect",
    type=click.Choice(list(DIALECT_NAMES)),
    default=None,
    help="Print the plan's SQL for another engine instead of running it; says how it was verified.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on a terminal, too.")
@click.pass_obj
def run(
    settings: Settings,
    plan: IO[str],
    trajectory: str | None,
    profile: str,
    dialect: str | None,
    as_json: bool,
) -> None:
    """Execute a plan (`-` reads stdin) and print values, steps, SQL and parameters.

    With --dialect, print SQL over the tables `events` and `texts` of `export all` instead.
    """
    from tallysql.api import open_memory
    from tallysql.errors import PlanError

    document = _document(plan)
    with open_memory(settings.db, read_only=True, wait=settings.wait) as memory:
        named = trajectory if trajectory is not None else memory.only_trajectory()
        try:
            if dialect is not None:
                click.echo(_in_dialect(memory, document, named, profile, dialect))
                return
            results = memory.run(document, named, profile=profile)
        except PlanError as error:
            raise PlanError(error.violations, error.hint, file=plan.name) from None
    if as_json or not sys.stdout.isatty():
        click.echo(json_text(_shape(results, named, profile)))
    else:
        _show(results, document)


def _in_dialect(memory: Memory, document: Any, named: str, profile: str, dialect: str) -> str:
    from tallysql.lowering.dialects import DIALECTS

    statements = memory.sql_for(document, named, dialect, profile=profile)
    shape = {"dialect": dialect, "verified": DIALECTS[dialect], "statements": statements}
    return json_text(shape)


def _document(plan: IO[str]) -> Any:
    """Read the JSON document; `memory.run` says what is wrong with its content."""
    from tallysql.errors import InputError

    try:
        return json.load(plan)
    except UnicodeDecodeError as error:
        raise InputError.at(plan.name, f"not UTF-8 ({error.reason})") from None
    except json.JSONDecodeError as error:
        problem = f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        raise InputError.at(plan.name, problem) from None
    except RecursionError:
        raise InputError.at(plan.name, "not a plan: nested too deeply") from None


def _shape(results: Sequence[Result], trajectory_id: str, profile: str) -> dict[str, Any]:
    from tallysql.engine.evidence import render
    from tallysql.engine.execute import aggregation_load

    return {
        "trajectory_id": trajectory_id,
        "profile": profile,
        "aggregation_load": aggregation_load(results),
        "results": [result.as_dict() for result in results],
        "evidence": render(results),
    }


def _show(results: Sequence[Result], document: dict[str, Any]) -> None:
    """Print each result as evidence reads, then the statement that gives the same rows."""
    from rich.console import Console
    from rich.syntax import Syntax
    from rich.text import Text

    from tallysql.engine.evidence import render_result

    console = Console()
    if not results:
        console.print(Text(printable(f"not applicable: {document['reason']}")))
    for number, result in enumerate(results, start=1):
        console.print(Text(printable(render_result(number, result))))
        console.print(Syntax(result.sql, "sql", word_wrap=True))
        console.print(Text(f"parameters: {json_text(result.params)}\n"))
