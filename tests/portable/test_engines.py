"""The portable statements agree with the reference matcher, on every engine that runs here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings

from tallysql.engine.portable import Asked, execute_batch
from tallysql.lowering.portable import portable
from tallysql.plan.nodes import Plan
from tallysql.plan.parse import parse_plan
from tallysql.plan.profiles import PROFILES
from tests import reference_matcher
from tests.engine.test_against_reference import cases, comparable
from tests.ledgers import insert
from tests.portable.engines import DuckDBEngine, SQLiteEngine

if TYPE_CHECKING:
    from tallysql.store import Store


@pytest.mark.parametrize("engine", [DuckDBEngine, SQLiteEngine])
@given(case=cases())
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_portable_plans_agree_with_reference(
    store: Store, engine: Any, case: tuple[list[dict[str, Any]], dict[str, Any], str]
) -> None:
    made, document, profile = case
    plan = parse_plan(document, PROFILES[profile])
    assert isinstance(plan, Plan)
    if any(portable(query) for query in plan.queries):
        return
    store.run("DELETE FROM ledger; DELETE FROM steps")
    insert(store, "made-up", made)
    asked = [Asked("made-up", plan)]
    (results,) = execute_batch(engine(store), store, asked, PROFILES[profile])
    expected = reference_matcher.answer(made, document, profile)
    assert [comparable(result) for result in results] == [
        {"left_out": 0, "without_value": 0} | one for one in expected
    ]
