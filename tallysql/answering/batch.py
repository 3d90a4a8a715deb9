"""Answering a file of questions into a file of records, resumable.

Records go to OUT.partial in input order; the file takes its name when it is complete. See
docs/architecture.md, "Answering".
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tallysql.answering.questions import Question
    from tallysql.answering.records import Answerer, Record

KEPT_BY = ("question_id", "trajectory_id", "question", "system", "profile", "compiler", "reader")
"""Fields that must agree for a record of an interrupted run to be kept, besides the budget."""


def answer_to_file(
    answerer: Answerer, questions: Sequence[Question], out: str | Path
) -> Iterator[Record]:
    """Answer questions in order, write each record, and yield it.

    The records of an interrupted run of the same questions and settings are kept. The file appears
    under its own name only when the iterator is exhausted.
    """
    target = Path(out)
    partial = target.with_name(target.name + ".partial")
    with partial.open("a+b") as stream:
        kept = _kept(stream.name, answerer, questions)
        stream.truncate(kept[1])
        yield from kept[0]
        for question in questions[len(kept[0]) :]:
            record = answerer.answer(question)
            stream.write(as_line(record))
            stream.flush()
            yield record
        os.fsync(stream.fileno())
    partial.replace(target)


def as_line(record: Record) -> bytes:
    """Return a record as one line of JSON."""
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)


def _kept(
    partial: str, answerer: Answerer, questions: Iterable[Question]
) -> tuple[list[Record], int]:
    """Return the usable records of an interrupted run and the bytes that they take."""
    records: list[Record] = []
    size = 0
    lines = Path(partial).read_bytes().splitlines(keepends=True)
    for line, question in zip(lines, questions, strict=False):
        record = _complete(line)
        if record is None or not _same_run(record, answerer.blank(question)):
            break
        records.append(record)
        size += len(line)
    return records, size


def _same_run(record: Record, blank: Record) -> bool:
    budget = (record.get("usage") or {}).get("budget")
    same = all(record.get(key) == blank[key] for key in KEPT_BY)
    return same and budget == blank["usage"].get("budget")


def _complete(line: bytes) -> Record | None:
    """Read one line of an interrupted run; None if it was cut short."""
    if not line.endswith(b"\n"):
        return None
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return record if isinstance(record, dict) else None
