"""Replies kept beside the database, so that no call is made twice.

SQLite in WAL mode: several processes read and write it at once while the database itself is open
read-only. See docs/architecture.md, "Model path".
"""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tallysql.errors import StoreError
from tallysql.llm.chat import Reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.llm.chat import Request

BUSY_SECONDS = 60
"""How long one process waits for another that is writing."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    key     TEXT PRIMARY KEY,
    stage   TEXT NOT NULL,
    model   TEXT NOT NULL,
    reply   TEXT NOT NULL,
    made_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITHOUT ROWID
"""


class CallCache:
    """Replies by the key of their request.

    Args:
        path: a file, made if it is new, or ":memory:".
        read_only: use what is kept in the file, if there is one, and leave the disk as it is.

    Raises:
        StoreError: the file cannot be used.
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self._path = str(path)
        self._read_only = read_only
        self._lock = threading.Lock()
        with self._translated():
            self._connection = sqlite3.connect(
                _unwritten(self._path) if read_only else self._path,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                uri=read_only,
            )
            if not read_only:
                self._connection.execute("PRAGMA journal_mode = WAL")
                # A killed process loses nothing; a power cut may lose the last replies.
                self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(SCHEMA)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._connection.close()

    def get(self, key: str) -> Reply | None:
        """Return the reply to the request of this key, None if there is none yet."""
        with self._lock, self._translated():
            found = self._connection.execute(
                "SELECT reply FROM calls WHERE key = ?", (key,)
            ).fetchone()
        return None if found is None else Reply(**json.loads(found[0]))

    def put(self, key: str, request: Request, reply: Reply) -> None:
        """Keep a reply, in place of an earlier one."""
        if self._read_only:
            return
        row = (key, request.stage, request.model, json.dumps(asdict(reply)))
        with self._lock, self._translated():
            self._connection.execute(
                "INSERT OR REPLACE INTO calls (key, stage, model, reply) VALUES (?, ?, ?, ?)", row
            )

    def forget(self, key: str) -> None:
        """Keep the reply of this key no longer."""
        if self._read_only:
            return
        with self._lock, self._translated():
            self._connection.execute("DELETE FROM calls WHERE key = ?", (key,))

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            hint = "name another file for kept replies with --calls FILE"
            raise StoreError(f"{self._path}: {error}", hint) from error


def _unwritten(path: str) -> str:
    """Return what to open for reading alone: the file as SQLite's URI, or memory without one."""
    file = Path(path)
    if not file.is_file():
        return ":memory:"
    # Unless a writer's log lies beside it, the file is whole, and SQLite need not make one.
    writer = Path(f"{path}-wal").exists()
    return f"{file.absolute().as_uri()}?mode=ro{'' if writer else '&immutable=1'}"
