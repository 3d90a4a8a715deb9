"""The validator: one test a rule; what breaks it never passes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallysql.ledger.validate import LoggedStep, find_quote, validate

OPENED = LoggedStep(3, 0, "open drawer 1", "You open the drawer 1.\n\nIn it, you see  a pen.")
LOOKED = LoggedStep(4, 0, "look", "You are in the middle of a room.")
LONG_PATH = "/workspace/project/src/package/module.py"


def said(**changed: Any) -> dict[str, Any]:
    return {
        "step": 3,
        "call": 0,
        "act": "open",
        "targets": ["drawer 1"],
        "outcome": "success",
        "quote": "You open the drawer 1.",
        "changes": [{"object": "drawer 1", "property": "state", "value": "open"}],
    } | changed


def judged(*entries: Any, steps: tuple[LoggedStep, ...] = (OPENED, LOOKED)) -> Any:
    return validate(entries, steps)


def test_what_is_right_passes_whole() -> None:
    (found,) = judged(said()).annotations
    assert (found.act, found.targets, found.outcome) == ("open", ("drawer 1",), "success")
    assert found.verdict == "accepted"
    assert OPENED.observation[found.quote.start : found.quote.end] == found.quote.text
    (change,) = found.changes
    assert (change.object, change.property, change.value) == ("drawer 1", "state", "open")
    assert change.verified


@pytest.mark.parametrize(
    ("quote", "rule"),
    [
        ("You close the drawer 1.", "wrong_quote"),
        (LOOKED.observation, "wrong_quote"),
        ("", "no_quote"),
        ("   ", "no_quote"),
        (None, "no_quote"),
        (17, "no_quote"),
        ("You", "short_quote"),
        ("You open the drawer 1. " * 40, "long_quote"),
    ],
)
def test_a_bad_quote_costs_outcome_and_changes(quote: Any, rule: str) -> None:
    validation = judged(said(quote=quote))
    (found,) = validation.annotations
    assert (found.outcome, found.quote, found.changes) == ("unknown", None, ())
    assert found.verdict == "rejected"
    assert validation.dropped[rule] == 1
    assert found.targets == ("drawer 1",)


@pytest.mark.parametrize(
    ("quote", "verdict", "text"),
    [
        ("In it, you see a pen.", "accepted", "In it, you see  a pen."),
        ("drawer 1. In it", "accepted", "drawer 1.\n\nIn it"),
        ("YOU OPEN THE drawer 1", "recovered", "You open the drawer 1"),
        ("“You open the drawer 1” ... In it", "recovered", "You open the drawer 1.\n\nIn it"),
        (r"drawer 1.\n\nIn it", "recovered", "drawer 1.\n\nIn it"),
        ("a PEN", "rejected", None),
        ("ou open the drawe", "accepted", "ou open the drawe"),
        ("OU OPEN THE DRAWER", "rejected", None),
    ],
)
def test_the_two_passes(quote: str, verdict: str, text: str | None) -> None:
    found, judgement, _ = find_quote(quote, OPENED.observation)
    assert judgement == verdict
    assert (found.text if found else None) == text


def test_recovery_restores_the_changes() -> None:
    (found,) = judged(said(quote="you OPEN the drawer")).annotations
    assert (found.verdict, found.outcome, len(found.changes)) == ("recovered", "success", 1)


@pytest.mark.parametrize("outcome", ["failure", "no_effect", "unknown", "great", None])
def test_changes_need_success(outcome: Any) -> None:
    validation = judged(said(outcome=outcome))
    assert validation.annotations[0].changes == ()
    assert validation.dropped["change_without_success"] == 1


def test_a_step_that_was_not_asked_about_is_dropped() -> None:
    validation = judged(said(step=5), said(step=3, call=1))
    assert validation.annotations == ()
    assert validation.dropped["unknown_step"] == 2


def test_a_step_spoken_of_twice_is_dropped() -> None:
    validation = judged(said(), said(outcome="failure"), said(step=4, quote=LOOKED.observation))
    assert [found.step for found in validation.annotations] == [4]
    assert validation.dropped["duplicate_step"] == 2


def test_missing_steps_are_counted() -> None:
    assert judged(said()).dropped["missing_step"] == 1


@pytest.mark.parametrize("entry", [None, 3, "step 3", [], {}, said(step="3"), said(step=True)])
def test_entries_of_another_shape_are_dropped(entry: Any) -> None:
    validation = judged(entry)
    assert validation.annotations == ()
    assert validation.dropped["not_an_object"] == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"act": "x" * 201},
        {"targets": ["x" * 201]},
        {"changes": [{"object": "x" * 201, "property": "p", "value": "v"}]},
    ],
)
def test_what_is_too_long_is_dropped(changed: dict[str, Any]) -> None:
    validation = judged(said(**changed))
    assert validation.dropped["too_long"] == 1
    (found,) = validation.annotations
    assert "x" * 201 not in repr(found)


def test_lists_have_an_end() -> None:
    names = [f"thing {n}" for n in range(50)]
    step = LoggedStep(3, 0, "put " + ", ".join(names), OPENED.observation)
    (found,) = judged(said(targets=names), steps=(step,)).annotations
    assert len(found.targets) == 20


def test_targets_that_the_step_does_not_show_are_dropped() -> None:
    step = LoggedStep(3, 0, "put the Red\n  Box", "It lands on SHELF 2.")
    said_of = said(targets=["red box", "shelf 2", "cupboard"], outcome="unknown", quote="")
    validation = judged(said_of, steps=(step,))
    assert validation.annotations[0].targets == ("red box", "shelf 2")
    assert validation.dropped["unseen_target"] == 1


@pytest.mark.parametrize(
    "change", [None, "open", {}, {"object": "a", "property": "b"}, {"object": "a", "value": []}]
)
def test_changes_of_another_shape_are_dropped(change: Any) -> None:
    validation = judged(said(changes=[change]))
    assert validation.annotations[0].changes == ()
    assert validation.dropped["bad_change"] == 1


def test_an_unverified_change_stays_and_says_so() -> None:
    change = {"object": "drawer 1", "property": "light", "value": "purple"}
    (found,) = judged(said(changes=[change, change | {"value": True}])).annotations
    assert [(c.value, c.verified) for c in found.changes] == [("purple", False), ("true", False)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["pen 1"], ("pen 1", "drawer 1", "desk 1")),
        (["Pen 1", "drawer 1", "..."], ("pen 1", "drawer 1", "desk 1")),
        (["pen 1", "shelf 1"], ("pen 1", "shelf 1")),
        (["…"], ()),
        ([LONG_PATH[:20] + "..."], (LONG_PATH,)),
        (["/elsewhere/pack…"], ()),
        (["shelf 1", "shelf 1"], ("shelf 1",)),
    ],
)
def test_truncated_targets_are_restored(given: list[str], expected: tuple[str, ...]) -> None:
    step = LoggedStep(
        3,
        0,
        f"move pen 1 to {LONG_PATH}, then rest",
        "On shelf 1.",
        ("pen 1", "drawer 1", "desk 1"),
    )
    (found,) = judged(said(targets=given), steps=(step,)).annotations
    assert found.targets == expected


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_no_json_breaks_it(value: Any) -> None:
    for name in said():
        validate([said(**{name: value})], [OPENED, LOOKED])


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_quotes_are_where_they_say(text: str, start: int, length: int) -> None:
    observation = text * 2
    found, _, _ = find_quote(observation[start : start + length], observation)
    if found is not None:
        assert observation[found.start : found.end] == found.text
