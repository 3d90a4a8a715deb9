"""sql, query, queries and info as a user calls them; what untrusted SQL cannot reach."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from tallysql.cli import PipeClosed, Settings, commands, main
from tallysql.cli.output import printable, write_rows
from tallysql.errors import StoreError, TallyError
from tallysql.ledger.mechanical import build
from tallysql.sqlfiles import query_names
from tallysql.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STEPS = """
INSERT INTO steps (trajectory_id, step, call, action, observation, is_copied) VALUES
    ('t', 0, 0, 'open box 1', 'You open the box 1.', false),
    ('t', 1, 0, 'open box 1', 'Nothing happens.', false),
    ('t', 2, 0, 'close box 1', 'You close the box 1.', false),
    ('u', 1, 0, 'bash: {"command": "ls /tmp/x"}', E'\\x1b[31mno\\nexit code 2', false);
INSERT INTO trajectories VALUES
    ('t', 'a task', 'rooms', 's', 'parquet', 3, 'h', NULL, TIMESTAMP '2026-01-01'),
    ('u', NULL, 'shell', 's', 'parquet', 1, 'h', NULL, TIMESTAMP '2026-01-01');
CREATE TEMP TABLE touched AS SELECT DISTINCT trajectory_id FROM steps;
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("inspect") / "tally.duckdb")
    with open_store(path) as store:
        store.run(STEPS)
        build(store)
    return path


def run(database: str, *args: str, stdin: str | None = None) -> Any:
    return CliRunner().invoke(commands, [*args], obj=Settings(db=database), input=stdin)


def rows_of(database: str, *args: str) -> Any:
    result = run(database, *args)
    assert result.exception is None, result.exception
    return json.loads(result.stdout)


def test_sql_prints_json_when_piped(database: str) -> None:
    assert rows_of(database, "sql", "SELECT step, outcome FROM ledger WHERE act = 'open'") == [
        {"step": 0, "outcome": "success"},
        {"step": 1, "outcome": "no_effect"},
    ]


def test_sql_reads_stdin(database: str) -> None:
    result = run(database, "sql", "-", stdin="SELECT 1 AS one")
    assert json.loads(result.stdout) == [{"one": 1}]


@pytest.mark.parametrize("name", query_names("inspect"))
def test_every_named_query_runs(database: str, name: str) -> None:
    short = name.removeprefix("inspect/")
    everything = rows_of(database, "query", short)
    of_one = rows_of(database, "query", short, "-p", "trajectory_id=t")
    assert len(of_one) <= len(everything)
    assert all(row.get("trajectory_id", "t") == "t" for row in of_one)


def test_named_queries_answer(database: str) -> None:
    history = rows_of(database, "query", "history", "-p", "object=BOX 1")
    assert [(row["step"], row["old_value"], row["new_value"]) for row in history] == [
        (0, None, "open"),
        (2, "open", "closed"),
    ]
    (repeat,) = rows_of(database, "query", "repeats")
    assert (repeat["first_step"], repeat["last_step"], repeat["times"]) == (0, 1, 2)
    assert rows_of(database, "query", "repeats", "-p", "at_least=3") == []
    (code,) = rows_of(database, "query", "exit_codes")
    assert (code["act"], code["exit_code"], code["failures_in_a_row"]) == ("bash.ls", 2, 1)


def test_queries_lists_what_query_takes(database: str) -> None:
    listed = rows_of(database, "queries")
    assert [f"inspect/{row['name']}" for row in listed] == list(query_names("inspect"))
    assert all(row["purpose"] for row in listed)


def test_info_counts(database: str) -> None:
    rooms, shell = rows_of(database, "info")
    assert (rooms["domain"], rooms["trajectories"], rooms["steps"]) == ("rooms", 1, 3)
    assert (shell["domain"], shell["events"], shell["file_events"]) == ("shell", 1, 0)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["query", "tool"], "did you mean 'tool"),
        (["query", "repeats", "-p", "at_leest=2"], "did you mean 'at_least'"),
        (["query", "repeats", "-p", "at_least=x"], "expected an integer"),
        (["query", "long_observations", "-p", "at_most=-1"], "expected an integer from 0"),
        (["query", "timeline", "-p", f"first_step={2**63}"], "expected an integer from -"),
        (["query", "timeline", "-p", "trajectory_id=tt"], "did you mean 't'"),
        (["sql", "FROM duckdb_secrets()"], "not allowed: the file system"),
        (["sql", "SELEC 1"], "syntax error"),
        (["sql", "SELECT 1; SELECT 2"], "expected one statement, got 2"),
        (["sql", "/* nothing */"], "expected one statement, got 0"),
        (["sql", "DELETE FROM ledger"], "only statements that read"),
    ],
)
def test_what_cannot_run_says_why(database: str, args: list[str], words: str) -> None:
    error = run(database, *args).exception
    assert isinstance(error, TallyError)
    assert words in f"{error.message} {error.hint}"


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A locked store in a folder with a file that nothing may read."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.csv").write_text("a\nsecret\n")
    with open_store(tmp_path / "x.duckdb"):
        pass
    with open_store(tmp_path / "x.duckdb", read_only=True) as store:
        store.lock_down()
        yield store
    assert {file.name for file in tmp_path.iterdir()} == {"secret.csv", "x.duckdb"}


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM 'secret.csv'",
        "SELECT * FROM read_csv('secret.csv')",
        "SELECT * FROM read_text('secret.csv')",
        "SELECT * FROM read_text('http://localhost:1/x')",
        "SELECT * FROM glob('*')",
        "SELECT * FROM query('FROM ''secret.csv''')",
        "SELECT * FROM in_python",
        "SELECT getenv('HOME')",
        "WITH gone AS (DELETE FROM ledger RETURNING step) SELECT * FROM gone",
        "WITH out AS (COPY ledger TO 'out.csv') SELECT 1",
        "EXPLAIN ANALYZE COPY ledger TO 'out.csv'",
        "COPY ledger TO 'out.csv'",
        "EXPORT DATABASE 'out'",
        "ATTACH ':memory:' AS other",
        "ATTACH 'secret.csv' AS other",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "CREATE TEMP TABLE x AS SELECT 1",
        "CREATE SECRET (TYPE s3)",
        "SET VARIABLE x = 1",
        "UPDATE EXTENSIONS",
        "CHECKPOINT",
    ],
)
def test_untrusted_sql_reaches_nothing(locked: Store, statement: str) -> None:
    in_python = duckdb.sql("SELECT 1")  # what a replacement scan would find
    assert in_python is not None
    with pytest.raises(StoreError):
        locked.read(statement).fetchall()


