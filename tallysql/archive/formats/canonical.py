"""tallysql's own rows as JSON: flat (an object a step) or nested (an object a trajectory)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.archive.formats.columns import REQUIRED, bind
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.tabular import flat, nested, steps_of

if TYPE_CHECKING:
    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile


def detect(source: SourceFile) -> bool:
    """Whether the first record has an id and `steps` that are objects, or two required columns.

    Lists of step numbers, as in question files, are no trajectories.
    """
    for record in source.sample[:1]:
        columns = bind(record)
        listed = steps_of(record)
        if isinstance(listed, list):
            return "trajectory_id" in columns and all(isinstance(s, dict) for s in listed[:1])
        return sum(column in columns for column in REQUIRED) > 1
    return False


def read(source: SourceFile) -> Records:
    """Yield the trajectories; flat rows of one id that stand together form a piece."""
    is_nested = any(steps_of(record) is not None for record in source.sample[:1])
    return (nested if is_nested else flat)(source, source.records())


FORMAT = Format(
    "json",
    "Canonical rows as JSONL or JSON: one step, or one trajectory with `steps`",
    detect,
    read,
)
