"""What the package depends on, and what it reaches at run time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.lowest import PROJECT, constraints

ROOT = Path(__file__).parents[2]
OFFLINE = """
import socket, sys

def refuse(*arguments, **_):
    raise AssertionError(f"the network is touched: {arguments}")

socket.socket.connect = socket.socket.connect_ex = socket.socket.bind = refuse
socket.create_connection = socket.getaddrinfo = socket.gethostbyname = refuse
from tallysql.cli import main
for line in sys.stdin:
    try:
        main(line.rstrip("\\n").split("|"))
    except SystemExit as left:
        assert not left.code, f"{line}: {left.code}"
"""
COMMANDS = (
    "load|runs.jsonl",
    "info",
    "ask|How many open actions?|-t|a",
    "plan|How many open actions?|-t|a",
    "view|What was opened?|-t|a",
    "answer|questions.jsonl|-o|out.jsonl",
    "query|tools",
    "sql|FROM steps",
    "export|steps|-o|out.parquet",
    "convert|runs.jsonl|-o|flat.parquet",
    "check",
    "formats",
)


def test_every_dependency_has_a_lower_bound_that_can_be_pinned() -> None:
    pins = constraints(PROJECT.read_text("utf-8"))
    assert len(pins) >= 10
    assert all(name and version[0].isdigit() for name, version in (pin.split("==") for pin in pins))


def test_no_command_touches_the_network(tmp_path: Path) -> None:
    steps = [{"trajectory_id": "a", "step": n, "action": "open box 1"} for n in range(3)]
    lines = [json.dumps(step | {"observation": "You open the box 1."}) for step in steps]
    (tmp_path / "runs.jsonl").write_text("\n".join(lines))
    asked = {"question": "How many open actions?", "trajectory_id": "a"}
    (tmp_path / "questions.jsonl").write_text(json.dumps(asked))
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE],
        input="\n".join(COMMANDS),
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads((tmp_path / "out.jsonl").read_text())["answer"] == "3"


KEY = "sk-canary-0123456789abcdef"


@pytest.mark.parametrize(
    "command", ["ask|How many open actions?|-t|a|--compiler|model", "annotate"]
)
def test_a_key_is_in_no_file_and_no_output(tmp_path: Path, command: str) -> None:
    """The endpoint is closed, so that every way an error may tell of the call is taken."""
    step = {"trajectory_id": "a", "step": 0, "action": "frobnicate", "observation": "It hums."}
    (tmp_path / "runs.jsonl").write_text(json.dumps(step))
    environment = {
        "PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(tmp_path), "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": f"http://user:{KEY}@127.0.0.1:9/v1", "TALLYSQL_MODEL": "m",
    }  # fmt: skip
    (tmp_path / "tallysql.toml").write_text("retries = 0\ntimeout = 2\n")
    told = ""
    for arguments in (["load", "runs.jsonl"], command.split("|"), ["info"]):
        done = subprocess.run(
            [sys.executable, "-m", "tallysql", *arguments],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        told += done.stdout + done.stderr
    assert "error" in told
    assert KEY not in told
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes(), file
