"""Events that bound a scope, as anchors of the plan: what their phrases leave to the reader."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from tallysql.compiling.rules.lexicon import pattern
from tallysql.compiling.rules.predicate import where_of
from tallysql.compiling.rules.refusal import Refused
from tallysql.plan.nodes import Anchor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.events import EventBound
    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.quantities import Segment
    from tallysql.compiling.rules.tokens import Board
    from tallysql.compiling.rules.vocabulary import Vocabulary
    from tallysql.plan.nodes import Pick

End = Literal["after", "before"]
Linked = tuple["EventBound", "Pick", list["Mention"]]
"""An event phrase, which match of it is meant, and what it names."""

_PASSIVE = {(it, be) for it in ("it", "they") for be in ("is", "was", "are", "were", "gets", "got")}


def anchors_of(
    found: Sequence[Linked], main: list[Mention], board: Board, vocabulary: Vocabulary
) -> list[tuple[int, tuple[str, Anchor]]]:
    """Turn event phrases into anchors, each with the token at which it stands.

    Raises:
        Refused: a phrase names no event of the log, or says `it` of an event with its own target.
    """
    anchors: list[tuple[int, tuple[str, Anchor]]] = []
    previous = main
    for n, (bound, pick, own) in enumerate(found):
        words = board.canon[bound.first : bound.last]
        named = _shared(own, found) if n == 0 and len(found) == 2 else own
        if _passive(words) and any(m.field == "target" for m in own):
            if n:
                raise Refused(f"says `it` of an event: {_spoken(board, bound)!r}")
        elif _passive(words):
            spoken_of = main if any(m.field in {"target", "path"} for m in main) else previous
            named = [*named, *(m for m in spoken_of if m.field in {"target", "path"})]
            if not any(m.field in {"target", "path"} for m in named):
                raise Refused(f"says `it` of nothing named: {_spoken(board, bound)!r}")
        targeted = any(m.field in {"target", "path"} for m in own) and not _verbs(board, bound)
        if not any(m.role == "act" for m in named) and (
            targeted or {"one", "that", "1", "it"} & set(words)
        ):
            named = [*own, *(m for m in previous if m.role == "act")]  # the second one
        if _ends(own) and _ends(main):  # failed before the first success: of the same events
            named = [*own, *(m for m in main if not (m.kind and m.kind.ending))]
        where, _, _ = where_of(board, named, vocabulary)
        if not where:
            spoken = _spoken(board, bound)
            raise Refused(f"the event that bounds the scope is not one of the log: {spoken!r}")
        anchors.append((bound.first, (bound.end, Anchor(where, pick))))
        previous = named
    return anchors


def other_side(
    board: Board, bounds: Sequence[EventBound], segments: Sequence[Segment]
) -> list[tuple[int, End]]:
    """Read `and how many after that` in a second quantity whose first ends at an event.

    Returns the token at which it stands and the end of the scope that the same event bounds.
    """
    if len(segments) != 2 or len(bounds) != 1 or bounds[0].first >= segments[0].last:
        return []
    end: End = "after" if bounds[0].end == "before" else "before"
    found = board.search(pattern(f"{end}_that"), segments[1].first, segments[1].last)
    if not found:
        return []
    first, last = board.span(found)
    board.claim(first, last, f"scope: {end} that event")
    return [(first, end)]


def _verbs(board: Board, bound: EventBound) -> bool:
    """Whether a phrase has words of its own beside a name: `before drawer 9 came up`."""
    told = {"ignored: a function word", "ignored: emphasis", None}
    loose = [i for i in range(bound.first, bound.last) if not _names(board.became[i])]
    return any(board.became[i] not in told and board.tokens[i].kind == "word" for i in loose)


def _names(became: str | None) -> bool:
    return became is not None and became.startswith(("target", "path", "scope", "punctuation"))


def _ends(mentions: Sequence[Mention]) -> bool:
    """Whether what is named are endings (success, failure), of whatever events."""
    return any(m.kind and m.kind.ending == "outcome" for m in mentions)


def _shared(own: list[Mention], found: Sequence[Linked]) -> list[Mention]:
    """Complete the first of two events from the second, which names what both share."""
    bound, following = found[0][0], found[1][2]
    if not own:
        return following  # between the first and the last take
    bare = not any(m.role in {"condition", "element"} for m in own)
    if bare and bound.last - bound.first == 1 and own[-1].spoken.endswith("ing"):
        # between opening and closing cabinet 1
        return [*own, *(m for m in following if m.field in {"target", "path"})]
    return own


def _passive(words: Sequence[str]) -> bool:
    """Whether an event phrase speaks of the main events' target (`after being closed`)."""
    return "being" in words or bool(_PASSIVE & set(pairwise(words)))


def _spoken(board: Board, bound: EventBound) -> str:
    return board.question[board.tokens[bound.first].start : board.tokens[bound.last - 1].end]
