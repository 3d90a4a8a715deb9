"""The vocabulary: every file has its table, every table its comments, and no row is dead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql import sqlfiles

if TYPE_CHECKING:
    from tallysql.store import Store


def test_every_file_fills_its_table(store: Store) -> None:
    tables = store.rows(
        "SELECT table_name, estimated_size FROM duckdb_tables() WHERE schema_name = 'vocabulary'"
    )
    files = [(table, len(rows)) for table, rows in sqlfiles.vocabulary()]
    assert sorted(tables) == files
    assert all(size > 0 for _, size in files)


def test_columns_stand_in_the_order_of_the_tables(store: Store) -> None:
    folder = sqlfiles.sql_folder("schema").joinpath("vocabulary")
    for table, _ in sqlfiles.vocabulary():
        header = folder.joinpath(f"{table}.csv").read_text("utf-8").split("\n", 1)[0]
        assert header.split(",") == store.relation(f"FROM vocabulary.{table}").columns


def test_everything_is_documented(store: Store) -> None:
    silent = store.rows(
        "SELECT table_name FROM duckdb_tables() WHERE comment IS NULL"
        " UNION ALL SELECT view_name FROM duckdb_views() WHERE comment IS NULL AND NOT internal"
    )
    assert silent == []


def test_changes_belong_to_receipts(store: Store) -> None:
    stray = store.rows(
        "SELECT receipt FROM vocabulary.changes ANTI JOIN vocabulary.receipts USING (receipt)"
    )
    assert stray == []


def test_receipts_open_with_plain_text(store: Store) -> None:
    templated = store.rows(
        "SELECT opening FROM vocabulary.receipts"
        r" WHERE regexp_matches(left(opening, 8), '^.{0,2}\{(1|2|path|tool)\}')"
    )
    assert templated == []


def test_receipts_apply_to_something(store: Store) -> None:
    dead = store.rows(
        """
        SELECT applies_to FROM vocabulary.receipts
        WHERE applies_to NOT IN ('any', 'world')
            AND NOT regexp_matches(applies_to, '^(act|tool) ')
            AND split_part(applies_to, ' ', 1) NOT IN (SELECT family FROM vocabulary.tools)
        """
    )
    assert dead == []


def test_acts_of_receipts_are_verbs(store: Store) -> None:
    unknown = store.rows(
        """
        SELECT applies_to FROM vocabulary.receipts
        WHERE starts_with(applies_to, 'act ')
            AND substr(applies_to, 5) NOT IN (SELECT phrase FROM vocabulary.verbs)
        """
    )
    assert unknown == []
