"""Evidence keeps to its budget and says how much it leaves out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallysql.engine.evidence import compress_steps, render
from tallysql.engine.execute import execute
from tallysql.plan.nodes import Plan
from tallysql.plan.parse import parse_plan
from tallysql.plan.profiles import REFINED
from tallysql.store import open_store
from tests.ledgers import insert, row

if TYPE_CHECKING:
    from tallysql.engine.results import Result


@given(st.lists(st.integers(0, 400), unique=True).map(sorted))
def test_compressed_steps_expand_to_the_same(steps: list[int]) -> None:
    expanded: list[int] = []
    for part in filter(None, compress_steps(steps).split(", ")):
        first, _, last = part.partition("-")
        expanded += range(int(first), int(last or first) + 1)
    assert expanded == steps


def test_compressed_steps_read_as_ranges() -> None:
    assert compress_steps([3, 4, 5, 6, 7, 12]) == "3-7, 12"


@pytest.fixture(scope="module")
def long_results() -> tuple[Result, ...]:
    rows = [
        row(2 * i, tool="go", act="go to", raw="x" * 300, targets=[f"place {i} " + "y" * 60])
        for i in range(300)
    ]
    queries: list[dict[str, Any]] = [
        {"op": "count", "where": {"tool": ["go"]}, "label": "l" * 5000},
        {"op": "group", "by": "target"},
        {"op": "timeline"},
        {"op": "count", "where": {"tool": ["fly"]}},
    ]
    plan = parse_plan({"applicable": True, "queries": queries}, REFINED)
    assert isinstance(plan, Plan)
    with open_store() as store:
        insert(store, "long", rows)
        return execute(store, "long", plan, REFINED)


@pytest.mark.parametrize("budget", [0, 1, 50, 200, 1000, 6000, 20_000, 200_000])
def test_budget_holds(long_results: tuple[Result, ...], budget: int) -> None:
    assert len(render(long_results, budget)) <= budget


def test_what_is_left_out_is_counted(long_results: tuple[Result, ...]) -> None:
    text = render(long_results)
    for noun, shown in (("values", r"^- place"), ("rows", r"^- step")):
        left_out = re.search(rf"… (\d+) more {noun} left out", text)
        assert left_out is not None
        assert len(re.findall(shown, text, re.MULTILINE)) + int(left_out[1]) == 300


def test_everything_is_there_where_there_is_room(long_results: tuple[Result, ...]) -> None:
    text = render(long_results, 1_000_000)
    assert "more values left out" not in text
    assert len(re.findall(r"^- place", text, re.MULTILINE)) == 300
    assert "tool 'fly' occurs nowhere" in text


def test_no_survivor_no_evidence(long_results: tuple[Result, ...]) -> None:
    assert render(long_results[3:]) == ""


def test_a_list_of_steps_has_a_comma_at_each_break() -> None:
    plan = parse_plan({"applicable": True, "queries": [{"op": "count"}]}, REFINED)
    assert isinstance(plan, Plan)
    with open_store() as store:
        insert(store, "t", [row(2 * i, tool="go", act="go to", raw="go") for i in range(100)])
        text = render(execute(store, "t", plan, REFINED))
    steps = text[text.index("steps: ") :].removeprefix("steps: ")
    assert "\n" in steps
    assert [int(step) for step in steps.split(",")] == list(range(0, 200, 2))
