"""Writes a whole ledger as a folder of Parquet, to be used where it lies.

One folder a table, each divided by the same columns into `name=value` folders. See docs/scaling.md
and docs/architecture.md, "Other engines".
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from sqlglot import exp

from tallysql.archive.writers import PartitionedWriter, PlainWriter
from tallysql.errors import InputError
from tallysql.folder import FOLDER_TABLES
from tallysql.store import translated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.store import Store

BATCH_ROWS = 8192


def write_folder(store: Store, target: str, partition_by: Sequence[str]) -> int:
    """Write every table of a ledger into a new folder, whole or not at all.

    Args:
        store: the database.
        target: a path that does not exist, or an empty folder.
        partition_by: columns of `trajectories` whose values become `name=value` folders.

    Returns:
        The number of ledger rows.

    Raises:
        InputError: the target exists and is not an empty folder, or cannot be written.
    """
    folder = Path(target)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{target}: exists and is not an empty directory")
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    try:
        counts = {name: _write(store, name, partial, partition_by) for name in FOLDER_TABLES}
        if folder.exists():
            folder.rmdir()
        partial.rename(folder)
    except OSError as error:
        raise InputError(f"{target}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return counts["ledger"]


def _write(store: Store, name: str, partial: Path, partition_by: Sequence[str]) -> int:
    rows = 0
    with translated():
        reader = store.relation(_rows(store, name, partition_by)).to_arrow_reader(BATCH_ROWS)
        writer = (
            PartitionedWriter(partial / name, reader.schema, partition_by)
            if partition_by
            else PlainWriter(partial / name, reader.schema)
        )
        with writer:
            for batch in reader:
                writer.write(batch)
                rows += batch.num_rows
    return rows


def _rows(store: Store, name: str, partition_by: Sequence[str]) -> str:
    """Return the statement for a table's rows in order, with the columns that divide them."""
    columns = store.relation(exp.select("*").from_(name).sql(dialect="duckdb")).columns
    added = [column for column in partition_by if column not in columns]
    select = exp.select(exp.Column(this=exp.Star(), table=exp.to_identifier(name))).from_(name)
    if added:
        select = select.select(*(exp.column(c, table="trajectories", quoted=True) for c in added))
        select = select.join("trajectories", using=["trajectory_id"])
    order = [c for c in ("trajectory_id", "step", "call", "field", "position") if c in columns]
    select = select.order_by(*(exp.column(c, table=name, quoted=True) for c in order))
    return select.sql(dialect="duckdb")
