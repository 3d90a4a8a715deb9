"""Rows and logged text on the way out: table, json, jsonl, csv, parquet."""

from __future__ import annotations

import codecs
import csv
import io
import json
import math
import re
import sys
from contextlib import contextmanager, redirect_stdout
from datetime import date
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from duckdb import DuckDBPyRelation

OutputFormat = Literal["table", "json", "jsonl", "csv", "parquet"]

output_format_option = click.option(
    "--output-format",
    type=click.Choice(["table", "json", "jsonl", "csv", "parquet"]),
    help="Default: a table on a terminal, json when piped.",
)

TABLE_ROWS = 10_000
"""Rows that a table shows; the other formats show all of them."""

CELL_LIMIT = 500
"""Characters of a value that a table shows; the other formats show all of it."""

# Escape sequences (CSI, OSC, two-character ones), then control characters and bidirectional
# overrides; tab and newline stay. Logged text must not move the cursor or repaint the terminal.
_CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)
_UNESCAPED = re.compile(r"[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return the text without what would control a terminal."""
    return _CONTROL.sub("", text)


def say(text: str) -> None:
    """Tell the user one line on stderr; what was logged or named cannot break out of it."""
    click.echo(printable(text).replace("\n", "\\n"), err=True)


def json_text(value: Any, indent: int | None = None) -> str:
    """Return JSON with what would control a terminal escaped."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=indent))


def escaped(text: str) -> str:
    """Escape in JSON what would control a terminal and is no ASCII."""
    return _UNESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class _PrintableBytes(io.RawIOBase):
    """UTF-8 on its way to a terminal, without what would control it."""

    def __init__(self, out: IO[bytes]) -> None:
        self._out = out
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raw = bytes(data)
        self._out.write(printable(self._decoder.decode(raw)).encode())
        return len(raw)


@contextmanager
def printable_stdout() -> Iterator[None]:
    """Let what is written to standard output pass as `printable` text, if it is a terminal."""
    if not sys.stdout.isatty():
        yield
        return
    with io.TextIOWrapper(_PrintableBytes(sys.stdout.buffer), "utf-8") as out, redirect_stdout(out):  # type: ignore[type-var]
        yield


def write_rows(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]] | DuckDBPyRelation,
    output_format: OutputFormat | None = None,
    out: IO[str] | None = None,
) -> None:
    """Write rows in one of the output formats.

    Args:
        columns: names, one per value of a row; repeated ones get a number where names must differ.
        rows: tuples, or a DuckDB relation.
        output_format: None means a table on a terminal, else json.
        out: where to, stdout if None; parquet goes to its binary buffer.
    """
    out = out or sys.stdout
    chosen = output_format or ("table" if out.isatty() else "json")
    if chosen == "parquet":
        _write_parquet(columns, rows, out)
        return
    found: Iterable[Sequence[Any]] = rows.fetchall() if hasattr(rows, "fetchall") else rows
    writers = {"table": _write_table, "json": _write_json, "jsonl": _write_jsonl, "csv": _write_csv}
    writers[chosen](columns, found, out)


def _write_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], out: IO[str]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in columns:
        table.add_column(printable(name), overflow="fold")
    given = iter(rows)
    for row in islice(given, TABLE_ROWS):
        table.add_row(*(_cell(value) for value in row))
    if next(given, None) is not None:
        say(f"the first {TABLE_ROWS} rows; --output-format json shows all")
    console = Console(file=out, soft_wrap=False)
    with (
        console.capture() as captured
    ):  # a console of its own would answer a closed pipe by exiting
        console.print(table)
    out.write(captured.get())


def _cell(value: Any) -> Any:
    from rich.text import Text

    if value is None:
        return Text("NULL", style="dim")
    text = printable(_text(value))
    cut = len(text) - CELL_LIMIT
    shown = text if cut <= 0 else f"{text[:CELL_LIMIT]}… ({cut} more characters)"
    return Text(shown, justify="right" if isinstance(value, (int, float)) else "left")


def _write_json(columns: Sequence[str], rows: Iterable[Sequence[Any]], out: IO[str]) -> None:
    names = _distinct(columns)
    out.write("[")
    for number, row in enumerate(rows):
        out.write((",\n " if number else "") + _json(dict(zip(names, row, strict=True))))
    out.write("]\n")


def _write_jsonl(columns: Sequence[str], rows: Iterable[Sequence[Any]], out: IO[str]) -> None:
    names = _distinct(columns)
    for row in rows:
        out.write(_json(dict(zip(names, row, strict=True))) + "\n")


def _write_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]], out: IO[str]) -> None:
    clean = printable if out.isatty() else str
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(["" if value is None else clean(_text(value)) for value in row])


def _write_parquet(
    columns: Sequence[str], rows: Iterable[Sequence[Any]] | DuckDBPyRelation, out: IO[str]
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if out.isatty():
        raise click.UsageError("parquet is binary: redirect the output to a file")
    names = _distinct(columns)
    if hasattr(rows, "to_arrow_table"):
        table = rows.to_arrow_table().rename_columns(names)
    else:
        table = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    out.buffer.write(sink.getvalue().to_pybytes())  # type: ignore[attr-defined]


def _distinct(columns: Sequence[str]) -> list[str]:
    """Number repeated names: a, a_1, a_2."""
    names: list[str] = []
    for column in columns:
        name, number = column, 0
        while name in names:
            number += 1
            name = f"{column}_{number}"
        names.append(name)
    return names


def _text(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else str(value)
    return value if isinstance(value, str) else _json(_plain(value)).strip('"')


def _json(value: Any) -> str:
    return json_text(_plain(value))


def _plain(value: Any) -> Any:
    """Return the value as JSON has it: no NaN, no keys but strings, the rest as text."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (str, int)):
        return value
    return _plain_scalar(value)


def _plain_scalar(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat() if isinstance(value, date) else str(value)
