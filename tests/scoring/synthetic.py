"""Answer files with known truth: who is right is decided before they are written."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

LOADS = (1, 5, 6, 15, 16, 40, 41, 100, 101, None)


@dataclass
class Files:
    """Where the files are, and for each question whether the first and the other are right."""

    questions: Path
    answers: Path
    others: Path
    right: list[tuple[str, bool, bool]]

    @property
    def wins(self) -> int:
        return sum(one and not other for _, one, other in self.right)

    @property
    def losses(self) -> int:
        return sum(other and not one for _, one, other in self.right)


def write_files(folder: Path, *, trajectories: int = 12, seed: int = 1) -> Files:
    """Write questions, and two files of answers of which the first is right more often."""
    draw = random.Random(seed)
    questions: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    right: list[tuple[str, bool, bool]] = []
    for name in range(trajectories):
        for at in range(draw.randint(3, 9)):
            number = len(questions)
            gold = str(draw.randint(0, 200))
            question: dict[str, Any] = {
                "question_id": f"q{number}",
                "trajectory_id": f"t{name}",
                "question": f"How many times was button {at} clicked?",
                "answer": gold,
                "domain": ("web", "software")[name % 2],
                "type": "AB"[at % 2],
                "format": "int",
            }
            verdicts = draw.random() < 0.7, draw.random() < 0.5
            load = LOADS[number % len(LOADS)]
            questions.append(question)
            for rows, correct in zip((answers, others), verdicts, strict=True):
                said = gold if correct else f"{gold}0"
                rows.append({"question_id": f"q{number}", "answer": said, "aggregation_load": load})
            right.append((f"t{name}", *verdicts))
    paths = [folder / f"{name}.jsonl" for name in ("questions", "answers", "others")]
    for path, rows in zip(paths, (questions, answers, others), strict=True):
        write_lines(path, rows)
    return Files(paths[0], paths[1], paths[2], right)


def write_lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path
