from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tallysql.answering.questions import Question, questions_from, read_questions
from tallysql.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [
    {"question_id": "a", "trajectory_id": "1", "question": "How many?"},
    {"question_id": "b", "trajectory_id": "2", "question": 'Which, "x"?\nReally?'},
]
EXPECTED = [Question("a", "1", "How many?"), Question("b", "2", 'Which, "x"?\nReally?')]


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_jsonl_json_csv_and_parquet_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(lines(ROWS) + "\n")  # type: ignore[arg-type]
    (tmp_path / "q.json").write_text(json.dumps(ROWS))
    (tmp_path / "q.jsonl.gz").write_bytes(gzip.compress(lines(ROWS).encode()))  # type: ignore[arg-type]
    text = 'question_id,trajectory_id,question\na,1,How many?\nb,2,"Which, ""x""?\nReally?"\n'
    (tmp_path / "q.csv").write_text(text)
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "q.parquet")
    for name in ("q.jsonl", "q.json", "q.jsonl.gz", "q.csv", "q.parquet"):
        assert read_questions(tmp_path / name) == EXPECTED, name


def test_ama_file_gives_one_question_per_pair(tmp_path: Path) -> None:
    episode = {
        "episode_id": 30,
        "trajectory": [],
        "qa_pairs": [{"question": "A?"}, {"question": "B?"}],
    }
    (tmp_path / "ama.jsonl").write_text(lines([episode, episode | {"episode_id": 31}]))
    found = read_questions(tmp_path / "ama.jsonl")
    assert [(q.trajectory_id, q.question) for q in found] == [
        ("30", "A?"), ("30", "B?"), ("31", "A?"), ("31", "B?"),
    ]  # fmt: skip
    assert len({q.question_id for q in found}) == 4


def test_ids_are_made_when_missing_and_stay_the_same() -> None:
    row = {"trajectory_id": 7, "question": "How many?"}
    first, second = questions_from([row, row])
    assert first == second
    assert first.trajectory_id == "7"
    assert len(first.question_id) == 12


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("q.jsonl", "", "q.jsonl: holds no questions"),
        ("q.jsonl", "[]", "q.jsonl: holds no questions"),
        (
            "q.jsonl",
            '{"question": "A?", "trajectory_id": "1"}\n{"quest',
            "q.jsonl: record 2: not JSON",
        ),
        ("q.jsonl", '{"question": "A?", "trajectory_id": "1"}\n42', "record 2: not an object"),
        ("q.jsonl", '{"question": 3, "trajectory_id": "1"}', "record 1: field question: missing"),
        ("q.jsonl", '{"question": "A?"}', "record 1: field trajectory_id: missing"),
        ("q.csv", "question\nA?\n", "record 1: field trajectory_id: missing"),
        ("q.parquet", "no parquet", "q.parquet: "),
        ("q.jsonl.gz", "no gzip", "q.jsonl.gz: "),
    ],
)
def test_bad_files_are_named(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError) as caught:
        read_questions(tmp_path / name)
    assert message in caught.value.message
    assert "\n" not in caught.value.message


def test_missing_file() -> None:
    with pytest.raises(InputError, match="no such file"):
        read_questions("nowhere.jsonl")


def test_lone_surrogates_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b'{"question": "how many \\ud800?", "trajectory_id": "a\\udfff"}\n')
    (read,) = read_questions(path)
    assert (read.question, read.trajectory_id) == ("how many \ufffd?", "a\ufffd")
    (given,) = questions_from([{"question": "x\ud800", "trajectory_id": "a"}])
    assert given.question == "x\ufffd"
