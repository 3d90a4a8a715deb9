"""Compiles a question: scope, events that bound it, cues, mentions, sub-queries.

Precise before complete: a word that nothing places declines the question, named.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tallysql.compiling.compilation import Compilation, TraceEntry
from tallysql.compiling.rules import events
from tallysql.compiling.rules.anchors import anchors_of, other_side
from tallysql.compiling.rules.asked import fixes, history_of, listed_by, unused, with_codes
from tallysql.compiling.rules.checks import (
    check_adds,
    check_answerable,
    check_both,
    check_left_out,
    check_placed,
    check_restated,
    check_sentences,
)
from tallysql.compiling.rules.codes import read_nonzero_codes
from tallysql.compiling.rules.cues import (
    Cues,
    Zone,
    read_courtesy,
    read_cues,
    read_negations,
    read_threshold,
)
from tallysql.compiling.rules.history import compile_history
from tallysql.compiling.rules.link import link
from tallysql.compiling.rules.narrow import fit
from tallysql.compiling.rules.operations import operations
from tallysql.compiling.rules.predicate import labelled, narrowed, where_of
from tallysql.compiling.rules.quantities import (
    COUNTS,
    Placed,
    Segment,
    between_states,
    denied,
    denies,
    ending_outside,
    in_reach,
    inherited,
    scopes_of,
    segments_of,
    separate,
    split,
)
from tallysql.compiling.rules.refusal import Refused
from tallysql.compiling.rules.scope import Bounds, Range, read_bounds, read_named
from tallysql.compiling.rules.spelling import corrections
from tallysql.compiling.rules.tokens import Board
from tallysql.compiling.rules.vocabulary import Vocabulary, vocabulary_of
from tallysql.plan.nodes import MAX_QUERIES, Clause, Declined, Plan, Query, Scope, Term
from tallysql.plan.profiles import REFINED, Profile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.compilation import AnswerForm, Threshold
    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.operation import Operation
    from tallysql.ledger.catalog import Catalog
    from tallysql.plan.nodes import Pick, Where

_MAX_CHARACTERS = 2000


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
    history = compile_history(question[:_MAX_CHARACTERS], vocabulary, profile)
    if history is not None:
        return history
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
        compiler = _Compiler(board, vocabulary)
        parts = compiler.compile()
        queries = [fit(query, profile) for query, _ in parts]
    except Refused as refusal:
        return Compilation(Declined(str(refusal)), board.trace())
    return Compilation(
        Plan(tuple(queries)),
        board.trace(),
        tuple(form for _, form in parts),
        threshold=compiler.threshold,
    )


def _unknown(board: Board) -> list[str]:
    return [board.canon[i] for i in board.free() if board.tokens[i].kind == "word"]


class _Compiler:
    """The stages over one board, in order."""

    def __init__(self, board: Board, vocabulary: Vocabulary) -> None:
        self.board = board
        self.vocabulary = vocabulary
        catalog = vocabulary.catalog
        self.steps = Range(catalog.first_step or 0, catalog.last_step)
        self.threshold: Threshold | None = None

    def compile(self) -> list[tuple[Query, AnswerForm]]:
        """Return the sub-queries, each with its answer form."""
        board = self.board
        whether = read_courtesy(board)
        self.threshold = read_threshold(board)
        check_answerable(board, self.vocabulary)
        bounds, pending = self._scope()
        if bounds.lo is not None or any(bound.end == "after" for bound in pending):
            self._again()
        codes = read_nonzero_codes(board, self.vocabulary)
        before = [self._event(bound, codes) for bound in pending]
        cues = read_cues(board, self.threshold)
        if whether:
            cues.add("yes_no", 0, 0)
        zones = read_negations(board)
        self._inside(zones, codes)
        segments = segments_of(board, cues)
        beyond = other_side(board, pending, segments)
        negated = [(zone, ending_outside(board, self._left_out(zone), codes)) for zone in zones]
        linked = [
            narrowed(link(board, self.vocabulary, s.first, s.last, codes), self.vocabulary)
            for s in segments
        ]
        anchors = anchors_of(before, linked[0], board, self.vocabulary)
        anchors += [(at, (end, anchors[0][1][1])) for at, end in beyond]
        check_sentences(board, [m for own in linked for m in own])
        check_both(board, linked[0], cues.any("total", "how_many"))
        check_restated(board, linked[0])
        if len(segments) > 1 and "runs" in cues:
            raise Refused("asks for a longest run among other quantities")
        check_placed(board)
        if bounds.named:
            bounds = self._named(bounds, cues)
        quantities = list(zip(segments, linked, strict=True))
        return self._checked(
            self._asked(quantities, cues, negated, bounds, [*bounds.placed, *anchors])
        )

    def _asked(
        self,
        quantities: Sequence[tuple[Segment, list[Mention]]],
        cues: Cues,
        negated: list[tuple[Zone, list[Mention]]],
        bounds: Bounds,
        placed: Sequence[Placed],
    ) -> list[tuple[Query, AnswerForm]]:
        """Compile each quantity over its scope, with what it takes over from the first."""
        segments, linked = [s for s, _ in quantities], [own for _, own in quantities]
        opening = min((p[0] for name in COUNTS for p in cues.places.get(name, [])), default=0)
        scopes = scopes_of(segments, placed, opening, bounds)
        queries: list[tuple[Query, AnswerForm]] = []
        for (segment, mentions), scope in zip(quantities, scopes, strict=True):
            own, out = mentions, in_reach(negated, segment, cues)
            if segment is not segments[0] and denies(self.board, segment, mentions):
                own, out = denied(linked[0])
            elif segment is not segments[0]:
                own = inherited(mentions, linked[0], self.board, segment)
                check_adds(segment, mentions, placed)
            queries += self._queries(
                cues.within(segment.first, segment.last),
                own,
                out,
                between_states(scope, bounds, own),
            )
        return split(queries, bounds)

    def _checked(self, queries: list[tuple[Query, AnswerForm]]) -> list[tuple[Query, AnswerForm]]:
        if not queries:
            raise Refused("asks for nothing that can be counted, listed or ordered")
        if self.threshold and len(queries) > 1:
            raise Refused("asks for a number of times among several quantities")
        if len(queries) > MAX_QUERIES:
            raise Refused(f"asks for {len(queries)} quantities; {MAX_QUERIES} is the most")
        if len(queries) > 1:
            return queries
        return [(replace(query, label=None), form) for query, form in queries]

    def _left_out(self, zone: Zone) -> list[Mention]:
        """Link what is to be left out; what `does not appear` are words of the action."""
        found = [
            replace(m, negated=True)
            for m in link(self.board, self.vocabulary, zone.first, zone.last, left_out=True)
        ]
        if zone.verb and not all(
            (m.kind and m.kind.ending) or m.field == "exit_code" or m.role == "element"
            for m in found
            if m.role != "generic"
        ):
            raise Refused(f"denies an act: {self._words(zone.first, zone.last)!r}")
        nothing = not any(m.role in {"act", "condition", "element"} for m in found)
        words = any(t.kind == "word" for t in self.board.tokens[zone.first : zone.last])
        if nothing and not found and zone.verb and words:
            raise Refused(f"denies what no event is: {self._words(zone.first, zone.last)!r}")
        if nothing and (
            self.board.became[zone.last] if zone.last < len(self.board.tokens) else ""
        ) not in {None, ""}:
            raise Refused(f"leaves out steps: {self._words(zone.first, zone.last)!r}")
        if "(" in self.board.canon[zone.first : zone.last]:
            raise Refused(f"leaves out with an aside: {self._words(zone.first, zone.last)!r}")
        if not zone.literal:
            return found
        return [
            replace(m, role="condition", field="action", terms=(Term(m.spoken),))
            if m.role == "act"
            else m
            for m in found
        ]

    def _scope(self) -> tuple[Bounds, list[events.EventBound]]:
        """Read step bounds and event bounds; an event whose step is given is a step bound."""
        board = self.board
        bounds = read_bounds(board, self.steps)
        pending: list[events.EventBound] = []
        for bound in events.read_event_bounds(board):
            stated = events.step_of(board, bound)
            if stated:
                bounds = bounds.narrow(stated, bound.first)
            else:
                pending.append(bound)
        return read_named(board, bounds), pending

    def _named(self, bounds: Bounds, cues: Cues) -> Bounds:
        """A step that the question names is its scope only for counts and yes or no."""
        at = bounds.named[0]
        if len(bounds.named) == 1 and "last" in cues:
            return replace(bounds.narrow(Bounds(hi=at)), named=())
        if (
            len(bounds.named) == 1
            and self._apart(at)
            and cues.any("yes_no", "times")
            and not cues.any("first", "nth", "steps", "step")
        ):
            return replace(bounds.narrow(Bounds(at, at)), named=())
        raise Refused(f"asks about the content of step {at}")

    def _apart(self, step: int) -> bool:
        """Whether the named step stands at an end of the sentence, not inside a description."""
        told = [
            i for i, became in enumerate(self.board.became) if became == f"scope: step {step} alone"
        ]
        after = self.board.canon[told[-1] + 1 : told[-1] + 2] if told else []
        return bool(told) and (told[0] == 0 or not after or after[0] in {"?", ".", ",", "!"})

    def _event(
        self, bound: events.EventBound, codes: list[Mention]
    ) -> tuple[events.EventBound, Pick, list[Mention]]:
        pick = events.pick_of(self.board, bound)
        found = link(self.board, self.vocabulary, bound.first, bound.last, codes)
        codes[:] = [m for m in codes if not bound.first <= m.first < bound.last]
        return bound, pick, found

    def _inside(self, zones: Sequence[Zone], codes: Sequence[Mention]) -> None:
        for zone in zones:
            if any(zone.first <= m.first < zone.last for m in codes):
                raise Refused(f"leaves out exit codes: {self._words(zone.first, zone.last)!r}")

    def _again(self) -> None:
        """After a given point `again` says no more than that."""
        for i in self.board.free():
            if self.board.canon[i] == "again":
                self.board.claim(i, i + 1, "ignored: the scope says from when on")

    def _words(self, first: int, last: int) -> str:
        tokens = self.board.tokens
        return self.board.question[tokens[first].start : tokens[last - 1].end]

    def _check(
        self, operation: Operation, own: list[Mention], where: Where, acts: frozenset[str] | None
    ) -> None:
        """Refuse what the operation would answer by leaving words out."""
        word = unused(own, operation.by)
        if word:
            raise Refused(f"cannot place {word!r}")
        if operation.by not in {"target", "first_target"}:
            return
        if fixes(where, own, acts, self.board):
            raise Refused("asks for the values of a target that it also fixes")

    def _queries(
        self, cues: Cues, mentions: list[Mention], negated: list[Mention], scope: Scope
    ) -> list[tuple[Query, AnswerForm]]:
        """Compile one segment: its operations over each of the event sets that it names."""
        board, vocabulary = self.board, self.vocabulary
        exclude, _, _ = where_of(board, negated, vocabulary)
        sets = separate(cues, mentions, board)
        out: list[tuple[Query, AnswerForm]] = []
        for own in sets:
            where, unless, acts = where_of(board, own, vocabulary)
            check_left_out(negated, acts)
            if exclude and unless and exclude != unless:
                unless = _union(exclude, unless)
            for operation in operations(cues, own, board, acts):
                nameless = operation.op in {"count", "first", "last", "list"} and _no_event(own)
                if nameless and not where and not exclude:
                    raise Refused("names no event that could be counted")
                self._check(operation, own, where, acts)
                query = Query(
                    operation.op,
                    history_of(with_codes(where, operation.by, vocabulary), own, cues),
                    scope,
                    unless or exclude,
                    listed_by(operation.by, acts, vocabulary),
                    operation.limit,
                    operation.pick,
                )
                out.append((labelled(query, own), operation.form))
        return out


def _union(left: tuple[Clause, ...], right: tuple[Clause, ...]) -> tuple[Clause, ...]:
    if len(left) == len(right) == 1 and left[0].field == right[0].field:
        return (Clause(left[0].field, tuple(dict.fromkeys(left[0].terms + right[0].terms))),)
    raise Refused("leaves out two kinds of event that no single condition names")


def _no_event(mentions: Sequence[Mention]) -> bool:
    return not any(m.role == "generic" for m in mentions)
