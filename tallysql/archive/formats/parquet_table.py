"""tallysql's native format: Parquet, flat (a row a step) or nested (a row a trajectory)."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from tallysql.archive.formats.columns import REQUIRED, bind
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.tabular import STEPS, flat, nested

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow.parquet as pq

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

BATCH_ROWS = 1024
HIVE_NULL = "__HIVE_DEFAULT_PARTITION__"


def detect(source: SourceFile) -> bool:
    """Whether the file starts as Parquet does."""
    return source.shape == "parquet"


def read(source: SourceFile) -> Records:
    """Yield the trajectories of a file or of all files of a partitioned directory.

    Columns that a file lacks are taken from `name=value` folders on its path.
    """
    with _opened(source, source.parts[0]) as file:
        is_nested = STEPS in (name.lower() for name in file.schema_arrow.names)
    if is_nested:
        return nested(source, _rows(source, ("trajectory_id",)))
    return flat(source, _rows(source, REQUIRED))


def hive_values(path: Path) -> dict[str, str | None]:
    """Return the `name=value` folders on a path that name canonical columns."""
    pairs = (part.split("=", 1) for part in path.parts[:-1] if "=" in part)
    values = {name: None if value == HIVE_NULL else unquote(value) for name, value in pairs}
    return {name: values[name] for name in bind(values).values()}


def _rows(source: SourceFile, required: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
    import pyarrow as pa

    numbers = count(1)
    for part in source.parts:
        with _opened(source, part) as file:
            names = file.schema_arrow.names
            given = {k: v for k, v in hive_values(part).items() if k not in names}
            _require(source, required, [*names, *given])
            read = 0
            try:
                for batch in file.iter_batches(BATCH_ROWS):
                    for row in batch.to_pylist():
                        yield next(numbers), {**row, **given}
                    read += batch.num_rows
                    source.read_share(part, read / file.metadata.num_rows)
            except (pa.ArrowException, OSError) as error:
                raise source.error(f"damaged Parquet: {_line(error)}") from None


def _require(source: SourceFile, required: tuple[str, ...], names: list[str]) -> None:
    columns = bind(names)
    for column in required:
        if column not in columns and not (column == "trajectory_id" and source.trajectory_id):
            raise source.error("missing column", record="schema", field=column)


def _opened(source: SourceFile, part: Path) -> pq.ParquetFile:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with source.open(part) as file:
        # Parquet is read from its end: a compressed one has to be held whole.
        data = file if file.seekable() else pa.BufferReader(file.read())
        try:
            return pq.ParquetFile(part if data is file else data)
        except (pa.ArrowException, OSError) as error:
            raise source.error(f"not Parquet: {_line(error)}") from None


def _line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]


FORMAT = Format(
    "parquet", "Canonical rows as Parquet: flat, nested, or a partitioned directory", detect, read
)
