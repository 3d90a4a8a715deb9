"""Files that cannot be used: one line that names file, record and field; nothing stored."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tallysql.archive.load import load
from tallysql.errors import InputError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tallysql.store import Store

GOOD = {"trajectory_id": "a", "step": 0, "action": "x", "observation": "y"}


def lines(*rows: Any) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def without(field: str) -> dict[str, Any]:
    return {key: value for key, value in GOOD.items() if key != field}


def turn(**changed: Any) -> dict[str, Any]:
    base = {"turn_idx": 0, "action": "x", "observation": "y"}
    return {"episode_id": "a", "trajectory": [base, base | changed]}


CASES = {
    "empty.jsonl": (b"", "the file is empty"),
    "blank.jsonl": (b"\n \n", "the file is empty"),
    "prose.jsonl": (b"hello there\nno JSON here\n", "text, not JSON"),
    "cut.json": (b'{"episode_id": "a", "trajectory": [', "not JSON: unexpected end"),
    "utf8.jsonl": (b'{"trajectory_id": "\xff"}\n', "record 1: not JSON: not UTF-8 at byte 19"),
    "binary.parquet": (b"\x00\x01\x02\xff" * 50, "binary data, not JSON"),
    "noise.parquet": (b"PAR1" + b"\x00" * 50, "not Parquet"),
    "cut.jsonl.gz": (gzip.compress(lines(*[GOOD] * 500))[:-12], "runcated"),
    "numbers.json": (b"[1, 2, 3]", "JSON without objects"),
    "none.json": (b"[]", "JSON without objects"),
    "other.json": (b'{"a": 1, "b": 2}', "record 1: no known format has the fields a, b"),
    "no_id.jsonl": (lines(without("trajectory_id")), "record 1: field trajectory_id: missing"),
    "no_step.jsonl": (lines(without("step")), "field step: missing in every record"),
    "no_action.jsonl": (lines(without("action")), "field action: missing in every record"),
    "no_obs.jsonl": (lines(without("observation")), "field observation: missing in every record"),
    "text.jsonl": (
        lines(GOOD, GOOD | {"step": 1, "action": ["x"]}),
        "record 2: field action: expected text, found a list",
    ),
    "number.jsonl": (
        lines(GOOD | {"observation": 5}),
        "record 1: field observation: expected text, found a number ('5')",
    ),
    "step.jsonl": (
        lines(GOOD | {"step": 1.5}),
        "record 1: field step: expected an integer, found a number ('1.5')",
    ),
    "flag.jsonl": (lines(GOOD | {"is_error": "maybe"}), "field is_error: expected true or false"),
    "time.jsonl": (lines(GOOD | {"ts": "yesterday"}), "field ts: expected a time"),
    "range.jsonl": (lines(GOOD | {"exit_code": 2**64}), "field exit_code: "),
    "meta.jsonl": (lines(GOOD | {"metadata": "[1]"}), "field metadata: expected a JSON object"),
    "header.csv": (b"trajectory_id,step,action\na,0,x\n", "field observation: missing column"),
    "only_header.csv": (b"trajectory_id,step,action,observation\n", "holds no trajectory"),
    "type.csv": (
        b"trajectory_id,step,call,action,observation\na,0,z,x,y\n",
        "record 2: field call: expected an integer, found text ('z')",
    ),
    "utf8.csv": (b"trajectory_id,step,action,observation\na,0,\xff,y\n", "invalid UTF8"),
    "nested.jsonl": (
        lines({"trajectory_id": "a", "steps": [GOOD, {"action": 1, "observation": "y"}]}),
        "record 1: field steps[1].action: expected text",
    ),
    "nested_row.jsonl": (
        lines({"trajectory_id": "a", "steps": [GOOD, "x"]}),
        "record 1: field steps[1]: expected an object",
    ),
    "questions.jsonl": (
        lines({"trajectory_id": "a", "question": "when?", "steps": [1, 2]}),
        "no known format has the fields trajectory_id, question, steps",
    ),
    "nested_no_obs.jsonl": (
        lines({"trajectory_id": "a", "steps": [{"step": 0, "action": "x"}]}),
        "record 1: field steps[0].observation: missing",
    ),
    "ama.jsonl": (
        lines(turn(), turn(action=3) | {"episode_id": "b"}),
        "record 2: field trajectory[1].action: expected text, found a number ('3')",
    ),
    "ama_turn.jsonl": (lines(turn(turn_idx=[])), "field trajectory[1].turn_idx: expected an int"),
    "ama_id.jsonl": (
        lines({"num_turns": 1, "trajectory": []}),
        "record 1: field episode_id: missing",
    ),
    "twice.jsonl": (lines(turn(), turn(action="z")), "trajectory a occurs twice, with different"),
    "ama_turns.jsonl": (
        lines(turn(), {"episode_id": "b", "trajectory": None}),
        "record 2: field trajectory: expected a list of turns",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_files_that_cannot_be_used(store: Store, tmp_path: Path, name: str) -> None:
    content, message = CASES[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load(store, [str(path)])
    assert caught.value.message.startswith(f"{path}: ")
    assert message in caught.value.message
    assert "\n" not in caught.value.message
    for table in ("trajectories", "steps", "sources"):
        assert store.relation("FROM query_table($t)", {"t": table}).fetchall() == []


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"trajectory_id": ["a"], "step": [0], "action": ["x"]},
            "field observation: missing column",
        ),
        (GOOD | {"action": 5}, "field action: expected text, found a number"),
        (GOOD | {"observation": ["x"]}, "field observation: expected text, found a list"),
        (GOOD | {"step": [1]}, "field step: expected an integer, found a list"),
        ({"x": 1}, "field trajectory_id: missing column"),
    ],
)
def test_parquet_of_other_columns(
    store: Store, tmp_path: Path, columns: dict[str, Any], message: str
) -> None:
    path = tmp_path / "rows.parquet"
    if "trajectory_id" in columns and isinstance(columns["trajectory_id"], list):
        table = pa.table(columns)
    else:
        table = pa.Table.from_pylist([columns])
    pq.write_table(table, path)
    with pytest.raises(InputError, match=rf"rows\.parquet: .*{message}"):
        load(store, [str(path)])


def test_a_cut_parquet_file(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist([GOOD] * 1000), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(InputError, match="not Parquet"):
        load(store, [str(path)])


def test_names_that_lead_nowhere(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load(store, [str(tmp_path / "missing.jsonl")])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no files"):
        load(store, [str(tmp_path / "empty")])
    (tmp_path / "README.md").write_text("nothing here")
    with pytest.raises(InputError, match="no trajectory files"):
        load(store, [str(tmp_path)])


def test_a_missing_name_stops_before_anything_is_loaded(
    store: Store, ama: Callable[..., Path], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no such file"):
        load(store, [str(ama(a=[("go", "x")])), str(tmp_path / "missing")])
    assert store.rows("FROM trajectories") == []


def test_unknown_formats_suggest_known_ones(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(lines(GOOD))
    with pytest.raises(UnknownName) as caught:
        load(store, [str(path)], format="parqet")
    assert caught.value.hint == "did you mean 'parquet'?"
    with pytest.raises(InputError, match="not Parquet"):
        load(store, [str(path)], format="parquet")
    with pytest.raises(InputError, match="field trajectory: expected a list"):
        load(store, [str(path)], format="ama")
