"""The whole path with a real model: that it fits together, not that so small a model is right."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import tallysql
from tallysql.llm.models import Models
from tallysql.llm.settings import read_settings
from tallysql.plan.parse import parse_plan
from tallysql.plan.profiles import profile_named

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tallysql.api import Memory

pytestmark = pytest.mark.model

STEPS = [
    ("look", "You see drawer 1."),
    ("hum", "The lamp starts to glow."),
    ("open drawer 1", "You open the drawer 1."),
]
SETTINGS: dict[str, Any] = {
    "model": "smollm2",
    "timeout": 300,
    # Greedy decoding of a model this small goes round in circles without a penalty.
    "compile": {"max-tokens": 600, "request": {"repeat_penalty": 1.3}},
    "annotate": {"max-tokens": 300, "request": {"repeat_penalty": 1.3}},
    "read": {"max-tokens": 16},
}
CHUNK_TOKENS = 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a loaded database, which the tests of this module share."""
    found = tmp_path_factory.mktemp("run")
    rows = [
        {"trajectory_id": "t", "step": step, "action": action, "observation": observation}
        for step, (action, observation) in enumerate(STEPS)
    ]
    source = found / "runs.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with tallysql.open(found / "t.duckdb") as memory:
        memory.load(source)
    return found


@pytest.fixture
def memory(folder: Path, server: str) -> Iterator[Memory]:
    settings = read_settings(SETTINGS | {"base_url": server}, {}, folder)
    models = Models(settings, folder / "t.duckdb.calls")
    with tallysql.open(folder / "t.duckdb", models=models) as opened:
        yield opened


def counted(memory: Memory, stage: Any) -> tuple[int, int, int]:
    account = memory.models.account.stages[stage]
    assert account.requests == account.hits + account.calls + account.failures.total()
    return account.calls, account.hits, account.failures.total()


def test_plans_keep_to_the_schema_and_run(memory: Memory) -> None:
    def asked(question: str) -> dict[str, Any]:
        return memory.ask(question, "t", compiler="model", profile="lite")

    # What goes round in circles until it is cut short is no plan; one of three has to be.
    records = [asked(f"How many {word} are there?") for word in ("steps", "openings", "looks")]
    compiled = [record for record in records if record["status"] != "error"]
    assert compiled, [record["error"] for record in records]
    for record in compiled:
        check_plan(record)
    calls, _, failed = counted(memory, "compile")
    spent = [record["usage"]["compile"] for record in compiled]
    assert calls >= sum(usage["calls"] for usage in spent)
    assert failed <= len(records) - len(compiled)
    again = asked(compiled[0]["question"])
    assert again == compiled[0]
    assert counted(memory, "compile") == (calls, spent[0]["calls"], failed)


def check_plan(record: dict[str, Any]) -> None:
    """Check that a record's plan is valid, was executed, and is grounded where it counts."""
    parse_plan(record["plan"], profile_named("lite"))
    assert len(record["results"]) == len(record["plan"].get("queries", []))
    for result in record["results"]:
        if result["state"] == "ok":
            assert all(term["rows"] > 0 for term in result["grounding"])
            assert set(result["steps"]) <= {0, 1, 2}
    usage = record["usage"]["compile"]
    assert usage["prompt_tokens"] > 300
    assert usage["completion_tokens"] > 5


def test_a_reader_answers_and_its_answer_is_kept(memory: Memory) -> None:
    question = "What starts to glow?"
    record = memory.ask(question, "t", reader="model")
    assert record["status"] == "read"
    assert record["answer"]
    assert record["usage"]["read"]["completion_tokens"] <= 16
    asked = [{"question": question, "trajectory_id": "t"}]
    (tm,) = memory.answer(asked, system="tm", reader="model")
    assert tm["answer"] == record["answer"]
    assert counted(memory, "read") == (1, 1, 0)


def test_annotation_keeps_only_what_the_log_bears_out(memory: Memory) -> None:
    report = memory.annotate(chunk_tokens=CHUNK_TOKENS)
    assert report.done + len(report.failed) == len(STEPS)
    assert {chunk.reason for chunk in report.failed} <= {"cut_short", "invalid"}
    calls, _, failed = counted(memory, "annotate")
    assert failed == len(report.failed)
    assert calls >= report.done
    rows = memory.sql(
        """
        SELECT annotations.outcome, annotations.quote, annotations.changes, observation
        FROM annotations JOIN steps USING (trajectory_id, step, call)
        """
    ).fetchall()
    for outcome, quote, changes, observation in rows:
        if quote is None:
            assert (outcome, changes) == ("unknown", [])
        else:
            assert observation[quote["start"] : quote["end"]] == quote["text"]
    again = memory.annotate(chunk_tokens=CHUNK_TOKENS)
    assert again.known == report.done
