"""The headers of queries/archive/ say what the statements take and give."""

from __future__ import annotations

import duckdb
import pytest

from tallysql.archive.archiving import NUMBER_AND_COMPARE
from tallysql.sqlfiles import query, query_names
from tallysql.store import Store, open_store

NAMES = query_names("archive")


@pytest.fixture(scope="module")
def staged() -> Store:
    store = open_store()
    for name in ("make_incoming_trajectories", "make_incoming_steps"):
        store.run(query(f"archive/{name}").text)
    for name in NUMBER_AND_COMPARE:
        store.run(query(name).text)
    return store


@pytest.mark.parametrize("name", NAMES)
def test_purpose_and_parameters(name: str) -> None:
    found = query(name)
    assert found.purpose
    taken = {p for s in duckdb.extract_statements(found.text) for p in s.named_parameters}
    assert taken == set(found.params)


@pytest.mark.parametrize("name", [name for name in NAMES if query(name).columns])
def test_columns(staged: Store, name: str) -> None:
    found = query(name)
    relation = staged.relation(found.text, dict.fromkeys(found.params))
    given = dict(zip(relation.columns, map(str, relation.types), strict=True))
    assert {column: kind.replace('"', "") for column, kind in given.items()} == {
        column: kind.replace('"', "") for column, kind in found.columns.items()
    }
