"""A small benchmark file with hostile texts, and the run folder that comes of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from benchmarks.runs.__main__ import main
from tests.ama_miniature import MINIATURE

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
)

QUESTIONS: dict[str, list[tuple[str, str]]] = {
    "mugs": [
        (
            "What actions were performed between step 4 and step 6?",
            "Between step 4 and step 6, the agent performed the following actions: at step 4, open "
            "drawer 10; at step 5, take mug 1 from drawer 10; at step 6, go to drawer 1.",
        ),
        (
            "Until step 11, what actions has the agent performed and how frequently?",
            "Actions performed: 'go to drawer 1' (3 times), 'open drawer 1' (2 times)",
        ),
        ("How many times was drawer 1 opened?", "3"),
        ("How many times was drawer 1 opened?", "2"),
        (f"Why {HOSTILE} did it?", HOSTILE),
    ],
    "fix": [
        ("How many bash commands were run up to step 5?", "3"),
        ("What did make print at step 1?", "inner: exit code 0"),
    ],
    "game": [("How many times was up pressed?", f"1 {HOSTILE}")],
}


def write_ama(path: Path) -> Path:
    """Write the miniature with questions, and with a hostile domain."""
    lines = []
    for episode in MINIATURE:
        pairs = [
            {"question": question, "answer": answer, "type": "A"}
            for question, answer in QUESTIONS[episode["episode_id"]]
        ]
        row: dict[str, Any] = {**episode, "domain": f"D {HOSTILE}", "qa_pairs": pairs}
        lines.append(json.dumps(row) + "\n")
    path.write_text("".join(lines), "utf-8")
    return path


def make_run(folder: Path, benchmark: str = "ama", *more: str) -> Path:
    """Run a benchmark over the miniature without a model; return the run's folder."""
    data = write_ama(folder / "data.jsonl")
    out = folder / "run"
    code = main([benchmark, str(data), "-o", str(out), "--resamples", "200", *more])
    assert code == 0
    return out
