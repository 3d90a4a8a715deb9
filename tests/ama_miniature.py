"""Two small trajectories in AMA-Bench's format whose events can be counted by hand, and a third."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

MUG_HUNT = [
    "look",
    "go to drawer 1",
    "open drawer 1",
    "go to drawer 10",
    "open drawer 10",
    "take mug 1 from drawer 10",
    "go to drawer 1",
    "open drawer 1",
    "move mug 1 to drawer 1",
    "go to shelf 1",
    "go to drawer 1",
    "close drawer 1",
]


def bash(command: str, observation: str) -> tuple[str, str]:
    return "execute_bash: " + json.dumps({"command": command}), observation


def editor(command: str, path: str, observation: str) -> tuple[str, str]:
    arguments = {"command": command, "path": path}
    return "str_replace_editor: " + json.dumps(arguments), observation


FIX = [
    bash("ls", "a.py\n[Command finished with exit code 0]"),
    bash("make", "inner: exit code 0\n[Command finished with exit code 2]"),
    editor("create", "/w/a.py", "File created successfully at: /w/a.py"),
    editor("str_replace", "/w/a.py", "ERROR:\nNo replacement was performed."),
    editor("view", "/w/a.py", "Here's the result of running `cat -n` on /w/a.py:"),
    bash("sleep 99", "[The command has no new output after 30 seconds.]"),
    editor("insert", "/w/a.py.bak", "The file /w/a.py.bak has been edited."),
    bash("kill", "killed\n[Command finished with exit code -9]"),
]


def episode(name: str, steps: list[tuple[str, str]], start: int = 0) -> dict[str, Any]:
    turns = [
        {"turn_idx": at, "action": action, "observation": seen}
        for at, (action, seen) in enumerate(steps, start=start)
    ]
    return {"episode_id": name, "task": "", "domain": "", "trajectory": turns, "qa_pairs": []}


MINIATURE = [
    episode("mugs", [(action, "You do.") for action in MUG_HUNT]),
    episode("fix", FIX),
    episode("game", [("up", ""), ("down", "")]),
]


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path
