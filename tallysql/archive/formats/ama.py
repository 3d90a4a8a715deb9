"""AMA-Bench's own file: JSONL, one trajectory a line, the questions beside its turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.columns import WrongType, run_from, step_from
from tallysql.archive.formats.format import Format
from tallysql.archive.rows import Damage, Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

TURNS = "trajectory"
OWN_KEYS = {"episode_id", "qa_pairs", "num_turns", "turn_idx"}
OWN_NAMES = {"trajectory_id": "episode_id", "step": "turn_idx"}
NOT_METADATA = {"episode_id", "task", "domain", TURNS, "qa_pairs"}
"""Questions and answers are no part of the archive: an agent's memory must not hold them."""


def detect(source: SourceFile) -> bool:
    """Whether the first record holds a list `trajectory` beside keys of AMA-Bench."""
    return any(isinstance(r.get(TURNS), list) and OWN_KEYS & r.keys() for r in source.sample[:1])


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a record; `turn_idx` is the step."""
    for record in source.records():
        yield record if isinstance(record, Damage) else _trajectory(source, *record)


def _trajectory(source: SourceFile, number: int, record: dict[str, Any]) -> Trajectory:
    turns = record.get(TURNS)
    if not isinstance(turns, list):
        raise source.error("expected a list of turns", record=number, field=TURNS)
    try:
        run = run_from(
            {
                "trajectory_id": record.get("episode_id", source.trajectory_id),
                "task": record.get("task"),
                "domain": record.get("domain") or record.get("task_type"),
            }
        )
        steps = list(_steps(turns))
    except WrongType as error:
        field = OWN_NAMES.get(error.field, error.field)
        raise source.error(str(error), record=number, field=field) from None
    metadata = {key: value for key, value in record.items() if key not in NOT_METADATA}
    return Trajectory(run.trajectory_id, steps, run.task, run.domain, metadata)


def _steps(turns: list[Any]) -> Iterator[Step]:
    for position, turn in enumerate(turns):
        place = f"{TURNS}[{position}]"
        if not isinstance(turn, dict):
            raise WrongType("expected an object", place)
        if not turn.keys() & {"action", "observation"}:
            raise WrongType("neither action nor observation", place)
        try:
            yield step_from({**turn, "step": turn.get("turn_idx")})
        except WrongType as error:
            field = OWN_NAMES.get(error.field, error.field)
            raise WrongType(str(error), f"{place}.{field}") from None


FORMAT = Format("ama", "AMA-Bench: JSONL or JSON, one trajectory with its turns", detect, read)
