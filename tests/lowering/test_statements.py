"""Statement files hold what their headers promise, and values never reach the SQL text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import sqlglot
from sqlglot import exp

from tallysql.lowering.grounding import lower_anchor, lower_grounding
from tallysql.lowering.operations import lower, lower_without_value
from tallysql.lowering.survey import lower_survey
from tallysql.plan.nodes import Anchor, Clause, Query, Scope, Term
from tallysql.plan.profiles import REFINED
from tallysql.sqlfiles import query, query_names
from tallysql.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = (
    *query_names("operations"),
    *query_names("operations/values"),
    *query_names("grounding"),
)
RELATIONS = {
    "valued": "operations/values/target",
    "keyed": "operations/keyed",
    "counted": "operations/counted",
}
HOSTILE = ["'; DROP TABLE ledger; --", "$1", "%", "\\", '"', "{{x}}", "malformed", "nonzero"]


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with open_store() as opened:
        opened.run("CREATE TEMP VIEW selected AS SELECT * FROM ledger")
        opened.run(
            "CREATE TEMP VIEW surveyed AS SELECT *, true AS chosen, true AS has_value FROM ledger"
        )
        for name, file in RELATIONS.items():
            opened.run(f"CREATE TEMP VIEW {name} AS {query(file).text}")
        yield opened


@pytest.mark.parametrize("name", FILES)
def test_header_tells_params_and_columns(store: Store, name: str) -> None:
    file = query(name)
    assert file.purpose
    named = {
        p.name for p in sqlglot.parse_one(file.text, dialect="duckdb").find_all(exp.Placeholder)
    }
    assert named == set(file.params)
    relation = store.relation(file.text, dict.fromkeys(file.params, None))
    described = dict(zip(relation.columns, map(str, relation.types), strict=True))
    assert described == file.columns


def shaped(text: str) -> Query:
    terms = (Term(text), Term(text, "word"), Term(text, "exact"))
    fields = ("target", "change", "delta", "error", "observation", "path", "author", "outcome")
    where = tuple(Clause(field, terms) for field in fields)  # type: ignore[arg-type]
    return Query("group", where, Scope(1, 5), where, "target", 3, label=text)


def test_equal_shapes_share_one_statement() -> None:
    statements = {lower(shaped(text), REFINED, text, {}).sql for text in HOSTILE}
    statements |= {lower(replace(shaped("x"), limit=9), REFINED, "t", {}).sql}
    assert len(statements) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_values_are_parameters(text: str) -> None:
    plain, hostile = shaped("x"), shaped(text)
    anchor = Anchor(hostile.where, 2)
    for statement, other in [
        (lower(hostile, REFINED, text, {}), lower(plain, REFINED, "x", {})),
        (lower_survey(hostile, REFINED, text, {}), lower_survey(plain, REFINED, "x", {})),
        (
            lower_without_value(hostile, REFINED, text, {}),
            lower_without_value(plain, REFINED, "x", {}),
        ),
        (lower_grounding(hostile.where, REFINED, text), lower_grounding(plain.where, REFINED, "x")),
        (lower_anchor(anchor, REFINED, text), lower_anchor(Anchor(plain.where, 1), REFINED, "x")),
    ]:
        assert statement.sql == other.sql
        assert text in statement.params.values()


def test_malformed_and_exit_code_words_decide_the_statement() -> None:
    def sql(field: str, text: str) -> str:
        where = (Clause(field, (Term(text),)),)  # type: ignore[arg-type]
        return lower(Query("count", where), REFINED, "t", {}).sql

    assert sql("tool", "Malformed") != sql("tool", "go")
    assert len({sql("exit_code", text) for text in ("0", "12", "none", "nonzero")}) == 3
