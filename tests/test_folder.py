"""A ledger in a folder of Parquet takes a database's place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tallysql.api import open_memory
from tallysql.archive.export import export
from tallysql.errors import InputError, StoreError, TallyError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.api import Memory

BUNDLED = Path(__file__).parent / "data" / "bundled"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with open_memory(tmp_path_factory.mktemp("database") / "tally.duckdb") as opened:
        opened.load([BUNDLED / name for name in ("textworld.parquet", "coding.jsonl.gz")])
        yield opened


@pytest.mark.parametrize("columns", [(), ("domain",), ("trajectory_id",), ("domain", "format")])
def test_answers_are_those_of_the_database(
    memory: Memory, tmp_path: Path, columns: tuple[str, ...]
) -> None:
    export(memory.store, "all", str(tmp_path / "ledger"), partition_by=columns)
    known = set(memory.trajectories())
    asked = [
        {"question": q.question, "trajectory_id": q.trajectory_id}
        for q in memory.read_questions(BUNDLED / "questions.jsonl")
        if q.trajectory_id in known
    ]
    with open_memory(tmp_path / "ledger", read_only=True) as folder:
        assert folder.trajectories() == memory.trajectories()
        assert list(folder.answer(asked)) == list(memory.answer(asked))
        view = folder.view(asked[0]["question"], asked[0]["trajectory_id"])
        assert view == memory.view(asked[0]["question"], asked[0]["trajectory_id"])


def test_nothing_outside_the_folder_is_reached(memory: Memory, tmp_path: Path) -> None:
    export(memory.store, "all", str(tmp_path / "ledger"))
    (tmp_path / "secret.txt").write_text("x")
    with open_memory(tmp_path / "ledger", read_only=True) as folder:
        folder.store.lock_down()
        assert folder.sql("SELECT count(*) FROM ledger").fetchall() == [(701,)]
        for attempt in (
            f"SELECT * FROM read_text('{tmp_path}/secret.txt')",
            f"SELECT * FROM read_text('{tmp_path}/ledger/../secret.txt')",
            "SELECT * FROM read_text('/etc/hostname')",
            "SET allowed_directories = ['/']",
        ):
            with pytest.raises(StoreError):
                folder.sql(attempt).fetchall()


def test_ids_that_are_awkward_folder_names(tmp_path: Path) -> None:
    steps = tmp_path / "steps.jsonl"
    ids = ["a/b", "..", "a=b", "007", "%41", "ü 🙂", "it's", "x" * 200]
    lines = [
        f'{{"trajectory_id": {name!r}, "step": 0, "action": "go", "observation": "ok"}}'.replace(
            "'", '"'
        )
        for name in ids
        if "'" not in name
    ]
    lines.append('{"trajectory_id": "it\'s", "step": 0, "action": "go", "observation": "ok"}')
    steps.write_text("\n".join(lines))
    with open_memory() as memory:
        memory.load([steps])
        export(memory.store, "all", str(tmp_path / "ledger"), partition_by=["trajectory_id"])
        with open_memory(tmp_path / "ledger", read_only=True) as folder:
            assert folder.trajectories() == memory.trajectories() == sorted(ids)


def test_folders_that_are_no_ledger_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="a folder without a ledger"):
        open_memory(tmp_path, read_only=True)
    with pytest.raises(StoreError, match="can only be read"):
        open_memory(tmp_path)


def test_a_folder_appears_whole_or_not_at_all(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("kept")
    with pytest.raises(InputError, match="not an empty directory"):
        export(memory.store, "all", str(tmp_path / "taken"))
    with pytest.raises(TallyError, match="domains"):
        export(memory.store, "all", str(tmp_path / "new"), partition_by=["domains"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["taken"]
