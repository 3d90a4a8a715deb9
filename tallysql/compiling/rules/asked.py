"""Which value of the events a question asks for, and whether its predicate leaves that open."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tallysql.compiling.rules.cues import what_is_asked
from tallysql.compiling.rules.mentions import words_of, words_that
from tallysql.compiling.rules.places import ended, second_of
from tallysql.compiling.rules.predicate import TWO_TARGETS
from tallysql.compiling.rules.refusal import Refused
from tallysql.compiling.rules.shells import only_shell
from tallysql.compiling.rules.tokens import lemmas
from tallysql.plan.nodes import Clause, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.cues import Cues
    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.compiling.rules.vocabulary import Vocabulary
    from tallysql.plan.nodes import By, Where

_TABLES = ("distinct", "most", "top_k", "each", "per", "group", "pair_times")
_COUNTED = ("times", "how_many", "pair_times", "frequency", "distinct", "most")
_OTHER_THINGS = ("step", "steps", "how_many", "times")
_TYPING = frozenset(("type", "fill"))
_PLACES = frozenset(
    ("place", "places", "location", "locations", "receptacle", "receptacles", "container",
     "containers", "spot", "spots", "furniture")
)  # fmt: skip
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
        return "act" if _one_tool(acts) else "tool"
    if "each" in cues and _asks_what(board) and not cues.any(*_COUNTED):
        raise Refused("asks for something of each")
    tabled = cues.any(*_TABLES) or cues.threshold is not None
    named = any(m.noun for m in mentions)
    kind_by = next((m.kind.by for m in mentions if m.kind and m.kind.by), None)
    edge = cues.any("first", "last") and not cues.any(*_OTHER_THINGS) and what_is_asked(board.canon)
    if kind_by and (tabled or edge) and not named:
        return kind_by
    if (
        acts
        and not _each_action(cues, board)
        and not named
        and _asks_what(board)
        and not cues.any(*_OTHER_THINGS)
    ):
        _check_subject(board, mentions)
        if _stranded(board) and any(m.field == "target" for m in mentions):
            return second_of(acts)
        return "second_target" if acts <= _TYPING else "first_target"
    chosen = edge and ("or" in board.canon or "which of" in " ".join(board.canon))
    if (tabled or chosen) and (listed := _listed(mentions)):
        return listed
    return _noun_asked(cues, mentions, board, acts)


def _noun_asked(
    cues: Cues, mentions: Sequence[Mention], board: Board, acts: frozenset[str] | None
) -> By | None:
    if _each_action(cues, board):
        return "action"
    told = min((p[0] for name in ("each", "per") for p in cues.places.get(name, [])), default=0)
    codes = any(m.field == "exit_code" for m in mentions) and not any(m.noun for m in mentions)
    if codes and cues.any(*_TABLES) and not acts:
        return "exit_code"
    nouns = [
        m for m in mentions if m.noun or (m.role == "generic" and (m.first >= told or not acts))
    ]
    return _target(_chosen(cues, nouns, board), acts) if nouns else _acts_apart(cues, acts)


def _each_action(cues: Cues, board: Board) -> bool:
    """Whether the actions are to be told, each once."""
    return any(
        {"action", "actions"} & set(board.canon[first:last])
        for first, last in cues.places.get("distinct", [])
    )


def _target(chosen: Mention, acts: frozenset[str] | None) -> By:
    """Return the target that a noun means: the second is the place, or the text typed.

    Raises:
        Refused: a value is asked for of events that name none.
    """
    word = chosen.spoken.lower()
    if _by(chosen) != "first_target" or acts is None:
        return _by(chosen)
    if acts <= _TYPING:
        return "first_target" if word in _FIELDS_OF_PAGES else "second_target"
    if word in {"key", "keys"} and not any("press" in act or "key" in act for act in acts):
        raise Refused("asks for keys of what presses none")
    if word in {"value", "values"}:
        raise Refused(f"cannot place {chosen.spoken!r}")
    return "second_target" if word in _PLACES and acts <= TWO_TARGETS else "first_target"


def _acts_apart(cues: Cues, acts: frozenset[str] | None) -> By | None:
    """Without a noun, a table tells the acts apart."""
    tabled = cues.any(*_TABLES) and _one_tool(acts)
    counted = cues.any("each", "per", "group", "frequency", "pair_times")
    return "act" if tabled or (acts and counted) else None


def _chosen(cues: Cues, nouns: Sequence[Mention], board: Board) -> Mention:
    """Choose among nouns: right after the cue, else the first after the question word."""
    after = [
        place[1]
        for name in ("each", "per", "group", "most", "distinct", "how_many")
        for place in cues.places.get(name, [])
    ]
    asked = next((m for end in after for m in nouns if m.first == end), None)
    if cues.any("most", "least") and not cues.any("how_many", "times"):
        opens = (m for m in nouns if m.noun and m.first == _question_word(board) + 1)
        asked = next(opens, asked)  # which tool had the most failures
    opening = next((m for m in nouns if m.first > _question_word(board)), nouns[0])
    chosen = asked or opening
    chosen = next((m for m in nouns if m.noun and m.first == chosen.last), chosen)  # text fields
    if chosen.noun and any(m.role == "generic" and m.first == chosen.last for m in nouns):
        if chosen.noun == "tool" and not cues.any(*_TABLES):
            return replace(chosen, noun=None)  # the tool calls
        return chosen
    real = [m for m in nouns if m.noun]
    if chosen.role == "generic" and real and cues.any(*_TABLES):
        chosen = real[0]
    return chosen


def _one_tool(acts: frozenset[str] | None) -> bool:
    """Whether several acts of one tool are meant, so that only their names tell them apart."""
    tools = {re.split("[. ]", act)[0].lower() for act in acts or ()}
    return acts is not None and len(acts) > 1 and len(tools) == 1


def _listed(mentions: Sequence[Mention]) -> By | None:
    """Return the value of which a question lists several itself: Apply and Save, how many each."""
    named = [m for m in mentions if m.role == "condition" and m.field in {"target", "path"}]
    nouns = [m for m in mentions if m.role == "noun"]
    if nouns or len(named) < 2 or len({m.field for m in named}) > 1:
        return None
    return "path" if named[0].field == "path" else "first_target"


def _asks_what(board: Board) -> bool:
    """Whether `what` stands for the thing itself: what was opened, what did it pick up."""
    at = next((i for i, word in enumerate(board.canon) if word == "what"), -1)
    verb, *after = board.canon[at + 1 : at + 3] or [""]
    named = verb in {"was", "were"} and set(after) & {"the", "its", "their"}  # what was the last X
    if at > 0 and [verb, *after][:1] and _subject([verb, *after]) and "how" not in board.canon:
        return True
    return at >= 0 and not named and verb in {"was", "were", "did", "has", "had", "got", "gets"}


def _stranded(board: Board) -> bool:
    """Whether the question ends in a preposition: what was the mug heated with?"""
    words = [word for word in board.canon if word not in {"?", ".", "!"}]
    return bool(words) and words[-1] in {"with", "from", "into", "onto", "to", "in", "on", "using"}


def _check_subject(board: Board, mentions: Sequence[Mention]) -> None:
    """Refuse what an action did: what did pytest print.

    Raises:
        Refused: an act is the subject, not what was done.
    """
    at = board.canon.index("what")
    after = board.canon[at + 1 : at + 2]
    if after in (["did"], ["does"], ["has"]) and any(
        m.role == "act" and m.first == at + 2 for m in mentions
    ):
        raise Refused("asks what one action did")
    said = [word for word, became in zip(board.canon, board.became, strict=True) if _passed(became)]
    if any(lemmas(word) & words_of("telling") for word in said):
        raise Refused("asks what an action told")


def _passed(became: str | None) -> bool:
    return became in {"ignored: a general verb", "ignored: asks to be told"}


def _subject(words: Sequence[str]) -> bool:
    """Whether words are the subject of a clause: what the agent opened."""
    doers = words_that("names the agent") | {"it", "they", "he", "she"}
    return words[0] in doers or (words[0] == "the" and len(words) > 1 and words[1] in doers)


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


def _by_place(mentions: Sequence[Mention], acts: frozenset[str] | None, board: Board) -> bool:
    """Whether the fixed target is the place (`taken from desk 1`), so that the objects vary."""
    fixed = [m for m in mentions if m.field == "target"]
    before = [word for m in fixed for word in board.canon[max(0, m.first - 2) : m.first]]
    placed = bool({"from", "in", "into", "on", "onto", "to"} & set(before))
    return placed and bool(acts) and acts is not None and acts <= TWO_TARGETS


def unused(mentions: Sequence[Mention], by: By | None) -> str | None:
    """Return a value noun that became nothing: an ignored one would be a wrong answer."""
    for mention in mentions:
        if (
            mention.role == "noun"
            and mention.noun in {"exit_code", "outcome", "directory"}
            and mention.noun != by
            and not (mention.noun == "directory" and any(m.field == "path" for m in mentions))
        ):
            return mention.spoken
    return None


def fixes(
    where: Where, mentions: Sequence[Mention], acts: frozenset[str] | None, board: Board
) -> bool:
    """Whether the predicate leaves nothing to list: the target asked for is a condition itself."""
    if _asks_what(board) and _stranded(board) and any(c.field == "target" for c in where):
        return True
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
    """Read `the location history of mug 1` as the changes of that property of that object.

    Where mug 1 ended up is the last of them.
    """
    if ended(cues, mentions):
        return _changed(where, "location")
    spoken = {m.spoken.lower().removesuffix("s") for m in mentions}
    asked = [name for name in ("location", "state") if name in spoken]
    if "history" not in cues or not asked or any(c.field == "change" for c in where):
        return where
    return _changed(where, asked[0])


def _changed(where: Where, name: str) -> Where:
    """Ask for the changes of a property of the targets instead of events that name them."""
    targets = [term.text for clause in where if clause.field == "target" for term in clause.terms]
    changes = tuple(Term(f"{target}.{name}") for target in targets)
    rest = tuple(c for c in where if c.field not in {"target", "tool"})
    return (*rest, Clause("change", changes)) if targets else where


def listed_by(by: By | None, acts: frozenset[str] | None, vocabulary: Vocabulary) -> By | None:
    """Shell commands name their files among the targets."""
    return "target" if by == "path" and acts and only_shell(acts, vocabulary) else by
