"""The canonical rows that every source format turns into."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Step:
    """One logged call, verbatim.

    Attributes:
        step: the source's own step number, None where it has none (the position is used).
        call: position among the calls of one step, from 0.
        action: the action as logged.
        observation: None if no result was recorded, '' if it was empty.
        tool: structured tool name, where the source has one.
        args: structured arguments, verbatim (JSON text where the source holds a mapping).
        exit_code: from a structured field only, never parsed from text.
        is_error: the source's own error flag.
        is_copied: context repeated from an earlier step or session.
        ts: when it happened, UTC, naive.
        source_ref: the source's original id.
    """

    action: str | None
    observation: str | None
    step: int | None = None
    call: int = 0
    tool: str | None = None
    args: str | None = None
    exit_code: int | None = None
    is_error: bool | None = None
    is_copied: bool = False
    ts: datetime | None = None
    source_ref: str | None = None


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One run of an agent: its steps in order and what the source says of it.

    Attributes:
        trajectory_id: the source's own id.
        steps: in the order of the source.
        task: what the agent was asked to do.
        domain: the source's own name for the kind of task.
        metadata: whatever else the source says of the run, as JSON values.
        is_piece: further pieces of the same id may stand elsewhere in the file (rows of a table);
            they are joined in order. Two whole trajectories of one id must be equal.
    """

    trajectory_id: str
    steps: list[Step]
    task: str | None = None
    domain: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    is_piece: bool = False


@dataclass(frozen=True, slots=True)
class Damage:
    """A record that was skipped: where it stands and what is wrong with it."""

    record: int | str
    problem: str
