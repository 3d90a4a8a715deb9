"""Databases that cannot be opened or used, and what runs in them: told in one clear line."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import duckdb
import pytest

import tallysql
from tallysql.errors import InputError, LockedError, StoreError
from tallysql.store import open_store, translated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOLD = """
import sys, duckdb
held = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "reader")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(params=["reader", "writer"])
def held(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A database that another process holds."""
    path = tmp_path / "x.duckdb"
    open_store(path).close()
    command = [sys.executable, "-c", HOLD, str(path), request.param]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield path
        process.communicate()


def test_a_held_database_is_locked(held: Path) -> None:
    with pytest.raises(LockedError) as caught:
        open_store(held)
    assert "another process holds it (process " in caught.value.message
    assert "http" not in caught.value.message


def test_a_corrupt_database_is_not_locked_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    open_store(path).close()
    content = bytearray(path.read_bytes())
    for place in range(100, 5000):
        content[place] ^= 0xFF
    path.write_bytes(content)
    started = time.monotonic()
    with pytest.raises(StoreError, match="cannot be opened") as caught:
        tallysql.open(path, wait=30)
    assert not isinstance(caught.value, LockedError)
    assert time.monotonic() - started < 15


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM steps",
        "WITH gone AS (DELETE FROM steps RETURNING step) SELECT * FROM gone",
        "WITH out AS (COPY steps TO 'out.csv') SELECT 1",
        "EXPLAIN ANALYZE DELETE FROM steps",
        "/* /* */ */ EXPLAIN /**/ ANALYZE DELETE FROM steps",
        "EXPLAIN (ANALYZE) COPY steps TO 'out.csv'",
        "CREATE TABLE x AS SELECT 1",
        "DROP TABLE steps",
        "SELECT 1; SELECT 2",
    ],
)
def test_sql_changes_nothing_in_a_writable_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with tallysql.open() as memory, pytest.raises(StoreError):
        memory.sql(statement)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "statement",
    [
        "EXPLAIN ANALYZE SELECT 1",
        "-- why\nEXPLAIN (SELECT 1)",
        "EXPLAIN (FORMAT json) FROM steps",
        "PIVOT steps ON call IN (0, 1) USING count(*)",
        """SELECT '"type":"DELETE_QUERY_NODE"'""",
    ],
)
def test_sql_reads(statement: str) -> None:
    with tallysql.open() as memory:
        assert memory.sql(statement).columns


def test_an_open_pivot_says_what_to_do() -> None:
    with tallysql.open() as memory, pytest.raises(StoreError) as caught:
        memory.sql("PIVOT steps ON call USING count(*)")
    assert "must name its columns" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("FROM duckdb_secrets()", "not allowed: the file system"),
        ("FROM sniff_csv('x.csv')", 'not allowed: file "x.csv"'),
        ("FROM 'x.csv'", 'not allowed: file "x.csv"'),
        ("FROM sqlite_scan('a', 'b')", "not allowed: extension sqlite_scanner"),
    ],
)
def test_what_is_out_of_reach_is_told_in_one_line(statement: str, told: str) -> None:
    with open_store() as store, translated():
        store.lock_down()
        with pytest.raises(StoreError) as caught, translated():
            store.read(statement).fetchall()
    assert caught.value.message == told


@pytest.mark.parametrize("error", [RuntimeError("Query interrupted"), duckdb.InterruptException()])
def test_both_ways_of_duckdb_to_tell_of_an_interrupt(error: Exception) -> None:
    with pytest.raises(KeyboardInterrupt), translated():
        raise error


def test_an_interrupt_of_a_statement_is_a_keyboard_interrupt() -> None:
    with open_store() as store:
        timer = threading.Timer(0.2, store._connection.interrupt)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            store.rows("SELECT count(*) FROM range(1_000_000_000_000) t(x) WHERE hash(x) = 8")
        timer.join()


def test_a_failed_first_load_leaves_no_database(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("nothing of use")
    with tallysql.open(tmp_path / "x.duckdb") as memory, pytest.raises(InputError):
        memory.load(tmp_path / "bad.jsonl")
    assert [file.name for file in tmp_path.iterdir()] == ["bad.jsonl"]


def test_a_failed_later_load_leaves_the_database(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    open_store(path).close()
    with tallysql.open(path) as memory, pytest.raises(InputError):
        memory.load(tmp_path / "none.jsonl")
    assert path.exists()


UNCOMMENTED = """
SELECT table_name FROM duckdb_tables() WHERE comment IS NULL AND NOT internal
UNION ALL SELECT view_name FROM duckdb_views() WHERE comment IS NULL AND NOT internal
UNION ALL SELECT function_name FROM duckdb_functions() WHERE comment IS NULL AND NOT internal
UNION ALL SELECT table_name || '.' || column_name FROM duckdb_columns()
    WHERE comment IS NULL AND NOT internal
"""


def test_everything_in_the_schema_has_a_comment() -> None:
    with open_store() as store:
        assert store.rows(UNCOMMENTED) == []
        assert len(store.rows("FROM duckdb_columns() WHERE NOT internal")) > 50


def test_memory_and_spill_folder_are_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = "SELECT current_setting('memory_limit'), current_setting('temp_directory')"
    monkeypatch.setenv("TALLYSQL_MEMORY_LIMIT", "256MiB")
    monkeypatch.setenv("TALLYSQL_TEMP_DIR", str(tmp_path / "spill"))
    with open_store() as opened:
        assert opened.row(settings) == ("256.0 MiB", str(tmp_path / "spill"))


@pytest.mark.parametrize("limit", ["-1", "much", "5 apples", "100%"])
def test_a_memory_limit_is_a_size(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLYSQL_MEMORY_LIMIT", limit)
    with pytest.raises(InputError, match="is no size"):
        open_store()


def test_a_quick_statement_leaves_no_optimizer_off() -> None:
    with open_store() as opened:
        assert opened.quick_rows("SELECT $x + 1", {"x": 1}) == [(2,)]
        (disabled,) = opened.row("SELECT current_setting('disabled_optimizers')") or ("?",)
        assert disabled == ""
