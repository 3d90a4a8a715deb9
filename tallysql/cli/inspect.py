"""`sql`, `query`, `queries` and `info`: look at what the database holds, changing nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tallysql.cli.output import OutputFormat, output_format_option, say, write_rows
from tallysql.errors import InputError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallysql.cli import Settings
    from tallysql.sqlfiles import SqlFile


time_limit_option = click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Stop the statement after so long.",
)


@click.command()
@click.argument("statement")
@time_limit_option
@output_format_option
@click.pass_obj
def sql(
    settings: Settings, statement: str, time_limit: float, output_format: OutputFormat | None
) -> None:
    """Run a read-only SQL statement; - reads it from stdin.

    Tables: trajectories, steps, ledger, file_events, and the schema vocabulary. The statement
    reaches no files and no network, whatever it says, and 2 GB of memory are its most.
    """
    text = sys.stdin.read() if statement == "-" else statement
    _write(settings, text, None, output_format, time_limit)


@click.command()
@click.argument("name")
@click.option(
    "-p", "--param", "params", metavar="KEY=VALUE", multiple=True, help="A parameter; repeatable."
)
@time_limit_option
@output_format_option
@click.pass_obj
def query(
    settings: Settings,
    name: str,
    params: tuple[str, ...],
    time_limit: float,
    output_format: OutputFormat | None,
) -> None:
    """Run one of the named queries; `tallysql queries` lists them. All parameters are optional."""
    found = _named(name)
    bound = _bound(found, params)
    _write(settings, found.text, bound, output_format, time_limit, bound.get("trajectory_id"))


@click.command()
@output_format_option
def queries(output_format: OutputFormat | None) -> None:
    """List the named queries with their parameters."""
    from tallysql.sqlfiles import query, query_names

    listed = [query(name) for name in query_names("inspect")]
    rows = [(_short(found.name), ", ".join(found.params), found.purpose) for found in listed]
    write_rows(("name", "params", "purpose"), rows, output_format)


@click.command()
@output_format_option
@click.pass_obj
def info(settings: Settings, output_format: OutputFormat | None) -> None:
    """Say what the database holds: trajectories by format and domain, steps, events, size."""
    from pathlib import Path

    from tallysql.api import open_memory
    from tallysql.sqlfiles import query
    from tallysql.store import translated

    with open_memory(settings.db, read_only=True, wait=settings.wait) as memory, translated():
        found = memory.store.relation(query("catalog/contents").text)
        write_rows(found.columns, found, output_format)
    say(f"{settings.db}: {Path(settings.db).stat().st_size / 1e6:,.1f} MB")


def _write(
    settings: Settings,
    statement: str,
    params: Mapping[str, Any] | None,
    output_format: OutputFormat | None,
    time_limit: float,
    trajectory_id: str | None = None,
) -> None:
    """Run a statement; the trajectory that it is about, if any, has to exist."""
    from tallysql.answering.trajectories import require_trajectory
    from tallysql.api import open_memory
    from tallysql.store import translated

    with open_memory(settings.db, read_only=True, wait=settings.wait) as memory:
        store = memory.store
        if trajectory_id is not None:
            require_trajectory(store, trajectory_id)
        store.lock_down()
        with store.time_limit(time_limit), translated():
            if output_format == "parquet":
                found = store.read(statement, params)
                write_rows(found.columns, found, output_format)
            else:
                write_rows(*store.read_rows(statement, params), output_format)


def _named(name: str) -> SqlFile:
    from tallysql.sqlfiles import query, query_names

    known = [_short(found) for found in query_names("inspect")]
    if name not in known:
        raise UnknownName("query", name, known)
    return query(f"inspect/{name}")


def _bound(found: SqlFile, given: tuple[str, ...]) -> dict[str, Any]:
    """Read KEY=VALUE pairs; parameters that are not given are NULL, which means all."""
    bound: dict[str, Any] = dict.fromkeys(found.params)
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"-p {pair}: expected KEY=VALUE")
        if key not in found.params:
            raise UnknownName(f"parameter of {_short(found.name)}", key, found.params)
        bound[key] = _typed(key, value, found.params[key])
    return bound


def _typed(key: str, value: str, sql_type: str) -> Any:
    if sql_type != "BIGINT":
        return value
    least = 0 if key.startswith("at_") else -(2**63)
    try:
        number = int(value)
    except ValueError:
        raise InputError(f"-p {key}={value}: expected an integer") from None
    if not least <= number < 2**63:
        raise InputError(f"-p {key}={value}: expected an integer from {least} to {2**63 - 1}")
    return number


def _short(name: str) -> str:
    return name.rpartition("/")[2]
