"""Excerpts: the texts of steps, cut to a cap, each piece with its span."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tallysql.archive.spans import Span
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tallysql.archive.spans import Field
    from tallysql.store import Row, Store


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Verbatim text: `text[at : at + span.end - span.start]` equals the archived characters."""

    span: Span
    at: int


@dataclass(frozen=True, slots=True)
class Cut:
    """Characters `start` to `end` - 1 of a field of `length` that are left out."""

    step: int
    call: int
    field: Field
    start: int
    end: int
    length: int

    @property
    def size(self) -> int:
        """Characters left out."""
        return self.end - self.start

    def as_dict(self) -> dict[str, Any]:
        """Return `{"step", "call", "field", "from", "to", "length"}`."""
        place = {"step": self.step, "call": self.call, "field": self.field}
        return place | {"from": self.start, "to": self.end, "length": self.length}


@dataclass(frozen=True, slots=True)
class Block:
    """The text of one step: lines that end with a newline, without the header line."""

    step: int
    text: str
    excerpts: tuple[Excerpt, ...]
    cuts: tuple[Cut, ...]


WHOLE_FIELD = 1 << 40
"""A cap that no field reaches."""


def blocks(
    store: Store, trajectory_id: str, caps: Mapping[int, int], tail_share: float = 0.0
) -> dict[int, Block]:
    """Return the blocks of some steps.

    Args:
        store: an open database.
        trajectory_id: whose steps.
        caps: step → characters of a field; a longer one keeps its head and tail.
        tail_share: part of the cap that goes to the tail.
    """
    params = {
        "trajectory_id": trajectory_id,
        "steps": list(caps),
        "caps": list(caps.values()),
        "tail_share": tail_share,
    }
    writers: dict[int, BlockWriter] = {}
    for row in store.rows(query("reading/excerpts").text, params) if caps else ():
        writers.setdefault(row[0], BlockWriter(row[0])).add_call(row)
    return {step: writer.block() for step, writer in writers.items()}


def whole_blocks(store: Store, trajectory_id: str, steps: Iterable[int]) -> list[Block]:
    """Return the blocks of steps in the order given, nothing cut."""
    steps = list(steps)
    found = blocks(store, trajectory_id, dict.fromkeys(steps, WHOLE_FIELD))
    return [found[step] for step in steps]


class BlockWriter:
    """Writes one step's block, call by call."""

    def __init__(self, step: int) -> None:
        self._step = step
        self._parts: list[str] = []
        self._size = 0
        self._excerpts: list[Excerpt] = []
        self._cuts: list[Cut] = []

    def add_call(self, row: Row) -> None:
        """Add a row of queries/reading/excerpts.sql."""
        _, call, action, action_tail, action_length, observation, tail, length = row
        self.add_field(call, "action", action, action_tail, action_length)
        self.add_field(call, "observation", observation, tail, length)

    def add_field(
        self, call: int, field: Field, head: str | None, tail: str | None, length: int | None
    ) -> None:
        """Add one field: its head, and its tail where characters between them are left out."""
        self._write(f"{field} (call {call}): " if call else f"{field}: ")
        if not head and not tail:
            self._write("(none recorded)" if length is None else "(empty)" if not length else "")
        self._excerpt(call, field, head or "", 0)
        resumes = (length or 0) - len(tail or "")
        if head is not None and len(head) < resumes:
            self._leave_out(Cut(self._step, call, field, len(head), resumes, length or 0))
            self._excerpt(call, field, tail or "", resumes)
        self._write("\n")

    def _leave_out(self, cut: Cut) -> None:
        self._cuts.append(cut)
        left_out = f"characters {cut.start}-{cut.end - 1} of {cut.length} left out"
        self._write(f"\n[{left_out}]\n")

    def _excerpt(self, call: int, field: Field, text: str, start: int) -> None:
        if text:
            span = Span(self._step, call, field, start, start + len(text))
            self._excerpts.append(Excerpt(span, self._size))
            self._write(text)

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)

    def block(self) -> Block:
        """Return what was written."""
        return Block(self._step, "".join(self._parts), tuple(self._excerpts), tuple(self._cuts))


def shifted(excerpts: Iterable[Excerpt], by: int) -> list[Excerpt]:
    """Return excerpts for a text in which the block begins `by` characters in."""
    return [Excerpt(excerpt.span, excerpt.at + by) for excerpt in excerpts]
