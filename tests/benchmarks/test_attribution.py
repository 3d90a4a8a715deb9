"""Causes of errors, each from a record that has it and no other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.runs.attribution import (
    CAUSES,
    LABELS,
    cause_of,
    contradicts,
    count_errors,
    read_labels,
)
from benchmarks.runs.folder import RunFolder
from tallysql.answering.questions import Question
from tallysql.scoring.references import Reference

if TYPE_CHECKING:
    from pathlib import Path


def result(state: str = "ok", op: str = "count", value: Any = 3, **more: Any) -> dict[str, Any]:
    return {"state": state, "op": op, "value": value, "steps": [1, 4, 6], "groups": [], **more}


def record(answer: str | None = "3", **more: Any) -> dict[str, Any]:
    base = {"question_id": "q", "answer": answer, "status": "read", "evidence": "[1] count"}
    return {**base, "plan": {"applicable": True}, "results": [result()], **more}


BARE: dict[str, Any] = {"evidence": ""}
CASES = [
    (None, "missing"),
    (record(**BARE, plan={"applicable": False, "reason": "why"}), "declined"),
    (record(**BARE, plan={"applicable": False, "reason": "not compiled"}), "failed"),
    (record(**BARE, status="error"), "failed"),
    (record(**BARE, plan=None), "no plan"),
    (record(**BARE, results=[result("ungrounded")]), "ungrounded"),
    (record(**BARE, results=[result("ungrounded"), result("empty")]), "empty"),
    (record("It was opened 4 times."), "contradicts evidence"),
    (record("3", evidence="[1] list\n… 12 more steps left out"), "evidence truncated"),
    (record("3", evidence="[1] … (70 characters left out)"), "evidence truncated"),
    (record("It was opened 3 times."), "to label"),
    (record("none"), "to label"),
]


@pytest.mark.parametrize(("one", "cause"), CASES)
def test_causes(one: dict[str, Any] | None, cause: str) -> None:
    assert cause_of(one) == cause


def test_every_cause_is_shown() -> None:
    assert {cause for _, cause in CASES} == set(CAUSES)


GROUP = result("ok", "group", [], groups=[{"key": "Go", "count": 3, "steps": [1, 4, 6]}])


@pytest.mark.parametrize(
    ("answer", "found", "expected"),
    [
        ("3", result(), False),
        ("At step 6, for the 3rd time", result(), True),  # 3rd is a word, not the number
        ("4 times, not 3", result(), False),
        ("three", result(), False),  # no number, nothing to compare
        (None, result(), False),
        ("version 3.1", result(), False),
        ("1, 4, 6", result(op="list", value=[1, 4, 6]), False),
        ("1, 4", result(op="list", value=[1, 4, 6]), True),
        ("steps 1 and 4", result(op="list", value=[1, 4, 6]), False),
        ("go: 3, look: 9", GROUP, False),
        ("go: 4", GROUP, True),
        ("12", result(op="first", value=12), False),
        ("11", result(op="last", value=12), True),
        ("11", result(op="last", value=None), False),
    ],
)
def test_contradictions(answer: str | None, found: dict[str, Any], expected: bool) -> None:
    assert contradicts(answer, found) is expected


def reference(steps: list[int] | None, op: str = "count", name: str = "q") -> Reference:
    return Reference(Question(name, "t", "How many?"), "3", {"gold_steps": steps, "op": op})


def test_count_errors_are_split() -> None:
    references = [
        reference([1, 4, 6], name="exact"),
        reference([1, 4], name="extra"),
        reference([1, 4, 6, 8, 9], name="missed"),
        reference([1, 4, 7], name="cancelling"),
        reference([1], "list", name="no count"),
        reference(None, name="not known"),
    ]
    records = [record(question_id=r.question.question_id) for r in references]
    assert count_errors(references, records) == {
        "counts": 4,
        "exact": 1,
        "cancelling": 1,
        "extra": 2,
        "missed": 3,
    }
    assert count_errors(references[4:], records) is None


def test_labels_are_those_of_the_paper_in_its_order(tmp_path: Path) -> None:
    assert [name for name, _ in LABELS] == [
        *("reference or judge", "answering", "partial coverage", "specification"),
        *("ledger", "truncation", "unclear"),
    ]
    folder = RunFolder(tmp_path / "run", {"benchmark": "ama"})
    place = folder.path / "labels.jsonl"
    row = {"system": "tm", "question_id": "q", "label": "ledger", "defensible": False}
    place.write_text(json.dumps(row) + "\n")
    assert read_labels(folder) == [row]
    place.write_text(json.dumps(row | {"label": "bad luck"}) + "\n")
    with pytest.raises(ValueError, match=r"labels\.jsonl: record 1: field label: 'bad luck'"):
        read_labels(folder)
