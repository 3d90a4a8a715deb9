"""Files that would exhaust memory, disk or stack are refused in one line; large sound ones load."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tallysql
from tallysql.archive.formats import source
from tallysql.errors import InputError, PlanError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tallysql import Memory

ROW: dict[str, Any] = {"trajectory_id": "a", "step": 0, "action": "x", "observation": "y"}
LINE = json.dumps(ROW).encode()


@pytest.fixture
def memory() -> Iterator[Memory]:
    with tallysql.open() as opened:
        yield opened


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "UNPACKED_BYTES", 1 << 20)
    monkeypatch.setattr(source, "UNPACKED_TIMES", 50)


def zeros(size: int) -> bytes:
    return gzip.compress(bytes(size))


def long_line(size: int) -> bytes:
    return gzip.compress(LINE.replace(b'"y"', b'"' + b"y" * size + b'"'))


def many_lines(size: int) -> bytes:
    return gzip.compress((LINE + b"\n") * (size // len(LINE)))


def zstd(size: int) -> bytes:
    out = io.BytesIO()
    with pa.CompressedOutputStream(out, "zstd") as packed:
        packed.write(LINE.replace(b'"y"', b'"' + b"y" * size + b'"'))
        packed.flush()
        return out.getvalue()


def archive(size: int) -> bytes:
    out = io.BytesIO()
    sample = {"id": 1, "epoch": 1, "messages": [{"role": "assistant", "content": "y" * size}]}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("header.json", "{}")
        made.writestr("samples/1.json", json.dumps(sample))
    return out.getvalue()


def lying_archive(size: int) -> bytes:
    """Make an archive that says its sample is short."""
    raw = archive(size)
    told = len(
        json.dumps({"id": 1, "epoch": 1, "messages": [{"role": "assistant", "content": ""}]})
    )
    return raw.replace((told + size).to_bytes(4, "little"), (told).to_bytes(4, "little"))


def dictionary(size: int) -> bytes:
    out = io.BytesIO()
    n = size // 10_000
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * n, pa.int32()), pa.array(["y" * 10_000]))
    columns = {"trajectory_id": ["a"] * n, "step": range(n), "action": ["x"] * n}
    pq.write_table(pa.table(columns | {"observation": texts}), out, compression="zstd")
    return out.getvalue()


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (zeros, "x.jsonl.gz"),
        (long_line, "x.jsonl.gz"),
        (many_lines, "x.jsonl.gz"),
        (zstd, "x.jsonl.zst"),
        (archive, "x.eval"),
        (lying_archive, "x.eval"),
        (dictionary, "x.parquet"),
    ],
)
@pytest.mark.usefixtures("small_limit")
def test_bombs_are_refused(memory: Memory, tmp_path: Path, make: Any, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(make(8 << 20))
    assert path.stat().st_size * 100 < 8 << 20
    with pytest.raises(InputError) as caught:
        memory.load(path)
    assert "\n" not in caught.value.message
    assert memory.trajectories() == []


@pytest.mark.usefixtures("small_limit")
def test_what_compresses_as_logs_do_is_not_refused(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    rows = [ROW | {"step": n, "observation": f"{n} {n * n} " + "y" * 2000} for n in range(500)]
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    assert path.stat().st_size * 20 < sum(len(row["observation"]) for row in rows)
    assert memory.load(path).steps == 500


@pytest.mark.parametrize("depth", [200, 300, 900, 100_000])
@pytest.mark.parametrize("inner", ["", '"\\ud800"', '{"a": 1}'])
def test_deep_json_is_read_or_named(memory: Memory, tmp_path: Path, depth: int, inner: str) -> None:
    deep = "[" * depth + inner + "]" * depth
    good = json.dumps(ROW)
    lines = [good, good[:-1].replace('"step": 0', '"step": 1') + f', "args": {deep}}}', deep]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(lines))
    try:
        report = memory.load(path)
    except InputError as error:
        assert "nested too deeply" in error.message
        return
    assert report.steps in {1, 2}
    assert report.files[0].n_skipped in {1, 2}
    assert list(memory.check()) == []


def test_deep_arguments_as_text(memory: Memory, tmp_path: Path) -> None:
    deep = '{"path":' * 50_000 + "1" + "}" * 50_000
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(ROW | {"tool": "bash", "args": deep, "action": deep}))
    assert memory.load(path).clean
    assert memory.ask("How many bash actions?")["answer"] == "1"


def test_a_step_of_many_targets_and_an_observation_of_a_megabyte(
    memory: Memory, tmp_path: Path
) -> None:
    names = " ".join(f"/tmp/file_{n}.py" for n in range(10_000))
    steps = [
        ROW | {"action": f'bash: {{"command": "ls {names}"}}', "tool": "bash"},
        ROW | {"step": 1, "action": "open box 1", "observation": "é" * 1_100_000},
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(map(json.dumps, steps)))
    assert memory.load(path).clean
    assert memory.ask("How many times was box 1 opened?")["answer"] == "1"
    record = memory.ask("Which targets were named most often?")
    assert len(record["evidence"]) <= 6000
    view = memory.view("What was seen at step 1?", budget=5000)
    assert 0 < view.tokens <= 5000


def test_a_plan_of_ten_thousand_terms_is_refused_with_the_limit(
    memory: Memory, tmp_path: Path
) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINE)
    memory.load(path)
    terms = [f"t{n}" for n in range(10_000)]
    with pytest.raises(PlanError, match="10000 terms, a plan may hold 1000"):
        memory.run(
            {"applicable": True, "queries": [{"op": "count", "where": {"target": terms}}]}, "a"
        )
