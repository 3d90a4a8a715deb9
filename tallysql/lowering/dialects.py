"""The portable statements in the words of other engines. See docs/architecture.md, "Other engines"."""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp

from tallysql.lowering.operations import parsed


@lru_cache(maxsize=256)
def portable_sql(name: str, dialect: str, relations: tuple[str, ...] = ()) -> str:
    """Return a statement of queries/portable/ in a dialect.

    Args:
        name: the statement, such as `grouped`.
        dialect: as sqlglot names it.
        relations: those to define in front of it, in order; others are tables or views.
    """
    statement = parsed(f"portable/{name}")
    own = statement.ctes
    statement.set("with_", None)
    for relation in relations:
        statement = statement.with_(relation, as_=parsed(f"portable/{relation}"), copy=False)
    for cte in own:
        statement = statement.with_(cte.alias, as_=cte.this, copy=False)
    assert isinstance(statement, exp.Query)
    return statement.sql(dialect=dialect, identify=True, comments=False)
