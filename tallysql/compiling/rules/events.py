"""Scopes that an event bounds: after the second submit, once the lamp was lit, between A and B.

The event is read by the linker like any other and becomes an anchor, itself excluded; if the
question gives its step ("the cancel click at step 10") the step is the bound.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tallysql.compiling.rules.lexicon import pattern
from tallysql.compiling.rules.scope import Bounds, scope_pattern

if TYPE_CHECKING:
    from tallysql.compiling.rules.tokens import Board
    from tallysql.plan.nodes import Pick


@dataclass(frozen=True, slots=True)
class EventBound:
    """An event phrase that bounds the scope: tokens first..last-1, and which match is meant."""

    end: Literal["after", "before"]
    first: int
    last: int


def read_event_bounds(board: Board) -> list[EventBound]:
    """Find the event phrases of a question, claiming the words that open them."""
    found: list[EventBound] = []
    at = 0
    while opener := pattern("event_opener").search(board.text, at):
        at = opener.end()
        start, body = board.span(opener)[0], board.span(opener)[1]
        closer = pattern("event_closer").search(board.text, opener.end() + 1)
        stop = board.span(closer)[0] if closer else len(board.tokens)
        if closer and closer.group().startswith(" ") and closer.group() != " ,":
            stop = next(
                i
                for i in range(body, len(board.tokens) + 1)
                if i == len(board.tokens) or board.at(i) >= closer.end()
            )
        bounds = _bounds(board, opener, body, stop)
        if bounds and _next_only(board, opener, body, stop):
            return found
        if bounds:
            board.claim(
                start,
                body,
                "scope: " + ("between two events" if opener["between"] else opener.lastgroup or ""),
            )
            found.extend(bounds)
    return found


def _next_only(board: Board, opener: re.Match[str], body: int, stop: int) -> bool:
    """Whether the phrase means the neighbour of an event, or of each: no scope says that."""
    neighbour = re.search(r"\b(?:immediately|directly|next)\b", opener.group())
    return bool(neighbour) or bool({"each", "every"} & set(board.canon[body:stop]))


def _bounds(board: Board, opener: re.Match[str], body: int, stop: int) -> list[EventBound]:
    if (
        body >= stop
        or board.tokens[body].kind == "punct"
        or any(board.became[i] is not None for i in range(body, stop))
    ):
        return []
    if not opener["between"]:
        return [EventBound("after" if opener["after"] else "before", body, stop)]
    middle = [i for i in range(body + 1, stop - 1) if board.canon[i] == "and"]
    if not middle:
        return []
    board.claim(middle[-1], middle[-1] + 1, "scope: between two events")
    return [EventBound("after", body, middle[-1]), EventBound("before", middle[-1] + 1, stop)]


def step_of(board: Board, bound: EventBound) -> Bounds | None:
    """Return the bound where the question gives the event's step, claiming the phrase."""
    found = board.search(scope_pattern("event_step"), bound.first, bound.last)
    if not found:
        return None
    step = int(found["step"])
    read = Bounds(lo=step + 1) if bound.end == "after" else Bounds(hi=step - 1)
    board.claim(
        bound.first, bound.last, f"scope: {bound.end} the event of step {step}, which is excluded"
    )
    return read


def pick_of(board: Board, bound: EventBound) -> Pick:
    """Return which match of the event is meant, the first if the question does not say."""
    found = board.search(pattern("event_pick"), bound.first, bound.last)
    if not found:
        return "first"
    board.claim(*board.span(found), f"scope: {bound.end} the {found.group().removeprefix('the ')}")
    if found["nth"] or found["number"]:
        return int(found["nth"] or found["number"])
    return "last" if found["last"] else "first"
