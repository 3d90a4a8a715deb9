"""A plan's SQL for other engines gives the executor's values, and parses where none runs it."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
import sqlglot
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings

from tallysql.cli import Settings, commands
from tallysql.engine.execute import execute
from tallysql.engine.portable import dialect_sql
from tallysql.errors import InputError
from tallysql.lowering.dialects import DIALECTS, REFUSED
from tallysql.lowering.portable import portable
from tallysql.plan.nodes import Plan
from tallysql.plan.parse import parse_plan
from tallysql.plan.profiles import PROFILES
from tallysql.store import open_store
from tests.engine.test_against_reference import cases
from tests.hand_made import KITCHEN
from tests.ledgers import insert
from tests.portable.engines import copied

if TYPE_CHECKING:
    from pathlib import Path

    from tallysql.engine.results import Result
    from tallysql.store import Row, Store

EVIL = ["a'b", 'a"b', "back\\slash", "%_", "{x}", "$y", ":z", "line\nbreak", "🙂"]


@given(case=cases())
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_sqlite_gives_the_values_of_the_executor(
    store: Store, case: tuple[list[dict[str, Any]], dict[str, Any], str]
) -> None:
    made, document, name = case
    profile = PROFILES[name]
    plan = parse_plan(document, profile)
    assert isinstance(plan, Plan)
    if any(map(portable, plan.queries)):
        return
    store.run("DELETE FROM ledger; DELETE FROM steps")
    insert(store, "made-up", made)
    if "\\u0000" in json.dumps(document):
        with pytest.raises(InputError, match="NUL"):
            dialect_sql(store, "made-up", plan, profile, "sqlite")
        return
    statements = dialect_sql(store, "made-up", plan, profile, "sqlite")
    connection = sqlite3.connect(":memory:")
    for table in ("events", "texts"):
        copied(connection, table, store.arrow(f"SELECT * FROM {table}"))
    for statement, result in zip(statements, execute(store, "made-up", plan, profile), strict=True):
        if result.state in ("ok", "verified_zero"):
            assert told(result, connection.execute(statement).fetchall()) == result.value


def told(result: Result, rows: list[Row]) -> Any:
    """Turn the rows of a statement into the shape of a value."""
    if result.op in ("count", "first", "last"):
        return rows[0][0]
    if result.op == "list":
        return [step for (step,) in rows]
    if result.op == "timeline":
        shown = [dict(zip(("step", "tool", "outcome", "raw"), row, strict=True)) for row in rows]
        return [
            {key: row.get(key) for key in value} | {"changes": value["changes"]}
            for row, value in zip(shown, result.value, strict=True)
        ]
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[0], []).append(row)
    if result.op == "distinct":
        return [found[0][1] for found in groups.values()]
    if result.op == "top":
        counts = [len(found) for found in groups.values()] or [0]
        return {"keys": [found[0][1] for found in groups.values()], "count": counts[0]}
    return [
        {"key": found[0][1], "count": len(found), "steps": sorted({row[3] for row in found})}
        for found in groups.values()
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_statement_parses_with_its_terms(store: Store, dialect: str) -> None:
    where = {"target": EVIL, "tool": [{"term": "x", "match": "word"}]}
    for op, by in (("count", None), ("list", None), ("group", "target"), ("runs", None)):
        query = {"op": op, "where": where, "not": {"outcome": ["failure"]}} | (
            {"by": by} if by else {}
        )
        plan = parse_plan({"applicable": True, "queries": [query]}, PROFILES["refined"])
        assert isinstance(plan, Plan)
        (statement,) = dialect_sql(store, "made-up", plan, PROFILES["refined"], dialect)
        tree = sqlglot.parse_one(statement, dialect=dialect)
        literals = {found.this for found in tree.find_all(sqlglot.exp.Literal) if found.is_string}
        assert set(EVIL) <= literals


def test_operations_that_would_be_wrong_are_refused(store: Store) -> None:
    for (dialect, op), reason in REFUSED.items():
        query = {"op": op, "where": {}} | ({"by": "path"} if op == "values" else {})
        plan = parse_plan({"applicable": True, "queries": [query]}, PROFILES["refined"])
        assert isinstance(plan, Plan)
        with pytest.raises(InputError, match=reason.split("(")[0]):
            dialect_sql(store, "made-up", plan, PROFILES["refined"], dialect)


def test_the_command_prints_sql_and_how_it_was_verified(tmp_path: Path) -> None:
    with open_store(tmp_path / "t.duckdb") as made:
        insert(made, "kitchen", KITCHEN)
    plan = tmp_path / "plan.json"
    plan.write_text('{"applicable": true, "queries": [{"op": "count", "where": {}}]}')
    database = str(tmp_path / "t.duckdb")
    options = ["-t", "kitchen", "--dialect", "trino", "--db", database]
    done = CliRunner().invoke(commands, ["run", str(plan), *options], obj=Settings())
    shown = json.loads(done.stdout)
    assert shown["dialect"] == "trino"
    assert shown["verified"].startswith("not verified")
    assert len(shown["statements"]) == 1
