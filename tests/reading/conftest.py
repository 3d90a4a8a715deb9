"""A memory of generated trajectories: files, several calls a step, gaps, odd texts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import tallysql

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tallysql.api import Memory

ODD = "e\u0301 \U0001f469\u200d\U0001f467 \x1b[31mred\x1b[0m a\x00b\r\n\u2028 <|endoftext|> 語"


def editing(step: int) -> tuple[str, str]:
    path = f"/repo/src/module_{step % 3}.py"
    if step % 4 == 0:
        arguments = {"command": "view", "path": path}
        seen = f"Here's the result of running `cat -n` on {path}:\n" + f"line {step} {ODD}\n" * 40
        return f"str_replace_editor: {json.dumps(arguments)}", seen
    output = f"run {step}: 3 passed\n" * (400 if step % 7 == 0 else 3)
    return f'execute_bash: {{"command": "pytest tests/part_{step}"}}', output


def rows() -> Iterator[dict[str, object]]:
    for step in range(60):
        action, observation = editing(step)
        yield row("coding", step, 0, action, observation)
    for step in (3, 4, 8, 9, 10, 40):
        # numbers with gaps, and two calls a step
        yield row("calls", step, 0, f"look around {step}", ODD * step)
        yield row("calls", step, 1, "wait", None if step == 8 else "")
    yield row("one", 7, 0, "look", "")


def row(
    trajectory: str, step: int, call: int, action: str, observed: str | None
) -> dict[str, object]:
    return {
        "trajectory_id": trajectory, "step": step, "call": call, "action": action,
        "observation": observed,
    }  # fmt: skip


@pytest.fixture(scope="session")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reading") / "runs.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in rows()), "utf-8")
    return path


@pytest.fixture(scope="session")
def memory(source: Path) -> Iterator[Memory]:
    with tallysql.open() as opened:
        opened.load(source)
        yield opened
