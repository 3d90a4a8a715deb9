"""tallysql's own rows as CSV (or with tabs or semicolons): one row a step, a header first.

An unquoted empty field is NULL, a quoted one ("") is the empty string.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.columns import REQUIRED, bind
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.tabular import flat
from tallysql.archive.rows import Damage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

DELIMITERS = (",", "\t", ";")
BLOCK_BYTES = 1 << 25
"""Bytes parsed at a time; no single row may be longer."""


def detect(source: SourceFile) -> bool:
    """Whether the first line is a header that names two of the required columns."""
    columns = bind(_header(source)[0])
    return sum(column in columns for column in REQUIRED) > 1


def read(source: SourceFile) -> Records:
    """Yield the trajectories; rows with too few or too many fields are damaged."""
    names, _ = _header(source)
    columns = bind(names)
    for column in REQUIRED:
        if column not in columns and not (column == "trajectory_id" and source.trajectory_id):
            raise source.error("missing column", record="header", field=column)
    return flat(source, _rows(source))


def _header(source: SourceFile) -> tuple[list[str], str]:
    """Return the names of the first line and the delimiter between them."""
    line = source.head.partition(b"\n")[0].decode("utf-8", "replace").strip("\r")
    delimiter = max(DELIMITERS, key=line.count)
    return [name.strip().strip('"') for name in line.split(delimiter)], delimiter


def _rows(source: SourceFile) -> Iterator[tuple[int, dict[str, Any]] | Damage]:
    """Yield each row as text; holds one back to see whether the file ends inside its quotes."""
    import pyarrow as pa

    with source.open() as file:
        counted = _QuoteCounter(file)
        damaged: list[Damage] = []
        try:
            number = 1
            held: tuple[int, dict[str, Any]] | None = None
            for batch in _reader(source, counted, damaged):
                rows = enumerate(batch.to_pylist(), number + 1)
                ready = chain([held] if held else [], rows)
                yield from islice(ready, batch.num_rows - (held is None))
                held = next(ready, None)
                number += batch.num_rows
                yield from damaged
                damaged.clear()
        except pa.ArrowInvalid as error:
            raise source.error(_problem(error)) from None
        yield from damaged
        if held and counted.ends_open and _ends_with_newline(held[1]) == counted.ends_with_newline:
            yield Damage(held[0], "cut inside a quoted field")
        elif held:
            yield held


def _ends_with_newline(row: dict[str, Any]) -> bool:
    """Whether the last field swallowed the newline that ends the file."""
    return (list(row.values())[-1] or "").endswith("\n")


def _problem(error: Exception) -> str:
    if "straddling" in str(error):
        return f"not CSV: a row is longer than {BLOCK_BYTES >> 20} MB, or a quote is never closed"
    return f"not CSV: {error}"


def _reader(source: SourceFile, file: _QuoteCounter, damaged: list[Damage]) -> Any:
    import pyarrow as pa
    from pyarrow import csv

    names, delimiter = _header(source)

    def refuse(row: Any) -> str:
        problem = f"{row.actual_columns} fields instead of {row.expected_columns}"
        damaged.append(Damage(row.number if row.number is not None else "?", problem))
        return "skip"

    return csv.open_csv(
        pa.PythonFile(file, "r"),
        csv.ReadOptions(use_threads=False, block_size=BLOCK_BYTES),
        csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=refuse),
        csv.ConvertOptions(
            column_types={name: pa.string() for name in names},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


class _QuoteCounter:
    """A readable file that counts the quotes that pass: an odd number may mean a cut field."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._quotes = 0
        self.ends_with_newline = False
        self.closed = False

    @property
    def ends_open(self) -> bool:
        return self._quotes % 2 == 1

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._file.read(size)
        self._quotes += data.count(b'"')
        if data:
            self.ends_with_newline = data.endswith(b"\n")
        return data

    def close(self) -> None:
        self.closed = True


FORMAT = Format("csv", "Canonical rows as CSV: one step a row, a header first", detect, read)
