"""Every statement of the ledger's folders does what its header declares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import duckdb
import pytest

from tallysql.ledger.mechanical import STAGES
from tallysql.sqlfiles import query, query_names

if TYPE_CHECKING:
    from tallysql.store import Store

DECLARED = [*query_names("inspect"), "catalog/vocabulary", "catalog/contents"]


@pytest.mark.parametrize("name", DECLARED)
def test_headers_agree_with_duckdb(store: Store, name: str) -> None:
    found = query(name)
    assert found.purpose
    (statement,) = duckdb.extract_statements(found.text)
    assert statement.named_parameters == set(found.params)
    relation = store.relation(found.text, dict.fromkeys(found.params))
    columns = zip(relation.columns, map(str, relation.types), strict=True)
    assert dict(columns) == found.columns


def test_there_are_enough_named_queries() -> None:
    assert len(query_names("inspect")) >= 10


def test_every_stage_is_a_file_and_every_file_a_stage() -> None:
    assert sorted(f"ledger/{stage}" for stage in STAGES) == list(query_names("ledger"))


@pytest.mark.parametrize("stage", STAGES)
def test_stages_say_what_they_are_for(stage: str) -> None:
    found = query(f"ledger/{stage}")
    assert found.purpose
    made = re.findall(r"CREATE OR REPLACE TEMP TABLE (\w+)", found.text)
    assert all(f"-- makes: {table}(" in found.text for table in made)
