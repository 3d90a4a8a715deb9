"""`ask`, `plan` and `answer` as a user runs them: subprocesses, files, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

ACTIONS = ["go to shelf 1", "open box 1", "look", "open box 2", "go to shelf 1", "open box 1"]
KEYS = {
    "question_id", "trajectory_id", "question", "answer", "status", "system", "profile", "compiler",
    "reader", "aggregation_load", "plan",
    "results", "trace", "evidence", "usage", "error",
}  # fmt: skip


def tally(*args: str, cwd: Path, code: int = 0, text: str | None = None) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tallysql", *args],
        cwd=cwd, capture_output=True, text=True, input=text, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    steps = [
        {"trajectory_id": "run-1", "step": i, "action": action, "observation": f"Done {i}."}
        for i, action in enumerate(ACTIONS)
    ]
    write_lines(tmp_path / "runs.jsonl", steps)
    questions = ["How many times was box 1 opened?", "At which step was box 2 first opened?"]
    rows = [{"question": q, "trajectory_id": "run-1", "question_id": q[:8]} for q in questions]
    rows.append({"question": "How many looks?", "trajectory_id": "run-l", "question_id": "lost"})
    rows.append({"question": "Why look?", "trajectory_id": "run-1", "question_id": "why"})
    write_lines(tmp_path / "questions.jsonl", rows)
    return tmp_path


def test_ask_prints_the_record_when_piped(folder: Path) -> None:
    tally("load", "runs.jsonl", cwd=folder)
    out, _ = tally("ask", "How many times was box 1 opened?", "-t", "run-1", cwd=folder)
    record = json.loads(out)
    assert set(record) == KEYS
    assert (record["answer"], record["status"], record["aggregation_load"]) == ("2", "computed", 2)
    (result,) = record["results"]
    assert (result["state"], result["value"], result["steps"]) == ("ok", 2, [1, 5])


def test_the_sql_of_a_record_gives_the_same_steps(folder: Path) -> None:
    tally("load", "runs.jsonl", cwd=folder)
    out, _ = tally("ask", "List the steps where box 1 was opened.", "-t", "run-1", cwd=folder)
    (result,) = json.loads(out)["results"]
    import tallysql

    with tallysql.open(folder / "tally.duckdb", read_only=True) as memory:
        assert [step for (step,) in memory.sql(result["sql"], result["params"]).fetchall()] == [
            1,
            5,
        ]


def test_plan_goes_into_run(folder: Path) -> None:
    tally("load", "runs.jsonl", cwd=folder)
    plan, _ = tally("plan", "How many times was box 1 opened?", "-t", "run-1", cwd=folder)
    out, _ = tally("run", "-", "-t", "run-1", "--json", cwd=folder, text=plan)
    assert '"value": 2' in out or '"value":2' in out


def test_answer_needs_no_database_and_names_the_unknown_trajectory(folder: Path) -> None:
    args = ("answer", "questions.jsonl", "-o", "out.jsonl", "--trajectories", "runs.jsonl")
    _, err = tally(*args, cwd=folder, code=1)
    records = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert [r["status"] for r in records] == ["computed", "computed", "error", "no_evidence"]
    assert [r["answer"] for r in records[:2]] == ["2", "3"]
    assert "run-1" in records[2]["error"]
    assert "lost" in err
    assert not (folder / "tally.duckdb").exists()
    assert not (folder / "out.jsonl.partial").exists()


def test_records_of_other_questions_are_not_kept(folder: Path) -> None:
    args = ("answer", "questions.jsonl", "--trajectories", "runs.jsonl", "-o", "out.jsonl")
    (folder / "out.jsonl.partial").write_text('{"question_id": "other"}\n')
    tally(*args, cwd=folder, code=1)
    assert len((folder / "out.jsonl").read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("ask", "How many looks?", "-t", "run-2"), "no trajectory named 'run-2'"),
        (("ask", "x", "--db", "none.duckdb"), "none.duckdb: no such database"),
        (("answer", "none.jsonl"), "none.jsonl: no such file"),
        (("answer", "."), ".: is a directory"),
        (("answer", "questions.jsonl", "-o", "questions.jsonl"), "would overwrite what it is made"),
        (("answer", "questions.jsonl", "-o", "tally.duckdb"), "would overwrite what it is made"),
        (("ask", "x", "-t", "run-1", "--profile", "refind"), "refined"),
        (("aks", "x"), "Did you mean ask?"),
    ],
)
def test_bad_usage_is_one_clear_line(folder: Path, args: tuple[str, ...], message: str) -> None:
    tally("load", "runs.jsonl", cwd=folder)
    _, err = tally(*args, cwd=folder, code=2)
    assert message in err


def test_errors_are_json_with_json(folder: Path) -> None:
    tally("load", "runs.jsonl", cwd=folder)
    _, err = tally("ask", "x", "-t", "run-2", "--json", cwd=folder, code=2)
    error = json.loads(err)
    assert set(error) == {"kind", "message", "hint"}
    assert "run-1" in error["hint"]


def test_a_file_that_is_no_database(folder: Path) -> None:
    (folder / "bad.duckdb").write_text("not a database at all, just text " * 100)
    before = (folder / "bad.duckdb").read_bytes()
    _, err = tally("load", "runs.jsonl", "--db", "bad.duckdb", cwd=folder, code=2)
    assert "bad.duckdb: cannot be opened as a database" in err
    assert (folder / "bad.duckdb").read_bytes() == before


@pytest.fixture
def fleet(folder: Path) -> Path:
    steps = [
        {
            "trajectory_id": name,
            "step": i,
            "action": "open box 1",
            "observation": ".",
            "domain": kind,
        }
        for name, kind, n in [("a-1", "x", 1), ("a-2", "y", 2), ("b-1", "y", 3)]
        for i in range(n)
    ]
    write_lines(folder / "fleet.jsonl", steps)
    tally("load", "fleet.jsonl", "--db", "fleet.duckdb", cwd=folder)
    return folder


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--all",), {"a-1": "1", "a-2": "2", "b-1": "3"}),
        (("-t", "a-*"), {"a-1": "1", "a-2": "2"}),
        (("--where", "domain = 'y'"), {"a-2": "2", "b-1": "3"}),
        (("-t", "a-?", "--where", "n_steps > 1"), {"a-2": "2"}),
    ],
)
def test_ask_many_gives_one_record_each(
    fleet: Path, options: tuple[str, ...], expected: dict[str, str]
) -> None:
    question = "How many times was box 1 opened?"
    out, _ = tally("ask", question, *options, "--db", "fleet.duckdb", cwd=fleet)
    records = [json.loads(line) for line in out.splitlines()]
    assert {r["trajectory_id"]: r["answer"] for r in records} == expected


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("domain = ", "--where: not a condition"),
        ("1; DROP TABLE steps", "--where: not a condition"),
        ("trajectory_id IN (SELECT trajectory_id FROM steps)", "query of its own"),
        ("read_text('questions.jsonl') IS NOT NULL", "error: "),
        ("domain = 'none'", "no trajectory is chosen"),
        ("colour = 1", "colour"),
    ],
)
def test_conditions_over_trajectories_only_choose(fleet: Path, where: str, message: str) -> None:
    args = ("ask", "How many opens?", "--where", where, "--db", "fleet.duckdb")
    _, err = tally(*args, cwd=fleet, code=2)
    assert message in err
    assert len(err.splitlines()) == 1
