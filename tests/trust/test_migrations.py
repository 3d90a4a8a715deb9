"""Databases of other releases: older ones are brought up to date, newer ones refused.

tests/data/schema/version-N.duckdb.gz are databases as the release of that schema version made them.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import tallysql
from tallysql.errors import StoreError
from tallysql.migrations import SCHEMA_VERSION
from tallysql.sqlfiles import derived_dropped, migrations, schema_texts
from tallysql.store import Store, open_store

KEPT = Path(__file__).parents[1] / "data" / "schema"
OLDER = range(1, SCHEMA_VERSION)
LEDGER = "SELECT trajectory_id, step, act, targets, outcome, provenance FROM ledger ORDER BY ALL"
EXPECTED = [
    ("kitchen", 0, "go to", ["drawer 1"], "success", "mechanical"),
    ("kitchen", 1, "open", ["drawer 1"], "success", "mechanical"),
    ("kitchen", 2, "take", ["mug 1", "drawer 1"], "success", "mechanical"),
    ("kitchen", 3, "open", ["drawer 1"], "no_effect", "mechanical"),
    ("kitchen", 4, "close", ["drawer 1"], "success", "mechanical"),
    ("workshop", 0, "str_replace_editor.create", ["/repo/a.py"], "success", "mechanical"),
    ("workshop", 1, "execute_bash.pytest", ["/repo"], "failure", "mechanical"),
    ("workshop", 2, "str_replace_editor.view", ["/repo/a.py"], "success", "mechanical"),
    ("workshop", 3, "mystery", ["valve"], "success", "annotated: targets, outcome, changes"),
]


@pytest.fixture(params=OLDER)
def older(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "x.duckdb"
    packed = KEPT / f"version-{request.param}.duckdb.gz"
    path.write_bytes(gzip.decompress(packed.read_bytes()))
    return path


def test_there_is_a_migration_and_a_database_of_each_older_version() -> None:
    assert [version for version, _ in migrations()] == [version + 1 for version in OLDER]
    assert len(list(KEPT.iterdir())) == len(OLDER)


@pytest.mark.parametrize("read_only", [False, True])
def test_an_older_database_is_brought_up_to_date(older: Path, read_only: bool) -> None:
    with tallysql.open(older, read_only=read_only) as memory:
        assert memory.sql("SELECT version FROM schema_version").fetchall() == [(SCHEMA_VERSION,)]
        assert memory.sql(LEDGER).fetchall() == EXPECTED
        assert list(memory.check()) == []
        answer = memory.ask("How many times was drawer 1 opened?", "kitchen")["answer"]
        assert memory.store.read_only is read_only
    assert answer == "2"


def test_it_has_the_schema_of_a_new_one(older: Path) -> None:
    described = (
        "SELECT schema_name, table_name, column_name, data_type, is_nullable, comment "
        "FROM duckdb_columns() WHERE NOT internal ORDER BY ALL"
    )
    with open_store() as new, tallysql.open(older) as memory:
        assert memory.store.rows(described) == new.rows(described)


def test_a_migration_that_fails_leaves_the_database_as_it_was(older: Path) -> None:
    def fail(_: object) -> None:
        raise StoreError("no ledger today")

    with pytest.raises(StoreError, match="no ledger today"):
        open_store(older, rebuild=fail)
    with tallysql.open(older) as memory:
        assert memory.sql(LEDGER).fetchall() == EXPECTED


def test_a_newer_database_is_refused_politely(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    with open_store(path) as store:
        store.run("UPDATE schema_version SET version = version + 1")
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(StoreError, match="a newer release's") as caught:
            tallysql.open(path, read_only=read_only)
        assert "load the sources again" in (caught.value.hint or "")
    assert path.read_bytes() == before


def test_another_releases_ledger_is_made_anew_by_who_writes(tmp_path: Path) -> None:
    path, source = tmp_path / "x.duckdb", tmp_path / "runs.jsonl"
    source.write_text('{"trajectory_id":"a","step":0,"action":"open box 1","observation":"ok"}\n')
    with tallysql.open(path) as memory:
        memory.load(source)
        memory.store.run("UPDATE ledger SET act = 'of old'; DELETE FROM vocabulary.verbs")
        memory.store.run("UPDATE schema_version SET fingerprint = 'of old'")
    acts = "SELECT act, (SELECT count(*) > 0 FROM vocabulary.verbs) FROM ledger"
    with tallysql.open(path, read_only=True) as memory:
        assert memory.sql(acts).fetchall() == [("of old", False)]
    for _ in range(2):
        with tallysql.open(path) as memory:
            assert memory.sql(acts).fetchall() == [("open", True)]


def test_the_schema_applies_again_to_what_it_made() -> None:
    with open_store() as store:
        for _, text in schema_texts():
            store.run(text)
        store.run(derived_dropped())
        store.apply_schema()


def test_a_new_database_comes_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Store) -> None:
        raise StoreError("no schema today")

    path = tmp_path / "x.duckdb"
    with monkeypatch.context() as patch:
        patch.setattr(Store, "apply_schema", fail)
        with pytest.raises(StoreError, match="no schema today"):
            tallysql.open(path)
    assert list(tmp_path.iterdir()) == []
    tallysql.open(path).close()
    assert [file.name for file in tmp_path.iterdir()] == ["x.duckdb"]
