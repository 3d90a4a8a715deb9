"""Where files may be written: never over what they are made from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tallysql.archive.export import convert, export
from tallysql.archive.target import check_target
from tallysql.errors import InputError
from tallysql.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

ROW = {"trajectory_id": "a", "step": 0, "action": "go", "observation": "x"}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "runs" / "a.jsonl"
    path.parent.mkdir()
    path.write_text(json.dumps(ROW) + "\n")
    return path


def test_convert_does_not_overwrite_its_source(source: Path) -> None:
    content = source.read_bytes()
    for named in (source, source.parent):
        with pytest.raises(InputError, match="would overwrite what it is made from"):
            convert(str(named), str(source))
    assert source.read_bytes() == content


def test_convert_may_add_to_a_folder(source: Path) -> None:
    assert convert(str(source.parent), str(source.with_name("b.jsonl"))).clean


def test_export_does_not_overwrite_its_database(tmp_path: Path) -> None:
    with open_store(tmp_path / "x.duckdb") as store:
        (tmp_path / "out.jsonl").symlink_to(tmp_path / "x.duckdb")
        with pytest.raises(InputError, match="would overwrite"):
            export(store, "steps", str(tmp_path / "out.jsonl"))


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_parquet_has_no_compressed_suffix(source: Path, suffix: str) -> None:
    target = source.with_name(f"o.parquet.{suffix}")
    with pytest.raises(InputError, match="compressed inside"):
        convert(str(source), str(target))
    assert not target.exists()


@pytest.mark.parametrize(
    ("target", "message"),
    [("/dev/null", "not a regular file"), ("none/x", "no such folder"), (".", "is a directory")],
)
def test_what_is_no_place_for_a_file(target: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_target(target)


def test_standard_output_is_always_a_place() -> None:
    check_target("-", ["-"])
