"""Runs the portable statements on Apache Spark, over a ledger in a folder of Parquet.

PySpark is the extra `spark`. See docs/scaling.md and docs/architecture.md, "Other engines".
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tallysql.engine.portable import STATEMENTS
from tallysql.errors import InputError
from tallysql.lowering.dialects import RELATIONS, portable_sql

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

    from tallysql.engine.portable import Tables

OPTIONS = {
    "spark.app.name": "tallysql",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # A value of a partition's folder is text here: "007" is no number.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
}


class SparkEngine:
    """Answers batches on a Spark session.

    Args:
        session: a SparkSession.
        folder: written by `export all`; every worker must reach it under this path.
    """

    def __init__(self, session: Any, folder: str | Path) -> None:
        self._session = session
        for name in ("events", "texts"):
            files = str(Path(folder).resolve() / name)
            session.read.parquet(files).createOrReplaceTempView(name)

    def answer(self, tables: Tables) -> Mapping[str, pa.Table]:
        """Return the result of each statement; relations that several need are computed once."""
        held = []
        try:
            for name, rows in (("selections", tables.selections), ("terms", tables.terms)):
                self._session.createDataFrame(rows).createOrReplaceTempView(name)
            for name in RELATIONS:
                relation = self._session.sql(portable_sql(name, "spark")).persist()
                relation.createOrReplaceTempView(name)
                held.append(relation)
            return {
                name: self._session.sql(portable_sql(name, "spark")).toArrow()
                for name in STATEMENTS
            }
        finally:
            for relation in held:
                relation.unpersist()


@contextmanager
def spark_engine(
    folder: str | Path, master: str, options: Mapping[str, str]
) -> Iterator[SparkEngine]:
    """Start a session on a master, such as `local[2]` or `spark://host:7077`, and stop it after.

    Args:
        folder: written by `export all`.
        master: where Spark runs.
        options: further settings of the session.

    Raises:
        InputError: PySpark is not installed, or no session can be had there.
    """
    try:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise InputError("PySpark is not installed", "pip install 'tallysql[spark]'") from error
    builder = SparkSession.builder.master(master)
    for name, value in {**OPTIONS, **options}.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
        try:
            yield SparkEngine(session, folder)
        finally:
            session.stop()
    except (PySparkException, Py4JError) as error:
        first = str(error).strip().split("\n", 1)[0]
        raise InputError(f"Spark at {master}: {first}") from error
