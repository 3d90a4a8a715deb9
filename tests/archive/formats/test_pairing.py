"""Calls and results: by id and by order, late, early, twice, and never."""

from __future__ import annotations

import pytest

from tallysql.archive.formats import pairing
from tallysql.archive.formats.blocks import flatten
from tallysql.archive.formats.pairing import Calls


def shown(calls: Calls) -> list[tuple[str | None, int, str | None]]:
    return [(step.action, step.call, step.observation) for step in calls.steps()]


def test_results_find_their_calls_in_any_order() -> None:
    calls = Calls()
    calls.call("a", "x", None, turn=1)
    calls.call("b", "y", None, turn=1)
    calls.result("b", "of b")
    calls.result("a", "of a")
    assert shown(calls) == [("x", 0, "of a"), ("y", 1, "of b")]


def test_a_repeated_id_pairs_by_order() -> None:
    calls = Calls()
    for turn, tool in enumerate("xyz"):
        calls.call("same", tool, None, turn=turn)
        if tool != "z":
            calls.result("same", f"of {tool}")
    assert shown(calls) == [("x", 0, "of x"), ("y", 0, "of y"), ("z", 0, None)]


def test_a_result_may_come_first() -> None:
    calls = Calls()
    calls.result("a", "early")
    calls.call("a", "x", None)
    assert shown(calls) == [("x", 0, "early")]


def test_a_result_without_a_call_is_kept() -> None:
    calls = Calls()
    calls.result("gone", "lost", tool="x", is_error=True)
    (step,) = calls.steps()
    assert (step.action, step.tool, step.observation, step.is_error) == (None, "x", "lost", True)


def test_without_ids_results_go_to_the_last_turn() -> None:
    calls = Calls()
    calls.call(None, "never", None, turn=1)
    calls.call(None, "x", None, turn=2)
    assert calls.answer_last("of x")
    assert not calls.answer_last("more")
    assert shown(calls) == [("never", 0, None), ("x", 0, "of x")]


def test_unique_ids_are_read_once() -> None:
    calls = Calls(unique=True)
    for _ in range(2):
        calls.call("a", "x", None)
        calls.result("a", "of a")
    assert shown(calls) == [("x", 0, "of a")]


def test_another_call_of_a_unique_id_is_kept() -> None:
    calls = Calls(unique=True)
    for command in ("ls", "make", "ls"):
        calls.call("a", "x", command)
        calls.result("a", f"of {command}")
    assert shown(calls) == [("x: ls", 0, "of ls"), ("x: make", 0, "of make")]


def test_long_logs_come_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "PIECE_CHARACTERS", 1000)
    calls, steps = Calls(), []
    for number in range(100):
        calls.call(number, "x", None, turn=number)
        if number != 42:
            calls.result(number, "y" * 50)
        steps += calls.piece()
    held = len(calls.steps())
    assert len(steps) == 42, "an open call holds up what follows it"
    assert held == 58
    monkeypatch.setattr(pairing, "PATIENCE", 10)
    calls, steps = Calls(), []
    for number in range(100):
        calls.call(number, "x", None, turn=number)
        if number != 42:
            calls.result(number, "y" * 50)
        steps += calls.piece()
    assert len(steps) > 80
    assert [step.observation is None for step in steps + calls.steps()].count(True) == 1


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, None),
        ("", ""),
        ([], ""),
        ("as it is\r\n", "as it is\r\n"),
        ([{"type": "text", "text": "a"}, "b"], "a\nb"),
        ([{"type": "text", "text": "a"}, {"type": "image", "source": {}}], "a\n[image]"),
        ([{"type": "image_url", "image_url": {"url": "x"}}], "[image]"),
        ([{"type": "document", "source": {}}], "[document]"),
        ([{"type": "output_text", "text": "a"}], "a"),
        ({"rows": [1]}, '{"rows":[1]}'),
        (7, "7"),
    ],
)
def test_content_becomes_text(content: object, text: str | None) -> None:
    assert flatten(content) == text
