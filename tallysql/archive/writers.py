"""Writes Arrow batches as Parquet, JSONL or CSV."""

from __future__ import annotations

import io
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Any, Protocol, Self
from urllib.parse import quote

import orjson

from tallysql.archive.formats.json_text import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

FORMATS = ("parquet", "jsonl", "csv")
JSON_COLUMNS = {"args_json", "metadata"}
"""Columns of JSON text, written into JSONL as the values that they spell."""

ROW_GROUP_ROWS = 8192
OPEN_PARTITIONS = 64
HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"


class Writer(Protocol):
    """Takes batches of one schema."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Write the rows of a batch."""


@contextmanager
def opened_writer(file: IO[bytes], kind: str, schema: pa.Schema, name: str) -> Iterator[Writer]:
    """Write to a binary file; the name's suffix .gz or .zst compresses JSONL and CSV."""
    if kind == "parquet":
        with ParquetRows(file, schema) as parquet:
            yield parquet
        return
    with ExitStack() as stack:
        stream = stack.enter_context(_compressed(file, name))
        if kind == "jsonl":
            yield _JsonLines(stream)
        else:
            yield stack.enter_context(_CsvRows(stream, schema))


@contextmanager
def _compressed(file: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    import pyarrow as pa

    codec = {"gz": "gzip", "zst": "zstd"}.get(name.rpartition(".")[2].lower())
    if codec is None:
        yield file
        return
    with pa.CompressedOutputStream(pa.PythonFile(file, "w"), codec) as stream:
        buffered = io.BufferedWriter(stream, 1 << 20)
        yield buffered
        buffered.flush()
        buffered.detach()


class ParquetRows:
    """Parquet with zstd and row groups of ROW_GROUP_ROWS, however small the batches are."""

    def __init__(self, file: IO[bytes] | Path, schema: pa.Schema) -> None:
        import pyarrow.parquet as pq

        self._schema = schema
        self._writer = pq.ParquetWriter(file, schema, compression="zstd")
        self._held: list[pa.RecordBatch] = []
        self._rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failure: object, *_: object) -> None:
        if failure is None:
            self._flush()
        self._writer.close()

    def write(self, batch: pa.RecordBatch) -> None:
        """Hold a batch until a row group is full."""
        self._held.append(batch)
        self._rows += batch.num_rows
        if self._rows >= ROW_GROUP_ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._held:
            table = pa.Table.from_batches(self._held, self._schema)
            self._writer.write_table(table, row_group_size=max(table.num_rows, 1))
        self._held, self._rows = [], 0


class PartitionedWriter:
    """A directory of `name=value` folders; a folder's files hold its rows in order.

    At most OPEN_PARTITIONS files are open; a folder whose file was closed gets a further one.
    """

    def __init__(self, root: Path, schema: pa.Schema, columns: Sequence[str]) -> None:
        self._root = root
        self._columns = list(columns)
        self._schema = schema
        for column in columns:
            self._schema = self._schema.remove(self._schema.get_field_index(column))
        self._open: dict[tuple[Any, ...], ParquetRows] = {}
        self._files: dict[tuple[Any, ...], int] = {}

    def __enter__(self) -> Self:
        self._root.mkdir(parents=True)
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        for key in list(self._open):
            self._close(key, failure)

    def write(self, batch: pa.RecordBatch) -> None:
        """Write each run of rows with equal partition values to its folder."""
        keys = list(zip(*(batch.column(c).to_pylist() for c in self._columns), strict=True))
        rest = batch.select(self._schema.names)
        start = 0
        for end in range(1, len(keys) + 1):
            if end == len(keys) or keys[end] != keys[start]:
                self._writer(keys[start]).write(rest.slice(start, end - start))
                start = end

    def _writer(self, key: tuple[Any, ...]) -> ParquetRows:
        if key not in self._open:
            if len(self._open) >= OPEN_PARTITIONS:
                self._close(next(iter(self._open)), None)
            self._open[key] = ParquetRows(self._next_file(key), self._schema)
        return self._open[key]

    def _next_file(self, key: tuple[Any, ...]) -> Path:
        number = self._files[key] = self._files.get(key, -1) + 1
        pairs = zip(self._columns, key, strict=True)
        folder = self._root.joinpath(*(f"{name}={_folder_value(v)}" for name, v in pairs))
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"part-{number:05}.parquet"

    def _close(self, key: tuple[Any, ...], failure: type[BaseException] | None) -> None:
        self._open.pop(key).__exit__(failure)


class PlainWriter:
    """A directory of one file."""

    def __init__(self, root: Path, schema: pa.Schema) -> None:
        self._root = root
        self._schema = schema

    def __enter__(self) -> Self:
        self._root.mkdir(parents=True)
        self._file = ParquetRows(self._root / "part-00000.parquet", self._schema)
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        self._file.__exit__(failure)

    def write(self, batch: pa.RecordBatch) -> None:
        """Add the rows of a batch."""
        self._file.write(batch)


def _folder_value(value: Any) -> str:
    return HIVE_NULL if value is None else quote(str(value), safe=" ")


class _JsonLines:
    """One JSON object a row; JSON columns are embedded, not quoted."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, batch: pa.RecordBatch) -> None:
        # JSON text is made row by row: no Arrow kernel writes it.
        embedded = [name for name in batch.schema.names if name in JSON_COLUMNS]
        for row in batch.to_pylist():
            for name in embedded:
                row[name] = _value(row[name])
            self._file.write(json_text(row).encode() + b"\n")


def _value(text: str | None) -> Any:
    if text is None:
        return None
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:  # what DuckDB takes for JSON and others do not, such as NaN
        return text


class _CsvRows:
    """CSV in which NULL is an unquoted empty field and every text is quoted."""

    def __init__(self, file: IO[bytes], schema: pa.Schema) -> None:
        import pyarrow as pa
        from pyarrow import csv

        self._nested = [field.name for field in schema if pa.types.is_nested(field.type)]
        for name in self._nested:
            schema = schema.set(schema.get_field_index(name), pa.field(name, pa.string()))
        self._schema = schema
        self._writer = csv.CSVWriter(pa.PythonFile(file, "w"), schema)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a batch; lists and structs become JSON text."""
        import pyarrow as pa

        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        for name in self._nested:
            values = columns[name].to_pylist()
            columns[name] = pa.array([None if v is None else json_text(v) for v in values])
        arrays = [columns[field.name].cast(field.type) for field in self._schema]
        self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=self._schema))
