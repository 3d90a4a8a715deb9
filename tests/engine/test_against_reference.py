"""The executor and the reference matcher agree on made-up plans over made-up ledgers."""

from __future__ import annotations

import copy
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tallysql.api import open_memory
from tallysql.engine.batch import execute_batch
from tallysql.engine.execute import aggregation_load, execute
from tallysql.engine.fleet import execute_many
from tallysql.engine.paths import BATCH
from tallysql.plan.nodes import Plan
from tallysql.plan.parse import parse_plan
from tallysql.plan.profiles import PROFILES
from tallysql.store import open_store
from tests import reference_matcher
from tests.ledgers import insert

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.api import Memory
    from tallysql.engine.results import Result
    from tallysql.store import Store

TEXTS = [
    "drawer 1", "Drawer 10", "DRAWER 1", "drawer", "1", "a%b", "a_b", "%", "_", "o'clock", '"',
    "x\\y", "\\", "a.b*c", "axbbc", "[z]", "(q", "$1", "^", "|", "İstanbul", "istanbul", "straße",
    "STRASSE", "ẞ", "ΟΔΟΣ", "é", "e\u0301", "line\nbreak", "nul\0nul", "\u2028", "🙂", "→", "NULL",
    "'; DROP TABLE ledger; --", "$trajectory_id", "a.b", "b", "-v", "x-y", " padded ",
]  # fmt: skip
TOOLS = ["go", "GO", "edit", "edit.x", "execute_bash", "", *TEXTS[:3]]
RAW = ["commit abcdef0: a: b", "commit abcdef0", "Commit abcdef0: a", "commit 12345: b"]
ACTS = ["go to", "edit.view", "edit.create", "execute_bash.pytest", "go.x", "malformed", ".", ""]
PATHS = [
    "/repo/src/a.py",
    "/repo/src/a.py.bak",
    "a.py",
    "src/",
    "/",
    "/a",
    "//x//y",
    "",
    "src/b/c\nd",
]
OUTCOMES = ["success", "failure", "no_effect", "unknown"]

texts = st.sampled_from(TEXTS) | st.lists(st.sampled_from(TEXTS), max_size=3).map(" ".join)
optional_texts = st.none() | texts
changes = st.fixed_dictionaries(
    {
        "object": optional_texts,
        "property": st.sampled_from(["state", "in", "STATE"]),
        "value": texts,
    }
)
rows = st.fixed_dictionaries(
    {
        "tool": st.sampled_from([None, *TOOLS]),
        "act": st.sampled_from([None, *ACTS, *ACTS]),
        "raw": optional_texts | st.sampled_from(RAW),
        "targets": st.lists(texts, max_size=3),
        "outcome": st.sampled_from(OUTCOMES),
        "changes": st.lists(changes, max_size=2),
        "delta": st.lists(texts, max_size=2),
        "exit_code": st.none() | st.sampled_from([0, 1, 2, 127, -1]),
        "error": optional_texts,
        "paths": st.lists(st.sampled_from(PATHS), max_size=3),
        "author": optional_texts,
        "is_copied": st.sampled_from([False, False, False, True]),
        "observation": optional_texts,
    }
)
place = st.tuples(st.integers(0, 9), st.sampled_from([0, 0, 0, 1, 2]))
places = st.sampled_from([0, 5, 9]).flatmap(
    lambda least: st.lists(place, unique=True, min_size=least, max_size=12)
)


