"""The run folder: what lies where, and when a step is done.

config.json  versions.json      what was run, with what
questions.jsonl                 questions, references and facts about them
memory.duckdb                   the trajectories
answers/NAME.jsonl              answer records of a system
prompts/NAME.parquet            question_id, hash, tokens, text of what a reader is asked
costs/NAME.json                 calls, tokens and CPU seconds of a system
tables/NAME.json                further tables: title, columns, rows, note
scores.json  scores.parquet     a row for each system, metric and group
details.parquet                 a row for each system, question and metric
attribution.json  labels.jsonl  causes of errors, and labels given by hand
report.html  labels.html        what people look at
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from tallysql.answering.questions import question_records
from tallysql.errors import InputError
from tallysql.scoring.references import references_from
from tallysql.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tallysql.scoring.references import Reference

Row = dict[str, Any]
PACKAGES = ("duckdb", "sqlglot", "pyarrow", "scipy", "numpy", "bm25s", "quicktok-v1", "openai")
PROMPT_SCHEMA = pa.schema(
    {
        "question_id": pa.string(),
        "hash": pa.string(),
        "tokens": pa.int64(),
        "text": pa.string(),
    }
)


class RunFolder:
    """One run's folder.

    Args:
        path: made if it does not exist.
        config: what is run: benchmark, data, options. None opens a folder that exists.

    Raises:
        InputError: the folder holds a run of something else, or no run.
    """

    def __init__(self, path: str | Path, config: Row | None = None) -> None:
        self.path = Path(path)
        place = self.path / "config.json"
        if config is None and not place.exists():
            raise InputError(f"{self.path}: no run folder", "it has no config.json")
        if config is not None:
            self._begin(place, json.loads(json.dumps(config)))
        self.config: Row = json.loads(place.read_text("utf-8"))

    def _begin(self, place: Path, config: Row) -> None:
        if place.exists():
            held = json.loads(place.read_text("utf-8"))
            other = sorted(k for k in held.keys() | config.keys() if held.get(k) != config.get(k))
            if other:
                message = f"{self.path}: holds a run with another {', '.join(other)}"
                raise InputError(message, "name another folder, or remove this one")
            return
        self.path.mkdir(parents=True, exist_ok=True)
        self.write("versions.json", versions())
        self.write("config.json", config)

    @property
    def database(self) -> Path:
        """The trajectories, loaded."""
        return self.path / "memory.duckdb"

    @property
    def questions(self) -> Path:
        """The questions with references, one JSON line each."""
        return self.path / "questions.jsonl"

    def answers(self, name: str) -> Path:
        """Return where a system's answer records go; the file is there once they are complete."""
        return self._in("answers", f"{name}.jsonl")

    def prompts(self, name: str) -> Path:
        """Return where a system's prompts go."""
        return self._in("prompts", f"{name}.parquet")

    def systems(self) -> list[str]:
        """Return the names of the systems whose answers are complete, in alphabetic order."""
        return sorted(place.stem for place in (self.path / "answers").glob("*.jsonl"))

    def records(self, name: str) -> list[Row]:
        """Return a system's answer records."""
        return read_lines(self.answers(name))

    def references(self) -> list[Reference]:
        """Return the questions with their references."""
        return references_from(question_records(self.questions), str(self.questions))

    def write(self, name: str, content: Any) -> None:
        """Write JSON, whole or not at all."""
        place = self._in(*name.split("/"))
        write_whole(place, json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    def read(self, name: str) -> Any:
        """Return what `write` wrote, None if nothing is there."""
        place = self.path / name
        return json.loads(place.read_text("utf-8")) if place.exists() else None

    def has(self, name: str) -> bool:
        """Return whether a step's file is there."""
        return (self.path / name).exists()

    def write_table(
        self, name: str, title: str, columns: Sequence[str], rows: Iterable[Any], note: str = ""
    ) -> None:
        """Write a table that the report shows as it is."""
        content = {"title": title, "columns": list(columns), "rows": list(rows), "note": note}
        self.write(f"tables/{name}.json", content)

    def tables(self) -> list[Row]:
        """Return all tables, by name."""
        places = sorted((self.path / "tables").glob("*.json"))
        return [json.loads(place.read_text("utf-8")) for place in places]

    def write_prompts(self, name: str, prompts: Iterable[tuple[str, int, str]]) -> None:
        """Write a system's prompts (question id, tokens, text) with their hashes, as they come."""
        place = self.prompts(name)
        partial = place.with_suffix(".partial")
        with pq.ParquetWriter(partial, PROMPT_SCHEMA, compression="zstd") as writer:
            for question_id, tokens, text in prompts:
                row = {"question_id": question_id, "hash": text_hash(text)}
                rows = [row | {"tokens": tokens, "text": text}]
                writer.write_table(pa.Table.from_pylist(rows, PROMPT_SCHEMA))
        partial.replace(place)

    def read_prompts(self, name: str) -> dict[str, Row]:
        """Return question id → prompt; empty if the system has none."""
        place = self.prompts(name)
        rows = pq.read_table(place).to_pylist() if place.exists() else []
        return {row["question_id"]: row for row in rows}

    @contextmanager
    def timed(self, name: str) -> Iterator[Row]:
        """Measure a system's CPU time around its answers; what is put into the row is kept."""
        row: Row = {}
        started = time.process_time()
        yield row
        row["cpu_seconds"] = time.process_time() - started
        self.write(f"costs/{name}.json", row)

    def _in(self, *parts: str) -> Path:
        place = self.path.joinpath(*parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        return place


def read_lines(place: Path) -> list[Row]:
    """Return the objects of a JSON-lines file."""
    return [json.loads(line) for line in place.read_text("utf-8").split("\n") if line]


def write_whole(place: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    partial = place.with_name(f"{place.name}.partial")
    partial.write_text(text, "utf-8")
    partial.replace(place)


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text; lone surrogates count as they stand."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def data_named(path: str | Path) -> Row:
    """Return name, size and SHA-256 of a file of data.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with Path(path).open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return {"name": Path(path).name, "bytes": Path(path).stat().st_size, "sha256": digest}
    except OSError as error:
        raise InputError.at(str(path), error.strerror or "cannot be read") from error


def versions() -> Row:
    """Return what runs here: releases, machine, and the time."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return {
        "tallysql": VERSION,
        "python": platform.python_version(),
        **found,
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "begun": datetime.now(UTC).isoformat(timespec="seconds"),
    }
