"""The adversarial corpus is reproducible, and its golds point at steps that exist."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parent / "data" / "corpus"
FORMATS = {"int", "step", "list", "name", "pairs", "yesno", "decline"}
FIELDS = ["question_id", "trajectory_id", "question", "answer", "format", "steps", "pattern"]


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPUS / name).read_text(encoding="utf-8").splitlines()]


def test_make_regenerates_the_same_bytes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(CORPUS / "make.py"), str(tmp_path)], check=True)
    for name in ("trajectories.jsonl", "questions.jsonl"):
        assert (tmp_path / name).read_bytes() == (CORPUS / name).read_bytes()


def test_every_gold_step_exists() -> None:
    steps = {
        t["trajectory_id"]: {s["step"] for s in t["steps"]} for t in read("trajectories.jsonl")
    }
    for q in read("questions.jsonl"):
        assert set(q["steps"] or []) <= steps[q["trajectory_id"]], q["question_id"]


def test_the_fields_agree_with_each_other() -> None:
    for q in read("questions.jsonl"):
        assert list(q)[:8] == [*FIELDS, "decline"], q["question_id"]
        assert q["format"] in FORMATS
        assert q["decline"] == (q["format"] == "decline") == (q["answer"] is None)
        assert (q["steps"] is None) == q["decline"]
        if q["format"] == "step":
            assert int(q["answer"]) in q["steps"]
        if q["format"] == "yesno":
            assert q["answer"] == ("yes" if q["steps"] else "no")
        if q.get("decline_or_zero"):
            assert q["answer"] in ("0", "no", "none")
            assert q["steps"] == []


def test_size_and_coverage() -> None:
    questions = read("questions.jsonl")
    assert len(questions) >= 420
    assert sum(q["decline"] for q in questions) >= 70
    assert len({q["question"] for q in questions}) >= 400
    assert (CORPUS / "trajectories.jsonl").stat().st_size < 700_000
    for trajectory in read("trajectories.jsonl"):
        assert 40 <= len(trajectory["steps"]) <= 160
