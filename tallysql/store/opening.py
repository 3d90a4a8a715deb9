"""Opens databases, makes new ones whole, and bounds what they take of the machine."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from tallysql.errors import StoreError
from tallysql.limits import memory_limit, temp_folder
from tallysql.migrations import prepare
from tallysql.store.connection import Store
from tallysql.store.failures import cannot_open

if TYPE_CHECKING:
    from tallysql.migrations import Rebuild


def open_store(
    path: str | Path = ":memory:", *, read_only: bool = False, rebuild: Rebuild | None = None
) -> Store:
    """Open a database, making it and its schema if it is new.

    Args:
        path: a DuckDB file, or ":memory:".
        read_only: several processes may read one database at once; a writer excludes all others.
        rebuild: makes the whole ledger anew, in a transaction. With it a database of an older
            version is migrated, and one to be written whose ledger another release's rules made
            brought up to date; without it, the former is refused and the latter stays as it is.

    How much memory statements may take and where they spill to is set by the environment
    (`tallysql.limits`).

    Raises:
        LockedError: another process holds it.
        StoreError: damaged, not tallysql's, or of another version.
        InputError: the memory limit is no size.
    """
    name = str(path)
    is_new = not read_only and name != ":memory:" and not Path(name).exists()
    if is_new and Path(name).parent.is_dir():
        _make_file(Path(name))
    connection = _connect(name, read_only=read_only)
    store = Store(connection, name, read_only=read_only, made_file=is_new)
    try:
        _limit(store)
        is_ready = prepare(store, rebuild)
    except BaseException:
        store.close()
        raise
    if not is_ready:  # an older one, to be read
        store.close()
        open_store(path, rebuild=rebuild).close()
        return open_store(path, read_only=True)
    return store


def _limit(store: Store) -> None:
    """Bound what statements may take of the machine."""
    ((own,),) = store.rows("SELECT current_setting('memory_limit')")
    ((size,),) = store.rows("SELECT parse_formatted_bytes($own)", {"own": own})
    store.run("SET memory_limit = $limit", {"limit": memory_limit(own, size)})
    if (folder := temp_folder(store.path)) is not None:
        store.run("SET temp_directory = $folder", {"folder": folder})


def memory_store(name: str) -> Store:
    """Return an empty database in memory that goes by a name and is only to be read."""
    return Store(duckdb.connect(":memory:"), name, read_only=True)


def _connect(path: str, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(path, read_only=read_only)
    except duckdb.Error as error:
        raise cannot_open(path, error) from None


def _make_file(path: Path) -> None:
    """Make a new database beside its place and put it there whole; one that is there stays."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with Store(_connect(str(partial), read_only=False), str(path), read_only=False) as store:
            prepare(store, None)
        with suppress(FileExistsError):
            os.link(partial, path)
    except OSError as error:  # a file system without links
        if not partial.exists():
            raise StoreError(f"{path}: cannot be made ({error.strerror})") from None
        partial.rename(path)
    finally:
        partial.unlink(missing_ok=True)
