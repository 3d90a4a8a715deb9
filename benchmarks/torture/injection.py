"""Statements that try to leave the database, as `tallysql sql` would run them.

One is let in if it reads a file or the environment, writes a file, reaches the network, changes
the database or a setting, or goes on for longer than its time.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import tallysql
from tallysql.errors import TallyError
from tallysql.store import open_store, translated

if TYPE_CHECKING:
    from benchmarks.torture.tally import Tally

FILE = Path(__file__).parents[2] / "tests" / "data" / "hostile" / "statements.sql"
CANARY = "canary-7f3a"
SETTINGS = (
    "SELECT name, value FROM duckdb_settings() WHERE name IN ('enable_external_access', "
    "'lock_configuration', 'memory_limit', 'temp_directory', 'python_enable_replacements')"
)
SLACK_SECONDS = 10
"""How much later than its time a statement may stop on a busy machine."""


def statements() -> list[str]:
    """Return the statements, with their placeholders."""
    return [line for line in FILE.read_text().splitlines() if line and not line.startswith("--")]


class Cell:
    """A database with a step, and around it what a statement should not reach."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder = folder
        self.seconds = seconds
        self.database = folder / "tally.duckdb"
        (folder / "canary.csv").write_text(f"a,b\n{CANARY},1\n")
        (folder / "steps.jsonl").write_text(
            '{"trajectory_id": "a", "step": 0, "action": "x", "observation": "y"}'
        )
        with tallysql.open(self.database) as memory:
            memory.load(folder / "steps.jsonl")
        with open_store(folder / "other.duckdb") as other:
            other.run("CREATE TABLE secret AS SELECT $canary AS content", {"canary": CANARY})
        os.environ["TALLYSQL_CANARY"] = CANARY
        self._server = socket.create_server(("127.0.0.1", 0))
        self._called = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()
        self._before = self._state()
        self._store = open_store(self.database, read_only=True)
        self._store.lock_down()
        self._settings = self._store.rows(SETTINGS)

    def close(self) -> None:
        self._store.close()
        del os.environ["TALLYSQL_CANARY"]
        self._server.close()

    def filled(self, statement: str) -> str:
        """Put paths and the port into a statement."""
        places = {
            "{file}": "canary.csv",
            "{out}": "out",
            "{db}": "other.duckdb",
            "{self}": "tally.duckdb",
        }
        for name, file in places.items():
            statement = statement.replace(name, str(self.folder / file))
        return statement.replace("{port}", str(self._server.getsockname()[1]))

    def let_in(self, statement: str) -> str | None:
        """Run a statement; return what it got that it should not have."""
        started, store = time.monotonic(), self._store
        try:
            with store.time_limit(self.seconds), translated():
                _, rows = store.read_rows(self.filled(statement))
                out = "".join(str(row)[:1000] for row in rows)
        except TallyError as error:
            out = error.message.replace(self.filled(statement), "")
            if "\n" in error.message:
                return f"told in several lines: {error.message!r}"
        if store.rows(SETTINGS) != self._settings:
            return "changed a setting"
        if time.monotonic() - started > self.seconds + SLACK_SECONDS:
            return f"took {time.monotonic() - started:.0f} s"
        return self._reached(out)

    def _reached(self, out: str) -> str | None:
        if CANARY in out or "root:x:0" in out:
            return f"read what is outside: {out[:100]!r}"
        if self._called.is_set():
            self._called.clear()
            return "reached the network"
        return "changed a file" if self._state() != self._before else None

    def _state(self) -> dict[str, bytes]:
        """Return the files of the folder and what they hold."""
        return {file.name: file.read_bytes() for file in sorted(self.folder.iterdir())}

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            connection.close()
            self._called.set()


def torture(tally: Tally, folder: Path, *, seconds: float) -> None:
    """Run all statements, each for so long at most."""
    cell = Cell(folder, seconds)
    try:
        for statement in statements():
            tally.tried(statement[:80], let_in=cell.let_in(statement))
    finally:
        cell.close()
