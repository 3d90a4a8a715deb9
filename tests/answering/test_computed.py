"""The computed reader: executed values in the form that the question asks for."""

# ruff: noqa: E501 (one helper line)
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tallysql.answering.computed import computed_answer
from tallysql.compiling.compilation import AnswerForm, Compilation
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
