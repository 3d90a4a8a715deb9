"""Interrupted runs of `answer`: what is kept, and what of it would be wrong by now."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

import tallysql
from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tallysql.api import Memory

QUESTIONS = [
    {"question": "How many times was box 1 opened?", "trajectory_id": "a"},
    {"question": "How many times was box 1 opened?", "trajectory_id": "b"},
    {"question": "How many looks?", "trajectory_id": "lost"},
]


def steps(path: Path, trajectory_id: str, *actions: str) -> str:
    rows = [
        {"trajectory_id": trajectory_id, "step": i, "action": action, "observation": "Done."}
        for i, action in enumerate(actions)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with tallysql.open() as memory:
        memory.load(steps(tmp_path / "a.jsonl", "a", "open box 1", "look"))
        memory.load(steps(tmp_path / "b.jsonl", "b", "open box 1", "look"))
        yield memory


def interrupt(memory: Memory, out: Path, after: int) -> None:
    """Answer some of the questions, then mark the records so that kept ones can be told."""
    list(islice(memory.answer(QUESTIONS, out), after))
    partial = out.with_name(out.name + ".partial")
    assert partial.read_bytes().count(b"\n") == after
    partial.write_bytes(partial.read_bytes().replace(b'"answer":"1"', b'"answer":"kept"'))


def answers(memory: Memory, out: Path) -> list[Any]:
    list(memory.answer(QUESTIONS, out))
    assert [file.name for file in out.parent.iterdir() if "partial" in file.name] == []
    return [json.loads(line)["answer"] for line in out.read_text().splitlines()]


def test_records_of_unchanged_trajectories_are_kept(memory: Memory, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    interrupt(memory, out, after=2)
    assert answers(memory, out) == ["kept", "kept", None]


def test_a_record_that_was_cut_short_is_made_again(memory: Memory, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    interrupt(memory, out, after=2)
    partial = out.with_name("out.jsonl.partial")
    partial.write_bytes(partial.read_bytes()[:-20])
    assert answers(memory, out) == ["kept", "1", None]


def test_records_of_a_trajectory_that_grew_are_made_again(memory: Memory, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    interrupt(memory, out, after=2)
    memory.load(steps(tmp_path / "b.jsonl", "b", "open box 1", "look", "open box 1"))
    assert answers(memory, out) == ["kept", "2", None]


def test_records_of_a_ledger_that_changed_are_made_again(memory: Memory, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    interrupt(memory, out, after=1)
    memory.store.run("UPDATE ledger SET targets = ['box 2'] WHERE act = 'open'")
    assert answers(memory, out)[0] != "kept"


@pytest.mark.parametrize("noted", [None, "not JSON", "[]", '{"tallysql": "0", "trajectories": {}}'])
def test_without_a_note_of_this_release_nothing_is_kept(
    memory: Memory, tmp_path: Path, noted: str | None
) -> None:
    out = tmp_path / "out.jsonl"
    interrupt(memory, out, after=2)
    state = tmp_path / "out.jsonl.partial.json"
    state.unlink() if noted is None else state.write_text(noted)
    assert answers(memory, out) == ["1", "1", None]


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("none/out.jsonl", "no such folder"),
        ("folder", "is a directory"),
        ("questions.jsonl", "would overwrite"),
        ("link.jsonl", "would overwrite"),
        ("from", "would overwrite"),
    ],
)
def test_a_bad_target_is_refused_before_any_work(
    memory: Memory, tmp_path: Path, out: str, message: str
) -> None:
    (tmp_path / "folder").mkdir()
    named = "from.partial" if out == "from" else "questions.jsonl"
    questions = tmp_path / named
    questions.write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))
    (tmp_path / "link.jsonl").symlink_to(questions)
    before = sorted(tmp_path.rglob("*")), questions.read_bytes()
    with pytest.raises(InputError, match=message):
        memory.answer(questions, tmp_path / out)
    assert (sorted(tmp_path.rglob("*")), questions.read_bytes()) == before
