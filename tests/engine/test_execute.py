"""Rules of selection and grounding, each on a ledger small enough to count by eye."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tallysql.engine.execute import aggregation_load, execute
from tallysql.plan.nodes import Plan
from tallysql.plan.parse import parse_plan
from tallysql.plan.profiles import PROFILES
from tallysql.store import open_store
from tests import reference_matcher
from tests.hand_made import LEDGERS
from tests.ledgers import insert, row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.engine.results import Result
    from tallysql.store import Store

MORE = {
    "spellings": [
        row(1, act="put", targets=["Cup", "cup", "CUP"]),
        row(2, act="put", targets=["cUp"]),
    ],
    "copies": [
        row(1, act="go"),
        row(2, act="go", is_copied=True),
        row(3, act="go"),
        row(4),
        row(5, act="go"),
        row(6, act="malformed"),
        row(7, act="go"),
    ],
    "blank paths": [
        row(1, act="view", paths=["a.py", "", "b.py"]),
        row(2, act="view", paths=["a.py", "b.py"]),
        row(3, act="view", paths=["", ""]),
    ],
    "no codes": [row(1, tool="go", act="go to")],
}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with open_store() as opened:
        for name, rows in (LEDGERS | MORE).items():
            insert(opened, name, rows)
        yield opened


def run(store: Store, trajectory_id: str, *queries: Any, profile: str = "refined") -> list[Result]:
    """Execute, and compare with the reference matcher on the way."""
    document = {"applicable": True, "queries": list(queries)}
    plan = parse_plan(document, PROFILES[profile])
    assert isinstance(plan, Plan)
    results = list(execute(store, trajectory_id, plan, PROFILES[profile]))
    expected = reference_matcher.answer((LEDGERS | MORE)[trajectory_id], document, profile)
    for result, one in zip(results, expected, strict=True):
        assert (result.state, result.value, result.matched) == (
            one["state"],
            one["value"],
            one["matched"],
        )
    return results


def value(store: Store, trajectory_id: str, profile: str = "refined", **query: Any) -> Any:
    return run(store, trajectory_id, query, profile=profile)[0].value


def test_word_is_the_default_of_refined(store: Store) -> None:
    where = {"target": ["drawer 1"]}
    assert value(store, "kitchen", op="count", where=where) == 3
    assert value(store, "kitchen", "principal", op="count", where=where) == 7


@pytest.mark.parametrize(
    ("term", "steps"),
    [
        ("str_replace_editor", [1, 3, 5]),
        ("str_replace_editor.view", [1, 5]),
        ("view", [1, 5]),
        ("pytest", [2, 4]),
        ("execute_bash", [2, 4]),
    ],
)
def test_tool_terms_match_tool_and_act(store: Store, term: str, steps: list[int]) -> None:
    assert value(store, "workshop", op="list", where={"tool": [term]}) == steps


@pytest.mark.parametrize(
    ("code", "count"), [("0", 1), ("1", 1), ("127", 1), ("nonzero", 2), ("none", 3), ("5", 0)]
)
def test_exit_codes(store: Store, code: str, count: int) -> None:
    assert value(store, "workshop", op="count", where={"exit_code": [code]}) == count


def test_exit_code_of_a_log_without_any_is_ungrounded(store: Store) -> None:
    (result,) = run(store, "no codes", {"op": "count", "where": {"exit_code": ["1"]}})
    assert result.state == "ungrounded"


def test_not_leaves_out_rows_that_satisfy_all_of_it(store: Store) -> None:
    excluded = {"error": ["is"], "outcome": ["failure"]}
    query = {"op": "list", "where": {"tool": ["open"]}, "not": excluded}
    assert run(store, "kitchen", query)[0].value == [2, 7, 9]


def test_spellings_of_one_row_count_once(store: Store) -> None:
    (result,) = run(store, "spellings", {"op": "group", "by": "target"})
    assert result.value == [{"key": "Cup", "count": 2, "steps": [1, 2]}]


def test_runs_skip_copies_and_empty_rows_and_end_at_malformed_ones(store: Store) -> None:
    (result,) = run(store, "copies", {"op": "runs"})
    assert [group.steps for group in result.groups] == [(1, 3, 5), (7,)]


def test_runs_compare_all_values_of_a_row_but_blank_ones(store: Store) -> None:
    (result,) = run(store, "blank paths", {"op": "runs", "by": "path"})
    assert [(group.key, group.steps) for group in result.groups] == [("a.py, b.py", (1, 2))]
    assert result.without_value == 1


def test_no_row_is_skipped_in_principal(store: Store) -> None:
    assert value(store, "copies", op="count") == 4
    assert value(store, "copies", "principal", op="count") == 7
    assert value(store, "copies", "lite", op="count") == 4


def test_relaxed_keeps_scope_and_drops_the_rest(store: Store) -> None:
    query = {
        "op": "list",
        "scope": {"lo": 2, "hi": 9},
        "where": {"target": ["drawer 1"], "author": ["nobody"]},
        "not": {"target": ["drawer 1"]},
    }
    (result,) = run(store, "kitchen", query)
    assert (result.state, result.value) == ("relaxed", [2, 9])
    assert result.reason == "nothing matched all filters; without author, not"


def test_a_dropped_sub_query_spares_its_siblings(store: Store) -> None:
    results = run(
        store,
        "kitchen",
        {"op": "count", "where": {"target": ["drawr 1"]}},
        {"op": "count", "where": {"tool": ["go"]}},
    )
    assert [result.state for result in results] == ["ungrounded", "ok"]
    assert results[0].grounding[0].nearest == "drawer 1"
    assert "nearest is 'drawer 1'" in (results[0].reason or "")
    assert aggregation_load(results) == 2
    assert aggregation_load(results[:1]) is None


def test_an_anchor_that_fails_is_named(store: Store) -> None:
    ungrounded = {"after": {"where": {"tool": ["fly"]}}}
    missing = {"before": {"where": {"tool": ["go"]}, "pick": 3}}
    results = run(
        store, "kitchen", {"op": "count", "scope": ungrounded}, {"op": "count", "scope": missing}
    )
    assert [result.state for result in results] == ["ungrounded", "empty"]
    assert "after.tool 'fly'" in (results[0].reason or "")
    assert "`before`" in (results[1].reason or "")


def test_an_anchor_bounds_by_call_not_only_by_step(store: Store) -> None:
    scope = {"after": {"where": {"tool": ["pytest"]}}}
    assert value(store, "workshop", op="list", scope=scope) == [2, 3, 4, 5]


def test_a_typo_in_an_outcome_is_no_zero(store: Store) -> None:
    results = run(
        store,
        "workshop",
        {"op": "count", "where": {"outcome": ["no_effect"]}},
        {"op": "count", "where": {"outcome": ["succes"]}},
    )
    assert [result.state for result in results] == ["verified_zero", "ungrounded"]
