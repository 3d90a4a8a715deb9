"""Ten questions through many systems with a real model: plumbing, and resuming after a kill.

So small a model measures nothing; that is also what the report says.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks.runs.folder import RunFolder
from benchmarks.systems import sandbox
from tests import run_folders
from tests.systems.begun import begin

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.model

SYSTEMS = (
    *("tm", "tm-no-counter", "long-context", "long-context-enumerate", "bm25", "counter-read"),
    *("rolling-summary", "tallymem", "tallymem-unrouted"),
    *(("code", "code-ledger") if sandbox.why_not() is None else ()),
)
SETTINGS = """
base_url = "{server}"
timeout = 300
[compile]
max-tokens = 200
request = {{ repeat_penalty = 1.3 }}
[annotate]
max-tokens = 100
request = {{ repeat_penalty = 1.3 }}
[read]
max-tokens = 12
"""
MORE = [("How many times was the drawer opened?", "3"), ("At which step was the mug taken?", "5")]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path, server: str, monkeypatch: pytest.MonkeyPatch) -> RunFolder:
    questions = {**run_folders.QUESTIONS, "mugs": [*run_folders.QUESTIONS["mugs"], *MORE]}
    monkeypatch.setattr(run_folders, "QUESTIONS", questions)
    run = begin(tmp_path, "smollm2")
    (tmp_path / "tallysql.toml").write_text(SETTINGS.format(server=server), "utf-8")
    config = run.config | {"budget": 600}
    (run.path / "config.json").write_text(json.dumps(config), "utf-8")
    return RunFolder(run.path)


def started(folder: RunFolder, names: Sequence[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.systems", str(folder.path)]
    return subprocess.Popen(
        [*command, "--systems", ",".join(names)],
        cwd=folder.path.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )


def test_ten_questions_through_many_systems_killed_and_resumed(folder: RunFolder) -> None:
    assert len(SYSTEMS) >= 8
    running = started(folder, SYSTEMS)
    partial = folder.path / "answers" / "tm-no-counter.jsonl.partial"
    until = time.monotonic() + 300
    while not (partial.exists() and partial.read_bytes().count(b"\n") >= 3):
        assert running.poll() is None, running.communicate()[1]
        assert time.monotonic() < until
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.communicate()
    held = partial.read_bytes().splitlines()[:3]
    again = started(folder, SYSTEMS)
    talk = again.communicate()[1]
    assert again.returncode == 0, talk
    for name in SYSTEMS:
        records = folder.records(name)
        assert len(records) == 10
        assert {record["status"] for record in records} <= {"read", "error"}
        # A program of so small a model may be cut short; all else is answered.
        if not name.startswith("code"):
            assert all(record["status"] == "read" for record in records), records
    assert folder.answers("tm-no-counter").read_bytes().splitlines()[:3] == held
    report = (folder.path / "report.html").read_text("utf-8")
    assert "too small to measure anything" in report
