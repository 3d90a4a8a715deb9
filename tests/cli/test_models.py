"""`annotate`, and `ask` and `answer` with models, as a user runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.chat_server import Server, answered, completion, refused

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_httpserver import HTTPServer
    from werkzeug import Response

QUESTION = "Why did the agent hum?"
STEPS = [("hum", "The lamp starts to glow."), ("hum", "Nothing at all."), ("look", "Dark.")]
PLAN = {"applicable": True, "queries": [{"op": "group", "by": "act"}]}


def respond(body: dict[str, Any]) -> Response:
    prompt = body["messages"][0]["content"]
    if prompt.startswith("Turn a question"):
        return answered(completion(json.dumps(PLAN)))
    if not prompt.startswith("Below is a part"):
        return answered(completion("<think>well</think>because it could"))
    entries = [
        {"step": int(step), "outcome": "success", "quote": "The lamp starts to glow."}
        for step in re.findall(r"^\[step (\d+)\]", prompt, re.MULTILINE)
    ]
    return answered(completion(json.dumps({"steps": entries})))


@pytest.fixture
def server(httpserver: HTTPServer) -> Server:
    found = Server(httpserver)
    found.play(respond)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {"trajectory_id": "run", "step": n, "action": action, "observation": observation}
        for n, (action, observation) in enumerate(STEPS)
    ]
    write_lines(tmp_path / "runs.jsonl", rows)
    questions = [
        {"question": f"{QUESTION[:-1]} {n}?", "trajectory_id": "run", "question_id": str(n)}
        for n in range(5)
    ]
    write_lines(tmp_path / "questions.jsonl", questions)
    tally("load", "runs.jsonl", cwd=tmp_path)
    return tmp_path


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def tally(*args: str, cwd: Path, server: Server | None = None, code: int = 0) -> tuple[str, str]:
    names = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "TALLYSQL_MODEL")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    if server is not None:
        environment |= {"OPENAI_BASE_URL": server.url, "TALLYSQL_MODEL": "m"}
    command = [sys.executable, "-m", "tallysql", *args]
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def test_annotate_reports_and_completes(folder: Path, server: Server) -> None:
    out, _ = tally("annotate", cwd=folder, server=server)
    report = json.loads(out)
    assert (report["trajectories"], report["done"], report["failed"]) == (1, 1, [])
    assert report["verdicts"] == {"accepted": 1, "rejected": 2}
    assert report["usage"]["annotate"]["calls"] == 1
    out, _ = tally("sql", "SELECT outcome, provenance FROM ledger WHERE step = 0", cwd=folder)
    assert json.loads(out) == [{"outcome": "success", "provenance": "annotated: outcome"}]
    out, _ = tally("annotate", cwd=folder, server=server)
    assert json.loads(out)["known"] == 1
    assert len(server.bodies) == 1


def test_annotate_names_what_failed(folder: Path, server: Server) -> None:
    server.play(answered(completion("{", "length")))
    out, err = tally("annotate", cwd=folder, server=server, code=1)
    assert "error: trajectory run: steps 0 to 2: the answer was cut short" in err
    assert json.loads(out)["failed"][0]["reason"] == "cut_short"


def test_a_dry_run_sends_nothing(folder: Path, server: Server) -> None:
    (folder / "tallysql.toml").write_text("[prices]\nm = { input = 1.0, output = 0.0 }\n")
    for command in (
        ["annotate"],
        ["answer", "questions.jsonl", "--compiler", "model", "--reader", "model"],
    ):
        out, err = tally(*command, "--dry-run", cwd=folder, server=server)
        lines = [json.loads(line) for line in out.splitlines()]
        assert f"{len(lines)} requests not sent, {sum(line['tokens'] for line in lines)}" in err
        assert "at most 0.00" in err
    assert {line["stage"] for line in lines} == {"compile", "read"}
    assert len(lines) == 10
    assert QUESTION[:-1] in lines[0]["messages"][0]["content"]
    assert server.bodies == []
    names = {path.name for path in folder.iterdir()}
    assert names == {"runs.jsonl", "questions.jsonl", "tally.duckdb", "tallysql.toml"}


def test_answer_with_models_and_again_from_what_is_kept(folder: Path, server: Server) -> None:
    command = ["answer", "questions.jsonl", "-o", "out.jsonl", "--jobs", "3"]
    command += ["--compiler", "auto", "--reader", "model", "--route", "always"]
    _, err = tally(*command, cwd=folder, server=server)
    records = (folder / "out.jsonl").read_bytes()
    assert [json.loads(line)["answer"] for line in records.splitlines()] == ["because it could"] * 5
    assert "5 questions: 5 read" in err
    assert "compile: 5 requests, 5 calls, 0 known already, 0 failed, 55 + 15 tokens" in err
    _, err = tally(*command, cwd=folder, server=server)
    assert "read: 5 requests, 0 calls, 5 known already, 0 failed" in err
    assert (folder / "out.jsonl").read_bytes() == records
    assert len(server.bodies) == 10


def test_failing_calls_are_counted_by_kind(folder: Path, server: Server) -> None:
    server.play(refused(401, "no such key"))
    command = ["answer", "questions.jsonl", "--reader", "model"]
    out, err = tally(*command, cwd=folder, server=server, code=1)
    assert [json.loads(line)["status"] for line in out.splitlines()] == ["error"] * 5
    assert "5 questions: 5 error" in err
    assert "read: 5 requests, 0 calls, 0 known already, 5 failed (5 auth)" in err


def test_ask_and_plan_with_a_model(folder: Path, server: Server) -> None:
    out, _ = tally("ask", QUESTION, "--compiler", "auto", cwd=folder, server=server)
    record = json.loads(out)
    assert (record["status"], record["answer"]) == ("computed", "hum: 2, look: 1")
    out, _ = tally("plan", QUESTION, "--compiler", "model", cwd=folder, server=server)
    assert json.loads(out)["queries"][0]["op"] == "group"
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "command",
    [
        ["annotate"],
        ["ask", QUESTION, "--compiler", "model"],
        ["answer", "questions.jsonl", "--reader", "model"],
        ["plan", QUESTION, "--compiler", "vote"],
    ],
)
def test_without_a_model_nothing_begins(folder: Path, command: list[str]) -> None:
    _, err = tally(*command, cwd=folder, code=2)
    assert "error: no model named to" in err
    assert "use --model" in err
    assert not (folder / "tally.duckdb.calls").exists()


def test_a_mistake_in_the_settings_matters_only_to_models(folder: Path) -> None:
    (folder / "tallysql.toml").write_text("modle = 'm'\n")
    tally("ask", "How many looks?", cwd=folder)
    _, err = tally("ask", "How many looks?", "--compiler", "auto", cwd=folder, code=2)
    assert "field modle: no such setting (did you mean model?)" in err


def test_options_name_models_and_files(folder: Path, server: Server) -> None:
    options = ["--base-url", server.url, "--model", "a", "--compile-model", "b"]
    options += ["--calls", "elsewhere.calls"]
    command = ["ask", QUESTION, "--compiler", "model", "--reader", "model", *options]
    out, _ = tally(*command, cwd=folder)
    assert json.loads(out)["usage"]["models"] == {"compile": "b", "read": "a"}
    assert [body["model"] for body in server.bodies] == ["b", "a"]
    assert (folder / "elsewhere.calls").exists()
    assert not (folder / "tally.duckdb.calls").exists()


def test_without_a_database_replies_stay_beside_the_answers(folder: Path, server: Server) -> None:
    command = ["answer", "questions.jsonl", "--trajectories", "runs.jsonl", "-o", "out.jsonl"]
    tally(*command, "--reader", "model", cwd=folder, server=server)
    assert (folder / "out.jsonl.calls").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["annotate"],
        ["ask", QUESTION, "--compiler", "auto"],
        ["answer", "questions.jsonl", "--reader", "model"],
    ],
)
def test_calls_of_no_use_are_one_error_before_any_work(
    folder: Path, server: Server, command: list[str]
) -> None:
    (folder / "junk").write_text("something else entirely " * 100)
    before = (folder / "tally.duckdb").read_bytes()
    for calls, problem in [
        ("junk", "error: junk: file is not a database (name another file"),
        ("nowhere/calls", "error: nowhere/calls: unable to open database file (name another"),
        ("tally.duckdb", "error: --calls: tally.duckdb is the database"),
    ]:
        out, err = tally(*command, "--calls", calls, cwd=folder, server=server, code=2)
        assert (out, err.count("error:"), "deleted" in err) == ("", 1, False)
        assert problem in err
    assert server.bodies == []
    assert (folder / "tally.duckdb").read_bytes() == before
