"""Write trajectories.jsonl and questions.jsonl: `python make.py [FOLDER]`."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import families
import games
import harder
import software
import sql_and_tools
import text_world
import web
import wordings
from ask import LOGS

if TYPE_CHECKING:
    from collections.abc import Iterable

MODULES = (text_world, software, web, sql_and_tools, games, harder, wordings, families)


def lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main(folder: Path) -> None:
    questions = [item for module in MODULES for item in module.ITEMS]
    names = [item["question_id"] for item in questions]
    asked = [(item["trajectory_id"], item["question"]) for item in questions]
    assert len(set(names)) == len(names), "question ids repeat"
    assert len(set(asked)) == len(asked), "questions repeat"
    trajectories = lines(dataclasses.asdict(log) for log in LOGS.values())
    (folder / "trajectories.jsonl").write_text(trajectories, encoding="utf-8", newline="\n")
    (folder / "questions.jsonl").write_text(lines(questions), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
