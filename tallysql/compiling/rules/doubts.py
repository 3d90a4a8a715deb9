"""What a question seems to ask and no event tells: states, the run as a whole, what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.mentions import words_of
from tallysql.compiling.rules.refusal import Refused
from tallysql.compiling.rules.tokens import lemmas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.plan.nodes import By


THINGS = frozenset(("path", "target", "first_target", "second_target", "directory"))


_UNIVERSAL = frozenset(("all", "every", "each", "always", "only", "solely", "exclusively", "both"))


_PASSED_OVER = "ignored: a function word"
_BEING = frozenset(("is", "are", "was", "were"))


_DOING = frozenset(("did", "does", "do", "has", "have", "had"))


_NUMBERS = frozenset(("number", "numbers", "total", "count"))


def check_one(noun: By | None, mentions: Sequence[Mention]) -> None:
    """Refuse several values of one event, and what came out of it.

    Raises:
        Refused: which files were changed in the final patch, the result of the last query.
    """
    spoken = {m.spoken.lower() for m in mentions if m.role == "noun"}
    if noun == "outcome" and spoken & {"result", "results"}:
        raise Refused("asks what one event returned")
    if noun in THINGS and any(word.endswith("s") for word in spoken - {"address"}):
        raise Refused("asks for several things of one event")


def _of_the_whole(mentions: Sequence[Mention]) -> bool:
    """Whether an ending is all that is named: did the agent succeed, was the run successful."""
    held = [m for m in mentions if m.role in {"act", "condition", "generic", "noun", "element"}]
    ends = all(m.kind and m.kind.ending == "outcome" for m in held)
    return bool(held) and ends and not any(m.spoken.lower().endswith("s") or m.noun for m in held)


def _of_a_state(mentions: Sequence[Mention], board: Board) -> bool:
    """Whether nothing is said to happen: is newspaper 1 on the sofa, did it find the number."""
    if any(m.role == "generic" and m.spoken.lower() not in _NUMBERS for m in mentions):
        return False
    held = [m for m in mentions if m.role in {"act", "condition", "element"}]
    if not held:
        return "ignored: a general verb" not in board.became
    things = all(m.field in {"target", "path", "action"} and not m.kind for m in held)
    opening = next((word for word in board.canon if word in _BEING | _DOING), "")
    done = any(word.endswith(("ed", "en")) for word in board.canon)
    return things and not done and opening in _BEING


def check_verbs(board: Board) -> None:
    """Refuse what a verb that no event bears was done to: which files were printed.

    Raises:
        Refused: such a verb stands without an act.
    """
    for i, became in enumerate(board.became):
        if became == "ignored: a general verb" and not lemmas(board.canon[i]) & words_of("mere"):
            raise Refused(f"asks for what the log does not tell: {board.canon[i]!r}")


def check_whether(mentions: Sequence[Mention], board: Board) -> None:
    """Refuse yes or no about the run as a whole, about all events, about how things are.

    Raises:
        Refused: no count of events answers it.
    """
    if _of_the_whole(mentions):
        raise Refused("asks how the run as a whole went")
    if "at all" not in " ".join(board.canon) and _UNIVERSAL & set(board.canon):
        raise Refused("asks whether all are so")
    if "than" in board.canon and board.became[board.canon.index("than")] == _PASSED_OVER:
        raise Refused("compares two numbers")
    if _of_a_state(mentions, board):
        raise Refused("asks how things are, not what was done")


def check_said(mentions: Sequence[Mention], board: Board) -> None:
    """Refuse counts of a bare name: how many times drawer 1.

    Raises:
        Refused: nothing says what was done to it.
    """
    held = [m for m in mentions if m.role in {"act", "generic", "noun", "element"} or m.kind]
    named = [m for m in mentions if m.role == "condition" and m.field in {"target", "path"}]
    told = {"ignored: a general verb", "ignored: asks to be told"} & set(board.became)
    told |= {became for became in board.became if became and "act in" in became}
    if named and not held and not told and len(named) == len(mentions):
        raise Refused("does not say what was done")
