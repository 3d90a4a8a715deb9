"""Canonical rows into DuckDB's staging tables, in Arrow batches of bounded size."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.columns import STEP_COLUMNS
from tallysql.archive.formats.json_text import counted_json_text, replace_surrogates
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from tallysql.archive.rows import Step, Trajectory
    from tallysql.store import Store

BATCH_BYTES = 64 << 20
"""Characters that are held in Python before a batch goes to DuckDB."""

ROW_BYTES = 200
"""What a row costs beside its texts, roughly."""

HASHED_COLUMNS = ("action", "observation", "args")

TRAJECTORY_COLUMNS = ("piece", "file", "trajectory_id", "task", "domain", "metadata")

_fields = attrgetter(*STEP_COLUMNS)


class Staging:
    """Collects the rows of a group of source files as Arrow tables, and puts them into DuckDB.

    Args:
        store: where batches go as soon as they are full; None keeps them until `flush`.
        batch_bytes: characters that are held before they become a batch.
    """

    def __init__(self, store: Store | None = None, batch_bytes: int = BATCH_BYTES) -> None:
        self._store = store
        self._batch_bytes = batch_bytes
        self._pieces: list[tuple[Any, ...]] = []
        self._steps: list[tuple[Any, ...]] = []
        self._full: list[tuple[str, pa.Table]] = []
        self._held = 0
        self.n_pieces = 0
        self.n_steps = 0
        self.replaced = 0
        if store is not None:
            self.open(store)

    def open(self, store: Store) -> None:
        """Make the staging tables, empty."""
        for name in ("archive/make_incoming_trajectories", "archive/make_incoming_steps"):
            store.run(query(name).text)

    def add(self, trajectory: Trajectory, file: int = 0) -> None:
        """Stage one trajectory, or a piece of one, of the file with that number."""
        name = trajectory.trajectory_id
        metadata, replaced = None, 0
        if trajectory.metadata:
            metadata, replaced = counted_json_text(dict(trajectory.metadata))
        self.replaced += replaced
        self._pieces.append(
            (self.n_pieces, file, name, trajectory.task, trajectory.domain, metadata)
        )
        self.n_pieces += 1
        self._held += ROW_BYTES + len(metadata or "") + len(trajectory.task or "")
        for step in trajectory.steps:
            self._steps.append((self.n_steps, name, *_fields(step)))
            self.n_steps += 1
            self._held += ROW_BYTES + _characters(step)
            if self._held >= self._batch_bytes:
                self.flush()

    def flush(self) -> None:
        """Make Arrow tables of the rows that are held; hand all tables to the store, if any."""
        if self._pieces:
            table = self._table(TRAJECTORY_COLUMNS, self._pieces)
            self._full.append(("archive/add_incoming_trajectories", table))
        if self._steps:
            table = self._hashed(
                self._table(("position", "trajectory_id", *STEP_COLUMNS), self._steps)
            )
            self._full.append(("archive/add_incoming_steps", table))
        self._pieces, self._steps, self._held = [], [], 0
        if self._store is not None:
            self.send(self._store)

    def send(self, store: Store) -> None:
        """Append the tables that are full to the staging tables."""
        for statement, table in self._full:
            with store.view_of("incoming_batch", table):
                store.run(query(statement).text)
        self._full = []

    def _table(self, names: Sequence[str], rows: list[tuple[Any, ...]]) -> pa.Table:
        import pyarrow as pa

        types = _types()
        columns = zip(*rows, strict=True)
        arrays = [
            self._array(values, types[name]) for name, values in zip(names, columns, strict=True)
        ]
        return pa.table(arrays, names=list(names))

    def _hashed(self, table: pa.Table) -> pa.Table:
        """Add the hashes of the long texts: hashlib is several times as fast as DuckDB."""
        for name in HASHED_COLUMNS:
            table = table.append_column(f"{name}_hash", _hashes(table.column(name).chunk(0)))
        return table

    def _array(self, values: tuple[Any, ...], kind: pa.DataType) -> pa.Array:
        import pyarrow as pa

        try:
            return pa.array(values, kind)
        except UnicodeEncodeError:
            clean, replaced = replace_surrogates(list(values))
            self.replaced += replaced
            return pa.array(clean, kind)


def _hashes(texts: pa.LargeStringArray) -> pa.Array:
    """Return the SHA-256 of each text in hexadecimal digits, '' for none."""
    import pyarrow as pa

    _, offsets, content = texts.buffers()
    ends = memoryview(offsets).cast("q")[texts.offset : texts.offset + len(texts) + 1]
    if content is None:  # nothing but empty texts and none
        content = pa.py_buffer(b"")
    bytes_of = memoryview(content)
    found = texts.is_valid().to_pylist()
    digests = [
        hashlib.sha256(bytes_of[start:end]).hexdigest() if is_text else ""
        for is_text, (start, end) in zip(found, pairwise(ends), strict=True)
    ]
    return pa.array(digests, pa.large_string())


def _characters(step: Step) -> int:
    return len(step.action or "") + len(step.observation or "") + len(step.args or "")


def _types() -> dict[str, pa.DataType]:
    import pyarrow as pa

    integers = ("piece", "file", "position", "step", "exit_code")
    types = {name: pa.int64() for name in integers}
    types |= {"call": pa.int32(), "ts": pa.timestamp("us")}
    types |= {"is_error": pa.bool_(), "is_copied": pa.bool_()}
    texts = {"trajectory_id", "task", "domain", "metadata", *STEP_COLUMNS} - types.keys()
    return types | {name: pa.large_string() for name in texts}
