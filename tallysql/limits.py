"""What SQL may take of the machine, as the environment says it or as is usual."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from tallysql.errors import InputError

MEMORY_LIMIT = "TALLYSQL_MEMORY_LIMIT"
"""Environment variable: how much memory statements may take, such as 2GB."""

TEMP_DIR = "TALLYSQL_TEMP_DIR"
"""Environment variable: the folder that statements spill to; by default beside the database."""

USUAL = 4 * 2**30
"""Bytes that statements may take where nothing is said: DuckDB's own 80 % of the machine would
leave little to what runs beside it."""

_SIZE = re.compile(r"\d+(?:\.\d+)? ?[KMGT]i?B", re.IGNORECASE)


def memory_limit(own: str, size: int) -> str:
    """Return the memory limit to set.

    Args:
        own: the limit that DuckDB chose for this machine or container.
        size: the same in bytes.

    Raises:
        InputError: the environment's is no size.
    """
    asked = os.environ.get(MEMORY_LIMIT)
    if not asked:
        return own if size < USUAL else f"{USUAL // 2**30}GiB"
    if not _SIZE.fullmatch(asked):
        raise InputError(f"{MEMORY_LIMIT}: {asked!r} is no size", "such as 4GB or 512MiB")
    return asked


def temp_folder(path: str) -> str | None:
    """Return the folder to spill to from a database, None for DuckDB's own choice."""
    if asked := os.environ.get(TEMP_DIR):
        return asked
    # In memory, DuckDB would choose a folder in the current one, where nobody looks for it.
    in_memory = Path(tempfile.gettempdir()) / f"tallysql-{os.getpid()}"
    return str(in_memory) if path == ":memory:" else None
