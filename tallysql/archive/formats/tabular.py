"""From canonical rows and nested records to trajectories, whatever file they came in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.columns import (
    READ_RUN,
    REQUIRED,
    WrongType,
    bind,
    run_from,
    step_from,
    unread,
)
from tallysql.archive.rows import Damage, Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tallysql.archive.formats.columns import Run
    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

Row = tuple[int, "Mapping[str, Any]"]
PIECE_ROWS = 4096
"""Rows of one trajectory that are held at a time."""


class Binding:
    """Renames rows to canonical columns; knows which columns have occurred."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._known: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}

    def rename(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the row keyed by canonical names."""
        names = tuple(row)
        bound = self._known.get(names)
        if bound is None:
            bound = self._known[names] = tuple(bind(names).items())
            if extra := unread(names):
                self._source.warn(f"columns not read: {', '.join(extra)}")
        return {column: row[name] for column, name in bound}

    def missing(self, required: Iterable[str]) -> list[str]:
        """Return the required columns that occurred in no row so far; none before the first."""
        seen = {column for bound in self._known.values() for column, _ in bound}
        return [column for column in required if self._known and column not in seen]


def flat(source: SourceFile, rows: Iterable[Row | Damage]) -> Records:
    """Join rows of steps into trajectories; rows of one id that stand together form a piece."""
    binding = Binding(source)
    told: dict[str, Any] = {}
    run: Run | None = None
    steps: list[Step] = []
    for row in rows:
        if isinstance(row, Damage):
            yield row
            continue
        number, named = row[0], binding.rename(row[1])
        of_run = {column: named.get(column) for column in READ_RUN}
        if run is None or of_run != told or len(steps) >= PIECE_ROWS:
            if run is not None:
                yield _trajectory(run, steps, is_piece=True)
            run, told, steps = _run(source, number, of_run), of_run, []
        steps.append(_step(source, number, named))
    for column in binding.missing(REQUIRED[1:]):
        raise source.error("missing in every record", field=column)
    if run is not None:
        yield _trajectory(run, steps, is_piece=True)


def nested(source: SourceFile, records: Iterable[Row | Damage]) -> Records:
    """Turn records with a list `steps` into trajectories."""
    binding = Binding(source)
    for record in records:
        if isinstance(record, Damage):
            yield record
            continue
        number, row = record
        head = {name: value for name, value in row.items() if name.strip().lower() != STEPS}
        run = _run(source, number, {column: head[name] for column, name in bind(head).items()})
        yield _trajectory(run, list(_steps(source, number, binding, steps_of(row))))


STEPS = "steps"


def steps_of(row: Mapping[str, Any]) -> Any:
    """Return the value of the column `steps`, in any case, None if there is none."""
    return next((value for name, value in row.items() if name.strip().lower() == STEPS), None)


def _steps(source: SourceFile, number: int, binding: Binding, listed: Any) -> Iterator[Step]:
    if not isinstance(listed, list):
        raise source.error("expected a list of steps", record=number, field=STEPS)
    for position, row in enumerate(listed):
        if not isinstance(row, dict):
            raise source.error("expected an object", record=number, field=f"steps[{position}]")
        try:
            yield _numbered(source, binding.rename(row))
        except WrongType as error:
            field = f"steps[{position}].{error.field}"
            raise source.error(str(error), record=number, field=field) from None
    for column in binding.missing(("action", "observation")):
        raise source.error("missing", record=number, field=f"steps[0].{column}")


def _run(source: SourceFile, number: int, row: dict[str, Any]) -> Run:
    if row.get("trajectory_id") is None:
        row = {**row, "trajectory_id": source.trajectory_id}
    try:
        return run_from(row)
    except WrongType as error:
        raise source.error(str(error), record=number, field=error.field) from None


def _step(source: SourceFile, number: int, row: dict[str, Any]) -> Step:
    try:
        return _numbered(source, row)
    except WrongType as error:
        raise source.error(str(error), record=number, field=error.field) from None


def _numbered(source: SourceFile, row: dict[str, Any]) -> Step:
    """Make the step of a row; say so once if its id is no number, so that its position counts."""
    step = step_from(row)
    if step.step is None and row.get("step"):
        source.warn(
            "step ids that are no integers: steps are numbered by position, "
            "the original ids are in source_ref"
        )
    return step


def _trajectory(run: Run, steps: list[Step], *, is_piece: bool = False) -> Trajectory:
    return Trajectory(run.trajectory_id, steps, run.task, run.domain, run.metadata, is_piece)
