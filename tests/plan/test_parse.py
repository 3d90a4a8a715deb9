"""Every violation of the plan language is named with its JSON path."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tallysql.errors import PlanError
from tallysql.plan.nodes import Anchor, Clause, Declined, Plan, Query, Scope, Term
from tallysql.plan.parse import check_plan, parse_plan, plan_to_json
from tallysql.plan.profiles import PROFILES, REFINED
from tallysql.plan.schema import plan_schema

TOOL = {"tool": ["go"]}


def plan(*queries: Any) -> dict[str, Any]:
    return {"applicable": True, "queries": list(queries)}


def violations(document: object, profile: str = "refined") -> dict[str, str]:
    with pytest.raises(PlanError) as caught:
        parse_plan(document, PROFILES[profile])
    assert len(caught.value.violations) == len(set(caught.value.violations))
    return dict(caught.value.violations)


@pytest.mark.parametrize(
    ("document", "path", "problem"),
    [
        (3, "$", "must be an object"),
        ([], "$", "must be an object, not a list"),
        ({"applicable": True}, "$", "lacks `queries`"),
        ({"applicable": False}, "$", "lacks `reason`"),
        ({"applicable": False, "reason": " "}, "$.reason", "is empty"),
        ({"applicable": "yes", "queries": []}, "$.applicable", "must be true or false"),
        (plan(), "$.queries", "holds 0, must be 1 to 4"),
        (plan(*[{"op": "count"}] * 5), "$.queries", "holds 5, must be 1 to 4"),
        (plan({"op": "cuont"}), "$.queries[0].op", "did you mean count?"),
        (plan({}), "$.queries[0]", "lacks `op`"),
        (plan({"op": "count", "wher": {}}), "$.queries[0].wher", "did you mean where?"),
        (plan({"op": "count"}, "x"), "$.queries[1]", "must be an object"),
        (plan({"op": "group"}), "$.queries[0]", "group needs `by`"),
        (plan({"op": "top", "by": None}), "$.queries[0].by", "must be named"),
        (plan({"op": "group", "by": "tol"}), "$.queries[0].by", "did you mean tool"),
        (plan({"op": "list", "by": "tool"}), "$.queries[0].by", "means nothing"),
        (plan({"op": "values"}), "$.queries[0]", "by"),
        (plan({"op": "distinct", "by": "tool", "pick": 1}), "$.queries[0].pick", "means nothing"),
        (plan({"op": "values", "by": "tool", "pick": 0}), "$.queries[0].pick", "0"),
        (plan({"op": "first", "limit": 1}), "$.queries[0].limit", "means nothing"),
        (plan({"op": "list", "limit": 0}), "$.queries[0].limit", "less than 1"),
        (plan({"op": "list", "limit": True}), "$.queries[0].limit", "whole number"),
        (plan({"op": "count", "scope": {"lo": True}}), "$.queries[0].scope.lo", "whole number"),
        (plan({"op": "count", "scope": {"hi": 3.0}}), "$.queries[0].scope.hi", "whole number"),
        (plan({"op": "count", "scope": {"hi": 2**63}}), "$.queries[0].scope.hi", "is more than"),
        (plan({"op": "count", "where": []}), "$.queries[0].where", "must be an object"),
        (plan({"op": "count", "where": {"tols": ["x"]}}), "$.queries[0].where.tols", "tool"),
        (plan({"op": "count", "where": {"tool": []}}), "$.queries[0].where.tool", "no term"),
        (
            plan({"op": "count", "where": {"tool": ["a", ""]}}),
            "$.queries[0].where.tool[1]",
            "empty",
        ),
        (plan({"op": "count", "where": {"tool": [7]}}), "$.queries[0].where.tool[0]", "a text"),
        (
            plan({"op": "count", "where": {"tool": [{"term": "a", "match": "wrd"}]}}),
            "$.queries[0].where.tool[0].match",
            "did you mean word?",
        ),
        (
            plan({"op": "count", "where": {"exit_code": ["zero"]}}),
            "$.queries[0].where.exit_code[0]",
            "a number, nonzero or none",
        ),
        (plan({"op": "count", "not": {"tol": ["a"]}}), "$.queries[0].not.tol", "tool"),
        (
            plan({"op": "list", "scope": {"after": {"where": {}}}}),
            "$.queries[0].scope.after.where",
            "names no event",
        ),
        (
            plan({"op": "list", "scope": {"before": {"where": TOOL, "pick": 0}}}),
            "$.queries[0].scope.before.pick",
            "first, last or a number from 1",
        ),
        (plan({"op": "count", "where": {"tool": ["a"] * 1001}}), "$.queries", "may hold 1000"),
    ],
)
def test_violation_is_named(document: object, path: str, problem: str) -> None:
    assert problem in violations(document)[path]


def test_all_violations_are_named_at_once() -> None:
    found = violations(
        plan({"op": "cuont", "where": {"tool": [""]}}, {"op": "group", "scope": {"low": 1}})
    )
    assert set(found) == {
        "$.queries[0].op",
        "$.queries[0].where.tool[0]",
        "$.queries[1]",
        "$.queries[1].scope.low",
    }


EXTENSIONS = [
    ({"op": "distinct", "by": "tool"}, "op"),
    ({"op": "group", "by": "act"}, "by"),
    ({"op": "count", "where": {"path": ["x"]}}, "where.path"),
    ({"op": "count", "where": {"tool": [{"term": "x"}]}}, "where.tool[0]"),
    ({"op": "count", "not": TOOL}, "not"),
    ({"op": "list", "limit": 3}, "limit"),
    ({"op": "list", "scope": {"after": {"where": TOOL}}}, "scope.after"),
]


@pytest.mark.parametrize("profile", ["principal", "lite"])
@pytest.mark.parametrize(("query", "place"), EXTENSIONS)
def test_extensions_are_refused(query: dict[str, Any], place: str, profile: str) -> None:
    parse_plan(plan(query), REFINED)
    assert f"$.queries[0].{place}" in violations(plan(query), profile)


def test_lite_has_fewer_fields() -> None:
    document = plan({"op": "count", "where": {"target": ["x"]}})
    parse_plan(document, PROFILES["principal"])
    assert "$.queries[0].where.target" in violations(document, "lite")


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda p: p.name)
def test_schema_is_a_schema(profile: Any) -> None:
    Draft202012Validator.check_schema(plan_schema(profile))


@pytest.mark.parametrize(
    "unfit",
    [
        Query("group"),
        Query("list", by="tool"),
        Query("top", by="tool", pick="last"),
        Query("values", by="tool", pick=0),
        Query("first", limit=2),
        Query("list", limit=0),
        Query("count", (Clause("tool", ()),)),
        Query("count", (Clause("tool", (Term(" "),)),)),
        Query("count", (Clause("tool", (Term("a"),)), Clause("tool", (Term("b"),)))),
        Query("count", (Clause("exit_code", (Term("many"),)),)),
        Query("count", (Clause("exit_code", (Term("1", "word"),)),)),
        Query("list", scope=Scope(after=Anchor(()))),
        Query("list", scope=Scope(after=Anchor((Clause("tool", (Term("a"),)),), 0))),
    ],
)
def test_check_refuses_nodes(unfit: Query) -> None:
    assert check_plan(Plan((Query("count"),)), REFINED) == []
    assert len(check_plan(Plan((unfit,)), REFINED)) == 1


terms = st.builds(
    Term,
    st.text(min_size=1).filter(str.strip),
    st.sampled_from([None, "substring", "word", "exact", "prefix"]),
)
clauses = st.builds(
    Clause,
    st.sampled_from(["tool", "action", "target", "path", "error"]),
    st.lists(terms, min_size=1, max_size=2).map(tuple),
)
wheres = st.lists(clauses, max_size=3, unique_by=lambda clause: clause.field).map(tuple)
anchors = st.none() | st.builds(
    Anchor, wheres.filter(bool), st.sampled_from(["first", "last", 1, 4])
)
bounds = st.none() | st.integers(-(2**62), 2**62)
queries = st.builds(
    Query,
    op=st.sampled_from(["group", "distinct", "top", "runs"]),
    where=wheres,
    scope=st.builds(Scope, bounds, bounds, anchors, anchors),
    exclude=wheres,
    by=st.sampled_from(["tool", "act", "directory"]),
    limit=st.none() | st.integers(1, 9),
    label=st.none() | st.text(),
)


@given(st.builds(Plan, st.lists(queries, min_size=1, max_size=4).map(tuple)))
def test_json_gives_the_plan_back(made: Plan) -> None:
    assert check_plan(made, REFINED) == []
    assert parse_plan(plan_to_json(made), REFINED) == made


def test_declined_gives_the_reason_back() -> None:
    declined = Declined("asks why")
    assert parse_plan(plan_to_json(declined), REFINED) == declined


@pytest.mark.parametrize(
    ("query", "profile", "path", "problem"),
    [
        ({"op": "distinct", "by": "tool"}, "principal", "op", "'distinct' is an extension"),
        ({"op": "runs"}, "lite", "op", "'runs' is an extension"),
        ({"op": "group", "by": "act"}, "principal", "by", "'act' is an extension"),
        ({"op": "group", "by": "target"}, "lite", "by", "'target' is refused in profile lite"),
        ({"op": "group", "by": "tol"}, "lite", "by", "unknown name"),
        (
            {"op": "count", "where": {"tool": [{"term": "go"}]}},
            "principal",
            "where.tool[0]",
            "a term with its own match is an extension",
        ),
        (
            {"op": "count", "where": {"target": ["x"]}},
            "lite",
            "where.target",
            "is not a field of profile lite",
        ),
        ({"op": "count", "where": {"path": ["x"]}}, "lite", "where.path", "is an extension"),
        ({"op": "list", "limit": 3}, "lite", "limit", "is an extension"),
        ({"op": "count", "lo": 3}, "lite", "lo", "unknown field"),
    ],
)
def test_what_only_a_profile_refuses_is_told_so(
    query: dict[str, Any], profile: str, path: str, problem: str
) -> None:
    assert problem in violations(plan(query), profile)[f"$.queries[0].{path}"]


@pytest.mark.parametrize(
    ("document", "path"),
    [
        (plan({"op": "count", "where": {"tool": ["go", "\ud800"]}}), "$.queries[0].where.tool[1]"),
        (plan({"op": "count", "label": "x\udfff"}), "$.queries[0].label"),
        (plan({"op": "count", "\udc80": 1}), "$.queries[0]"),
        ({"applicable": False, "reason": "\ud800"}, "$.reason"),
    ],
)
def test_lone_surrogates_are_named_with_their_place(document: object, path: str) -> None:
    found = violations(document)
    assert list(found) == [path]
    assert "lone surrogate (\\ud" in found[path]
