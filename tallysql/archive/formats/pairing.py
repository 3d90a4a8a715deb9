"""Calls and their results: paired by id and by order, kept in the order of the calls."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import args_text, call_text, identity
from tallysql.archive.rows import Step

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

PIECE_CHARACTERS = 32 << 20
"""Text that is held before the rows that are complete become a piece of the trajectory."""

PATIENCE = 20_000
"""Later rows after which a call without a result is taken for one that never gets one."""


@dataclass(slots=True, eq=False)
class _Row:
    """A step in the making; the fields are those of Step."""

    action: str | None
    tool: str | None = None
    args: str | None = None
    step: int | None = None
    call: int = 0
    ts: datetime | None = None
    source_ref: str | None = None
    is_copied: bool = False
    observation: str | None = None
    exit_code: int | None = None
    is_error: bool | None = None
    is_answered: bool = False

    def as_step(self) -> Step:
        return Step(
            self.action,
            self.observation,
            step=self.step,
            call=self.call,
            tool=self.tool,
            args=self.args,
            exit_code=self.exit_code,
            is_error=self.is_error,
            is_copied=self.is_copied,
            ts=self.ts,
            source_ref=self.source_ref,
        )

    @property
    def size(self) -> int:
        return sum(len(text or "") for text in (self.action, self.args, self.observation))


class Calls:
    """The rows of one trajectory while its log is read.

    A result goes to the oldest unanswered call of its id. Without an id it goes to the oldest
    unanswered call that has none, else to the oldest one of the last turn. A result that no call
    asked for waits for one; if none comes, it becomes a row without an action.

    Args:
        unique: logs repeat themselves: a second call of an id that says the same, and a result of
            an id that has no open call, is the first one logged again.
    """

    def __init__(self, *, unique: bool = False) -> None:
        self._unique = unique
        self._rows: deque[_Row] = deque()
        self._waiting: defaultdict[str | None, deque[_Row]] = defaultdict(deque)
        self._early: dict[str, _Row] = {}
        self._called: set[tuple[str, str | None, str | None]] = set()
        self._answered: set[str] = set()
        self._turn: Any = None
        self._in_turn: list[_Row] = []
        self._held = 0
        self.n_calls = 0

    def call(
        self, call_id: Any, tool: str | None, arguments: Any, *, turn: Any = None, **more: Any
    ) -> None:
        """Add a call.

        Args:
            call_id: what its result will name.
            tool: its name.
            arguments: as logged.
            turn: calls that follow each other with the same turn share their step.
            more: fields of Step; `action` where it is not `name: arguments`.
        """
        key, args = identity(call_id), args_text(arguments)
        if self._unique and key is not None:
            if (key, tool, args) in self._called:
                return
            self._called.add((key, tool, args))
        row = _Row(more.pop("action", None) or call_text(tool, args), tool, args, **more)
        row.source_ref = row.source_ref or key
        row.call = self._place(turn)
        self.n_calls += 1
        early = self._early.pop(key, None) if key is not None else None
        if early is None:
            self._waiting[key].append(row)
        else:
            self._rows.remove(early)
            self._answer(row, early.observation, early.exit_code, early.is_error)
        self._append(row)

    def say(self, text: str | None, tool: str | None, **more: Any) -> None:
        """Add a step that asks for no result."""
        self._place(None)
        row = _Row(text, tool, is_answered=True, **more)
        self._append(row)

    def result(
        self,
        call_id: Any,
        observation: str | None,
        *,
        tool: str | None = None,
        exit_code: int | None = None,
        is_error: bool | None = None,
        **more: Any,
    ) -> None:
        """Add a result; `tool`, and `turn` and fields in `more`, are the row's if no call comes."""
        key = identity(call_id)
        if self._unique and key is not None:
            if key in self._answered and all(row.is_answered for row in self._waiting.get(key, ())):
                return
            self._answered.add(key)
        row = self._open(key)
        if row is None:
            place = self._place(more.pop("turn", None))
            row = _Row(None, tool, source_ref=key, call=place, **more)
            self._append(row)
            if key is not None:
                self._early.setdefault(key, row)
        self._answer(row, observation, exit_code, is_error)

    def answer_last(self, observation: str | None, **more: Any) -> bool:
        """Give an observation to the oldest open call of the last turn; False if there is none."""
        row = self._open_in_turn()
        if row is None:
            return False
        self._answer(row, observation, **more)
        return True

    def steps(self) -> list[Step]:
        """Return all rows that are left; the trajectory ends here."""
        steps = [row.as_step() for row in self._rows]
        self._rows.clear()
        return steps

    def piece(self) -> list[Step]:
        """Return the complete rows at the front once much text is held, else nothing."""
        if self._held < PIECE_CHARACTERS:
            return []
        return list(self._drained())

    def _drained(self) -> Iterator[Step]:
        while self._rows and (self._rows[0].is_answered or len(self._rows) > PATIENCE):
            row = self._rows.popleft()
            row.is_answered = True
            self._held -= row.size
            if row.action is None and row.source_ref is not None:
                self._early.pop(row.source_ref, None)
            yield row.as_step()

    def _place(self, turn: Any) -> int:
        """Return the position in the turn of the row that is about to come."""
        if turn is None or turn != self._turn:
            self._turn = turn
            self._in_turn = []
        return len(self._in_turn)

    def _append(self, row: _Row) -> None:
        self._rows.append(row)
        self._in_turn.append(row)
        self._held += row.size

    def _answer(
        self,
        row: _Row,
        observation: str | None,
        exit_code: int | None = None,
        is_error: bool | None = None,
    ) -> None:
        row.observation, row.exit_code, row.is_error = observation, exit_code, is_error
        row.is_answered = True
        self._held += len(observation or "")

    def _open(self, key: str | None) -> _Row | None:
        """Take the oldest open call of that id off the queue."""
        for name in (key, None):
            queue = self._waiting.get(name)
            while queue:
                row = queue.popleft()
                if not row.is_answered:
                    return row
            self._waiting.pop(name, None)
        return self._open_in_turn() if key is None else None

    def _open_in_turn(self) -> _Row | None:
        return next((row for row in self._in_turn if not row.is_answered), None)
