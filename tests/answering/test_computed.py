"""The computed reader: executed values in the form that the question asks for."""

# ruff: noqa: E501 (one helper line)
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tallysql.answering.computed import computed_answer
from tallysql.compiling.compilation import AnswerForm, Compilation, Threshold
from tallysql.engine.results import Group, Result
from tallysql.plan.nodes import Clause, Op, Plan, Query, Term

if TYPE_CHECKING:
    from tallysql.engine.results import State


def result(op: Op, value: Any, *, state: State = "ok", limit: int | None = None, label: str | None = None, groups: tuple[Group, ...] = (), matched: int = 1, where: tuple[Clause, ...] = ()) -> Result:  # fmt: skip
    query = Query(op, where, limit=limit, label=label)
    return Result(query, state, None, value, matched, (), groups, (), (), "", {})


def answer(*parts: tuple[AnswerForm, Result]) -> str | None:
    results = tuple(found for _, found in parts)
    plan = Plan(tuple(found.query for found in results))
    return computed_answer(Compilation(plan, (), tuple(form for form, _ in parts)), results)


GROUPS = (Group("view", 2, (3, 9)), Group("create", 5, (4, 5, 6, 7, 8)), Group("edit", 2, (2, 11)))


@pytest.mark.parametrize(
    ("form", "found", "text"),
    [
        ("integer", result("count", 7), "7"),
        ("integer", result("distinct", ["a", "b"]), "2"),
        ("integer", result("runs", [], groups=GROUPS), "5"),
        ("integer", result("count", 0, state="verified_zero"), "0"),
        ("step", result("first", 12), "12"),
        ("step", result("first", None), "none"),
        ("step", result("list", [3, 5, 9], limit=3), "9"),
        ("step", result("list", [3, 5], limit=3), "none"),
        ("steps", result("list", [3, 5, 9]), "3, 5, 9"),
        ("steps", result("list", []), "none"),
        ("names", result("distinct", [], groups=GROUPS), "view, create, edit"),
        ("name", result("top", {"keys": ["x", "y"], "count": 3}), "x, y"),
        ("name", result("group", [], groups=GROUPS), "create"),
        ("pairs", result("group", [], groups=GROUPS), "create: 5, edit: 2, view: 2"),
        ("yes_no", result("count", 3, matched=3), "yes"),
        ("yes_no", result("count", 0, matched=0, state="verified_zero"), "no"),
    ],
)
def test_forms(form: AnswerForm, found: Result, text: str) -> None:
    assert answer((form, found)) == text


@pytest.mark.parametrize(
    ("form", "how", "n", "found", "text"),
    [
        ("yes_no", "at_least", 2, result("count", 2, matched=2), "yes"),
        ("yes_no", "at_least", 3, result("count", 2, matched=2), "no"),
        ("yes_no", "exactly", 2, result("count", 3, matched=3), "no"),
        ("yes_no", "at_most", 0, result("count", 0, matched=0, state="verified_zero"), "yes"),
        ("names", "at_least", 2, result("group", [], groups=GROUPS), "edit, view, create"),
        ("names", "exactly", 2, result("group", [], groups=GROUPS), "edit, view"),
        ("names", "at_least", 9, result("group", [], groups=GROUPS), "none"),
        ("integer", "at_most", 4, result("group", [], groups=GROUPS), "2"),
        ("yes_no", "at_least", 5, result("group", [], groups=GROUPS), "yes"),
    ],
)
def test_thresholds(form: AnswerForm, how: Any, n: int, found: Result, text: str) -> None:
    compilation = Compilation(Plan((found.query,)), (), (form,), threshold=Threshold(how, n))
    assert computed_answer(compilation, (found,)) == text


def test_the_nth_value_is_that_of_the_nth_event() -> None:
    runs = (Group("a", 2, (1, 2)), Group("b", 1, (4,)))
    assert answer(("nth", result("values", [], limit=2, groups=runs))) == "a"
    assert answer(("nth", result("values", [], limit=3, groups=runs))) == "b"
    assert answer(("nth", result("values", [], limit=4, groups=runs))) == "none"


def test_timeline_tells_actions_and_changes() -> None:
    rows = [{"step": 4, "raw": "take cup 1", "changes": ["cup 1.location → inventory"]}]
    assert answer(("timeline", result("timeline", rows))) == (
        "step 4: take cup 1 [cup 1.location → inventory]"
    )


def test_several_quantities_are_labelled_in_the_order_asked() -> None:
    parts = result("count", 7, label="clicks"), result("first", 3, label="clicks")
    assert answer(("integer", parts[0]), ("step", parts[1])) == "clicks: 7; clicks step: 3"


@pytest.mark.parametrize("state", ["ungrounded", "empty", "relaxed"])
def test_what_does_not_answer_the_question_is_no_answer(state: State) -> None:
    assert answer(("integer", result("count", 0, state=state))) is None
    good = ("integer", result("count", 7)), ("integer", result("count", 0, state=state))
    assert answer(*good) is None  # type: ignore[arg-type]


def test_a_zero_that_rests_on_a_part_of_a_name_is_no_answer() -> None:
    guess = (Clause("target", (Term("ridge", "substring"),)),)
    assert answer(("integer", result("count", 0, state="verified_zero", where=guess))) is None
    assert answer(("integer", result("count", 2, where=guess))) == "2"
