from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tallysql.store import open_store

Run = Callable[..., subprocess.CompletedProcess[str]]

GOOD = {"trajectory_id": "a", "step": 0, "action": "go", "observation": "x"}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the command line in a folder of its own."""

    def tallysql(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "tallysql", *args],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            check=False,
        )
        out, err = done.stdout.decode(), done.stderr.decode()
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)

    return tallysql


def write(path: Path, *rows: Any) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines))
    return path


def test_load_says_what_it_did(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "rows.jsonl", GOOD, GOOD | {"step": 4})
    done = run("load", "rows.jsonl")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "rows.jsonl: json, 1 trajectories (1 new), 2 steps added\n"
    done = run("load", "rows.jsonl")
    assert done.stderr == "rows.jsonl: json, 1 trajectories, unchanged since it was loaded\n"
    with open_store(tmp_path / "tally.duckdb", read_only=True) as store:
        assert store.rows("SELECT step FROM ledger ORDER BY step") == [(0,), (4,)]


def test_damage_is_exit_code_1(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "rows.jsonl", GOOD, '"massive error"', GOOD | {"step": 1})
    done = run("load", "rows.jsonl", "--json")
    assert done.returncode == 1
    (file,) = json.loads(done.stdout)["files"]
    assert (file["steps"], file["n_skipped"], file["skipped"][0]["record"]) == (2, 1, 2)
    assert "rows.jsonl: record 2: skipped: JSON, but not an object (str)" in done.stderr


def test_strict_is_exit_code_2(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "rows.jsonl", GOOD, '{"cut')
    done = run("load", "rows.jsonl", "--strict")
    assert done.returncode == 2
    assert done.stderr.startswith("error: rows.jsonl: record 2: not JSON")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "tally.duckdb").exists()


def test_one_of_several_fails(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "1.jsonl", GOOD)
    write(tmp_path / "2.jsonl", GOOD | {"action": 1})
    done = run("load", "1.jsonl", "2.jsonl")
    assert done.returncode == 1
    assert "error: 2.jsonl: record 1: field action: expected text" in done.stderr
    assert run("load", "1.jsonl", "2.jsonl", "--strict").returncode == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "rows.jsonl: the file is empty"),
        ("not JSON", "rows.jsonl: text, not JSON"),
        ('{"trajectory_id": "a", "step": 0, "action": "x"}', "field observation: missing"),
    ],
)
def test_unusable_files_are_exit_code_2(
    run: Run, tmp_path: Path, content: str, message: str
) -> None:
    write(tmp_path / "rows.jsonl", content)
    done = run("load", "rows.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    error = json.loads(run("load", "rows.jsonl", "--json").stderr)
    assert error["kind"] == "input"


def test_conflict_and_replace(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "1.jsonl", GOOD)
    write(tmp_path / "2.jsonl", GOOD | {"observation": "other"})
    run("load", "1.jsonl")
    done = run("load", "2.jsonl", "--json")
    assert done.returncode == 2
    assert json.loads(done.stderr)["kind"] == "conflict"
    done = run("load", "2.jsonl", "--replace", "--json")
    assert (done.returncode, json.loads(done.stdout)["files"][0]["replaced"]) == (0, 1)


def test_from_stdin_to_stdout(run: Run) -> None:
    text = json.dumps(GOOD | {"observation": "\u2028\x00"}).encode()
    done = run("convert", "-", "-o", "-", stdin=text)
    assert done.returncode == 0
    assert json.loads(done.stdout)["observation"] == "\u2028\x00"
    done = run("load", "-", "--id", "piped", stdin=text)
    assert done.returncode == 0, done.stderr
    done = run("export", "steps", "-o", "-", "--format", "csv")
    assert done.stdout.splitlines()[1].startswith('"piped",0,0,"go"')


def test_convert_writes_no_database(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "rows.jsonl", GOOD)
    assert run("convert", "rows.jsonl", "-o", "rows.parquet").returncode == 0
    assert pq.read_table(tmp_path / "rows.parquet")["action"].to_pylist() == ["go"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["rows.jsonl", "rows.parquet"]
    done = run("load", "rows.parquet")
    assert done.stderr.startswith("rows.parquet: parquet, 1 trajectories (1 new)")


def test_export_of_every_kind(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "rows.jsonl", GOOD | {"domain": "Web"})
    run("load", "rows.jsonl")
    assert run("export", "ledger", "-o", "ledger.parquet").returncode == 0
    assert pq.read_table(tmp_path / "ledger.parquet")["tool"].to_pylist() == ["go"]
    done = run("export", "steps", "-o", "out", "--partition-by", "domain")
    assert done.stderr == "out: 1 rows of steps\n"
    assert (tmp_path / "out" / "domain=Web" / "part-00000.parquet").is_file()
    done = run("export", "stepz", "-o", "x.parquet")
    assert (done.returncode, "did you mean 'steps'" in done.stderr) == (2, True)
    assert run("--db", "none.duckdb", "export", "steps", "-o", "x.parquet").returncode == 2


def test_formats_are_listed(run: Run) -> None:
    listed = json.loads(run("formats").stdout)
    assert {"ama", "json", "csv", "parquet"} <= {known["name"] for known in listed}
    assert all(known["description"] for known in listed)


def test_a_killed_load_leaves_nothing_half_done(tmp_path: Path) -> None:
    write(tmp_path / "1.jsonl", GOOD)
    write(tmp_path / "2.jsonl", *(GOOD | {"trajectory_id": "b", "step": n} for n in range(100)))
    program = (
        "import os, signal\n"
        "from tallysql.archive.load import load\n"
        "from tallysql.store import open_store\n"
        "store = open_store('t.duckdb')\n"
        "load(store, ['1.jsonl'])\n"
        "load(store, ['2.jsonl'], build=lambda _: os.kill(os.getpid(), signal.SIGKILL))\n"
    )
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    with open_store(tmp_path / "t.duckdb") as store:
        assert store.rows("SELECT trajectory_id FROM trajectories") == [("a",)]
        assert store.rows("SELECT trajectory_id, step FROM steps") == [("a", 0)]
