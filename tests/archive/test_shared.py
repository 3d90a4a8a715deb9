from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tallysql.archive.export import export
from tallysql.archive.load import load
from tallysql.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("TALLYSQL_SHARED", ROOT.parent / "shared"))
FILE = SHARED / "data" / "ama" / "open_end_qa_set.dev.jsonl.gz"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FILE.is_file(), reason="no shared data here"),
]


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    with gzip.open(FILE) as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def full() -> Iterator[Store]:
    with open_store() as store:
        assert load(store, [str(FILE)]).clean
        yield store


def test_every_trajectory_and_text_is_kept(full: Store, records: list[dict[str, Any]]) -> None:
    expected = {
        (str(record["episode_id"]), turn["turn_idx"]): (turn["action"], turn["observation"])
        for record in records
        for turn in record["trajectory"]
    }
    rows = full.rows("SELECT trajectory_id, step, action, observation FROM steps")
    assert {row[:2]: row[2:] for row in rows} == expected
    assert len(rows) == sum(len(record["trajectory"]) for record in records)
    counted = full.rows("SELECT trajectory_id, n_steps FROM trajectories")
    assert dict(counted) == {str(r["episode_id"]): len(r["trajectory"]) for r in records}


def test_questions_stay_out(full: Store) -> None:
    (found,) = (
        full.row("SELECT count(*) FROM trajectories WHERE metadata.qa_pairs IS NOT NULL") or ()
    )
    assert found == 0


@pytest.mark.parametrize(
    ("name", "nested"), [("flat.parquet", False), ("nested.parquet", True), ("flat.csv", False)]
)
def test_round_trip(full: Store, tmp_path: Path, name: str, nested: bool) -> None:
    target = str(tmp_path / name)
    export(full, "steps", target, nested=nested)
    with open_store() as second:
        load(second, [target])
        statement = "SELECT trajectory_id, content_hash, metadata FROM trajectories ORDER BY 1"
        assert second.rows(statement) == full.rows(statement)
