"""`check`: whether a database holds what was loaded."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tallysql.cli.output import OutputFormat, output_format_option, say, write_rows

if TYPE_CHECKING:
    from tallysql.cli import Settings
    from tallysql.ledger.check import Problem

LIMIT = 1000
"""Problems that are listed; a database with more is not to be repaired by hand."""


@click.command()
@output_format_option
@click.pass_obj
def check(settings: Settings, output_format: OutputFormat | None) -> None:
    """Verify the database: every value is read, counts, hashes, keys and spans hold.

    Ledger and file events are compared with those that the archived steps give anew. Prints one
    row a problem and leaves with 1 if there is one; the database is not changed.
    """
    found = _problems(settings)
    rows = [(p.check, p.trajectory_id, p.step, p.problem) for p in found[:LIMIT]]
    write_rows(("check", "trajectory_id", "step", "problem"), rows, output_format)
    if not found:
        say(f"{settings.db}: sound")
        return
    count = f"more than {LIMIT}" if len(found) > LIMIT else len(found)
    say(f"error: {settings.db}: {count} problems")
    click.get_current_context().exit(1)


def _problems(settings: Settings) -> list[Problem]:
    """Return what is wrong; a file that is there and cannot be opened is a problem, too."""
    from tallysql.api import open_memory
    from tallysql.errors import LockedError, StoreError
    from tallysql.ledger.check import Problem

    try:
        with open_memory(settings.db, read_only=True, wait=settings.wait) as memory:
            return list(islice(memory.check(), LIMIT + 1))
    except LockedError:
        raise
    except StoreError as error:
        if not Path(settings.db).is_file():
            raise
        return [Problem("read", None, None, error.message)]
