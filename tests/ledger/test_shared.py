"""The ledger of real trajectories against facts read from their raw strings."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.shared

SHARED = Path(os.environ.get("TALLYSQL_SHARED") or Path(__file__).parents[3] / "shared")
Raw = tuple[str, int, str, str]
Logged = list[tuple[str, Raw]]
Rows = dict[tuple[str, int], dict[str, Any]]
EDITS = {
    "create": "File created successfully at: {}",
    "str_replace": "The file {} has been edited.",
    "insert": "The file {} has been edited.",
}


@pytest.fixture(scope="module")
def logged() -> Logged:
    """All steps as (domain, (trajectory, step, action, observation))."""
    files = sorted(SHARED.glob("data/ama/*.jsonl.gz"))
    if not files:
        pytest.skip("no shared data")
    steps = []
    for file in files:
        for line in gzip.decompress(file.read_bytes()).splitlines():
            run = json.loads(line)
            steps += [
                (
                    run["domain"],
                    (str(run["episode_id"]), s["turn_idx"], s["action"], s["observation"]),
                )
                for s in run["trajectory"]
            ]
    return steps


@pytest.fixture(scope="module")
def rows(logged: Logged, ledger_apart: Callable[..., list[dict[str, Any]]]) -> Rows:
    names = ("trajectory_id", "step", "action", "observation")
    built = ledger_apart(*(dict(zip(names, raw, strict=True)) for _, raw in logged))
    return {(row["trajectory_id"], row["step"]): row for row in built}


def test_every_step_has_one_row_with_its_action(logged: Logged, rows: Rows) -> None:
    assert len(rows) == len(logged)
    assert all(rows[raw[:2]]["raw"] == raw[2] for _, raw in logged)


def test_quotes_are_what_stands_at_their_span(logged: Logged, rows: Rows) -> None:
    for _, (trajectory, step, _, observation) in logged:
        row = rows[trajectory, step]
        assert (row["quote"] is None) == (row["outcome"] == "unknown")
        if row["quote"]:
            span = slice(row["quote"]["start"], row["quote"]["end"])
            assert observation[span] == row["quote"]["text"] != ""


def test_exit_codes_of_every_shell_step(logged: Logged, rows: Rows) -> None:
    checked = 0
    for domain, (trajectory, step, action, observation) in logged:
        row = rows[trajectory, step]
        if domain == "SOFTWARE" and action.startswith("execute_bash"):
            codes = re.findall(r"exit code (-?\d+)", observation)
            expected = int(codes[-1]) if codes else None
            outcome = "unknown" if expected is None else "failure" if expected else "success"
            assert (row["exit_code"], row["outcome"]) == (expected, outcome)
            checked += 1
        elif "execute_bash" not in action:
            assert row["exit_code"] is None
    assert checked > 0


def test_edits_are_confirmed_by_their_receipt(logged: Logged, rows: Rows) -> None:
    checked = 0
    for _, (trajectory, step, action, observation) in logged:
        if not action.startswith("str_replace_editor: "):
            continue
        arguments = json.loads(action.partition(": ")[2])
        row = rows[trajectory, step]
        assert row["act"] == f"str_replace_editor.{arguments['command']}"
        assert row["targets"] == row["paths"] == [arguments["path"]]
        if arguments["command"] in EDITS:
            receipt = EDITS[arguments["command"]].format(arguments["path"])
            assert (row["outcome"] == "success") == observation.startswith(receipt)
            assert (row["outcome"] == "failure") == observation.startswith("ERROR:")
            checked += 1
    assert checked > 0


def test_text_world_actions_name_what_they_say(logged: Logged, rows: Rows) -> None:
    pattern = re.compile(r"(go to|\w+)(?: (.+?))?(?: (?:from|to|with) (.+))?")
    for domain, (trajectory, step, action, _) in logged:
        if domain != "EMBODIED_AI":
            continue
        found = pattern.fullmatch(action)
        assert found is not None
        row = rows[trajectory, step]
        assert row["tool"] == action.split()[0]
        assert row["act"] == found[1]
        assert row["targets"] == [part for part in found.groups()[1:] if part]
        assert row["outcome"] == "success"


def test_malformed_and_empty_actions_are_no_events(logged: Logged, rows: Rows) -> None:
    prose = ("The previous prediction you issued was ", "Attempt to perfom ")
    for _, (trajectory, step, action, _) in logged:
        row = rows[trajectory, step]
        assert (row["act"] == "malformed") == action.startswith(prose)
        assert (row["act"] is None) == (action.strip() in {"", "—"})
        if action.startswith(prose) or action.strip() in {"", "—"}:
            assert row["tool"] is None
