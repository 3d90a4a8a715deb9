"""Opens a ledger that lies as a folder of Parquet, in a database's place.

See docs/scaling.md and docs/architecture.md, "Other engines".
"""

from __future__ import annotations

from pathlib import Path

from sqlglot import exp

from tallysql.errors import StoreError
from tallysql.store import Store, memory_store

FOLDER_TABLES = ("trajectories", "steps", "ledger", "file_events", "events", "texts")
"""The tables of such a ledger, one folder each."""


def open_folder(path: str | Path) -> Store:
    """Open a folder that `export all` wrote, as a database that can only be read.

    Nothing is loaded: its tables are views of the Parquet files, and no other file can be reached.

    Raises:
        StoreError: the folder holds no ledger.
    """
    folder = Path(path).resolve()
    if not (folder / "ledger").is_dir():
        raise StoreError(
            f"{path}: a folder without a ledger", "write one with: tallysql export all -o DIR"
        )
    store = memory_store(str(path))
    try:
        store.apply_schema()
        store.keep_inside(folder)
        for name in FOLDER_TABLES:
            if any((folder / name).rglob("*.parquet")):
                _replace_by_files(store, name, folder / name)
    except BaseException:
        store.close()
        raise
    return store


def _replace_by_files(store: Store, name: str, folder: Path) -> None:
    """Let a table's name mean its Parquet files, with the columns that the table had."""
    columns = store.relation(exp.select("*").from_(exp.to_table(name)).sql("duckdb")).columns
    files = exp.Anonymous(
        this="read_parquet",
        expressions=[
            exp.Literal.string(f"{folder}/**/*.parquet"),
            exp.EQ(this=exp.to_identifier("hive_partitioning"), expression=exp.true()),
            exp.EQ(this=exp.to_identifier("hive_types_autocast"), expression=exp.false()),
        ],
    )
    rows = exp.select(*(exp.column(column, quoted=True) for column in columns)).from_(files)
    kind = "VIEW" if name in ("events", "texts") else "TABLE"
    store.run(exp.Drop(tables=[exp.to_table(name)], kind=kind).sql("duckdb"))
    store.run(exp.Create(this=exp.to_table(name), kind="VIEW", expression=rows).sql("duckdb"))
