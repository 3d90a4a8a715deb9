"""Questions that ask for several quantities: where one ends, what the next takes over from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tallysql.compiling.rules.predicate import group, separated
from tallysql.compiling.rules.refusal import Refused
from tallysql.compiling.rules.scope import Bounds
from tallysql.compiling.rules.tokens import lemmas
from tallysql.plan.nodes import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.compilation import AnswerForm
    from tallysql.compiling.rules.cues import Cues, Zone
    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.plan.nodes import Anchor, Query


@dataclass(frozen=True, slots=True)
class Segment:
    """The tokens first..last-1 of one quantity."""

    first: int
    last: int


def segments_of(board: Board, cues: Cues) -> list[Segment]:
    """Cut at the second and later `how many`.

    Raises:
        Refused: the second stands in a sentence of its own.
    """
    starts = sorted(p[0] for name in COUNTS for p in cues.places.get(name, []))
    cuts = [0]
    for start in starts[1:]:
        near = board.canon[max(0, start - 2) : start + 2]
        if {".", "?"} & set(near[:2]) and "and" not in near:
            raise Refused("asks in two sentences")
        if {",", "and", ";", "?", "."} & set(near):
            cuts.append(start)
    return [Segment(a, b) for a, b in zip(cuts, [*cuts[1:], len(board.tokens)], strict=True)]


def separate(cues: Cues, mentions: list[Mention], board: Board) -> list[list[Mention]]:
    """Return one set of mentions per quantity: `clicks and scrolls` are two."""
    counting = cues.any("how_many", "times") and not cues.any(
        "total", "each", "per", "group", "pair_times", "most"
    )
    groups = group(board, mentions)
    if counting and not any(len(g) > 1 for g in groups) and (chunks := _chunks(mentions, board)):
        return chunks
    groups = [g for g in groups if not _spells_out(board, g, mentions)]
    joined = [g for g in groups if len(g) > 1 and (separated(board, g) or "separately" in cues)]
    if not counting or not joined:
        return [mentions]
    chosen = joined[0]
    rest = [m for m in mentions if m not in chosen]
    if chosen[0].role != "act":
        paired = [m for m in rest if m.role == "act" and len(next(g for g in groups if m in g)) > 1]
        if paired:
            raise Refused("joins two lists of conditions")
    return [sorted([*_near(one, chosen, rest), one], key=lambda m: m.first) for one in chosen]


def _spells_out(board: Board, found: list[Mention], mentions: list[Mention]) -> bool:
    """Whether a list only spells out the acts before it: modifications (its create, …)."""
    if len(found) < 2 or found[0].role != "act":
        return False
    acts = frozenset[str]().union(*(m.acts for m in found))
    return any(
        m.role == "act"
        and m.last <= found[0].first
        and acts <= m.acts
        and {"(", ":"} & set(board.canon[m.last : found[0].first])
        for m in mentions
    )


def _chunks(mentions: list[Mention], board: Board) -> list[list[Mention]]:
    """Cut where each piece names its own act: `clicks on Go and clicks on Back`."""
    held = [m for m in mentions if m.role in {"act", "condition", "element"}]
    pieces: list[list[Mention]] = []
    for mention in held:
        gap = board.canon[pieces[-1][-1].last : mention.first] if pieces else []
        if pieces and not {"and", ",", "&", "versus", "vs"} & set(gap):
            pieces[-1].append(mention)
        else:
            pieces.append([mention])
    strict = all(any(m.role == "act" for m in piece) for piece in pieces)
    rich = any(len(piece) > 1 for piece in pieces)
    after = (board.canon[piece[-1].last : piece[-1].last + 3] for piece in pieces)
    if any(pair in _BACK for words in after for pair in pairwise(words)):
        raise Refused("says `it` of an earlier quantity")
    between = set(board.canon[held[0].last : held[-1].first]) if held else set()
    if "or" in between or not {"and", "&", "versus", "vs"} & between:
        return []
    return pieces if len(pieces) > 1 and strict and rich else []


def _near(one: Mention, chosen: list[Mention], rest: list[Mention]) -> list[Mention]:
    """Share the other mentions: those inside the list belong to their own item."""
    low, high = chosen[0].first, chosen[-1].last
    starts = [m.first for m in chosen]
    at = starts.index(one.first)
    begin = chosen[at - 1].last if at else -1
    return [m for m in rest if not low <= m.first < high or begin <= m.first < one.first]


def inherited(
    own: list[Mention], main: list[Mention], board: Board, segment: Segment
) -> list[Mention]:
    """Complete an elliptic second quantity (`and how many of those failed`) from the first."""
    referring = bool(
        {"those", "these", "them", "it", "ones"} & set(board.canon[segment.first : segment.last])
    )
    out = [*own, *_same_noun(own, main, board, segment)]
    if not any(m.role == "act" for m in own):
        out += [m for m in main if m.role == "act"]
    elliptic = not any(m.role == "act" for m in own) or _is_verb(own)
    held = {m.field for m in own if m.role == "condition"}
    if not any(m.role in {"act", "condition", "element"} for m in own):
        return [*own, *(m for m in main if m.role in {"act", "condition", "element"})]
    if referring or (elliptic and any(m.role == "act" for m in own)):
        out += [
            m
            for m in main
            if m.role == "condition" and m.field not in held and not (m.kind and m.kind.ending)
        ]
    return out


def _same_noun(
    own: Sequence[Mention], main: Sequence[Mention], board: Board, segment: Segment
) -> list[Mention]:
    """Take over what is counted: how many files were created, and how many were edited."""
    words = board.canon[segment.first : segment.last]
    at = segment.first + words.index("many") + 1 if "many" in words else 0
    verb = board.canon[at : at + 1]
    if not at or any(m.noun for m in own) or not verb or verb[0] not in _BE:
        return []
    return [replace(m, first=at, last=at) for m in main if m.role == "noun"][:1]


def ending_outside(board: Board, found: list[Mention], main: list[Mention]) -> list[Mention]:
    """Hand an ending that is said of what remains over to `main`: calls other than looks failed."""
    acts = [m for m in found if m.role == "act"]
    for m in found:
        ending = (m.kind is not None and m.kind.ending is not None) or m.field == "exit_code"
        if not acts or not ending or m.first <= acts[0].last - 1:
            continue
        between = set(board.canon[acts[-1].last : m.first])
        if not between & {"that", "which", "who", "with", "and", "or", "of", "in"}:
            main.append(replace(m, negated=False))
    return [m for m in found if replace(m, negated=False) not in main]


def denies(board: Board, segment: Segment, own: Sequence[Mention]) -> bool:
    """Whether a further quantity only denies the ending of the first: and how many did not."""
    told = board.became[segment.first : segment.last]
    named = any(m.role != "generic" for m in own)
    return not named and any(became and became.startswith("not:") for became in told)


def denied(main: Sequence[Mention]) -> tuple[list[Mention], list[Mention]]:
    """Return the events of the first quantity and, to be left out, how those ended.

    Raises:
        Refused: they have no ending that could be denied.
    """
    ends = [m for m in main if m.kind and m.kind.ending == "outcome"]
    if len(ends) != 1:
        raise Refused("denies what is no ending")
    return [m for m in main if m not in ends], [replace(m, negated=True) for m in ends]


def _is_verb(own: list[Mention]) -> bool:
    acts = [m for m in own if m.role == "act"]
    return bool(acts) and all(
        m.spoken.lower().endswith("ed")
        or (lemmas(m.spoken.lower()) - {m.spoken.lower()} and not m.spoken.lower().endswith("s"))
        for m in acts
    )


def split(
    queries: list[tuple[Query, AnswerForm]], bounds: Bounds
) -> list[tuple[Query, AnswerForm]]:
    """Ask each sub-query once per range of a question that compares two."""
    if not bounds.split:
        return queries
    out = []
    for query, form in queries:
        for lo, hi in bounds.split:
            label = "before" if lo is None else "after"
            out.append(
                (replace(query, scope=replace(query.scope, lo=lo, hi=hi), label=label), form)
            )
    return out


COUNTS = ("how_many", "times")
"""The features that open a quantity."""

_BE = frozenset(("was", "were", "is", "are", "did", "has", "have", "had", "got", "get"))
_BACK = {(word, "it") for word in ("on", "of", "to", "in", "with", "from", "into")}
Placed = tuple[int, "Bounds | tuple[str, Anchor]"]


def scopes_of(
    segments: Sequence[Segment], placed: Sequence[Placed], opening: int, bounds: Bounds
) -> list[Scope]:
    """Return the scope of each quantity.

    What stands before the first quantity, or within only one of them, holds for all; if several
    have bounds of their own, each keeps to its own.
    """
    shared = [part for at, part in placed if at < opening]
    own = [
        [part for at, part in placed if at >= opening and s.first <= at < s.last] for s in segments
    ]
    if len(segments) == 1 or sum(map(bool, own)) < 2:
        own = [[part for at, part in placed if at >= opening]] * len(segments)
    named = [Bounds(bounds.lo, bounds.hi)] if not placed else []
    return [_scope([*shared, *parts, *named]) for parts in own]


def _scope(parts: Sequence[Bounds | tuple[str, Anchor]]) -> Scope:
    bounds, anchors = Bounds(), {}
    for part in parts:
        if isinstance(part, Bounds):
            bounds = bounds.narrow(part)
        elif part[0] in anchors:
            raise Refused("bounds the scope by two events on one side")
        else:
            anchors[part[0]] = part[1]
    return Scope(bounds.lo, bounds.hi, **anchors)


def between_states(scope: Scope, bounds: Bounds, mentions: Sequence[Mention]) -> Scope:
    """Changes from step a to step b compare two states: step a itself is not among them."""
    states = any(m.kind and m.kind.states for m in mentions)
    if bounds.states and states and scope.lo is not None:
        return replace(scope, lo=scope.lo + 1)
    return scope


def in_reach(
    negated: list[tuple[Zone, list[Mention]]], segment: Segment, cues: Cues
) -> list[Mention]:
    """What a quantity leaves out: said within it, or before the first quantity."""
    opening = min(
        (p[0] for name in ("how_many", "times") for p in cues.places.get(name, [])), default=0
    )
    return [
        m
        for zone, found in negated
        if segment.first <= zone.first < segment.last or zone.first < opening
        for m in found
    ]
