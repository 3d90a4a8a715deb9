"""The bundled trajectories load; their questions are answered right or declined, never wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tallysql
from benchmarks.demo import BUNDLED, SOURCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql import Memory

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / BUNDLED
QUESTIONS = FOLDER / "questions.jsonl"

STEPS = {
    "tw-bedroom": 42,
    "tw-supper": 60,
    "tw-bigkitchen": 115,
    "tw-market": 85,
    "tw-treasure": 59,
    "tw-hunt": 45,
    "grid-doorkey": 37,
    "grid-unlock": 28,
    "coding-shelf": 76,
    "coding-gauge": 75,
    "coding-cachebox": 68,
    "coding-numerals": 76,
    "coding-ticket": 78,
    "tallysql": 28,
}
RIGHT_AT_LEAST = 80

Answered = list[tuple[dict[str, Any], dict[str, Any]]]


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with tallysql.open() as opened:
        report = opened.load([FOLDER / name for name in SOURCES])
        assert report.clean
        yield opened


@pytest.fixture(scope="module")
def answered(memory: Memory) -> Answered:
    lines = QUESTIONS.read_text("utf-8").splitlines()
    return list(zip(map(json.loads, lines), memory.answer(QUESTIONS), strict=True))


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT trajectory_id, n_steps FROM trajectories",
        "SELECT trajectory_id, count(*) FROM steps GROUP BY ALL",
        "SELECT trajectory_id, count(*) FROM ledger GROUP BY ALL",
    ],
)
def test_every_step_is_archived_and_has_a_ledger_row(memory: Memory, statement: str) -> None:
    assert dict(memory.sql(statement).fetchall()) == STEPS


def test_text_is_stored_verbatim(memory: Memory) -> None:
    lines = (FOLDER / "gridworld.jsonl").read_text("utf-8").splitlines()
    logged = [json.loads(line) for line in lines]
    stored = memory.sql(
        "SELECT trajectory_id, step, action, observation FROM steps "
        "WHERE trajectory_id LIKE 'grid-%' ORDER BY trajectory_id, step"
    ).fetchall()
    names = ("trajectory_id", "step", "action", "observation")
    assert stored == [tuple(step[name] for name in names) for step in logged]


def test_loading_again_changes_nothing(memory: Memory) -> None:
    before = memory.sql("SELECT * FROM trajectories ORDER BY ALL").fetchall()
    memory.load([FOLDER / name for name in SOURCES])
    assert memory.sql("SELECT * FROM trajectories ORDER BY ALL").fetchall() == before


def test_no_answer_is_wrong(answered: Answered) -> None:
    wrong = [
        (asked["question_id"], asked["question"], record["answer"], asked["answer"])
        for asked, record in answered
        if record["status"] != "no_evidence" and not _right(asked, record)
    ]
    assert wrong == []


def test_most_questions_are_answered(answered: Answered) -> None:
    declined = [asked["question"] for asked, record in answered if not _right(asked, record)]
    assert len(answered) - len(declined) >= RIGHT_AT_LEAST, declined


def test_what_cannot_be_counted_is_declined_with_a_reason(answered: Answered) -> None:
    for asked, record in answered:
        if asked["form"] == "declined":
            assert record["answer"] is None
            assert record["plan"]["applicable"] is False
            assert record["plan"]["reason"]


def test_answers_rest_on_the_right_steps(answered: Answered) -> None:
    off = [
        (asked["question"], _steps(record), asked["steps"])
        for asked, record in answered
        if record["status"] == "computed" and not _rests_on(record, asked)
    ]
    assert off == []


def test_the_ama_file_is_both_trajectory_and_questions(memory: Memory) -> None:
    path = FOLDER / "coding_ama.jsonl"
    pairs = json.loads(path.read_text("utf-8"))["qa_pairs"]
    records = list(memory.answer(path))
    assert [record["question"] for record in records] == [pair["question"] for pair in pairs]
    assert [record["trajectory_id"] for record in records] == ["coding-ticket"] * len(pairs)


def _steps(record: dict[str, Any]) -> list[int]:
    return sorted({step for result in record["results"] for step in result["steps"]})


def _rests_on(record: dict[str, Any], asked: dict[str, Any]) -> bool:
    """Whether the matched steps, or those of them with a value to count, are the reference's."""
    groups = [group for result in record["results"] for group in result["groups"]]
    valued = {step for group in groups for step in group["steps"]}
    reference = set(asked["steps"])
    most_frequent = asked["form"] == "top" and bool(valued) and valued <= reference
    return _steps(record) == asked["steps"] or valued == reference or most_frequent


def _right(asked: dict[str, Any], record: dict[str, Any]) -> bool:
    if asked["answer"] is None or record["answer"] is None:
        return asked["answer"] is None and record["answer"] is None
    return _parts(asked["form"], record["answer"]) == _parts(asked["form"], asked["answer"])


def _parts(form: str, answer: str) -> list[str]:
    """Split an answer into its values; several quantities may be labelled."""
    if form == "integers":
        return re.findall(r"(?:^|[:,] ?)(\d+)(?=[,;]|$)", answer)
    return answer.lower().split(", ")
