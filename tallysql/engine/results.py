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

    def as_dict(self) -> dict[str, Any]:
        """Return `{key, count, steps, outcomes}`."""
        return {
            "key": self.key,
            "count": self.count,
            "steps": list(self.steps),
            "outcomes": self.outcomes,
        }


@dataclass(frozen=True, slots=True)
class Grounding:
    """One filter term and the number of ledger rows of the trajectory in which it occurs.

    Attributes:
        field: the field; of an anchor's term `after.FIELD` or `before.FIELD`.
        grounded: whether the log can support the term: it occurs, or its field's closed
            vocabulary makes its absence a fact.
        nearest: a value of the field that looks like a term which is not grounded.
    """

    field: str
    term: str
    rows: int
    grounded: bool = True
    nearest: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return `{field, term, rows}`, with `nearest` where there is one."""
        shape: dict[str, Any] = {"field": self.field, "term": self.term, "rows": self.rows}
        return shape | ({"nearest": self.nearest} if self.nearest is not None else {})


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
            {key, count, steps} for group, runs and values; list of values for distinct; {keys,
            count} for top; list of {step, tool, outcome, changes, raw} for timeline.
        matched: |S|, the number of selected events.
        steps: all steps of S, each once, in order.
        groups: the values of group, top, distinct, runs and values with their events.
        sql: the statement executed last; with `params` it gives the same rows in DuckDB. It is the
            operation's, or the grounding check's where a term is ungrounded.
        without_value: rows of S without a value to group by.
        left_out: values that `limit` cut off.
        outcomes: outcome → events of S.
        errors: error text → failed events of S.
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
    left_out: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return one entry of `results` in an answer record (docs/architecture.md, "Answering").

        `without_value` is there where the sub-query has a `by`, `bounds` where it has anchors.
        """
        shape: dict[str, Any] = {
            "state": self.state,
            "reason": self.reason,
            "op": self.op,
            "value": self.value,
            "matched": self.matched,
            "steps": list(self.steps),
            "groups": [group.as_dict() for group in self.groups],
            "grounding": [term.as_dict() for term in self.grounding],
            "sql": self.sql,
            "params": self.params,
        }
        if self.query.by is not None:
            shape["without_value"] = self.without_value
        if self.bounds:
            shape["bounds"] = [
                {"end": bound.end, "step": bound.step, "call": bound.call} for bound in self.bounds
            ]
        return shape

    @property
    def op(self) -> Op:
        """The operation of the sub-query."""
        return self.query.op

    @property
    def survives(self) -> bool:
        """Whether the result counts: grounded, and matched or a verified zero."""
        return self.state in {"ok", "relaxed", "verified_zero"}
