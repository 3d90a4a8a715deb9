"""The model compiler and the vote, with recorded answers."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from tallysql.answering.computed import computed_answer
from tallysql.compiling.model import FORMS, compile_prompt, compile_with_model
from tallysql.compiling.vote import compile_by_vote
from tallysql.compiling.wire import wire_schema
from tallysql.engine.execute import execute
from tallysql.errors import ModelError
from tallysql.ledger.catalog import Catalog, load_catalog
from tallysql.llm.models import Models
from tallysql.llm.replay import ReplayChat
from tallysql.llm.settings import ModelSettings
from tallysql.plan.nodes import Clause, Declined, Plan, Query, Scope, Term
from tallysql.plan.profiles import PROFILES, REFINED
from tallysql.plan.schema import BY_REQUIRED
from tallysql.store import open_store
from tests.hand_made import KITCHEN
from tests.ledgers import insert

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.store import Store

QUESTION = "How often was drawer 1 opened up to step 4?"
COUNT: dict[str, Any] = {
    "label": None,
    "scope": {"lo": None, "hi": 4, "after": None, "before": None},
    "where": {"action": ["open"], "target": [{"term": "drawer 1", "match": "exact"}], "tool": None},
    "not": None,
    "op": "count",
    "by": None,
    "limit": None,
}
LIST: dict[str, Any] = {"op": "list", "where": {"tool": ["go"]}}
DECLINE = {"applicable": False, "reason": "asks why", "queries": None}


def plan(*queries: dict[str, Any]) -> str:
    return json.dumps({"applicable": True, "reason": None, "queries": list(queries)})


def models(*answers: str) -> tuple[Models, ReplayChat]:
    chat = ReplayChat(answers)
    return Models(ModelSettings(model="m", base_url="http://here/v1"), chat=chat), chat


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store() as opened:
        insert(opened, "t", KITCHEN)
        yield opened


@pytest.fixture
def catalog(store: Store) -> Catalog:
    return load_catalog(store, "t")


def test_a_plan_full_of_nulls(catalog: Catalog) -> None:
    calling, chat = models(plan(COUNT))
    compilation, usage = compile_with_model(QUESTION, catalog, REFINED, calling)
    where = (
        Clause("action", (Term("open"),)),
        Clause("target", (Term("drawer 1", "exact"),)),
    )
    assert compilation.plan == Plan((Query("count", where, Scope(hi=4)),))
    assert compilation.forms == ("integer",)
    assert usage.calls == 1
    (request,) = chat.requests
    assert (request.stage, request.temperature, request.schema) == (
        "compile",
        0,
        wire_schema(REFINED),
    )


def test_a_decline(catalog: Catalog) -> None:
    calling, _ = models(json.dumps(DECLINE))
    compilation, _ = compile_with_model("Why?", catalog, REFINED, calling)
    assert compilation.plan == Declined("asks why")
    assert compilation.forms == ()


def test_violations_go_back_to_the_model(catalog: Catalog) -> None:
    calling, chat = models(plan({"op": "count", "where": {"tol": ["go"]}}), plan(LIST))
    compilation, usage = compile_with_model(QUESTION, catalog, REFINED, calling)
    assert compilation.plan == Plan((Query("list", (Clause("tool", (Term("go"),)),)),))
    assert usage.calls == 2
    assert "did you mean tool" in chat.requests[1].messages[2].content


def test_what_breaks_the_schema_twice_fails(catalog: Catalog) -> None:
    calling, _ = models(plan({"op": "sum"}), plan({"op": "sum"}))
    with pytest.raises(ModelError) as caught:
        compile_with_model(QUESTION, catalog, REFINED, calling)
    assert caught.value.reason == "invalid"


def test_profiles_refuse_extensions(catalog: Catalog) -> None:
    calling, chat = models(plan({"op": "distinct", "by": "target"}), plan(LIST))
    compile_with_model(QUESTION, catalog, PROFILES["principal"], calling)
    assert len(chat.requests) == 2


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_prompts_name_what_the_profile_has(catalog: Catalog, profile: Any) -> None:
    prompt = compile_prompt(QUESTION, catalog, profile)
    assert QUESTION in prompt
    for name in ("tool", "target", "exit_code", "path"):
        assert (f"\n- {name}: " in prompt) == (name in profile.fields)
    for op in ("count", "top"):
        assert (f"\n- {op}: " in prompt) == (op in profile.ops)
    assert ("by: act" in prompt or " act," in prompt) == profile.extensions
    assert "$" not in prompt


def test_catalogs_are_cut_by_frequency(catalog: Catalog) -> None:
    many = {f"thing {n}": 100 - n for n in range(60)}
    full = replace(catalog, targets=many, properties=many | {"x" * 500: 200})
    prompt = compile_prompt(QUESTION, full, REFINED)
    targets = next(line for line in prompt.splitlines() if line.startswith("targets:"))
    assert "thing 39 (61), and 20 more" in targets
    properties = next(line for line in prompt.splitlines() if line.startswith("properties"))
    assert "thing 19 (81), and 40 more" in properties
    assert "xxx" not in prompt


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_the_wire_schema_is_what_decoders_know(profile: Any) -> None:
    def check(schema: Any) -> None:
        if isinstance(schema, dict):
            assert not {"if", "then", "pattern", "$ref", "minItems"} & set(schema)
            if schema.get("type") == "object":
                assert schema["additionalProperties"] is False
                assert schema["required"] == list(schema["properties"])
            for inner in schema.values():
                check(inner)
        elif isinstance(schema, list):
            for inner in schema:
                check(inner)

    check(wire_schema(profile))
    Draft202012Validator.check_schema(wire_schema(profile))


def offered(name: str) -> list[str]:
    """Return the values that the widest wire schema lets a query have."""
    queries = wire_schema(REFINED)["properties"]["queries"]["anyOf"][0]
    schema = queries["items"]["properties"][name]
    found: list[str] = (schema if name == "op" else schema["anyOf"][0])["enum"]
    return found


@pytest.mark.parametrize("op", offered("op"))
def test_every_plan_that_is_offered_has_an_answer(store: Store, catalog: Catalog, op: str) -> None:
    assert f"\n- {op}: " in compile_prompt(QUESTION, catalog, REFINED)
    takes_by = {"count", "runs"} | BY_REQUIRED
    for by in offered("by") if op in takes_by else [None]:
        calling, _ = models(plan({"op": op, "by": by}))
        compilation, _ = compile_with_model(QUESTION, catalog, REFINED, calling)
        assert isinstance(compilation.plan, Plan)
        assert compilation.forms == (FORMS[op],)  # type: ignore[index]
        results = execute(store, "t", compilation.plan, REFINED)
        assert computed_answer(compilation, results) != "", by


def vote(store: Store, catalog: Catalog, *answers: str) -> tuple[Any, ReplayChat]:
    calling, chat = models(*answers)
    found, _ = compile_by_vote(
        QUESTION, catalog, REFINED, calling, lambda plan: execute(store, "t", plan, REFINED)
    )
    return found.plan, chat


def test_outputs_with_three_votes_stay(store: Store, catalog: Catalog) -> None:
    same_output = COUNT | {
        "label": "other words",
        "where": {"target": ["drawer 1"], "tool": ["open"]},
    }
    voted, chat = vote(
        store, catalog, plan(COUNT, LIST), plan(same_output), plan(LIST), plan(COUNT), "?", "?"
    )
    assert [query.op for query in voted.queries] == ["count"]
    temperatures = [request.temperature for request in chat.requests]
    assert temperatures == [0, 0.7, 0.7, 0.7, 0.7, 0.7]
    assert [request.sample for request in chat.requests] == [0, 1, 2, 3, 4, 4]


def test_no_quorum_declines(store: Store, catalog: Catalog) -> None:
    other = COUNT | {"scope": {"lo": 3, "hi": None}, "where": {"tool": ["go"]}}
    voted, _ = vote(store, catalog, *[plan(query) for query in (COUNT, LIST, other, COUNT, LIST)])
    assert voted == Declined("no quorum: 5 of 5 plans, 0 declined")


def test_a_majority_of_declines_declines(store: Store, catalog: Catalog) -> None:
    decline = json.dumps(DECLINE)
    voted, _ = vote(store, catalog, plan(COUNT), decline, decline, decline, plan(COUNT))
    assert voted == Declined("asks why")


def test_too_few_plans_fail(store: Store, catalog: Catalog) -> None:
    with pytest.raises(ModelError):
        vote(store, catalog, plan(COUNT), plan(COUNT))
