"""Tables out of the archive: Parquet, JSONL and CSV, written whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tallysql.archive.folder import write_folder
from tallysql.archive.load import load
from tallysql.archive.target import check_target
from tallysql.archive.writers import FORMATS, PartitionedWriter, opened_writer
from tallysql.errors import InputError, UnknownName
from tallysql.sqlfiles import query
from tallysql.store import open_store, translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tallysql.archive.load import LoadReport, Progress
    from tallysql.store import Store

TABLES = ("steps", "trajectories", "ledger", "file_events")
EVERYTHING = "all"
"""Names all tables, written into one folder that can be used as it lies."""
BATCH_ROWS = 8192

PARTITION_COLUMNS = ("trajectory_id", "domain", "task", "source", "format")
"""Columns with one value a trajectory: only they keep a trajectory's rows together and in order."""


def export(
    store: Store,
    table: str,
    target: str,
    *,
    format: str | None = None,
    partition_by: Sequence[str] = (),
    nested: bool = False,
) -> int:
    """Write a table to a file or, partitioned, to a directory; return the number of rows.

    Args:
        store: the database.
        table: steps, trajectories, ledger or file_events. Steps come in the flat canonical form,
            with task, domain and metadata, so that loading the file restores the archive. `all`:
            every table, in a folder that takes a database's place (`--ledger`).
        target: a path, or `-` for standard output; `.gz` and `.zst` compress JSONL and CSV.
        format: parquet, jsonl or csv; by default the target's suffix tells.
        partition_by: columns whose values become `name=value` folders (Parquet only).
        nested: steps as one row a trajectory with a list of steps.

    Raises:
        InputError: a target that cannot be written, or options that do not fit together.
        UnknownName: no such table or format.
    """
    if table == EVERYTHING:
        return _export_everything(store, target, format, partition_by, nested=nested)
    if table not in TABLES:
        raise UnknownName("table", table, [*TABLES, EVERYTHING])
    kind = _kind_of(target, format)
    _check(table, target, kind, partition_by, nested=nested)
    if not partition_by:
        check_target(target, [store.path])
    statement = "archive/export_steps_nested" if nested else f"archive/export_{table}"
    # A row of the nested form is a whole trajectory.
    batch_rows = 64 if nested else BATCH_ROWS
    reader = store.relation(query(statement).text).to_arrow_reader(batch_rows)
    missing = [column for column in partition_by if column not in reader.schema.names]
    if missing:
        raise UnknownName("column", missing[0], reader.schema.names)
    try:
        with translated():
            if partition_by:
                return _write_directory(reader, Path(target), partition_by)
            return _write_file(reader, target, kind)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{target}: {error.strerror or error}") from error


def _export_everything(
    store: Store, target: str, format: str | None, partition_by: Sequence[str], *, nested: bool
) -> int:
    if nested or format not in (None, "parquet") or target == "-":
        raise InputError(f"{target}: all tables go into a directory of flat Parquet")
    for column in partition_by:
        if column not in PARTITION_COLUMNS:
            raise UnknownName("partition column", column, PARTITION_COLUMNS)
    return write_folder(store, target, partition_by)


def convert(
    source: str,
    target: str,
    *,
    format: str = "auto",
    trajectory_id: str | None = None,
    strict: bool = False,
    redact: bool = False,
    progress: Progress | None = None,
) -> LoadReport:
    """Turn a source of any known format into flat canonical rows, without a database file.

    Args:
        source: a file, a directory, or `-`.
        target: a path; its suffix tells the format, Parquet if it has none. `-`: JSONL on stdout.
        format: the source's format, or "auto".
        trajectory_id: the id to use, for a source of one trajectory.
        strict: refuse a file with a damaged record.
        redact: home directories, e-mail addresses and secrets are replaced.
        progress: called with (file, bytes read, bytes in all).

    Raises:
        InputError: the source cannot be used or the target not be written.
    """
    _kind_of(target, None)
    check_target(target, [source])
    with open_store() as store:
        report = load(
            store,
            [source],
            format=format,
            trajectory_id=trajectory_id,
            strict=strict,
            redact=redact,
            progress=progress,
        )
        export(store, "steps", target)
    return report


def _kind_of(target: str, format: str | None) -> str:
    """Return the format to write, the named one or the suffix's."""
    kind = format or _format_of(target)
    if kind not in FORMATS:
        raise UnknownName("format", kind, FORMATS)
    if kind == "parquet" and target.lower().endswith((".gz", ".zst")):
        raise InputError(
            f"{target}: Parquet is compressed inside, its files take no suffix .gz or .zst",
            "leave the suffix away, or write .jsonl.gz",
        )
    return kind


def _format_of(target: str) -> str:
    """Tell the format by the suffix before .gz or .zst; standard output gets JSONL."""
    if target == "-":
        return "jsonl"
    suffixes = [suffix.lower() for suffix in Path(target).suffixes]
    if suffixes and suffixes[-1] in {".gz", ".zst"}:
        suffixes.pop()
    if not suffixes:
        return "parquet"
    name = {".ndjson": "jsonl"}.get(suffixes[-1], suffixes[-1].removeprefix("."))
    if name not in FORMATS:
        raise InputError(
            f"{target}: the suffix names no format", f"use one of .{', .'.join(FORMATS)}"
        )
    return name


def _check(
    table: str, target: str, kind: str, partition_by: Sequence[str], *, nested: bool
) -> None:
    if nested and table not in {"steps", "trajectories"}:
        raise InputError(f"{target}: only steps have a nested form, not {table}")
    if nested and kind == "csv":
        raise InputError(f"{target}: CSV cannot hold the nested form", "use .parquet or .jsonl")
    if not partition_by:
        return
    if kind != "parquet" or target == "-":
        raise InputError(f"{target}: only Parquet directories can be partitioned")
    for column in partition_by:
        if column not in PARTITION_COLUMNS:
            raise UnknownName("partition column", column, PARTITION_COLUMNS)


def _write_file(reader: Any, target: str, kind: str) -> int:
    rows = 0
    with _replacing(target) as file, opened_writer(file, kind, reader.schema, target) as writer:
        for batch in reader:
            writer.write(batch)
            rows += batch.num_rows
    return rows


def _write_directory(reader: Any, target: Path, partition_by: Sequence[str]) -> int:
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError(f"{target}: exists and is not an empty directory")
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    rows = 0
    try:
        with PartitionedWriter(partial, reader.schema, partition_by) as writer:
            for batch in reader:
                writer.write(batch)
                rows += batch.num_rows
        if target.exists():
            target.rmdir()
        partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return rows


@contextmanager
def _replacing(target: str) -> Iterator[IO[bytes]]:
    """Open a temporary sibling that takes the target's place once all is written."""
    if target == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(target)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            yield file
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