@st.composite
def ledgers(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows at some steps, several calls at some of them; some rows repeat an earlier one."""
    made: list[dict[str, Any]] = []
    for step, call in sorted(draw(places)):
        content = draw(st.sampled_from(made)) if made and rarely(draw, 2) else draw(rows)
        made.append(content | {"step": step, "call": call})
    return made


def texts_of(made: list[dict[str, Any]], field: str) -> list[str]:
    """The texts of a field, so that plans mostly ask for what the ledger has."""
    found = {t for row in made for t in reference_matcher.field_texts(row, field) if t}
    return sorted(found)


def rarely(draw: st.DrawFn, one_in: int) -> bool:
    return draw(st.integers(1, one_in)) == one_in


@st.composite
def terms(draw: st.DrawFn, made: list[dict[str, Any]], field: str, profile: str) -> Any:
    """A term that mostly occurs: a whole text, or a piece where a piece may match."""
    if field == "exit_code":
        return draw(st.sampled_from(["0", "1", "127", "-1", "nonzero", "none", "99"]))
    if field == "outcome":
        return draw(st.sampled_from([*OUTCOMES, "SUCCESS", "succes"]))
    present = texts_of(made, field)
    text = draw(texts if not present or rarely(draw, 20) else st.sampled_from(present))
    match = draw(
        st.sampled_from(
            [None, "substring", "word", "exact", "prefix", "verbatim", "verbatim_prefix"]
        )
    )
    if (
        match in ("substring", "prefix", "verbatim_prefix")
        or profile != "refined"
        or rarely(draw, 4)
    ):
        start = (
            0 if match and match.endswith("prefix") else draw(st.integers(0, max(0, len(text) - 1)))
        )
        text = text[start : start + draw(st.integers(1, 12))]
    text = draw(st.sampled_from([text, text.upper()])) if text.strip() else "x"
    return {"term": text, "match": match} if match and profile == "refined" else text


@st.composite
def wheres(
    draw: st.DrawFn, made: list[dict[str, Any]], profile: str, least: int = 0
) -> dict[str, Any]:
    fields = sorted(PROFILES[profile].fields)
    sizes = [least, 1, 1, 2] if least == 0 else [1, 1, 1, 2]
    chosen = draw(st.permutations(fields))[: draw(st.sampled_from(sizes))]
    return {
        field: [draw(terms(made, field, profile)) for _ in range(1 + rarely(draw, 3))]
        for field in chosen
    }


@st.composite
def extensions(draw: st.DrawFn, op: str) -> dict[str, Any]:
    """How many of the values, and which."""
    made: dict[str, Any] = {}
    if op not in ("count", "first", "last") and rarely(draw, 2):
        made["limit"] = draw(st.integers(1, 3))
    if op == "values" and rarely(draw, 2):
        made["pick"] = draw(st.sampled_from(["first", "last", 1, 2, -1, -2, -9]))
    return made


@st.composite
def queries(draw: st.DrawFn, made: list[dict[str, Any]], profile: str) -> dict[str, Any]:
    op = draw(st.sampled_from(sorted(PROFILES[profile].ops)))
    scope: dict[str, Any] = {"lo": None, "hi": None}
    if rarely(draw, 3):
        scope["lo"] = draw(st.integers(-1, 5))
    if rarely(draw, 3):
        scope["hi"] = draw(st.integers(4, 10))
    query: dict[str, Any] = {"op": op, "scope": scope, "where": draw(wheres(made, profile))}
    counts_values = op == "count" and profile == "refined" and rarely(draw, 2)
    if op in ("group", "distinct", "top", "runs", "values") or counts_values:
        query["by"] = draw(st.sampled_from(sorted(PROFILES[profile].bys)))
    if profile != "refined":
        return query
    query |= draw(extensions(op))
    if op == "runs" and draw(st.booleans()):
        del query["by"]
    if rarely(draw, 3):
        query["not"] = draw(wheres(made, profile))
    for end in ("after", "before"):
        if rarely(draw, 5):
            pick = draw(st.sampled_from(["first", "last", 1, 2, 3]))
            scope[end] = {"where": draw(wheres(made, profile, 1)), "pick": pick}
    return query


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    profile = draw(st.sampled_from(["refined", "refined", "refined", "principal", "lite"]))
    made = draw(ledgers())
    asked = draw(st.lists(queries(made, profile), min_size=1, max_size=3))
    return made, {"applicable": True, "queries": asked}, profile


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with open_store() as opened:
        yield opened


names = count()


@given(case=cases())
@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_executor_agrees_with_reference(
    store: Store, case: tuple[list[dict[str, Any]], dict[str, Any], str]
) -> None:
    made, document, profile = case
    trajectory_id = f"made-up {next(names)}"
    insert(store, trajectory_id, made)
    assert_agreement(store, trajectory_id, made, document, profile)


@given(data=st.data(), profile=st.sampled_from(["refined", "refined", "principal", "lite"]))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_one_statement_over_many_agrees_with_reference(data: st.DataObject, profile: str) -> None:
    fleet = {f"run {n}": data.draw(ledgers()) for n in range(BATCH + 1)}
    vocabulary = [row for made in fleet.values() for row in made]
    asked = data.draw(st.lists(queries(vocabulary, profile), min_size=1, max_size=3))
    document = {"applicable": True, "queries": asked}
    plan = parse_plan(document, PROFILES[profile])
    assert isinstance(plan, Plan)
    with open_store() as opened:
        for name, made in fleet.items():
            insert(opened, name, made)
        insert(opened, "not asked about", vocabulary[:1])
        found = dict(execute_many(opened, list(fleet), plan, PROFILES[profile]))
        for name, made in fleet.items():
            expected = reference_matcher.answer(made, document, profile)
            assert [comparable(result) for result in found[name]] == [
                {"left_out": 0, "without_value": 0} | one for one in expected
            ]
            assert found[name] == execute(opened, name, plan, PROFILES[profile])


@given(data=st.data(), profile=st.sampled_from(["refined", "refined", "principal", "lite"]))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_many_plans_at_once_agree_with_reference(data: st.DataObject, profile: str) -> None:
    fleet = {f"run {n}": data.draw(ledgers()) for n in range(3)}
    vocabulary = [row for made in fleet.values() for row in made]
    documents: list[dict[str, Any]] = [
        {"applicable": True, "queries": [data.draw(queries(vocabulary, profile))]} for _ in range(2)
    ]
    # Each shape with many parameters: plans repeat with other terms of the same kind.
    asked = []
    for number in range(2 * BATCH):
        document = copy.deepcopy(documents[number % 2])
        where: dict[str, Any] = document["queries"][0].get("where", {})
        for field in where.keys() & {"tool", "target", "action"}:
            where[field][0] = data.draw(terms(vocabulary, field, profile))
        asked.append((f"run {number % 3}", document))
    with open_store() as opened:
        for name, made in fleet.items():
            insert(opened, name, made)
        plans = [(name, parse_plan(one, PROFILES[profile])) for name, one in asked]
        found = list(execute_batch(opened, plans, PROFILES[profile]))  # type: ignore[arg-type]
        for (name, document), results in zip(asked, found, strict=True):
            expected = reference_matcher.answer(fleet[name], document, profile)
            assert [comparable(result) for result in results] == [
                {"left_out": 0, "without_value": 0} | one for one in expected
            ]


BUNDLED = Path(__file__).parents[1] / "data" / "bundled"
SOURCES = ("textworld.parquet", "coding.jsonl.gz", "gridworld.jsonl")
LEDGER_ROWS = """
SELECT ledger.*, steps.observation
FROM ledger INNER JOIN steps USING (trajectory_id, step, call)
WHERE ledger.trajectory_id = $trajectory_id
"""


@pytest.fixture(scope="module")
def bundled() -> Iterator[Memory]:
    with open_memory() as memory:
        memory.load([BUNDLED / name for name in SOURCES])
        yield memory


@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_executor_agrees_with_reference_on_real_ledgers(
    bundled: Memory, data: st.DataObject
) -> None:
    trajectory_id = data.draw(st.sampled_from(bundled.trajectories()))
    relation = bundled.store.relation(LEDGER_ROWS, {"trajectory_id": trajectory_id})
    made = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
    profile = data.draw(st.sampled_from(["refined", "refined", "principal"]))
    asked = data.draw(st.lists(queries(made, profile), min_size=1, max_size=3))
    document = {"applicable": True, "queries": asked}
    assert_agreement(bundled.store, trajectory_id, made, document, profile)


def assert_agreement(
    store: Store,
    trajectory_id: str,
    made: list[dict[str, Any]],
    document: dict[str, Any],
    profile: str,
) -> None:
    plan = parse_plan(document, PROFILES[profile])
    assert isinstance(plan, Plan)
    results = execute(store, trajectory_id, plan, PROFILES[profile])
    expected = reference_matcher.answer(made, document, profile)
    assert [comparable(result) for result in results] == [
        {"left_out": 0, "without_value": 0} | one for one in expected
    ]
    survivors = [one["matched"] for one in expected if one["state"] not in ("ungrounded", "empty")]
    assert aggregation_load(results) == (sum(survivors) if survivors else None)
    for result in results:
        assert same_rows(store, result)


def comparable(result: Result) -> dict[str, Any]:
    return {
        "state": result.state,
        "value": result.value,
        "matched": result.matched,
        "steps": list(result.steps),
        "groups": [group.as_dict() for group in result.groups],
        "left_out": result.left_out,
        "without_value": result.without_value,
    }


def same_rows(store: Store, result: Result) -> bool:
    """The statement and parameters of a result give its value again."""
    if not result.survives:
        return True
    rows = store.rows(result.sql, result.params)
    if result.op in ("count", "first", "last"):
        return bool(rows == [(result.value,)])
    if result.op == "list":
        return bool([step for (step,) in rows] == result.value)
    if result.op == "timeline":
        return [row[0] for row in rows] == [row["step"] for row in result.value]
    return [(key, n) for key, n, *_ in rows] == [(g.key, g.count) for g in result.groups]
