"""Lets only statements through that read. See docs/architecture.md, "Command line"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import duckdb

from tallysql.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    TreeOf = Callable[[str], str]


def require_reading(sql: str, tree_of: TreeOf) -> None:
    """Check that a text is one statement that only reads.

    Args:
        sql: such as a user typed it.
        tree_of: gives a SELECT's tree as `json_serialize_sql` writes it.

    Raises:
        StoreError: it is none.
    """
    statements = duckdb.extract_statements(sql)
    if len(statements) != 1:
        raise StoreError(f"expected one statement, got {len(statements)}")
    kind = _kind(statements[0])
    explain = _EXPLAIN.match(sql) if kind == duckdb.StatementType.EXPLAIN else None
    if explain:  # EXPLAIN ANALYZE runs what it explains
        require_reading(sql[explain.end() :], tree_of)
    elif kind == duckdb.StatementType.MULTI:
        raise StoreError(
            "only statements that read are allowed",
            "a PIVOT must name its columns: ON column IN (...)",
        )
    elif kind != duckdb.StatementType.SELECT or _WRITING_NODE.search(tree_of(sql)):
        raise StoreError("only statements that read are allowed", "begin with SELECT or FROM")


_GAP = r"(?:\s|--[^\n]*(?:\n|\Z)|/\*.*?\*/)*"
_OPTIONS = r"\((?!\s*(?:SELECT|FROM|WITH|VALUES|\())[^)]*\)"
_EXPLAIN = re.compile(rf"\A{_GAP}EXPLAIN\b{_GAP}(?:ANALYZE\b{_GAP})?(?:{_OPTIONS})?", re.I | re.S)
# What `json_serialize_sql` calls INSERT, UPDATE, DELETE, MERGE and COPY as common table
# expressions; inside a text of the statement the quotes would be escaped.
_WRITING_NODE = re.compile(r'"type":"[A-Z]+_QUERY_NODE"')


def _kind(statement: duckdb.Statement) -> duckdb.StatementType | None:
    try:
        return statement.type
    except ValueError:  # a kind that the Python package has no name for
        return None
