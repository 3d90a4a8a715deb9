"""What DuckDB raises, told in tallysql's words."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import duckdb

from tallysql.errors import LockedError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def translated() -> Iterator[None]:
    """Raise what DuckDB raises as a StoreError, and an interrupt of the user's as one.

    Raises:
        StoreError: DuckDB refused or failed; the message is its first line.
        KeyboardInterrupt: the user stopped a running statement.
    """
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        raise _told(error) from error
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from None


def _told(error: duckdb.Error) -> StoreError:
    if "disabled by configuration" not in str(error):
        return StoreError(_first_line(error))
    named = _OUT_OF_REACH.search(str(error))
    what = named[1] or f"extension {named[2]}" if named else "the file system"
    return StoreError(f"not allowed: {what}", "SQL reaches only what is in the database")


_OUT_OF_REACH = re.compile(r"""Cannot access (file "[^"]*")|required extension '(\w+)""")


def cannot_open(path: str, error: duckdb.Error) -> StoreError:
    """Return why a file cannot be opened as a database."""
    text = str(error)
    if held := _HELD.search(text):
        holder = f" (process {held['pid']})" if held["pid"] else ""
        return LockedError(
            f"{path}: another process holds it{holder}", "wait for it to end, or use --wait"
        )
    if "does not exist" in text:
        return StoreError(f"{path}: no such database", "make one with: tallysql load SOURCE")
    return StoreError(f"{path}: cannot be opened as a database ({_first_line(error)})")


_HELD = re.compile(
    r"Could not set lock on file(?:.*\(PID (?P<pid>\d+)\))?"
    r"|being used by another process",  # Windows
    re.S,
)


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]
