"""Questions answered together have the records that they have one by one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import tallysql
from tallysql.answering.questions import Question
from tallysql.answering.records import Answerer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ASKED = [
    "How many times was box 1 opened?",
    "List the steps where box 1 was opened.",
    "How many times was box 2 opened up to step 1?",
    "Which objects were opened?",
    "Why was box 1 opened?",
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tallysql.Memory]:
    path: Path = tmp_path_factory.mktemp("together") / "runs.jsonl"
    steps = [
        {
            "trajectory_id": f"run-{run}",
            "step": step,
            "action": f"open box {1 + (run + step) % 3}",
            "observation": ".",
        }
        for run in range(10)
        for step in range(1 + run % 4)
    ]
    path.write_text("".join(json.dumps(step) + "\n" for step in steps), "utf-8")
    with tallysql.open() as opened:
        opened.load([path])
        yield opened


def test_records_are_those_of_one_by_one(memory: tallysql.Memory) -> None:
    answerer = Answerer(memory.store)
    ids = [*memory.trajectories(), "no such run"]
    asked = [Question(f"{run} {n}", run, text) for run in ids for n, text in enumerate(ASKED)]
    alone = [answerer.answer(question) for question in asked]
    answerer.prepare(asked)
    together = [answerer.answer(question) for question in asked]
    assert together == alone
    assert {record["status"] for record in together} == {"computed", "no_evidence", "error"}


def test_one_plan_over_all_answers_as_each_alone(memory: tallysql.Memory) -> None:
    answerer = Answerer(memory.store)
    for question in ASKED:
        many = list(memory.ask_each(question))
        alone = [answerer.answer(Question("ask", run, question)) for run in memory.trajectories()]
        assert [(r["trajectory_id"], r["answer"]) for r in many] == [
            (r["trajectory_id"], r["answer"]) for r in alone
        ]
