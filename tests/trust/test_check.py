"""`tallysql check` finds what is wrong in a database, and nothing in a sound one."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import tallysql
from benchmarks.demo import BUNDLED
from tallysql.cli import Settings, commands
from tallysql.ledger import rebuild
from tallysql.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from click.testing import Result

    from tallysql import Memory

SOURCES = ("textworld.parquet", "coding_ama.jsonl", "history.parquet")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a sound database."""
    path = tmp_path_factory.mktemp("check") / "sound.duckdb"
    with tallysql.open(path) as memory:
        memory.load([ROOT / BUNDLED / name for name in SOURCES])
    return path.read_bytes()


@pytest.fixture
def database(loaded: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "x.duckdb"
    path.write_bytes(loaded)
    return path


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with tallysql.open() as opened:
        opened.load([ROOT / BUNDLED / name for name in SOURCES])
        yield opened


def run(database: Path) -> Result:
    return CliRunner().invoke(commands, ["check"], obj=Settings(db=str(database)))


def test_a_sound_database_has_no_problems(database: Path) -> None:
    before = database.read_bytes()
    done = run(database)
    assert (done.exit_code, json.loads(done.stdout)) == (0, [])
    assert done.stderr == f"{database}: sound\n"
    assert database.read_bytes() == before


def test_parts_make_no_difference(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rebuild, "PART_CHARACTERS", 100_000)
    with tallysql.open(database, read_only=True) as memory:
        assert list(memory.check()) == []


@pytest.mark.parametrize(
    ("damage", "check", "problem"),
    [
        ("DELETE FROM steps WHERE trajectory_id = 'tw-hunt' AND step = 3", "counts", "are there"),
        ("UPDATE steps SET observation = observation || ' ' WHERE step = 3", "hashes", "differs"),
        ("UPDATE steps SET source_ref = 'x' WHERE step = 3", "hashes", "differs"),
        ("UPDATE steps SET args_json = '{}' WHERE args IS NOT NULL", "arguments", "args say"),
        ("INSERT INTO trajectories FROM trajectories LIMIT 1", "counts", "listed 2 times"),
        ("DELETE FROM trajectories WHERE trajectory_id = 'tw-hunt'", "counts", "not listed"),
        ("INSERT INTO steps FROM steps LIMIT 1", "keys", "occurs 2 times in steps"),
        ("DELETE FROM ledger WHERE step = 7", "rows", "no row in the ledger"),
        ("DELETE FROM ledger WHERE step = 7", "rebuilt", "not the one that the step gives"),
        ("UPDATE ledger SET step = step + 10000", "rows", "without a step"),
        ("UPDATE ledger SET outcome = 'failure' WHERE step = 2", "rebuilt", "not the one"),
        ("UPDATE ledger SET targets = [] WHERE step = 4", "rebuilt", "not the one"),
        (
            "UPDATE ledger SET quote = {'text': 'Made up.', 'start': 0, 'end': 8} "
            "WHERE quote IS NOT NULL",
            "quotes",
            "not what the observation holds",
        ),
        (
            "UPDATE file_events SET path_span = {'field': 'action', 'start': 0, 'end': 9999999}",
            "spans",
            "beyond the text",
        ),
        ("DELETE FROM file_events WHERE step = 6", "rebuilt", "file events are not those"),
        (
            "INSERT INTO annotations SELECT trajectory_id, step, call, NULL, [], 'unknown', NULL, "
            "[], 'none', 'm', 'c', 'other' FROM steps LIMIT 1",
            "annotations",
            "other texts",
        ),
        ("UPDATE schema_version SET fingerprint = NULL", "rebuilt", "another release's rules"),
    ],
)
def test_what_is_wrong_is_found(memory: Memory, damage: str, check: str, problem: str) -> None:
    memory.store.run("BEGIN TRANSACTION")
    try:
        memory.store.run(damage)
        assert any(p.check == check and problem in p.problem for p in memory.check())
    finally:
        memory.store.run("ROLLBACK")


def test_each_problem_is_a_row_and_leaves_with_1(database: Path) -> None:
    with open_store(database) as store:
        store.run("DELETE FROM steps WHERE trajectory_id = 'tw-hunt' AND step = 3")
    done = run(database)
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert {row["check"] for row in found} == {"counts", "hashes", "rows", "rebuilt"}
    assert all(row["trajectory_id"] == "tw-hunt" for row in found)
    assert f"{len(found)} problems" in done.stderr


@pytest.mark.parametrize("seed", range(3))
def test_damage_on_the_disk_is_named(database: Path, seed: int) -> None:
    content, rng = bytearray(database.read_bytes()), random.Random(seed)
    used = [place for place in range(0x3000, len(content)) if content[place]]
    for place in rng.sample(used, 400):
        content[place] ^= 1 << rng.randrange(8)
    database.write_bytes(content)
    done = run(database)
    assert done.exit_code == 1, done.output
    assert json.loads(done.stdout)[0]["check"] == "read"


def test_no_database_is_a_wrong_name(tmp_path: Path) -> None:
    done = CliRunner().invoke(commands, ["--db", str(tmp_path / "none.duckdb"), "check"])
    assert "no such database" in str(done.exception)
