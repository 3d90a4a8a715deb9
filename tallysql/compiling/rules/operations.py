"""From cues to operations: what to do with the selected events, and how to answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.asked import value_asked
from tallysql.compiling.rules.doubts import (
    THINGS,
    check_one,
    check_said,
    check_verbs,
    check_whether,
)
from tallysql.compiling.rules.mentions import words_of
from tallysql.compiling.rules.operation import EDGES, Edge, Operation, told_by_steps
from tallysql.compiling.rules.places import ended, places
from tallysql.compiling.rules.refusal import Refused
from tallysql.compiling.rules.tables import bare, runs, tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.cues import Cues
    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.plan.nodes import By


_DOINGS = frozenset(("action", "actions", "command", "call", "move", "event"))


def operations(
    cues: Cues, mentions: Sequence[Mention], board: Board, acts: frozenset[str] | None
) -> list[Operation]:
    """Decide the operations that a question asks for; the empty list if it asks for none."""
    noun = value_asked(cues, mentions, board, acts)
    if "by_tool" in cues and cues.any("how_many", "times"):
        return [_kinds_counted(cues, board, noun)]
    if "what_done" in cues and cues.any("most", "least", "top_k"):
        raise Refused("asks for actions or for types of them")
    if "what_done" in cues and (edge := next((e for e in EDGES if e in cues), None)):
        return [Operation("values", "name", "action", pick=edge)]
    if "what_done" in cues:
        return [Operation("timeline", "timeline")]
    if "ended" in cues and not ended(cues, mentions):
        raise Refused("asks how something ended")
    for rule in (_thresholds, places, runs, tables, _ordinals, _counts, _steps, _names):
        found = rule(cues, noun, mentions, board)
        if any(operation.by == "first_target" for operation in found) and _bare_target(mentions):
            raise Refused("asks for things without saying what was done to them")
        if found:
            return found
    return []


def _bare_target(mentions: Sequence[Mention]) -> bool:
    """Whether a condition on targets stands without an act: what is in the drawer."""
    held = any(m.field == "target" for m in mentions)
    return held and not any(m.role == "act" for m in mentions)


def _kinds_counted(cues: Cues, board: Board, noun: By | None) -> Operation:
    """`how many X by type` is a table; `how many types of X` a number."""
    first = cues.places["by_tool"][0][0]
    table = (
        cues.any("each", "per", "group", "pair_times")
        or board.canon[first] in {"by", "per"}
        or board.canon[max(first - 1, 0)] in {"by", "each", "per"}
    )
    return Operation("group", "pairs", noun) if table else Operation("distinct", "integer", noun)


def _thresholds(
    cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board
) -> list[Operation]:
    """At least twice: of all events for yes or no, else of each value that is asked for."""
    if cues.threshold is None:
        return []
    if cues.any("runs", "first", "last", "nth", "most", "least", "top_k", "times", "steps", "step"):
        raise Refused("asks for a number of times beside something else")
    if "yes_no" in cues:
        each = noun and {"any", "some"} & set(board.canon) and any(m.noun for m in mentions)
        return [Operation("group" if each else "count", "yes_no", noun if each else None)]
    if noun is None and any(_doings(m) for m in mentions):
        noun = "action"
    if noun is None or not (_what(board) or "how_many" in cues):
        raise Refused("asks for a number of times of nothing in particular")
    return [Operation("group", "integer" if "how_many" in cues else "names", noun)]


def _ordinals(
    cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board
) -> list[Operation]:
    count = cues.any("how_many", "times", "total")
    doing = _doing_asked(mentions, board)
    noun = "action" if doing else noun
    asked = noun not in {None, "action"} or doing
    asked = asked and not cues.any("step", "steps") and "step" not in cues.forms
    if "nth" in cues and (count or "yes_no" in cues):
        raise Refused("counts over the n-th of something")
    if "nth" in cues:
        at = Operation("list", "step", limit=cues.numbers["n"])
        value = Operation("values", "nth", noun or "action", cues.numbers["n"])
        return [value, *([at] if "pair_steps" in cues else [])] if asked else [at]
    edges = [edge for edge in EDGES if edge in cues]
    if not edges:
        return []
    if count or len(edges) == 2:
        steps = any(_steps_of(place[1], mentions) for e in edges for place in cues.places[e])
        things = noun if asked and not (count or steps or "pair_steps" in cues) else None
        return _beside(cues, edges, things)
    edge = edges[0]
    if "yes_no" in cues and not cues.any("step", "steps") and not {"step", "steps"} & cues.forms:
        raise Refused(f"asks whether the {edge} one is so")
    told = told_by_steps(cues) or {"step", "steps", "turn", "turns", "time"} & set(board.canon)
    if not asked and board.canon[0] in {"which", "what", "where"} and not told:
        raise Refused(f"asks what the {edge} one names")
    if asked:
        check_one(noun, mentions)
    opens = {"what", "which"} & set(board.canon[:1]) and board.canon[1:2] in (
        ["action"],
        ["command"],
    )
    if asked and (opens or not _steps_of(cues.places[edge][0][1], mentions)):
        value = Operation("values", "name", noun or "action", pick=edge)
        return [value, *([Operation(edge, "step")] if "pair_steps" in cues else [])]
    return [Operation(edge, "step")]


def _steps_of(end: int, mentions: Sequence[Mention]) -> bool:
    """Whether a step itself is named at token `end`: the last step with a take."""
    return any(
        m.role == "generic" and m.spoken.lower() in {"step", "turn"} and m.first == end
        for m in mentions
    )


def _doing_asked(mentions: Sequence[Mention], board: Board) -> bool:
    """Whether a whole action is asked for: the first command, the last bash command.

    Raises:
        Refused: it is asked what that action did.
    """
    doing = any(_doing(m) for m in mentions)
    if not doing or not _what(board) or any(m.noun and not _doing(m) for m in mentions):
        return False
    at = board.canon.index("what") if "what" in board.canon else -1
    if at >= 0 and board.canon[at + 1 : at + 2] in (["did"], ["does"], ["do"]):
        raise Refused("asks what one action did")
    return True


def _doings(mention: Mention) -> bool:
    return (
        mention.spoken.lower().split()[-1].removesuffix("s") in _DOINGS if mention.spoken else False
    )


def _doing(mention: Mention) -> bool:
    """Whether a mention is a noun for an action: command, bash command, failed call."""
    return bool(_DOINGS & set(mention.spoken.lower().split()[-1:]))


def _beside(cues: Cues, edges: Sequence[Edge], things: By | None) -> list[Operation]:
    """The first, the last and the number of something, in the order asked.

    What was first and last are values where things are asked for, else steps.
    """
    found = [
        (
            cues.places[edge][0][0],
            Operation("values", "name", things, pick=edge) if things else Operation(edge, "step"),
        )
        for edge in edges
    ]
    counts = [
        place[0] for name in ("how_many", "times", "total") for place in cues.places.get(name, [])
    ]
    if counts:
        if len(edges) == 1 and not cues.any("step", "steps", "pair_steps"):
            raise Refused(f"counts over the {edges[0]} of something")
        found.append((min(counts), Operation("count", "integer")))
    return [operation for _, operation in sorted(found, key=lambda entry: entry[0])]


def _counts(
    cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board
) -> list[Operation]:
    if not cues.any("how_many", "times", "total", "frequency") and "integer" not in cues.forms:
        if "if_so" in cues and cues.any("step", "steps", "where"):
            return []
        if "yes_no" not in cues and "yes_no" not in cues.forms:
            return []
        check_whether(mentions, board)
        return [Operation("count", "yes_no")]
    check_said(mentions, board)
    if _counts_states(cues, noun, mentions):
        raise Refused("counts things without saying what was done to them")
    if noun in THINGS and bare(mentions) and _named_nouns(mentions):
        raise Refused("counts things without saying what was done to them")
    if "distinct" in cues or _counts_values(cues, noun, mentions):
        return [Operation("distinct", "integer", noun or "action")]
    found = [Operation("count", "integer")]
    return (
        [*found, Operation("list", "steps")] if cues.any("pair_steps", "steps", "step") else found
    )


def _named_nouns(mentions: Sequence[Mention]) -> bool:
    """Whether the things asked for go by a word that only an act makes plain: unique queries."""
    return any(m.role == "noun" and m.spoken.lower() in words_of("named") for m in mentions)


def _counts_states(cues: Cues, noun: By | None, mentions: Sequence[Mention]) -> bool:
    ends = {last for _, last in cues.places.get("how_many", [])}
    asked = any(m.noun in {"target", "path"} and m.first in ends for m in mentions)
    return asked and noun in {"first_target", "path"} and not any(m.role == "act" for m in mentions)


def _counts_values(cues: Cues, noun: By | None, mentions: Sequence[Mention]) -> bool:
    """`how many files were created` counts files; `how many times` counts events."""
    if "times" in cues or noun not in {
        "path",
        "target",
        "first_target",
        "tool",
        "author",
        "directory",
    }:
        return False
    ends = {last for _, last in cues.places.get("how_many", [])}
    ends |= {m.last for m in mentions if m.first in ends and m.field == "target"}  # JSON files
    acts = {m.first for m in mentions if m.role == "act"}
    asked = any(m.noun and m.first in ends and m.last not in acts for m in mentions)
    return asked and (noun == "tool" or any(m.role == "act" for m in mentions))


def _steps(
    cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board
) -> list[Operation]:
    if "history" in cues or ("pair_steps" in cues and _what(board)):
        return [Operation("timeline", "timeline")]
    if cues.any("steps", "step") or "steps" in cues.forms:
        return [Operation("list", "steps")]
    return []


def _names(
    cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board
) -> list[Operation]:
    states = any(m.kind and m.kind.states for m in mentions)
    if states and _what(board):
        return [Operation("timeline", "timeline")]
    if noun is None and _lists_acts(mentions, board):
        each = Operation("distinct", "names", "action")
        return [each if "distinct" in cues else Operation("timeline", "timeline")]
    if noun is None or not (_what(board) or "distinct" in cues):
        return []
    if noun in THINGS and bare(mentions):
        check_verbs(board)
        if _named_nouns(mentions):
            raise Refused("asks for things without saying what was done to them")
    if noun == "action" and any(m.spoken.lower() in {"steps", "turns"} for m in mentions):
        return [Operation("list", "steps")]
    if noun == "action" and "distinct" not in cues:
        single = any(
            m.role == "generic" and m.spoken.lower() in {"action", "step", "call", "event", "move"}
            for m in mentions
        )
        if single and not any(m.role in {"act", "condition"} for m in mentions):
            raise Refused("asks for one action among all")
        return [Operation("timeline", "timeline")]
    return [Operation("distinct", "names", noun)]


def _lists_acts(mentions: Sequence[Mention], board: Board) -> bool:
    """Whether a question lists events by their kind: which commands failed."""
    asking = {"which", "what", "list", "enumerate", "show", "name"}
    return any(
        m.role == "act"
        and m.spoken.lower().endswith("s")
        and bool(asking & set(board.canon[max(0, m.first - 3) : m.first]))
        for m in mentions
    )


def _what(board: Board) -> bool:
    return bool(
        {"what", "which", "name", "list", "enumerate", "give", "tell", "show", "identify"}
        & set(board.canon)
    )