@pytest.mark.parametrize(
    "statement",
    ["FROM ledger", "DESCRIBE ledger", "SHOW TABLES", "VALUES (1)", "EXPLAIN SELECT 1"],
)
def test_untrusted_sql_may_read(locked: Store, statement: str) -> None:
    assert locked.read(statement).columns


VALUES = """
SELECT
    'a,"b' AS text, NULL AS nothing, [1, 2] AS list, {'k': 'v'} AS struct,
    'nan'::DOUBLE AS nan, '-inf'::DOUBLE AS infinite, DATE '2026-01-02' AS day,
    1.50::DECIMAL(4, 2) AS money
"""


def written(output_format: Any) -> str:
    out = io.StringIO()
    relation = duckdb.connect().sql(VALUES)
    write_rows(relation.columns, relation, output_format, out)
    return out.getvalue()


def test_json_and_jsonl_hold_the_same_values() -> None:
    expected = {"text": 'a,"b', "nothing": None, "list": [1, 2], "struct": {"k": "v"},
                "nan": None, "infinite": None, "day": "2026-01-02", "money": "1.50"}  # fmt: skip
    assert json.loads(written("json")) == [expected]
    assert json.loads(written("jsonl")) == expected
    assert written(None) == written("json")


def test_csv_quotes_and_leaves_null_empty() -> None:
    header, row = csv.reader(io.StringIO(written("csv")))
    assert header[:3] == ["text", "nothing", "list"]
    assert row[:6] == ['a,"b', "", "[1, 2]", '{"k": "v"}', "NaN", "-inf"]


def test_parquet_goes_out_as_bytes() -> None:
    buffer = io.BytesIO()
    out = io.TextIOWrapper(buffer)
    relation = duckdb.connect().sql(VALUES)
    write_rows(relation.columns, relation, "parquet", out)
    assert pq.read_table(io.BytesIO(buffer.getvalue())).num_rows == 1


def test_repeated_columns_keep_their_values() -> None:
    out = io.StringIO()
    write_rows(("a", "a", "a_1"), [(1, 2, 3)], "jsonl", out)
    assert sorted(json.loads(out.getvalue()).values()) == [1, 2, 3]


def test_tables_show_no_control_sequences(database: str) -> None:
    statement = "SELECT observation FROM steps WHERE trajectory_id = 'u'"
    result = run(database, "sql", statement, "--output-format", "table")
    assert "no" in result.stdout
    assert "\x1b[31m" not in result.stdout


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("a\rb\x00c\x9b2Jd", "abc2Jd"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("\u202eevil", "evil"),
        ("é€𝄞", "é€𝄞"),
    ],
)
def test_printable_strips_what_controls_a_terminal(text: str, expected: str) -> None:
    assert printable(text) == expected


class ClosedBytes(io.RawIOBase):
    """A pipe whose reader has gone."""

    def writable(self) -> bool:
        return True

    def write(self, _: Any) -> int:
        raise BrokenPipeError


class Closed(io.StringIO):
    """The text above it."""

    buffer: Any = io.BufferedWriter(ClosedBytes())

    def write(self, text: str) -> int:
        if text:
            raise BrokenPipeError
        return 0


@pytest.mark.parametrize(
    "args",
    [
        ["sql", "FROM steps"],
        ["sql", "FROM steps", "--output-format", "table"],
        ["query", "tools"],
        ["info"],
        ["export", "ledger", "-o", "-"],
    ],
)
def test_a_closed_pipe_is_silent(
    database: str, args: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", Closed())
    with pytest.raises(PipeClosed):
        commands.main(["--db", database, *args], standalone_mode=False)


def test_a_closed_pipe_ends_the_program_as_its_signal_would(database: str) -> None:
    program = [sys.executable, "-m", "tallysql", "--db", database, "queries"]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(program, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_an_interrupt_is_told_in_one_line(
    database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr("tallysql.cli.inspect.write_rows", interrupted)
    with pytest.raises(SystemExit) as left:
        main(["--db", database, "info"])
    assert (left.value.code, capsys.readouterr().err.strip()) == (130, "error: interrupted")
