"""The adversarial corpus of tests/data/corpus, answered from end to end.

The floors are what was measured; a wrong answer weighs more than a declined one.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tallysql
from benchmarks.cases import judge
from tallysql.plan.profiles import REFINED

if TYPE_CHECKING:
    from benchmarks.cases import Verdict
    from tallysql.ledger.catalog import Catalog

CORPUS = Path(__file__).parent.parent / "data" / "corpus"
RIGHT_AT_LEAST = 0.87
WRONG_AT_MOST = 1


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    questions = (CORPUS / "questions.jsonl").read_text("utf-8").splitlines()
    catalogs: dict[str, Catalog] = {}
    with tallysql.open(":memory:") as memory:
        memory.load([CORPUS / "trajectories.jsonl"])
        return [judge(memory, json.loads(line), REFINED, catalogs) for line in questions]


def test_few_are_wrong(verdicts: list[Verdict]) -> None:
    wrong = [(v.trajectory_id, v.question, v.answer) for v in verdicts if v.outcome == "wrong"]
    assert len(wrong) <= WRONG_AT_MOST, wrong


def test_most_are_right(verdicts: list[Verdict]) -> None:
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    assert outcomes["right"] >= RIGHT_AT_LEAST * len(verdicts), outcomes
