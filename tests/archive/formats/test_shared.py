"""Real files outside the repository: each loads, or says in one line why it holds no steps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tallysql.archive.load import load
from tallysql.errors import InputError, NoSteps
from tallysql.ledger.mechanical import build
from tallysql.store import open_store

SHARED = Path(os.environ.get("TALLYSQL_SHARED", Path(__file__).parents[4] / "shared"))
FORMATS = SHARED / "data" / "formats"
OF_NO_FORMAT = {"edge_cases_polylogue"}
"""Not read: another program's test cases."""

FOLDERS = {
    "alfworld_mint_gt": "mint-bench",
    "alfworld_mint_runs": "mint-bench",
    "alfworld_react_text": "react",
    "atif": "atif",
    "claude_code": "claude-code",
    "codex_rollout": "codex",
    "gemini_cli": "gemini-cli",
    "inspect_eval": "inspect",
    "intercode": "intercode",
    "mini_swe_agent": "mini-swe-agent",
    "openai_messages": "openai",
    "openclaw_telemetry": "openclaw",
    "openhands_output_jsonl": "openhands",
    "openhands_sdk_v1": "openhands",
    "openhands_trajectory_json": "openhands",
    "otel_langfuse": "otel",
    "otel_spans": "otel",
    "react_text": "react",
    "swe_agent_traj": "swe-agent",
    "tau_bench": "openai",
    "webvoyager": "webvoyager",
}


def files() -> list[Path]:
    if not FORMATS.is_dir():
        return []
    listed = (path for path in FORMATS.rglob("*") if path.is_file())
    return sorted(path for path in listed if path.parent.name not in OF_NO_FORMAT)


@pytest.mark.shared
@pytest.mark.skipif(not FORMATS.is_dir(), reason="no shared data")
@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parent.name}/{path.name[:40]}")
def test_a_real_file(path: Path) -> None:
    with open_store() as store:
        try:
            report = load(store, [str(path)], build=build).files[0]
        except NoSteps as none:
            assert none.reason
            return
        except InputError as error:
            assert path.name == "empty.json", error  # an event log's skeleton, without events
            return
        assert report.format == FOLDERS[path.parent.name]
        assert report.steps > 0
        assert report.clean
        (whole,) = store.row("SELECT count(*) FROM ledger") or (0,)
        assert whole == report.steps
