"""The only module that talks to duckdb: opens databases, applies the schema, runs SQL."""

from __future__ import annotations

import re
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import duckdb

from tallysql import sqlfiles
from tallysql.errors import LockedError, StoreError
from tallysql.limits import memory_limit, temp_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

SCHEMA_VERSION = 1
"""Version of schema/ that this release writes; older ones migrate, newer ones are refused."""

STATEMENTS_KEPT = 1024
"""Parsed statements that a store keeps; there is one for each shape of a sub-query."""

_KEPT_OPTIMIZERS = frozenset({"filter_pushdown", "unused_columns"})
"""What pays even for a hundred rows: reading only the rows and columns of one trajectory."""

Row = tuple[Any, ...]


class Store:
    """An open database: one DuckDB connection with tallysql's schema.

    Use `open_store`; a Store is a context manager that closes on exit.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        path: str,
        *,
        read_only: bool,
        made_file: bool = False,
    ):
        self._connection = connection
        self.path = path
        self.read_only = read_only
        self._made_file = made_file
        self._statements: dict[str, duckdb.Statement] = {}
        self._plans_lightly = False
        self._locked = False
        # Rows of trajectories that have been asked about: only speed rests on it, so that it may
        # lag behind a load.
        self.sizes: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        self._connection.close()

    def discard(self) -> None:
        """Close the connection; a database file that this store made goes with it."""
        if self._made_file:
            # While the lock is held, so that no other process opens what is about to go.
            with suppress(OSError):
                Path(self.path).unlink()
        self.close()

    def rows(self, sql: str, params: Mapping[str, Any] | None = None) -> list[Row]:
        """Run one statement and return all rows.

        Raises:
            StoreError: DuckDB refused or failed; the message is DuckDB's first line.
        """
        with translated():
            return self._full().execute(sql, params or None).fetchall()

    def quick_rows(self, sql: str, params: Mapping[str, Any]) -> list[Row]:
        """Run a statement over few rows and return all of its own.

        Planning costs more than running such a statement. So it is parsed once, and planned
        without the optimizers that only pay for large inputs.

        Raises:
            StoreError: as `rows`.
        """
        with translated():
            return self._light().execute(self._parsed(sql), dict(params)).fetchall()

    def _parsed(self, sql: str) -> duckdb.Statement:
        if sql not in self._statements:
            if len(self._statements) >= STATEMENTS_KEPT:
                self._statements.clear()
            (self._statements[sql],) = duckdb.extract_statements(sql)
        return self._statements[sql]

    def _full(self) -> duckdb.DuckDBPyConnection:
        """Return the connection with all optimizers on.

        DuckDB keeps `disabled_optimizers` for the whole instance, so it is switched back before
        anything else runs, and only where it changes: a row of quick statements pays for it once.
        """
        if self._plans_lightly:
            self._plans_lightly = False
            self._connection.execute("RESET disabled_optimizers")
        return self._connection

    def _light(self) -> duckdb.DuckDBPyConnection:
        if not self._plans_lightly and not self._locked:
            self._plans_lightly = True
            listed = self._connection.execute("SELECT name FROM duckdb_optimizers()").fetchall()
            disabled = ",".join(name for (name,) in listed if name not in _KEPT_OPTIMIZERS)
            self._connection.execute("SET disabled_optimizers = $disabled", {"disabled": disabled})
        return self._connection

    def row(self, sql: str, params: Mapping[str, Any] | None = None) -> Row | None:
        """Run one statement and return its first row, None if it has none."""
        found = self.rows(sql, params)
        return found[0] if found else None

    def run(self, sql: str, params: Mapping[str, Any] | None = None) -> None:
        """Run statements for their effect."""
        with translated():
            self._full().execute(sql, params or None)

    def relation(
        self, sql: str, params: Mapping[str, Any] | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Return the statement's result as a lazy DuckDB relation."""
        with translated():
            return self._full().sql(sql, params=params or None)

    def arrow(self, sql: str, params: Mapping[str, Any] | None = None) -> pa.Table:
        """Run one statement and return its result as an Arrow table."""
        with translated():
            return self._full().sql(sql, params=params or None).to_arrow_table()

    @contextmanager
    def view_of(self, name: str, data: pa.Table | pa.RecordBatchReader) -> Iterator[None]:
        """Make Arrow data readable as the relation `name` for the length of a with block."""
        self._connection.register(name, data)
        try:
            yield
        finally:
            self._connection.unregister(name)

    def fill_vocabulary(self) -> None:
        """Put the rows of schema/vocabulary/*.csv into the tables of schema `vocabulary`."""
        with translated():
            for table, rows in sqlfiles.vocabulary():
                filled = self._connection.values(*rows)  # type: ignore[arg-type]
                filled.insert_into(f"vocabulary.{table}")

    def lock_down(self) -> None:
        """Make the connection safe for statements of unknown origin, for as long as it lives.

        No files, network, extensions, Python variables or attached databases, and no setting
        that would bring them back. Nothing spills to disk either, so a result must fit in memory.
        """
        for setting in (
            "SET python_enable_replacements = false",
            "SET temp_directory = ''",
            "SET enable_external_access = false",
            "SET lock_configuration = true",
        ):
            self.run(setting)
        self._locked = True

    def read(self, sql: str, params: Mapping[str, Any] | None = None) -> duckdb.DuckDBPyRelation:
        """Return the result of one statement that only reads, such as a user typed it.

        Fetch from the relation inside `translated`, so that its errors are a StoreError, too.

        Raises:
            StoreError: not exactly one statement, or another kind than SELECT, FROM, VALUES,
                DESCRIBE, SHOW, SUMMARIZE, or EXPLAIN of one of these.
        """
        with translated():
            self._require_reading(sql)
        return self.relation(sql, params)

    def _require_reading(self, sql: str) -> None:
        statements = duckdb.extract_statements(sql)
        if len(statements) != 1:
            raise StoreError(f"expected one statement, got {len(statements)}")
        kind = _kind(statements[0])
        explain = _EXPLAIN.match(sql) if kind == duckdb.StatementType.EXPLAIN else None
        if explain:  # EXPLAIN ANALYZE runs what it explains
            self._require_reading(sql[explain.end() :])
        elif kind == duckdb.StatementType.MULTI:
            raise StoreError(
                "only statements that read are allowed",
                "a PIVOT must name its columns: ON column IN (...)",
            )
        elif kind != duckdb.StatementType.SELECT or self._writes_inside(sql):
            raise StoreError("only statements that read are allowed", "begin with SELECT or FROM")

    def _writes_inside(self, select: str) -> bool:
        """Whether a common table expression of a SELECT changes something."""
        (tree,) = self.row("SELECT json_serialize_sql($statement)", {"statement": select}) or ("",)
        return _WRITING_NODE.search(tree) is not None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what the block did, or nothing of it if it raises."""
        self.run("BEGIN TRANSACTION")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self.run("COMMIT")


def open_store(path: str | Path = ":memory:", *, read_only: bool = False) -> Store:
    """Open a database, making it and its schema if it is new.

    Args:
        path: a DuckDB file, or ":memory:".
        read_only: several processes may read one database at once; a writer excludes all others.

    How much memory statements may take and where they spill to is set by the environment
    (`tallysql.limits`).

    Raises:
        LockedError: another process holds it.
        StoreError: damaged, not tallysql's, or of another version.
        InputError: the memory limit is no size.
    """
    name = str(path)
    is_new = name != ":memory:" and not Path(name).exists()
    try:
        connection = duckdb.connect(name, read_only=read_only)
    except duckdb.Error as error:
        raise _cannot_open(name, error) from None
    store = Store(connection, name, read_only=read_only, made_file=is_new)
    try:
        _limit(store)
        _prepare(store)
    except BaseException:
        store.close()
        raise
    return store


def _limit(store: Store) -> None:
    """Bound what statements may take of the machine."""
    ((own,),) = store.rows("SELECT current_setting('memory_limit')")
    ((size,),) = store.rows("SELECT parse_formatted_bytes($own)", {"own": own})
    store.run("SET memory_limit = $limit", {"limit": memory_limit(own, size)})
    if (folder := temp_folder(store.path)) is not None:
        store.run("SET temp_directory = $folder", {"folder": folder})


def _prepare(store: Store) -> None:
    """Apply the schema to a new database; check the version of an old one."""
    tables = {name for (name,) in store.rows("SELECT table_name FROM duckdb_tables()")}
    if "schema_version" in tables:
        (version,) = store.row("SELECT max(version) FROM schema_version") or (None,)
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"{store.path}: schema version {version}, this release knows {SCHEMA_VERSION}",
                "use the release that wrote it, or load the sources again",
            )
        return
    if tables or store.read_only:
        raise StoreError(f"{store.path}: a DuckDB database, but not one of tallysql's")
    with store.transaction():
        for _, text in sqlfiles.schema_texts():
            store.run(text)
        store.fill_vocabulary()


_GAP = r"(?:\s|--[^\n]*(?:\n|\Z)|/\*.*?\*/)*"
_OPTIONS = r"\((?!\s*(?:SELECT|FROM|WITH|VALUES|\())[^)]*\)"
_EXPLAIN = re.compile(rf"\A{_GAP}EXPLAIN\b{_GAP}(?:ANALYZE\b{_GAP})?(?:{_OPTIONS})?", re.I | re.S)
# What `json_serialize_sql` calls INSERT, UPDATE, DELETE, MERGE and COPY as common table
# expressions; inside a text of the statement the quotes would be escaped.
_WRITING_NODE = re.compile(r'"type":"[A-Z]+_QUERY_NODE"')


def _kind(statement: duckdb.Statement) -> duckdb.StatementType | None:
    try:
        return statement.type
    except ValueError:  # a kind that the Python package has no name for
        return None


@contextmanager
def translated() -> Iterator[None]:
    """Raise what DuckDB raises as a StoreError, and an interrupt of the user's as one.

    Raises:
        StoreError: DuckDB refused or failed; the message is its first line.
        KeyboardInterrupt: the user stopped a running statement.
    """
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        raise _told(error) from error
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from None


def _told(error: duckdb.Error) -> StoreError:
    if "disabled by configuration" not in str(error):
        return StoreError(_first_line(error))
    named = _OUT_OF_REACH.search(str(error))
    what = named[1] or f"extension {named[2]}" if named else "the file system"
    return StoreError(f"not allowed: {what}", "SQL reaches only what is in the database")


_OUT_OF_REACH = re.compile(r"""Cannot access (file "[^"]*")|required extension '(\w+)""")


def _cannot_open(path: str, error: duckdb.Error) -> StoreError:
    text = str(error)
    if held := _HELD.search(text):
        holder = f" (process {held['pid']})" if held["pid"] else ""
        return LockedError(
            f"{path}: another process holds it{holder}", "wait for it to end, or use --wait"
        )
    if "does not exist" in text:
        return StoreError(f"{path}: no such database", "make one with: tallysql load SOURCE")
    return StoreError(f"{path}: cannot be opened as a database ({_first_line(error)})")


_HELD = re.compile(
    r"Could not set lock on file(?:.*\(PID (?P<pid>\d+)\))?"
    r"|being used by another process",  # Windows
    re.S,
)


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]
