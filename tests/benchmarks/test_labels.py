"""The hand-made labels and what is measured with them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

import tallysql
from benchmarks.labels.__main__ import Taken, falsely, id_of, main, read_labels, table
from tests.ama_miniature import MINIATURE, write

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("TALLYSQL_SHARED", ROOT.parent / "shared"))
AMA = SHARED / "data" / "ama" / "open_end_qa_set.dev.jsonl.gz"

LABELS = {
    "aggregation", "lookup", "advice", "content", "precondition", "summary", "whatif", "why",
}  # fmt: skip


def test_labels_are_ids_in_order_with_known_labels() -> None:
    labels = read_labels()
    assert list(labels) == sorted(labels)
    assert all(re.fullmatch("[0-9a-f]{12}", name) for name in labels)
    assert set(labels.values()) == LABELS
    assert sum(label not in {"aggregation", "lookup"} for label in labels.values()) == 150


def taken(label: str, applicable: bool) -> Taken:
    plan = {"applicable": applicable, "queries": []}
    return Taken("0" * 12, label, "t", "Why?", plan, "1" if applicable else None, ())


def test_false_applicable_is_what_asks_for_no_aggregation() -> None:
    found = [
        taken(label, on) for label in ("why", "content", "aggregation") for on in (True, False)
    ]
    assert [one.label for one in falsely(found)] == ["why", "content"]
    assert table(found)[-1] == 'false "applicable": 2 of 4 = 50.0 %'


def test_labels_are_measured_on_the_questions_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [("How many times was drawer 1 opened?", "2"), ("Why was drawer 1 opened?", "...")]
    record = MINIATURE[0] | {"qa_pairs": [{"question": q, "answer": a} for q, a in pairs]}
    source = write(tmp_path / "ama.jsonl", [record])
    labels = {id_of("mugs", pairs[0][0]): "content", id_of("mugs", pairs[1][0]): "why"}
    monkeypatch.setattr(
        "benchmarks.labels.__main__.read_labels", lambda: labels | {"f" * 12: "why"}
    )
    assert main([str(source)]) == 0
    shown = capsys.readouterr().out
    assert 'false "applicable": 1 of 2 = 50.0 %' in shown
    assert "answer  2" in shown
    assert main([str(source), "--json"]) == 0
    assert [json.loads(line)["label"] for line in capsys.readouterr().out.splitlines()] == [
        "content"
    ]


@pytest.mark.shared
def test_labels_are_the_first_ids_of_the_shared_half() -> None:
    if not AMA.exists():
        pytest.skip("no shared data")
    with tallysql.open(":memory:") as memory:
        questions = memory.read_questions(AMA)
    ids = sorted({id_of(question.trajectory_id, question.question) for question in questions})
    labels = read_labels()
    assert list(labels) == ids[: len(labels)]
