"""Compiles a question: scope, events that bound it, cues, mentions, sub-queries.

Precise before complete: a word that nothing places declines the question, named.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tallysql.compiling.compilation import Compilation, TraceEntry
from tallysql.compiling.rules import compose, events
from tallysql.compiling.rules.cues import Cues, read_cues, read_negations
from tallysql.compiling.rules.lexicon import lexicon
from tallysql.compiling.rules.mentions import Mention, link
from tallysql.compiling.rules.narrow import fit
from tallysql.compiling.rules.scope import Bounds, Range, read_bounds, read_named
from tallysql.compiling.rules.spelling import corrections
from tallysql.compiling.rules.tokens import Board, lemmas
from tallysql.compiling.rules.vocabulary import Vocabulary, vocabulary_of
from tallysql.plan.nodes import MAX_QUERIES, Anchor, Clause, Declined, Plan, Query, Scope
from tallysql.plan.profiles import REFINED, Profile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.compilation import AnswerForm
    from tallysql.ledger.catalog import Catalog

_MAX_CHARACTERS = 2000


class Refused(Exception):
    """The question is not applicable; the message says why, naming the words."""


def compile_question(question: str, catalog: Catalog, profile: Profile = REFINED) -> Compilation:
    """Compile a question about one trajectory into a plan, or decline it.

    Args:
        question: the question as asked.
        catalog: the vocabulary of the trajectory's ledger.
        profile: the settings that the plan must keep to.

    Returns:
        A checked plan with one answer form per sub-query, or a decline that names the words that
        could not be placed; either way with a trace of the whole question.
    """
    vocabulary = vocabulary_of(catalog)
    board = Board(question[:_MAX_CHARACTERS])
    first = _attempt(board, vocabulary, profile)
    unknown = _unknown(board)
    if isinstance(first.plan, Plan) or not unknown:
        return first
    fixed = corrections(unknown, vocabulary)
    if not fixed:
        return first
    second = _attempt(Board(question[:_MAX_CHARACTERS], fixed), vocabulary, profile)
    if isinstance(second.plan, Declined):
        return first
    notes = tuple(TraceEntry(wrong, f"read as {right!r}") for wrong, right in fixed.items())
    return replace(second, trace=notes + second.trace)


def _attempt(board: Board, vocabulary: Vocabulary, profile: Profile) -> Compilation:
    try:
        parts = _Compiler(board, vocabulary).compile()
        queries = [fit(query, profile) for query, _ in parts]
    except (Refused, compose.Unplaced) as refusal:
        return Compilation(Declined(str(refusal)), board.trace())
    return Compilation(Plan(tuple(queries)), board.trace(), tuple(form for _, form in parts))


def _unknown(board: Board) -> list[str]:
    return [board.canon[i] for i in board.free() if board.tokens[i].kind == "word"]


@dataclass(frozen=True, slots=True)
class _Segment:
    first: int
    last: int


class _Compiler:
    """The stages over one board, in order."""

    def __init__(self, board: Board, vocabulary: Vocabulary) -> None:
        self.board = board
        self.vocabulary = vocabulary
        catalog = vocabulary.catalog
        self.steps = Range(catalog.first_step or 0, catalog.last_step)

    def compile(self) -> list[tuple[Query, AnswerForm]]:
        """Return the sub-queries, each with its answer form."""
        board = self.board
        self._refuse()
        bounds, pending = self._scope()
        cues = read_cues(board)
        if "least" in cues:
            raise Refused("asks for the least frequent, which the plan language lacks")
        zones = read_negations(board)
        negated = [
            replace(m, negated=True) for zone in zones for m in link(board, self.vocabulary, *zone)
        ]
        segments = self._segments(cues)
        linked = [
            compose.narrowed(link(board, self.vocabulary, s.first, s.last), self.vocabulary)
            for s in segments
        ]
        anchors = [self._anchor(bound, linked[0]) for bound in pending]
        self._leftover()
        if bounds.named:
            bounds = self._named(bounds, cues)
        scope = Scope(bounds.lo, bounds.hi, **{end: anchor for end, anchor in anchors})
        queries: list[tuple[Query, AnswerForm]] = []
        for segment, mentions in zip(segments, linked, strict=True):
            own = (
                _inherited(mentions, linked[0], board, segment)
                if segment is not segments[0]
                else mentions
            )
            queries += self._queries(
                cues.within(segment.first, segment.last),
                own,
                negated,
                replace_states(scope, bounds, own),
            )
        queries = _split(queries, bounds)
        if not queries:
            raise Refused("asks for nothing that can be counted, listed or ordered")
        if len(queries) > MAX_QUERIES:
            raise Refused(f"asks for {len(queries)} quantities; {MAX_QUERIES} is the most")
        return (
            queries
            if len(queries) > 1
            else [(replace(query, label=None), form) for query, form in queries]
        )

    def _refuse(self) -> None:
        for pattern, reason in lexicon().decline:
            for found in pattern.finditer(self.board.text):
                first, last = self.board.span(found)
                if not self.vocabulary.match(self.board.canon, first, last) or last - first > 1:
                    words = self.board.question[
                        self.board.tokens[first].start : self.board.tokens[last - 1].end
                    ]
                    self.board.claim(first, last, f"declined: {reason}")
                    raise Refused(f"{reason}: {words!r}")

    def _scope(self) -> tuple[Bounds, list[events.EventBound]]:
        """Read step bounds and event bounds; an event whose step is given is a step bound."""
        board = self.board
        bounds = read_bounds(board, self.steps)
        pending: list[events.EventBound] = []
        for bound in events.read_event_bounds(board):
            stated = events.step_of(board, bound)
            if stated:
                bounds = bounds.narrow(stated)
            else:
                pending.append(bound)
        ends = [bound.end for bound in pending]
        if len(set(ends)) < len(ends):
            raise Refused("bounds the scope by two events on one side")
        return read_named(board, bounds), pending

    def _named(self, bounds: Bounds, cues: Cues) -> Bounds:
        """A step that the question names is its scope only for counts and yes or no."""
        at = bounds.named[0]
        if len(bounds.named) == 1 and "last" in cues:
            return replace(bounds.narrow(Bounds(hi=at)), named=())
        if (
            len(bounds.named) == 1
            and cues.any("yes_no", "times")
            and not cues.any("first", "nth", "steps", "step")
        ):
            return replace(bounds.narrow(Bounds(at, at)), named=())
        raise Refused(f"asks about the content of step {at}")

    def _segments(self, cues: Cues) -> list[_Segment]:
        """Cut at the second and later `how many`."""
        starts = sorted(p[0] for name in ("how_many", "times") for p in cues.places.get(name, []))
        cuts = [0]
        for start in starts[1:]:
            if any(
                self.board.canon[i] in {",", "and", ";", "?", "."}
                for i in range(max(0, start - 2), start)
            ):
                cuts.append(start)
        return [
            _Segment(a, b) for a, b in zip(cuts, [*cuts[1:], len(self.board.tokens)], strict=True)
        ]

    def _anchor(self, bound: events.EventBound, main: list[Mention]) -> tuple[str, Anchor]:
        board = self.board
        pick, picked = events.pick_of(board, bound)
        own = link(board, self.vocabulary, bound.first, bound.last)
        named = [m for m in own if m.role in {"act", "condition"}]
        if not any(m.role == "act" for m in named) and self._refers(bound):
            own = [
                *own,
                *(m for m in main if m.role == "act" and not bound.first <= m.first < bound.last),
            ]
        where, _, _ = compose.where_of(board, own, self.vocabulary)
        if not where:
            raise Refused(
                f"the event that bounds the scope is not one of the log: {self._words(bound.first, bound.last)!r}"
            )
        _ = picked
        return bound.end, Anchor(where, pick)

    def _refers(self, bound: events.EventBound) -> bool:
        return (
            bool({"one", "that", "1", "it"} & set(self.board.canon[bound.first : bound.last]))
            or bound.last - bound.first <= 3
        )

    def _words(self, first: int, last: int) -> str:
        tokens = self.board.tokens
        return self.board.question[tokens[first].start : tokens[last - 1].end]

    def _leftover(self) -> None:
        left = self.board.free()
        if left:
            words = ", ".join(repr(self.board.tokens[i].text) for i in left[:8])
            raise Refused(f"cannot place {words}")

    def _queries(
        self, cues: Cues, mentions: list[Mention], negated: list[Mention], scope: Scope
    ) -> list[tuple[Query, AnswerForm]]:
        """Compile one segment: its operations over each of the event sets that it names."""
        board, vocabulary = self.board, self.vocabulary
        exclude, _, _ = compose.where_of(board, negated, vocabulary)
        sets = _separate(cues, mentions, board)
        out: list[tuple[Query, AnswerForm]] = []
        for own in sets:
            where, unless, acts = compose.where_of(board, own, vocabulary)
            if exclude and unless and exclude != unless:
                unless = _union(exclude, unless)
            for operation in compose.operations(cues, own, board, acts):
                if operation.op == "count" and not where and not exclude and _no_event(own, cues):
                    raise Refused("names no event that could be counted")
                query = Query(
                    operation.op,
                    where,
                    scope,
                    exclude if not unless else unless,
                    operation.by,
                    operation.limit,  # type: ignore[arg-type]
                )
                out.append((compose.labelled(query, own), operation.form))
        return out


def replace_states(scope: Scope, bounds: Bounds, mentions: Sequence[Mention]) -> Scope:
    """Changes from step a to step b compare two states: step a itself is not among them."""
    states = any(m.kind and m.kind.states for m in mentions)
    if bounds.states and states and scope.lo is not None:
        return replace(scope, lo=scope.lo + 1)
    return scope


def _union(left: tuple[Clause, ...], right: tuple[Clause, ...]) -> tuple[Clause, ...]:
    if len(left) == len(right) == 1 and left[0].field == right[0].field:
        return (Clause(left[0].field, tuple(dict.fromkeys(left[0].terms + right[0].terms))),)
    raise Refused("leaves out two kinds of event that no single condition names")


def _no_event(mentions: Sequence[Mention], cues: Cues) -> bool:
    return not any(m.role == "generic" for m in mentions)


def _split(
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


def _separate(cues: Cues, mentions: list[Mention], board: Board) -> list[list[Mention]]:
    """Return one set of mentions per quantity: `clicks and scrolls` are two."""
    counting = cues.any("how_many", "times") and not cues.any(
        "total", "each", "group", "pair_times", "most"
    )
    groups = compose.group(board, mentions)
    joined = [
        g for g in groups if len(g) > 1 and (compose.separated(board, g) or "separately" in cues)
    ]
    if not counting or not joined:
        return [mentions]
    chosen = joined[0]
    rest = [m for m in mentions if m not in chosen]
    if chosen[0].role != "act":
        paired = [m for m in rest if m.role == "act" and len(next(g for g in groups if m in g)) > 1]
        if paired:
            raise Refused("joins two lists of conditions")
    return [sorted([*_near(one, chosen, rest), one], key=lambda m: m.first) for one in chosen]


def _near(one: Mention, chosen: list[Mention], rest: list[Mention]) -> list[Mention]:
    """Share the other mentions: those inside the list belong to their own item."""
    low, high = chosen[0].first, chosen[-1].last
    starts = [m.first for m in chosen]
    at = starts.index(one.first)
    begin = chosen[at - 1].last if at else -1
    return [m for m in rest if not low <= m.first < high or begin <= m.first < one.first]


def _inherited(
    own: list[Mention], main: list[Mention], board: Board, segment: _Segment
) -> list[Mention]:
    """Complete an elliptic second quantity (`and how many of those failed`) from the first."""
    referring = bool(
        {"those", "these", "them", "it", "ones"} & set(board.canon[segment.first : segment.last])
    )
    out = list(own)
    if not any(m.role == "act" for m in own):
        out += [m for m in main if m.role == "act"]
    elliptic = not any(m.role == "act" for m in own) or _is_verb(own)
    held = {m.field for m in own if m.role == "condition"}
    if referring or (elliptic and any(m.role == "act" for m in own)):
        out += [
            m
            for m in main
            if m.role == "condition" and m.field not in held and not (m.kind and m.kind.ending)
        ]
    return out


def _is_verb(own: list[Mention]) -> bool:
    acts = [m for m in own if m.role == "act"]
    return bool(acts) and all(
        m.spoken.lower().endswith("ed")
        or lemmas(m.spoken.lower()) - {m.spoken.lower()}
        and not m.spoken.lower().endswith("s")
        for m in acts
    )
