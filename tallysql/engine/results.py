"""What executing a plan yields; the shapes of `results` in an answer record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from tallysql.plan.nodes import Op, Query

State = Literal["ok", "relaxed", "verified_zero", "ungrounded", "empty"]


@dataclass(frozen=True, slots=True)
class Group:
    """One value of a grouping: its first spelling, events, steps and outcome counts."""

    key: str
    count: int
    steps: tuple[int, ...]
    outcomes: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Grounding:
    """One filter term and the number of ledger rows of the trajectory in which it occurs."""

    field: str
    term: str
    rows: int
    nearest: str | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """A resolved anchor: which scope end, the event's step and call, None if no event matched."""

    end: Literal["after", "before"]
    step: int | None
    call: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one sub-query.

    Attributes:
        state: ok, relaxed and verified_zero survive; ungrounded and empty contribute nothing.
        value: int for count; step or None for first and last; list of steps for list; list of
            {key, count, steps} for group and runs; list of values for distinct; {keys, count} for
            top; list of {step, tool, outcome, changes, raw} for timeline.
        matched: |S|, the number of selected events.
        steps: all steps of S, each once, in order.
        without_value: rows of S without a value to group by.
        sql: the executed statement; with `params` it gives the same rows in DuckDB.
    """

    query: Query
    state: State
    reason: str | None
    value: Any
    matched: int
    steps: tuple[int, ...]
    groups: tuple[Group, ...]
    grounding: tuple[Grounding, ...]
    bounds: tuple[Bound, ...]
    sql: str
    params: dict[str, Any]
    without_value: int = 0

    @property
    def op(self) -> Op:
        """The operation of the sub-query."""
        return self.query.op

    @property
    def survives(self) -> bool:
        """Whether the result counts: grounded, and matched or a verified zero."""
        return self.state in {"ok", "relaxed", "verified_zero"}
