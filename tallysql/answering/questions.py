"""Question files: JSONL, JSON, CSV, Parquet, and AMA-Bench's own file.

See docs/architecture.md, "Answering".
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.json_text import parse_json, replace_surrogates
from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

TRAJECTORY_KEYS = ("trajectory_id", "episode_id")


@dataclass(frozen=True, slots=True)
class Question:
    """One question about one trajectory; lone surrogates in its texts become U+FFFD."""

    question_id: str
    trajectory_id: str
    question: str

    def __post_init__(self) -> None:
        """Make the texts ones that can be stored and printed, as the archive does."""
        for name in self.__slots__:
            object.__setattr__(self, name, replace_surrogates(getattr(self, name))[0])


def read_questions(path: str | Path) -> list[Question]:
    """Read a question file, in its order.

    Columns: `question`, `trajectory_id`, optional `question_id` (else made from the other two). An
    AMA-Bench file gives one question for each of its `qa_pairs`. `.gz` and `.zst` are read as they
    are; `-` is standard input (JSONL).

    Raises:
        InputError: not readable, no questions, or a record without a field; names the record.
    """
    name = str(path)
    questions = list(_questions(name, records_of(name)))
    if not questions:
        raise InputError.at(name, "holds no questions")
    return questions


def questions_from(rows: Iterable[Mapping[str, Any]], name: str = "questions") -> list[Question]:
    """Turn mappings with the same columns into questions.

    Raises:
        InputError: a row without `question` or `trajectory_id`.
    """
    return list(_questions(name, enumerate(rows, start=1)))


def question_records(path: str | Path) -> Iterator[tuple[Question, dict[str, Any]]]:
    """Yield each question of a file with its whole record, in the file's order.

    The record of a question in AMA-Bench's file is that of its episode, `trajectory` included, with
    the fields of the pair over it.

    Raises:
        InputError: as `read_questions`.
    """
    name = str(path)
    yield from _with_records(name, records_of(name))


def _questions(name: str, records: Iterable[tuple[int, Any]]) -> Iterator[Question]:
    return (question for question, _ in _with_records(name, records))


def _with_records(
    name: str, records: Iterable[tuple[int, Any]]
) -> Iterator[tuple[Question, dict[str, Any]]]:
    for number, record in records:
        if not isinstance(record, dict):
            raise InputError.at(name, "not an object", record=number)
        if isinstance(record.get("qa_pairs"), list):
            for whole in _ama_records(name, number, record):
                yield _question(name, number, whole), whole
        else:
            yield _question(name, number, record), record


def _ama_records(name: str, number: int, record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the questions of one AMA-Bench episode; its own question ids win where it has them."""
    episode = {key: value for key, value in record.items() if key != "qa_pairs"}
    for pair in record["qa_pairs"]:
        if not isinstance(pair, dict):
            raise InputError.at(name, "not an object", record=number, field="qa_pairs")
        own_id = pair.get("question_id") or pair.get("question_uuid")
        yield {**pair, **episode, "question_id": own_id}


def _question(name: str, number: int, record: dict[str, Any]) -> Question:
    text = record.get("question")
    if not isinstance(text, str) or not text.strip():
        problem = "missing or not a text"
        raise InputError.at(name, problem, record=number, field="question")
    found = next((record[key] for key in TRAJECTORY_KEYS if record.get(key) is not None), None)
    if found is None or isinstance(found, (dict, list, bool)):
        raise InputError.at(name, "missing", record=number, field="trajectory_id")
    own_id = record.get("question_id")
    question_id = str(own_id) if own_id is not None else _made_id(str(found), text)
    return Question(question_id, str(found), text)


def _made_id(trajectory_id: str, text: str) -> str:
    content = f"{trajectory_id}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(content).hexdigest()[:12]


def records_of(path: str | Path) -> Iterator[tuple[int, Any]]:
    """Yield the records of a file with their numbers: JSON, JSON lines, CSV or Parquet.

    `.gz` and `.zst` are read as they are; `-` is standard input (JSON).

    Raises:
        InputError: not readable.
    """
    name = str(path)
    stem = name.lower().removesuffix(".gz").removesuffix(".zst")
    if name != "-" and not Path(name).exists():
        raise InputError.at(name, "no such file")
    if name != "-" and Path(name).is_dir():
        raise InputError.at(name, "is a directory, name a file of questions")
    if stem.endswith((".parquet", ".csv")):
        return enumerate(_table_records(name, csv=stem.endswith(".csv")), start=1)
    return _json_records(name)


def _table_records(name: str, *, csv: bool) -> list[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.csv as pa_csv
    import pyarrow.parquet as pa_parquet

    try:
        if not csv:
            return pa_parquet.read_table(name).to_pylist()  # type: ignore[no-any-return]
        names = pa_csv.open_csv(name).schema.names
        options = pa_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=True
        )
        parsing = pa_csv.ParseOptions(newlines_in_values=True)
        table = pa_csv.read_csv(name, convert_options=options, parse_options=parsing)
        return table.to_pylist()  # type: ignore[no-any-return]
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError.at(name, str(error).split("\n", 1)[0]) from error


def _json_records(name: str) -> Iterator[tuple[int, Any]]:
    """Yield the objects of a JSON array, one JSON object, or JSON lines."""
    content = _content(name)
    whole = _parsed(content) if content.lstrip()[:1] in {b"[", b"{"} else None
    if isinstance(whole, list):
        yield from enumerate(whole, start=1)
        return
    if isinstance(whole, dict):
        yield 1, whole
        return
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            record = _parsed(line)
            if record is None:
                raise InputError.at(name, "not JSON", record=number)
            yield number, record


def _content(name: str) -> bytes:
    if name == "-":
        import sys

        return sys.stdin.buffer.read()
    if not name.lower().endswith((".gz", ".zst")):
        return Path(name).read_bytes()
    import pyarrow as pa

    try:
        with pa.input_stream(name, compression="detect") as stream:
            return stream.read()  # type: ignore[no-any-return]
    except OSError as error:
        raise InputError.at(name, str(error)) from error


def _parsed(text: bytes) -> Any:
    try:
        return parse_json(text)[0]
    except ValueError:
        return None
