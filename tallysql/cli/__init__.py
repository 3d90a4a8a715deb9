"""The command line: options in, calls to `tallysql.api`, exit codes out.

Commands load when they are named, so that `tallysql --help` imports nothing heavy.
"""

from __future__ import annotations

import io
import os
import sys
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

import click

from tallysql.errors import TallyError
from tallysql.version import VERSION

COMMANDS = {
    "load": ("sources", "Archive trajectories and build their ledger."),
    "annotate": ("annotate", "Let a model complete the ledger."),
    "ask": ("ask", "Answer one question about a trajectory."),
    "answer": ("answer", "Answer a file of questions, one JSON record each."),
    "score": ("score", "Score answers against references."),
    "plan": ("ask", "Compile a question and print its plan."),
    "run": ("plans", "Execute a plan."),
    "view": ("view", "Show the steps that a question needs, within a token budget."),
    "sql": ("inspect", "Run a read-only SQL statement."),
    "query": ("inspect", "Run one of the named queries."),
    "queries": ("inspect", "List the named queries."),
    "info": ("inspect", "Say what the database holds."),
    "check": ("check", "Verify that a database is sound and its ledger follows from it."),
    "export": ("sources", "Write a table as Parquet, JSONL or CSV."),
    "convert": ("sources", "Turn a source of any format into canonical Parquet."),
    "formats": ("sources", "List the source formats and what tells them apart."),
}
"""Name → (module in this package, help line)."""

INTERRUPTED, PIPE_CLOSED = 130, 141
"""Exit codes as shells report the signals SIGINT and SIGPIPE."""


@dataclass
class Settings:
    """What every command shares: the database, how long to wait for it, and the error form."""

    db: str = "tally.duckdb"
    wait: float | None = None
    json: bool = False


def _set(name: str) -> Any:
    def callback(context: click.Context, _: click.Parameter, value: Any) -> Any:
        if value is not None:
            setattr(context.ensure_object(Settings), name, value)
        return value

    return callback


def _export(name: str) -> Any:
    """Let an option stand for an environment variable, which the store reads."""

    def callback(context: click.Context, _: click.Parameter, value: str | None) -> None:
        if value is not None:
            os.environ[name] = value

    return callback


def _shared_options() -> list[click.Parameter]:
    """Make the options that may stand before or after the command's name."""
    return [
        click.Option(
            ["--db"],
            envvar="TALLYSQL_DB",
            metavar="FILE",
            expose_value=False,
            callback=_set("db"),
            help="Database file (env TALLYSQL_DB, default tally.duckdb).",
        ),
        click.Option(
            ["--ledger"],
            metavar="DIR",
            expose_value=False,
            callback=_set("db"),
            help="Read a folder that `export all` wrote, in a database's place.",
        ),
        click.Option(
            ["--wait"],
            type=click.FloatRange(min=0),
            metavar="SECONDS",
            expose_value=False,
            callback=_set("wait"),
            help="Wait so long for another process that holds the database.",
        ),
        click.Option(
            ["--memory-limit"],
            metavar="SIZE",
            expose_value=False,
            callback=_export("TALLYSQL_MEMORY_LIMIT"),
            help="Memory that SQL may take (env TALLYSQL_MEMORY_LIMIT, default 4GiB).",
        ),
        click.Option(
            ["--temp-dir"],
            metavar="DIR",
            expose_value=False,
            callback=_export("TALLYSQL_TEMP_DIR"),
            help="Where SQL spills to (env TALLYSQL_TEMP_DIR, default beside the database).",
        ),
    ]


class CommandGroup(click.Group):
    """A group that imports a command's module when the command is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table, not of the alphabet."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command, None if there is no such name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"tallysql.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        if not any(param.name == "db" for param in command.params):
            command.params.extend(_shared_options())
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or fail with the nearest name."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from tallysql.errors import nearest

            near = nearest(name, COMMANDS)
            suggestion = f" Did you mean {near[0]}?" if near else ""
            ctx.fail(f"No such command {name!r}.{suggestion}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and tell of a closed pipe in a way that click leaves to `main`."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            raise PipeClosed from None
        return result


class PipeClosed(Exception):
    """Who reads the output has had enough of it."""


@click.group(
    cls=CommandGroup,
    params=_shared_options(),
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 1 some questions or files failed, each named; "
    "2 bad usage or unreadable input; 130 interrupted; 141 the reader of a pipe has gone.",
)
@click.version_option(VERSION, prog_name="tallysql")
@click.pass_context
def commands(context: click.Context) -> None:
    """Exact answers about what an agent did, with the steps and the SQL that prove them.

    stdout is data, stderr is talk. Tables on a terminal, JSON when piped.
    """
    context.ensure_object(Settings)


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    Errors become one line on stderr (JSON where `--json` was given); a traceback shows only with
    TALLYSQL_DEBUG set.
    """
    arguments = sys.argv[1:] if args is None else args
    as_json = "--json" in arguments
    try:
        code = commands.main(arguments, prog_name="tallysql", standalone_mode=False)
    except click.exceptions.Abort:
        shape = {"kind": "interrupted", "message": "interrupted", "hint": None}
        _fail(shape, INTERRUPTED, as_json=as_json)
    except click.UsageError as error:
        _fail_usage(error, as_json=as_json)
    except click.ClickException as error:
        shape = {"kind": "input", "message": error.format_message(), "hint": None}
        _fail(shape, 2, as_json=as_json)
    except TallyError as error:
        _fail(error.as_dict(), error.exit_code, as_json=as_json)
    except PipeClosed:
        # What is left in the buffers has nowhere to go, and nobody to be told.
        for stream in (sys.stdout, sys.stderr):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        sys.exit(PIPE_CLOSED)
    except Exception as error:
        if os.environ.get("TALLYSQL_DEBUG"):
            raise
        message = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        hint = "this is a defect; TALLYSQL_DEBUG=1 shows where"
        _fail({"kind": "internal", "message": message, "hint": hint}, 2, as_json=as_json)
    sys.exit(code if isinstance(code, int) else 0)


def _fail_usage(error: click.UsageError, *, as_json: bool) -> NoReturn:
    from tallysql.cli.output import say

    if as_json:
        shape = {"kind": "usage", "message": error.format_message(), "hint": None}
        _fail(shape, error.exit_code, as_json=True)
    shown = io.StringIO()
    error.show(file=shown)
    for line in shown.getvalue().splitlines():
        say(line)
    sys.exit(error.exit_code)


def _fail(error: dict[str, str | None], code: int, *, as_json: bool) -> NoReturn:
    from tallysql.cli.output import json_text, say

    if as_json:
        say(json_text(error))
    else:
        hint = f" ({error['hint']})" if error["hint"] else ""
        say(f"error: {error['message']}{hint}")
    sys.exit(code)
