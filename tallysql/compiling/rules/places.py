"""Questions that open with `where`: the place of a move, of a way, of an object at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.operation import EDGES, Operation, told_by_steps
from tallysql.compiling.rules.predicate import TWO_TARGETS
from tallysql.compiling.rules.refusal import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.cues import Cues
    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.plan.nodes import By

_GOING = frozenset(("go to", "go", "goto", "walk to", "walk"))
_TREATED = frozenset(("heat", "cool", "clean", "wash", "rinse", "warm", "chill", "slice"))
_IN_PLACE = frozenset(("take", "move", "put", "place", "go to", "go", "open", "close", "examine"))


def places(cues: Cues, _: By | None, mentions: Sequence[Mention], __: Board) -> list[Operation]:
    """Return where something went, was put or taken.

    `where` of events without a place (where did it fail) asks for their steps.
    """
    if "where" not in cues or told_by_steps(cues):
        return []
    if ended(cues, mentions):
        return [Operation("values", "name", "value", pick="last")]
    acts = frozenset[str]().union(*(m.acts for m in mentions if m.role == "act"))
    place = _place(mentions, acts)
    if place is None:
        return [_steps(cues, mentions, acts)]
    return [] if cues.any("how_many", "times", "top_k") else [_asked(cues, place)]


def _asked(cues: Cues, place: By) -> Operation:
    """Return which of the places is asked for."""
    if "most" in cues:
        return Operation("top", "name", place)
    if "least" in cues:
        return Operation("group", "least", place)
    if "nth" in cues:
        return Operation("values", "nth", place, cues.numbers["n"])
    edge = next((edge for edge in EDGES if edge in cues), None)
    if edge:
        return Operation("values", "name", place, pick=edge)
    return Operation("distinct", "names", place)


def _place(mentions: Sequence[Mention], acts: frozenset[str]) -> By | None:
    """Return the target that is the place; None where the acts have none."""
    fixed = any(m.field == "target" for m in mentions)
    if acts and acts <= _GOING and not fixed:
        return "first_target"
    return "second_target" if acts and acts <= TWO_TARGETS | _TREATED and fixed else None


def second_of(acts: frozenset[str]) -> By:
    """Return the second target of acts that have one.

    Raises:
        Refused: they have none.
    """
    if acts <= TWO_TARGETS | _TREATED:
        return "second_target"
    raise Refused("asks for a second thing that no event names")


def _steps(cues: Cues, mentions: Sequence[Mention], acts: frozenset[str]) -> Operation:
    """Return the steps at which something happened."""
    if acts & _IN_PLACE or not any(m.role == "act" or m.kind for m in mentions):
        raise Refused("asks for a place that no event names")
    edge = next((edge for edge in EDGES if edge in cues), None)
    return Operation(edge, "step") if edge else Operation("list", "steps")


def ended(cues: Cues, mentions: Sequence[Mention]) -> bool:
    """Whether it is asked where one object ended up."""
    held = [m for m in mentions if m.field == "target" and m.role == "condition"]
    return cues.any("where") and cues.any("ended") and len(held) == 1 and not held[0].noun
