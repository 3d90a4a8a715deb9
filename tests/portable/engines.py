"""Engines that answer the portable statements, to hold them against the reference matcher."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pyarrow as pa

from tallysql.engine.portable import STATEMENTS, Tables
from tallysql.lowering.dialects import RELATIONS, portable_sql
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallysql.store import Store

OF_ASKED = """
SELECT * FROM {} WHERE trajectory_id IN (SELECT trajectory_id FROM selections)
"""


def relations_before(name: str) -> tuple[str, ...]:
    """The relations that a statement stands on."""
    return RELATIONS[: RELATIONS.index(name)] if name in RELATIONS else RELATIONS


class DuckDBEngine:
    """Runs the statements on the store itself, each relation made once."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def answer(self, tables: Tables) -> Mapping[str, pa.Table]:
        with (
            self.store.view_of("selections", tables.selections),
            self.store.view_of("terms", tables.terms),
        ):
            for name in RELATIONS:
                made = portable_sql(name, "duckdb")
                self.store.run(f"CREATE OR REPLACE TEMP TABLE {name} AS {made}")
            return {name: self.store.arrow(portable_sql(name, "duckdb")) for name in STATEMENTS}


class SQLiteEngine:
    """Runs them on SQLite, over copies of `events` and `texts`."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def answer(self, tables: Tables) -> Mapping[str, pa.Table]:
        connection = sqlite3.connect(":memory:")
        with self.store.view_of("selections", tables.selections):
            for name in ("events", "texts"):
                copied(connection, name, self.store.arrow(OF_ASKED.format(name)))
        copied(connection, "selections", tables.selections)
        copied(connection, "terms", tables.terms)
        return {name: _answer(connection, name) for name in STATEMENTS}


def copied(connection: sqlite3.Connection, name: str, table: pa.Table) -> None:
    """Copy a table into SQLite."""
    columns = ", ".join(f'"{column}"' for column in table.column_names)
    marks = ", ".join("?" * table.num_columns)
    connection.execute(f"CREATE TABLE {name} ({columns})")
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)


def _answer(connection: sqlite3.Connection, name: str) -> pa.Table:
    rows = connection.execute(portable_sql(name, "sqlite", relations_before(name))).fetchall()
    columns = query(f"portable/{name}").columns
    found = zip(*rows, strict=True) if rows else [[] for _ in columns]
    return pa.table(dict(zip(columns, map(list, found), strict=True)))
