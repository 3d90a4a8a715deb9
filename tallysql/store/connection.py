"""An open database: one DuckDB connection, and everything that is asked of it."""

from __future__ import annotations

import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import duckdb

from tallysql import sqlfiles
from tallysql.errors import StoreError
from tallysql.store.failures import translated
from tallysql.store.gate import require_reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

STATEMENT_MEMORY = "2GB"
"""What a statement of unknown origin may use."""

BATCH_ROWS = 1000

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
        self._kept_inside = False
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

    def apply_schema(self) -> None:
        """Make what schema/ defines and the database lacks; the caller holds the transaction."""
        for _, text in sqlfiles.schema_texts():
            self.run(text)
        self.fill_vocabulary()

    def fill_vocabulary(self) -> None:
        """Put the rows of schema/vocabulary/*.csv into the tables of schema `vocabulary`."""
        with translated():
            for table, rows in sqlfiles.vocabulary():
                filled = self._connection.values(*rows)  # type: ignore[arg-type]
                filled.insert_into(f"vocabulary.{table}")

    def lock_down(self) -> None:
        """Make the connection safe for statements of unknown origin, for as long as it lives.

        No files, network, extensions, Python variables or attached databases, and no setting
        that would bring them back. Nothing spills to disk either: what a statement needs has to
        fit into STATEMENT_MEMORY.
        """
        self.keep_inside()
        self.run(f"SET memory_limit = '{STATEMENT_MEMORY}'")
        self.run("SET lock_configuration = true")
        self._locked = True

    def keep_inside(self, folder: Path | None = None) -> None:
        """Cut the connection off from all files but one folder's; a second call does nothing."""
        if self._kept_inside:
            return
        self.run("SET python_enable_replacements = false")
        self.run("SET temp_directory = ''")
        if folder is not None:
            self.run("SET allowed_directories = $folders", {"folders": [f"{folder}/"]})
        self.run("SET enable_external_access = false")
        self._kept_inside = True

    @contextmanager
    def time_limit(self, seconds: float) -> Iterator[None]:
        """Stop what runs in a with block after so long.

        Raises:
            StoreError: it was stopped.
        """
        stopped = threading.Event()

        def stop() -> None:
            stopped.set()
            self._connection.interrupt()

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        except KeyboardInterrupt:
            if not stopped.is_set():
                raise
            raise StoreError(
                f"stopped after {seconds:g} seconds", "--time-limit SECONDS allows more"
            ) from None
        finally:
            timer.cancel()

    def read_rows(
        self, sql: str, params: Mapping[str, Any] | None = None
    ) -> tuple[list[str], Iterator[Row]]:
        """Run one statement that only reads; return its column names and its rows, in batches.

        Raises:
            StoreError: see `read`; fetching raises it, too.
        """
        with translated():
            require_reading(sql, self._tree)
            result = self._connection.execute(sql, params or None)
        return [column[0] for column in result.description or ()], _fetched(result)

    def read(self, sql: str, params: Mapping[str, Any] | None = None) -> duckdb.DuckDBPyRelation:
        """Return the result of one statement that only reads, such as a user typed it.

        Fetch from the relation inside `translated`, so that its errors are a StoreError, too.

        Raises:
            StoreError: not exactly one statement, or another kind than SELECT, FROM, VALUES,
                DESCRIBE, SHOW, SUMMARIZE, or EXPLAIN of one of these.
        """
        with translated():
            require_reading(sql, self._tree)
        return self.relation(sql, params)

    def _tree(self, select: str) -> str:
        """Return a SELECT's tree, in which its common table expressions show what they change."""
        (tree,) = self.row("SELECT json_serialize_sql($statement)", {"statement": select}) or ("",)
        return str(tree)

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


def _fetched(result: duckdb.DuckDBPyConnection) -> Iterator[Row]:
    while True:
        with translated():
            batch = result.fetchmany(BATCH_ROWS)
        if not batch:
            return
        yield from batch
