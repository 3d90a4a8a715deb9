"""Steps and exit codes of real files, counted from the raw file by readers of the tests' own."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tallysql.archive.load import load
from tallysql.ledger.mechanical import build
from tallysql.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = Path(os.environ.get("TALLYSQL_SHARED", ROOT.parent / "shared")) / "data" / "formats"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SAMPLES.is_dir(), reason="no shared data here"),
]

Facts = tuple[int, list[int], int]
"""Steps; exit codes that are stated, in order; results that say that they are errors."""


def raw(path: Path) -> Any:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    lines = ".jsonl" in path.name
    return [json.loads(line) for line in text.split("\n") if line] if lines else json.loads(text)


def swe_agent(document: Any) -> Facts:
    return len(document["trajectory"]), [], 0


def mini_swe_agent(document: Any) -> Facts:
    messages = document["messages"]
    asked = [m for m in messages if m["role"] == "assistant"]
    answers = [m["content"] for m in messages[2:] if m["role"] == "user"]
    codes = [
        int(text.removeprefix("<returncode>").split("<")[0])
        for text in answers
        if text.startswith("<returncode>")
    ]
    return len(asked), codes, sum(code != 0 for code in codes)


def claude_code(lines: Any) -> Facts:
    blocks = [
        block
        for line in lines
        if line["type"] in {"user", "assistant"} and isinstance(line["message"]["content"], list)
        for block in line["message"]["content"]
    ]
    calls = {block["id"] for block in blocks if block["type"] == "tool_use"}
    failed = [b for b in blocks if b["type"] == "tool_result" and b.get("is_error")]
    return len(calls), [], len(failed)


def intercode(document: Any) -> Facts:
    return sum(len(e["turn_history"]["actions"]) for e in document.values()), [], 0


def webvoyager(messages: Any) -> Facts:
    return sum(m["role"] == "assistant" for m in messages), [], 0


def atif(document: Any) -> Facts:
    turns = [step for step in document["steps"] if step["source"] == "agent"]
    return sum(max(1, len(step.get("tool_calls") or ())) for step in turns), [], 0


CASES: list[tuple[str, Callable[[Any], Facts], bool]] = [
    ("swe_agent_traj/crypto__BabyEncryption.traj", swe_agent, False),
    ("swe_agent_traj/web__i_got_id_demo.traj", swe_agent, False),
    ("mini_swe_agent/astropy__astropy-12907.traj.json", mini_swe_agent, True),
    ("mini_swe_agent/sympy__sympy-20438.traj.json", mini_swe_agent, True),
    ("claude_code/spotter_sub_agent-a7be2f0.jsonl", claude_code, True),
    ("claude_code/spotter_sub_agent-aac57f5.jsonl", claude_code, True),
    ("intercode/ic_bash_react_10_turns_fs_3.json", intercode, False),
    ("intercode/ic_sql_react_10_turns.json.gz", intercode, False),
    ("webvoyager/taskApple--17.interact_messages.json", webvoyager, False),
    ("webvoyager/taskGitHub--0.interact_messages.json", webvoyager, False),
    ("atif/scout_openhands_hello-world.trajectory.json", atif, False),
    ("atif/openagents_login-trace.json", atif, False),
]
"""File, reader, and whether the format states failures, so that those of the ledger must be it."""


@pytest.mark.parametrize(("name", "count", "states_failures"), CASES)
def test_the_ledger_has_what_the_file_states(
    name: str, count: Callable[[Any], Facts], states_failures: bool
) -> None:
    path = SAMPLES / name
    if not path.is_file():
        pytest.skip("not among the samples here")
    steps, codes, failures = count(raw(path))
    with open_store() as store:
        load(store, [str(path)], build=build)
        rows = store.rows(
            "SELECT exit_code, outcome FROM ledger ORDER BY trajectory_id, step, call"
        )
    assert len(rows) == steps
    assert not codes or [code for code, _ in rows if code is not None] == codes
    if states_failures:
        assert sum(outcome == "failure" for _, outcome in rows) == failures
