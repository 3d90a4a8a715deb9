"""Tables of values, the most and least frequent of them, and the longest runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.doubts import THINGS, check_verbs
from tallysql.compiling.rules.operation import Operation
from tallysql.compiling.rules.refusal import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.cues import Cues
    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.plan.nodes import By


_MOST = frozenset(("longest", "largest", "maximum", "biggest", "most", "many", "long"))


def runs(cues: Cues, _: By | None, mentions: Sequence[Mention], board: Board) -> list[Operation]:
    """Return the longest run of consecutive events, or its steps."""
    if "runs" not in cues:
        return []
    if "distinct" in cues:
        raise Refused("asks for a run of different things")
    opening = next((i for i, word in enumerate(board.canon) if word in {"which", "what"}), -1)
    if any(m.noun or m.role == "generic" for m in mentions if m.first == opening + 1 > 0) and not (
        cues.any("steps", "step")
    ):
        raise Refused("asks what a longest run is of")
    endings = {m.kind.ending for m in mentions if m.kind}
    acts = frozenset().union(*(m.acts for m in mentions if m.role == "act"))
    by: By | None = "tool" if len(acts) > 1 else None
    if endings & {"error", "outcome"}:
        by = "outcome"
    if not any(m.role in {"act", "condition"} for m in mentions):
        by = "action"
    listed = cues.any("steps", "step") and not _MOST & set(board.canon)
    return [Operation("runs", "steps" if listed else "integer", by)]


def tables(
    cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board
) -> list[Operation]:
    """Return a table of values, or the most or least frequent of them."""
    if cues.any("most", "least", "top_k"):
        return _tops(cues, noun, mentions, board)
    if "each" in cues and cues.any("steps", "step", "first", "last", "nth"):
        raise Refused("asks for steps of each value, which the plan language lacks")
    if (
        (cues.any("each", "per", "group", "pair_times") and not _listing(cues))
        or "pairs" in cues.forms
        or ("frequency" in cues and (noun or not bare(mentions)))
    ):
        if (
            "frequency" in cues
            and "each" not in cues
            and noun in {None, "action"}
            and not bare(mentions)
        ):
            return [Operation("count", "integer")]
        return [Operation("group", "pairs", noun or "action")]
    return []


def _tops(
    cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board
) -> list[Operation]:
    """The most or least frequent values."""
    _check_tops(cues, noun, mentions, board)
    by = noun or "action"
    if "top_k" in cues:
        return [Operation("group", "pairs", by, cues.numbers.get("k"))]
    if "most" in cues and "pair_times" in cues:
        return [Operation("group", "pairs", by, 1)]
    if "least" in cues:
        return [Operation("group", "least", by)]
    return [] if cues.any("runs") else [Operation("top", "name", by)]


def _check_tops(cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board) -> None:
    if noun == "act" and _of_programs(mentions) and "top_k" not in cues:
        raise Refused("asks for programs among commands of every sort")
    if noun in THINGS and bare(mentions):
        check_verbs(board)
    if "nth" in cues and "top_k" not in cues:
        raise Refused("asks for the n-th of an order by frequency")
    counts = [p[0] for name in ("how_many", "times") for p in cues.places.get(name, [])]
    tops = [p[0] for p in cues.places.get("most", [])]
    if counts and tops and min(counts) < min(tops) and not _listing(cues):
        raise Refused("counts over the most frequent")


def _of_programs(mentions: Sequence[Mention]) -> bool:
    """Whether programs are asked for without saying whose: an editor's commands are none."""
    spoken = {m.spoken.lower().removesuffix("s") for m in mentions if m.noun == "act"}
    named = any(m.role == "act" and not m.weak for m in mentions)
    return bool(spoken & {"program", "executable"}) and not named


def _listing(cues: Cues) -> bool:
    """Whether `each` only lists: name each shelf that was opened, the place each time."""
    if "history" in cues and "pair_times" not in cues:
        return True
    return "each" in cues and not cues.any(
        "group", "pair_times", "how_many", "times", "frequency", "per"
    )


def bare(mentions: Sequence[Mention]) -> bool:
    """Whether neither an act nor a condition is named."""
    return not any(m.role in {"act", "condition"} for m in mentions)
