"""Spans: the address of an excerpt in the archive (docs/architecture.md, "Archive").

`archive[step, call].observation[u:v]` equals every excerpt that carries the span (u, v).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tallysql.errors import InputError
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from tallysql.store import Store

Field = Literal["action", "observation"]


@dataclass(frozen=True, slots=True)
class Span:
    """Code points `start` to `end` - 1 of one text of one archived call."""

    step: int
    call: int
    field: Field
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StepText:
    """The two texts of an archived call; None where the source recorded none."""

    action: str | None
    observation: str | None


class Archive:
    """One trajectory's texts by (step, call).

    >>> archive = Archive(store, "run-1")  # doctest: +SKIP
    >>> archive[12, 0].observation[0:80]  # doctest: +SKIP
    """

    def __init__(self, store: Store, trajectory_id: str) -> None:
        self._store = store
        self.trajectory_id = trajectory_id

    def __getitem__(self, key: tuple[int, int]) -> StepText:
        """Return the texts of (step, call).

        Raises:
            InputError: the trajectory has no such step.
        """
        step, call = key
        params = {"trajectory_id": self.trajectory_id, "step": step, "call": call}
        found = self._store.row(query("archive/step_text").text, params)
        if found is None:
            raise InputError(f"trajectory {self.trajectory_id}: no step {step}, call {call}")
        return StepText(*found)

    def excerpt(self, span: Span) -> str:
        """Return the characters that a span addresses.

        Raises:
            InputError: there is no such step, or its text is shorter than the span.
        """
        text = getattr(self[span.step, span.call], span.field) or ""
        if not 0 <= span.start <= span.end <= len(text):
            raise InputError(
                f"trajectory {self.trajectory_id}: step {span.step}: {span.field} has no "
                f"characters {span.start} to {span.end}, only {len(text)}"
            )
        return str(text[span.start : span.end])
