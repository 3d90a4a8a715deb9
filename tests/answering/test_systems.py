"""The systems behind --system: records, contexts, prompts."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

import tallysql
from tallysql.answering.prompt import prompt
from tallysql.answering.systems import SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tallysql.answering.systems import System
    from tallysql.api import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    steps = [("go to drawer 1", "You arrive at drawer 1."), ("open drawer 1", "You open it.")] * 6
    lines = [
        {"trajectory_id": "run", "step": n, "action": action, "observation": observation}
        for n, (action, observation) in enumerate(steps)
    ]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with tallysql.open() as opened:
        opened.load(tmp_path / "run.jsonl")
        yield opened


def ask(memory: Memory, question: str, system: System) -> dict[str, object]:
    asked = [{"trajectory_id": "run", "question": question}]
    (record,) = memory.answer(asked, system=system, budget=400)
    return record


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("question", ["Why did it open the drawer?", "What happened at step 3?"])
def test_without_evidence_the_prompts_of_tallymem_and_tm_are_the_same(
    memory: Memory, question: str
) -> None:
    prompts = {
        system: prompt(
            question,
            memory.view(question, "run", system=system).text,
            str(ask(memory, question, system)["evidence"]),
        )
        for system in ("tallymem", "tm")
    }
    assert digest(prompts["tallymem"]) == digest(prompts["tm"])


def test_evidence_stands_between_context_and_question() -> None:
    text = prompt("How many?", "[step 1]\n", "count: 3\n")
    assert text.index("[step 1]") < text.index("count: 3") < text.index("Question: How many?")
    assert digest(prompt("How many?", "[step 1]\n", " \n")) == digest(
        prompt("How many?", "[step 1]\n")
    )


def test_the_counter_counts_by_tool_within_the_bound(memory: Memory) -> None:
    record = ask(memory, "How often did it go somewhere up to step 4?", "counter")
    assert record["status"] == "computed"
    assert record["answer"] == "go: 3, open: 2"
    assert record["system"] == "counter"
    whole = ask(memory, "What was the first thing it opened up to step 4?", "counter")
    assert whole["answer"] == "go: 6, open: 6"


@pytest.mark.parametrize("system", ["tm", "long-context", "bm25"])
def test_systems_that_need_a_reader_report_their_context(memory: Memory, system: System) -> None:
    record = ask(memory, "What happened when the drawer was opened?", system)
    assert (record["status"], record["answer"], record["error"]) == ("no_evidence", None, None)
    usage = record["usage"]
    assert isinstance(usage, dict)
    assert 0 < usage["context_tokens"] <= 400
    assert usage["budget"] == 400


def test_every_system_gives_a_context(memory: Memory) -> None:
    for system in SYSTEMS:
        view = memory.view("What was opened at step 3?", "run", system=system)
        assert "[step 3]" in view.text, system


def test_an_unknown_trajectory_is_an_error_record(memory: Memory) -> None:
    asked = [{"trajectory_id": "rum", "question": "Why?"}]
    (record,) = memory.answer(asked, system="tm")
    assert record["status"] == "error"
    assert "did you mean 'run'?" in str(record["error"])


def test_an_interrupted_run_goes_on_only_with_the_same_budget(
    memory: Memory, tmp_path: Path
) -> None:
    asked = [{"trajectory_id": "run", "question": f"What happened at step {n}?"} for n in (2, 3)]
    out = tmp_path / "answers.jsonl"
    for budget in (300, 200, 200):
        started = memory.answer(asked, out, system="tm", budget=budget)
        next(iter(started))
        del started
    kept = (tmp_path / "answers.jsonl.partial").read_text().splitlines()
    assert [json.loads(line)["usage"]["budget"] for line in kept] == [200]
