"""Which value of the events a question asks for, and whether its predicate leaves that open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.predicate import TWO_TARGETS, only_shell
from tallysql.plan.nodes import Clause, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.cues import Cues
    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.compiling.rules.vocabulary import Vocabulary
    from tallysql.plan.nodes import By, Where

_FIELDS_OF_PAGES = frozenset(
    (
        "field",
        "fields",
        "box",
        "boxes",
        "element",
        "elements",
        "textbox",
        "textboxes",
        "label",
        "labels",
    )
)


def value_asked(
    cues: Cues, mentions: Sequence[Mention], board: Board, acts: frozenset[str] | None
) -> By | None:
    """Return the value of an event that the question lists, groups or counts by."""
    if "by_tool" in cues:
        return (
            "act"
            if acts and len(acts) > 1 and len({act.split(".")[0] for act in acts}) == 1
            else "tool"
        )
    nouns = [m for m in mentions if m.noun or m.role == "generic"]
    kind_by = next((m.kind.by for m in mentions if m.kind and m.kind.by), None)
    tabled = cues.any("distinct", "most", "top_k", "each", "group", "pair_times")
    if kind_by and tabled and not any(m.noun for m in mentions):
        return kind_by
    if (
        _asks_what(board)
        and acts
        and not any(m.noun for m in mentions)
        and not cues.any("step", "steps", "how_many", "times")
    ):
        return "first_target"
    if not nouns:
        return "act" if acts and cues.any("each", "group", "frequency", "pair_times") else None
    after = sorted(
        p[1]
        for name in ("each", "most", "distinct", "how_many", "group")
        for p in cues.places.get(name, [])
    )
    asked = next((m for end in after for m in nouns if m.first == end), None)
    opening = next((m for m in nouns if m.first > _question_word(board)), nouns[0])
    chosen = asked or opening
    if chosen.noun and any(m.role == "generic" and m.first == chosen.last for m in nouns):
        return "action" if chosen.noun == "tool" and not tabled else _by(chosen)  # the tool calls
    if (
        chosen.role == "generic"
        and (real := [m for m in nouns if m.noun])
        and cues.any("each", "group", "most", "distinct", "top_k")
    ):
        chosen = asked if asked and asked.noun else real[0]
    return _by(chosen)


def _asks_what(board: Board) -> bool:
    """Whether `what` stands for the thing itself: what was opened, what did it pick up."""
    at = next((i for i, word in enumerate(board.canon) if word == "what"), -1)
    return (
        at >= 0
        and board.canon[at + 1 : at + 2] != []
        and board.canon[at + 1] in {"was", "were", "did", "has", "had", "got", "gets"}
    )


def _question_word(board: Board) -> int:
    return next(
        (
            i
            for i, word in enumerate(board.canon)
            if word in {"what", "which", "name", "list", "each", "every"}
        ),
        -1,
    )


def _by(mention: Mention) -> By:
    if mention.role == "generic" or mention.noun is None:
        return "action"
    return "first_target" if mention.noun == "target" else mention.noun


def typed(mentions: Sequence[Mention], acts: frozenset[str] | None) -> bool:
    """Whether a question asks for what was typed: the log names the field first."""
    nouns = [m.spoken.lower() for m in mentions if m.noun == "target"]
    return bool(acts and {"type", "fill"} & acts) and bool(set(nouns) - _FIELDS_OF_PAGES)


def _by_place(mentions: Sequence[Mention], acts: frozenset[str] | None, board: Board) -> bool:
    """Whether the fixed target is the place (`taken from desk 1`), so that the objects vary."""
    fixed = [m for m in mentions if m.field == "target"]
    before = [word for m in fixed for word in board.canon[max(0, m.first - 2) : m.first]]
    placed = bool({"from", "in", "into", "on", "onto", "to"} & set(before))
    return placed and bool(acts) and acts is not None and acts <= TWO_TARGETS


def fixes(
    where: Where, mentions: Sequence[Mention], acts: frozenset[str] | None, board: Board
) -> bool:
    """Whether the predicate leaves nothing to list: the target asked for is a condition itself."""
    fixed = any(
        c.field == "target" and len(c.terms) == 1 and c.terms[0].match == "exact" for c in where
    )
    return fixed and not _by_place(mentions, acts, board)


def with_codes(where: Where, by: By | None, vocabulary: Vocabulary) -> Where:
    """Grouping by exit code is about the events that state one."""
    if by != "exit_code" or any(clause.field == "exit_code" for clause in where):
        return where
    codes = vocabulary.catalog.exit_codes
    terms = tuple(Term(text) for text, held in (("0", 0 in codes), ("nonzero", any(codes))) if held)
    return (*where, Clause("exit_code", terms)) if terms else where


def history_of(where: Where, mentions: Sequence[Mention], cues: Cues) -> Where:
    """Read `the location history of mug 1` as the changes of that property of that object."""
    spoken = {m.spoken.lower().removesuffix("s") for m in mentions}
    asked = [name for name in ("location", "state") if name in spoken]
    targets = [term.text for clause in where if clause.field == "target" for term in clause.terms]
    if "history" not in cues or not asked or not targets or any(c.field == "change" for c in where):
        return where
    changes = tuple(Term(f"{target}.{asked[0]}") for target in targets)
    return (*(c for c in where if c.field != "target"), Clause("change", changes))


def listed_by(by: By | None, acts: frozenset[str] | None, vocabulary: Vocabulary) -> By | None:
    """Shell commands name their files among the targets."""
    return "target" if by == "path" and acts and only_shell(acts, vocabulary) else by
