"""Answering a file of questions into a file of records, resumable.

Records go to OUT.partial in input order; the file takes its name when it is complete. What they
were made from is noted beside it (`resume`). See
docs/architecture.md, "Answering".
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, TYPE_CHECKING

import orjson

from tallysql.answering.resume import RunState, partial_of
from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from tallysql.answering.questions import Question
    from tallysql.answering.records import Answerer, Record

KEPT_BY = (
    "question_id", "trajectory_id", "question", "system", "profile", "compiler", "reader",
)  # fmt: skip
"""Fields that must agree for a record of an interrupted run to be kept."""

TERMS = ("budget", "route", "models")
"""Entries of `usage` that must agree, too."""

PREPARED = 5000
"""Questions whose plans run as one batch, as far as they need no model."""

AHEAD = 4
"""Questions under way or waiting to be written, for each that is answered at one time."""


def answer_all(
    answerer: Answerer, questions: Sequence[Question], jobs: int = 1
) -> Iterator[Record]:
    """Answer questions, several at one time, and yield their records in order.

    Args:
        answerer: never raises for a question that fails.
        questions: in the order wanted.
        jobs: how many questions wait for models at one time.
    """
    for start in range(0, len(questions), PREPARED):
        portion = questions[start : start + PREPARED]
        answerer.prepare(portion)
        yield from _answer_portion(answerer, portion, jobs)


def _answer_portion(
    answerer: Answerer, questions: Sequence[Question], jobs: int
) -> Iterator[Record]:
    if jobs == 1:
        yield from map(answerer.answer, questions)
        return
    with ThreadPoolExecutor(jobs, "answer") as pool:
        waiting: deque[Future[Record]] = deque()
        try:
            for question in questions:
                waiting.append(pool.submit(answerer.answer, question))
                if len(waiting) >= AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def answer_to_file(
    answerer: Answerer, questions: Sequence[Question], out: str | Path, jobs: int = 1
) -> Iterator[Record]:
    """Answer questions in order, write each record, and yield it.

    The records of an interrupted run of the same questions and settings are kept, as far as their
    trajectories are unchanged. The file appears under its own name only when the iterator is
    exhausted.

    Raises:
        InputError: another process is writing the same file.
    """
    target = Path(out)
    partial = partial_of(target)
    state = RunState(partial)
    with partial.open("a+b") as stream:
        _claim(stream, partial)
        prints = answerer.fingerprints(questions)
        kept = _kept(stream.name, answerer, questions, state.unchanged(prints))
        stream.truncate(kept[1])
        state.write(prints)
        yield from kept[0]
        for record in answer_all(answerer, questions[len(kept[0]) :], jobs):
            stream.write(as_line(record))
            stream.flush()
            yield record
        os.fsync(stream.fileno())
    partial.replace(target)
    state.remove()


def _claim(stream: IO[bytes], partial: Path) -> None:
    """Keep other processes from writing the same records; the claim ends with the process."""
    try:
        import fcntl
    except ImportError:  # not on this platform
        return
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        hint = "wait for it to end, or write to another file"
        raise InputError(f"{partial}: another process is writing it", hint) from error


def as_line(record: Record) -> bytes:
    """Return a record as one line of JSON."""
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)


def _kept(
    partial: str, answerer: Answerer, questions: Iterable[Question], unchanged: frozenset[str]
) -> tuple[list[Record], int]:
    """Return the usable records of an interrupted run and the bytes that they take."""
    records: list[Record] = []
    size = 0
    lines = Path(partial).read_bytes().splitlines(keepends=True)
    for line, question in zip(lines, questions, strict=False):
        record = _complete(line)
        if record is None or question.trajectory_id not in unchanged:
            break
        if not _same_run(record, answerer.blank(question)):
            break
        records.append(record)
        size += len(line)
    return records, size


def _same_run(record: Record, blank: Record) -> bool:
    usage = record.get("usage") or {}
    same = all(record.get(key) == blank[key] for key in KEPT_BY)
    return same and all(usage.get(term) == blank["usage"].get(term) for term in TERMS)


def _complete(line: bytes) -> Record | None:
    """Read one line of an interrupted run; None if it was cut short."""
    if not line.endswith(b"\n"):
        return None
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return record if isinstance(record, dict) else None
