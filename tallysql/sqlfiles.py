"""Finds and reads the SQL files in schema/ and queries/.

Each file in queries/ starts with comment lines `-- key: value`: `purpose`, `params` and `columns`
(comma-separated `name TYPE`), which tests hold against DuckDB.
"""

from __future__ import annotations

import csv
import hashlib
import io
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from tallysql.errors import UnknownName

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


RULES = ("ledger", "commits", "annotation")
"""Folders of queries/ that make the ledger."""


@dataclass(frozen=True, slots=True)
class SqlFile:
    """One named statement.

    Attributes:
        name: path below queries/ without the suffix, such as `inspect/tools`.
        text: the whole file.
        purpose: what it is for, one line.
        params: name → SQL type, of the named parameters it takes.
        columns: name → SQL type, of the columns it returns.
    """

    name: str
    text: str
    purpose: str
    params: dict[str, str]
    columns: dict[str, str]


def sql_folder(name: str) -> Traversable:
    """Return schema/ or queries/: inside an installed wheel, else beside the package."""
    inside = resources.files("tallysql") / name
    return inside if inside.is_dir() else Path(__file__).resolve().parent.parent / name


@cache
def schema_texts() -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of the DDL files in the order in which they apply."""
    files = [f for f in sql_folder("schema").iterdir() if f.name.endswith(".sql")]
    return tuple((f.name, f.read_text("utf-8")) for f in sorted(files, key=lambda f: f.name))


@cache
def migrations() -> tuple[tuple[int, str], ...]:
    """Return (version, text) of schema/migrations/NNN_*.sql: what leads to that version."""
    files = [
        f for f in sql_folder("schema").joinpath("migrations").iterdir() if f.name[0].isdigit()
    ]
    return tuple(sorted((int(f.name.partition("_")[0]), f.read_text("utf-8")) for f in files))


@cache
def derived_dropped() -> str:
    """Return the statements that drop what follows from archive and annotations."""
    return sql_folder("schema").joinpath("migrations", "derived.sql").read_text("utf-8")


@cache
def rules_fingerprint() -> str:
    """Return the SHA-256 of all that the ledger of given steps depends on."""
    rules = [query(name).text for folder in RULES for name in query_names(folder)]
    return hashlib.sha256(repr((schema_texts(), vocabulary(), rules)).encode()).hexdigest()


@cache
def vocabulary() -> tuple[tuple[str, tuple[tuple[str | None, ...], ...]], ...]:
    """Return (table, rows) of each file in schema/vocabulary/; empty values are None."""
    files = [f for f in sql_folder("schema").joinpath("vocabulary").iterdir() if f.is_file()]
    return tuple(
        (file.name.removesuffix(".csv"), _csv_rows(file.read_text("utf-8")))
        for file in sorted(files, key=lambda file: file.name)
        if file.name.endswith(".csv")
    )


def _csv_rows(text: str) -> tuple[tuple[str | None, ...], ...]:
    _, *rows = csv.reader(io.StringIO(text, newline=""))
    return tuple(tuple(value or None for value in row) for row in rows)


@cache
def query(name: str) -> SqlFile:
    """Return the statement `name`, such as `operations/count`.

    Raises:
        UnknownName: there is no such file.
    """
    file = sql_folder("queries").joinpath(*f"{name}.sql".split("/"))
    if not file.is_file():
        folder = name.rpartition("/")[0]
        raise UnknownName("query", name, query_names(folder))
    text = file.read_text("utf-8")
    header = _header(text)
    return SqlFile(
        name,
        text,
        header.get("purpose", ""),
        _declared(header.get("params", "")),
        _declared(header.get("columns", "")),
    )


@cache
def query_names(folder: str) -> tuple[str, ...]:
    """Return the names of the statements in one folder of queries/, sorted."""
    place = sql_folder("queries").joinpath(folder)
    if not place.is_dir():
        return ()
    stems = (f.name.removesuffix(".sql") for f in place.iterdir() if f.name.endswith(".sql"))
    return tuple(sorted(f"{folder}/{stem}" for stem in stems))


def _header(text: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        key, colon, value = line.removeprefix("--").partition(":")
        if colon:
            fields[key.strip()] = value.strip()
    return fields


def _declared(text: str) -> dict[str, str]:
    """Read `name TYPE, name TYPE`; commas inside parentheses belong to the type."""
    parts, depth, current = [], 0, ""
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += char
    pairs = (part.strip().partition(" ") for part in [*parts, current] if part.strip())
    return {name: sql_type.strip() for name, _, sql_type in pairs}
