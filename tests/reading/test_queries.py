"""The headers of queries/reading/ say what the statements take and give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb
import pytest

from tallysql.sqlfiles import query, query_names

if TYPE_CHECKING:
    from tallysql.api import Memory

NAMES = query_names("reading")


@pytest.mark.parametrize("name", NAMES)
def test_purpose_parameters_and_columns(memory: Memory, name: str) -> None:
    found = query(name)
    assert found.purpose
    (statement,) = duckdb.extract_statements(found.text)
    assert statement.named_parameters == set(found.params)
    params: dict[str, object] = dict.fromkeys(found.params)
    if "pattern" in params:
        params["pattern"] = "x"
    relation = memory.store.relation(found.text, params)
    assert dict(zip(relation.columns, map(str, relation.types), strict=True)) == found.columns
