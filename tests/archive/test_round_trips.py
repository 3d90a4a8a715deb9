"""What goes in comes out, byte for byte, in every format that tallysql writes."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallysql.archive.export import convert, export
from tallysql.archive.formats.columns import STEP_COLUMNS
from tallysql.archive.formats.registry import format_named
from tallysql.archive.formats.source import SourceFile
from tallysql.archive.load import load
from tallysql.archive.rows import Damage, Step, Trajectory
from tallysql.archive.staging import Staging
from tallysql.errors import InputError, UnknownName
from tallysql.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TARGETS = [
    ("flat.parquet", False),
    ("nested.parquet", True),
    ("flat.jsonl", False),
    ("nested.jsonl", True),
    ("flat.csv", False),
    ("flat.jsonl.gz", False),
    ("nested.jsonl.zst", True),
    ("flat.csv.zst", False),
]

NASTY = ["\x00", "\u2028", "\u0085", "\r\n", "\r", "\n", "\x1b[31m", "😀", '"', '""', ",", "\ufeff"]
texts = st.lists(st.sampled_from(NASTY) | st.text(max_size=4), max_size=5).map("".join)
moments = st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1))
steps = st.lists(
    st.builds(
        Step,
        action=st.none() | texts,
        observation=texts,
        call=st.just(0),
        tool=st.none() | texts,
        args=st.none() | texts | st.just('{"path": "/a", "n": [1]}'),
        exit_code=st.none() | st.integers(-(2**63), 2**63 - 1),
        is_error=st.none() | st.booleans(),
        is_copied=st.booleans(),
        ts=st.none() | moments,
        source_ref=st.none() | texts,
    ),
    min_size=1,
    max_size=5,
)
runs = st.dictionaries(
    texts.filter(bool), st.tuples(st.none() | texts, steps), min_size=1, max_size=3
)

EVERYTHING = (
    "SELECT * EXCLUDE (source, format, loaded_at) FROM trajectories ORDER BY trajectory_id",
    "SELECT * FROM steps ORDER BY trajectory_id, step, call",
)


def everything(store: Store) -> list[list[tuple[Any, ...]]]:
    return [store.rows(statement) for statement in EVERYTHING]


def as_row(run: str, task: str | None, step: Step, number: int) -> dict[str, Any]:
    fields = {name: getattr(step, name) for name in STEP_COLUMNS}
    return {"trajectory_id": run, "task": task, **fields, "step": number}


def rows_of(content: dict[str, tuple[str | None, list[Step]]]) -> list[dict[str, Any]]:
    return [
        as_row(run, task, step, 2 * number)
        for run, (task, listed) in content.items()
        for number, step in enumerate(listed)
    ]


SCHEMA = pa.schema(
    [("trajectory_id", pa.string()), ("task", pa.string())]
    + [(n, pa.string()) for n in ("action", "observation", "tool", "args", "source_ref")]
    + [("step", pa.int64()), ("call", pa.int32()), ("exit_code", pa.int64())]
    + [("is_error", pa.bool_()), ("is_copied", pa.bool_()), ("ts", pa.timestamp("us"))]
)


@pytest.fixture(scope="module")
def two_stores() -> Iterator[tuple[Store, Store]]:
    with open_store() as first, open_store() as second:
        yield first, second


def emptied(store: Store) -> Store:
    for statement in ("DELETE FROM trajectories", "DELETE FROM steps", "DELETE FROM sources"):
        store.run(statement)
    return store


@settings(max_examples=15, deadline=None)
@given(content=runs)
def test_every_format_keeps_every_byte(
    two_stores: tuple[Store, Store],
    tmp_path_factory: pytest.TempPathFactory,
    content: dict[str, tuple[str | None, list[Step]]],
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    rows = rows_of(content)
    pq.write_table(pa.Table.from_pylist(rows, SCHEMA), folder / "given.parquet")
    first, second = map(emptied, two_stores)
    load(first, [str(folder / "given.parquet")])
    kept = first.rows(f"SELECT trajectory_id, {', '.join(STEP_COLUMNS)} FROM steps")
    expected = [tuple(r[n] for n in ("trajectory_id", *STEP_COLUMNS)) for r in rows]
    assert sorted(kept, key=lambda r: r[:3]) == sorted(expected, key=lambda r: r[:3])
    for name, is_nested in TARGETS:
        target = str(folder / name)
        export(first, "steps", target, nested=is_nested)
        report = load(emptied(second), [target])
        assert report.clean, name
        assert not report.files[0].warnings, name
        assert everything(second) == everything(first), name


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.none() | texts, texts), min_size=1, max_size=4))
def test_json_lines_keep_every_byte(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str | None, str]]
) -> None:
    path = tmp_path_factory.mktemp("lines") / "rows.jsonl.gz"
    lines = [
        json.dumps(
            {"trajectory_id": "a", "step": n, "action": action, "observation": observation},
            ensure_ascii=bool(n % 2),
        )
        for n, (action, observation) in enumerate(pairs)
    ]
    path.write_bytes(gzip.compress("\r\n".join(lines).encode()))
    found = list(format_named("json").read(SourceFile(path, "rows")))
    read = [(s.action, s.observation) for t in found if isinstance(t, Trajectory) for s in t.steps]
    assert read == pairs


def test_null_and_empty_differ_in_csv(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text('trajectory_id,step,action,observation\na,0,x,\na,1,y,""\n"a",2,,"q""\n"\n')
    load(store, [str(path)])
    kept = store.rows("SELECT action, observation FROM steps ORDER BY step")
    assert kept == [("x", None), ("y", ""), (None, 'q"\n')]


@pytest.mark.parametrize(
    ("body", "kept", "damaged"),
    [
        ("a,0,x,y\na,1\na,2,x,y\n", [0, 2], ["2 fields instead of 4"]),
        ("a,0,x,y\na,1,x,y,z\n", [0], ["5 fields instead of 4"]),
        ('a,0,x,y\na,1,x,"cut', [0], ["cut inside a quoted field"]),
        ('a,0,x,y\na,1,x,"cut\n', [0], ["cut inside a quoted field"]),
        ('a,0,x,y\na,1,x,5" pipe\n', [0, 1], []),
    ],
)
def test_damaged_rows_of_csv(
    store: Store, tmp_path: Path, body: str, kept: list[int], damaged: list[str]
) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("trajectory_id,step,action,observation\n" + body)
    report = load(store, [str(path)])
    assert [d.problem for d in report.files[0].skipped] == damaged
    assert [s for (s,) in store.rows("SELECT step FROM steps ORDER BY step")] == kept


@pytest.mark.parametrize("delimiter", ["\t", ";"])
def test_other_delimiters(store: Store, tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "rows.txt"
    lines = [["step", "Action", "obs", "episode_id"], ["3", "a, b", "c", "r"]]
    path.write_text("\n".join(delimiter.join(line) for line in lines))
    load(store, [str(path)])
    assert store.rows("SELECT trajectory_id, step, action FROM steps") == [("r", 3, "a, b")]


def test_partitions_write_and_read_as_one_source(store: Store, tmp_path: Path) -> None:
    staged = tmp_path / "rows.jsonl"
    base = {"action": "x", "observation": "y", "metadata": {"k": 1}}
    domains = {"a": "Game / é=1", "b": None, "c": "Web"}
    rows = [
        {"trajectory_id": run, "step": n, "domain": domain, **base}
        for run, domain in domains.items()
        for n in range(30)
    ]
    staged.write_text("\n".join(map(json.dumps, rows)))
    load(store, [str(staged)])
    for columns in (["domain"], ["domain", "trajectory_id"]):
        target = tmp_path / "-".join(columns)
        assert export(store, "steps", str(target), partition_by=columns) == 90
        assert len(list(target.rglob("*.parquet"))) == 3
        with open_store() as second:
            report = load(second, [str(target)])
            assert [file.source for file in report.files] == [str(target)]
            assert everything(second) == everything(store)
            assert load(second, [str(target)]).files[0].state == "unchanged"


def test_closed_partitions_go_on_in_a_further_file(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallysql.archive.writers.OPEN_PARTITIONS", 1)
    staging = tmp_path / "rows.jsonl"
    rows = [
        {
            "trajectory_id": f"r{n}",
            "step": 0,
            "action": "x",
            "observation": "y",
            "domain": f"{n % 2}",
        }
        for n in range(6)
    ]
    staging.write_text("\n".join(map(json.dumps, rows)))
    load(store, [str(staging)])
    export(store, "steps", str(tmp_path / "out"), partition_by=["domain"])
    assert len(list((tmp_path / "out" / "domain=0").iterdir())) == 3
    with open_store() as second:
        load(second, [str(tmp_path / "out")])
        assert everything(second) == everything(store)


def test_every_table_exports_in_every_format(
    store: Store, ama: Callable[..., Path], tmp_path: Path
) -> None:
    load(store, [str(ama(a=[("go", "x"), ("look", None)]))])
    store.run(
        "INSERT INTO ledger BY NAME SELECT 'a' AS trajectory_id, 0 AS step, 0 AS call, ['t'] AS "
        "targets, 'success' AS outcome, [] AS changes, [] AS delta, [] AS paths, "
        "false AS is_copied, 'mechanical' AS provenance, {text: 'q', start: 0, \"end\": 1} AS quote"
    )
    for table, rows in {"steps": 2, "trajectories": 1, "ledger": 1, "file_events": 0}.items():
        for suffix in ("parquet", "jsonl", "csv"):
            target = tmp_path / f"{table}.{suffix}"
            assert export(store, table, str(target)) == rows
    (line,) = (tmp_path / "ledger.jsonl").read_text().splitlines()
    assert json.loads(line)["quote"] == {"text": "q", "start": 0, "end": 1}
    assert pq.read_table(tmp_path / "ledger.parquet")["targets"].to_pylist() == [["t"]]
    assert not list(tmp_path.glob(".*partial"))


@pytest.mark.parametrize(
    ("table", "target", "options", "error"),
    [
        ("stepz", "x.parquet", {}, UnknownName),
        ("steps", "x.docx", {}, InputError),
        ("steps", "x.csv", {"nested": True}, InputError),
        ("ledger", "x.parquet", {"nested": True}, InputError),
        ("steps", "x.parquet", {"partition_by": ["tool"]}, UnknownName),
        ("steps", "x.jsonl", {"partition_by": ["domain"]}, InputError),
        ("steps", "missing/x.parquet", {}, InputError),
    ],
)
def test_exports_that_cannot_be(
    store: Store, tmp_path: Path, table: str, target: str, options: dict[str, Any], error: type
) -> None:
    with pytest.raises(error):
        export(store, table, str(tmp_path / target), **options)
    assert not list(tmp_path.iterdir())


def test_a_failing_export_keeps_the_old_file(
    store: Store, ama: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(store, [str(ama(a=[("go", "x")]))])
    target = tmp_path / "out.parquet"
    export(store, "steps", str(target))
    before = target.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tallysql.archive.writers.ParquetRows.write", fail)
    with pytest.raises(InputError, match="No space left"):
        export(store, "steps", str(target))
    assert target.read_bytes() == before
    assert not list(tmp_path.glob(".*partial"))


def test_convert_needs_no_database(ama: Callable[..., Path], tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    assert convert(str(ama(a=[("go", "x"), ("—", "")])), str(target)).clean
    table = pq.read_table(target)
    assert table["action"].to_pylist() == ["go", "—"]
    assert table["task"].to_pylist() == ["task of a"] * 2
    assert pq.ParquetFile(target).metadata.row_group(0).column(0).compression == "ZSTD"


def test_surrogates_from_a_reader_are_replaced(store: Store) -> None:
    staging = Staging(store)
    staging.add(Trajectory("a", [Step("\ud800", "x")], metadata={"k": "\udfff", "n": 2**70}))
    staging.flush()
    assert store.rows("SELECT action FROM incoming_steps") == [("\ufffd",)]
    assert staging.replaced == 2
    assert store.rows("SELECT metadata FROM incoming_trajectories") == [
        ('{"k":"\ufffd","n":1180591620717411303424}',)
    ]


def test_readers_yield_damage_between_trajectories(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    good = '{"trajectory_id":"a","step":0,"action":"x","observation":"y","steps":[]}'
    path.write_text(f"{good}\n[]\n{good}\n")
    found = list(format_named("json").read(SourceFile(path, "rows")))
    assert [isinstance(record, Damage) for record in found] == [False, True, False]
