"""Compiles a question: scope, events that bound it, cues, mentions, sub-queries.

Precise before complete: a word that nothing places declines the question, named.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tallysql.compiling.compilation import Compilation, TraceEntry
from tallysql.compiling.rules import compose, events
from tallysql.compiling.rules.cues import Cues, Zone, read_cues, read_negations
from tallysql.compiling.rules.lexicon import lexicon
from tallysql.compiling.rules.mentions import Mention, link
from tallysql.compiling.rules.narrow import fit
from tallysql.compiling.rules.scope import Bounds, Range, read_bounds, read_named
from tallysql.compiling.rules.spelling import corrections
from tallysql.compiling.rules.tokens import Board, lemmas
from tallysql.compiling.rules.vocabulary import Vocabulary, vocabulary_of
from tallysql.plan.nodes import MAX_QUERIES, Anchor, Clause, Declined, Plan, Query, Scope, Term
from tallysql.plan.profiles import REFINED, Profile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.compilation import AnswerForm
    from tallysql.ledger.catalog import Catalog
    from tallysql.plan.nodes import By, Pick, Where

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
        before = [self._event(bound) for bound in pending]
        cues = read_cues(board)
        if "least" in cues:
            raise Refused("asks for the least frequent, which the plan language lacks")
        zones = read_negations(board)
        segments = self._segments(cues)
        negated = [(zone, self._left_out(zone)) for zone in zones]
        linked = [compose.narrowed(link(board, self.vocabulary, s.first, s.last), self.vocabulary) for s in segments]
        anchors = self._anchors(before, linked[0])
        self._leftover()
        if bounds.named:
            bounds = self._named(bounds, cues)
        scope = Scope(bounds.lo, bounds.hi, **{end: anchor for end, anchor in anchors})
        queries: list[tuple[Query, AnswerForm]] = []
        for segment, mentions in zip(segments, linked, strict=True):
            own = _inherited(mentions, linked[0], board, segment) if segment is not segments[0] else mentions
            queries += self._queries(cues.within(segment.first, segment.last), own, _in_reach(negated, segment, cues), replace_states(scope, bounds, own))
        queries = _split(queries, bounds)
        if not queries:
            raise Refused("asks for nothing that can be counted, listed or ordered")
        if len(queries) > MAX_QUERIES:
            raise Refused(f"asks for {len(queries)} quantities; {MAX_QUERIES} is the most")
        return queries if len(queries) > 1 else [(replace(query, label=None), form) for query, form in queries]

    def _left_out(self, zone: Zone) -> list[Mention]:
        """Link what is to be left out; what `does not appear` is looked for in the action's words."""
        found = [replace(m, negated=True) for m in link(self.board, self.vocabulary, zone.first, zone.last)]
        if zone.verb and not all(m.kind and m.kind.ending or m.field == "exit_code" for m in found if m.role != "generic"):
            raise Refused(f"denies an act: {self._words(zone.first, zone.last)!r}")
        nothing = not any(m.role in {"act", "condition", "element"} for m in found)
        if nothing and (self.board.became[zone.last] if zone.last < len(self.board.tokens) else "") not in {None, ""}:
            raise Refused(f"leaves out steps: {self._words(zone.first, zone.last)!r}")
        if not zone.literal:
            return found
        return [
            replace(m, role="condition", field="action", terms=(Term(m.spoken),)) if m.role == "act" else m for m in found
        ]

    def _refuse(self) -> None:
        for pattern, reason in lexicon().decline:
            for found in pattern.finditer(self.board.text):
                first, last = self.board.span(found)
                if any(self.board.tokens[i].kind in {"code", "quoted"} for i in range(first, last)) or first == last:
                    continue
                if not self.vocabulary.match(self.board.canon, first, last) or last - first > 1:
                    words = self.board.question[self.board.tokens[first].start : self.board.tokens[last - 1].end]
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
        if len(bounds.named) == 1 and self._apart(at) and cues.any("yes_no", "times") and not cues.any("first", "nth", "steps", "step"):
            return replace(bounds.narrow(Bounds(at, at)), named=())
        raise Refused(f"asks about the content of step {at}")

    def _apart(self, step: int) -> bool:
        """Whether the named step stands at an end of the sentence, not inside a description."""
        told = [i for i, became in enumerate(self.board.became) if became == f"scope: step {step} alone"]
        after = self.board.canon[told[-1] + 1 : told[-1] + 2] if told else []
        return bool(told) and (told[0] == 0 or not after or after[0] in {"?", ".", ",", "!"})

    def _segments(self, cues: Cues) -> list[_Segment]:
        """Cut at the second and later `how many`."""
        starts = sorted(p[0] for name in ("how_many", "times") for p in cues.places.get(name, []))
        cuts = [0]
        for start in starts[1:]:
            if any(self.board.canon[i] in {",", "and", ";", "?", "."} for i in range(max(0, start - 2), start)):
                cuts.append(start)
        return [_Segment(a, b) for a, b in zip(cuts, [*cuts[1:], len(self.board.tokens)], strict=True)]

    def _event(self, bound: events.EventBound) -> tuple[events.EventBound, Pick, list[Mention]]:
        pick = events.pick_of(self.board, bound)
        return bound, pick, link(self.board, self.vocabulary, bound.first, bound.last)

    def _anchors(
        self, found: list[tuple[events.EventBound, Pick, list[Mention]]], main: list[Mention]
    ) -> list[tuple[str, Anchor]]:
        """Turn event phrases into anchors; `the second one` is of the kind named just before."""
        anchors: list[tuple[str, Anchor]] = []
        previous = main
        for n, (bound, pick, own) in enumerate(found):
            named = own
            if not own and n == 0 and len(found) == 2:
                named = found[1][2]  # between the first and the last take
            if not any(m.role == "act" for m in named) and self._refers(bound):
                named = [*own, *(m for m in previous if m.role == "act")]
            where, _, _ = compose.where_of(self.board, named, self.vocabulary)
            if not where:
                words = self._words(bound.first, bound.last)
                raise Refused(f"the event that bounds the scope is not one of the log: {words!r}")
            anchors.append((bound.end, Anchor(where, pick)))
            previous = named
        return anchors

    def _refers(self, bound: events.EventBound) -> bool:
        """Whether an event phrase without a kind points back (`the second one`)."""
        return bool({"one", "that", "1", "it"} & set(self.board.canon[bound.first : bound.last]))

    def _words(self, first: int, last: int) -> str:
        tokens = self.board.tokens
        return self.board.question[tokens[first].start : tokens[last - 1].end]

    def _leftover(self) -> None:
        left = self.board.free()
        if left:
            words = ", ".join(repr(self.board.tokens[i].text) for i in left[:8])
            raise Refused(f"cannot place {words}")

    def _queries(self, cues: Cues, mentions: list[Mention], negated: list[Mention], scope: Scope) -> list[tuple[Query, AnswerForm]]:
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
                if operation.by in {"target", "first_target"} and _fixed(where) and not _by_place(own, acts, board):
                    raise Refused("asks for the values of a target that it also fixes")
                query = Query(
                    operation.op, _with_codes(where, operation.by, vocabulary), scope, unless or exclude, _listed_by(operation.by, acts, vocabulary), operation.limit  # type: ignore[arg-type]
                )
                out.append((compose.labelled(query, own), operation.form))
        return out


def _in_reach(negated: list[tuple[Zone, list[Mention]]], segment: _Segment, cues: Cues) -> list[Mention]:
    """What a quantity leaves out: said within it, or before the first quantity."""
    opening = min((p[0] for name in ("how_many", "times") for p in cues.places.get(name, [])), default=0)
    return [m for zone, found in negated if segment.first <= zone.first < segment.last or zone.first < opening for m in found]


def replace_states(scope: Scope, bounds: Bounds, mentions: Sequence[Mention]) -> Scope:
    """Changes from step a to step b compare two states: step a itself is not among them."""
    states = any(m.kind and m.kind.states for m in mentions)
    if bounds.states and states and scope.lo is not None:
        return replace(scope, lo=scope.lo + 1)
    return scope


def _by_place(mentions: Sequence[Mention], acts: frozenset[str] | None, board: Board) -> bool:
    """Whether the fixed target is the place (`taken from desk 1`), so that the objects vary."""
    fixed = [m for m in mentions if m.field == "target"]
    before = [word for m in fixed for word in board.canon[max(0, m.first - 2) : m.first]]
    return bool(acts) and acts is not None and acts <= compose.TWO_TARGETS and bool({"from", "in", "into", "on", "onto", "to"} & set(before))


def _fixed(where: Where) -> bool:
    return any(c.field == "target" and len(c.terms) == 1 and c.terms[0].match == "exact" for c in where)


def _with_codes(where: Where, by: By | None, vocabulary: Vocabulary) -> Where:
    """Grouping by exit code is about the events that state one."""
    if by != "exit_code" or any(clause.field == "exit_code" for clause in where):
        return where
    codes = vocabulary.catalog.exit_codes
    terms = tuple(Term(text) for text, held in (("0", 0 in codes), ("nonzero", any(codes))) if held)
    return (*where, Clause("exit_code", terms)) if terms else where


def _listed_by(by: By | None, acts: frozenset[str] | None, vocabulary: Vocabulary) -> By | None:
    """Shell commands name their files among the targets."""
    return "target" if by == "path" and acts and compose.only_shell(acts, vocabulary) else by


def _union(left: tuple[Clause, ...], right: tuple[Clause, ...]) -> tuple[Clause, ...]:
    if len(left) == len(right) == 1 and left[0].field == right[0].field:
        return (Clause(left[0].field, tuple(dict.fromkeys(left[0].terms + right[0].terms))),)
    raise Refused("leaves out two kinds of event that no single condition names")


def _no_event(mentions: Sequence[Mention], cues: Cues) -> bool:
    return not any(m.role == "generic" for m in mentions)


def _split(queries: list[tuple[Query, AnswerForm]], bounds: Bounds) -> list[tuple[Query, AnswerForm]]:
    """Ask each sub-query once per range of a question that compares two."""
    if not bounds.split:
        return queries
    out = []
    for query, form in queries:
        for lo, hi in bounds.split:
            label = "before" if lo is None else "after"
            out.append((replace(query, scope=replace(query.scope, lo=lo, hi=hi), label=label), form))
    return out


def _separate(cues: Cues, mentions: list[Mention], board: Board) -> list[list[Mention]]:
    """Return one set of mentions per quantity: `clicks and scrolls` are two."""
    counting = cues.any("how_many", "times") and not cues.any("total", "each", "group", "pair_times", "most")
    groups = compose.group(board, mentions)
    if counting and not any(len(g) > 1 for g in groups) and (chunks := _chunks(mentions, board)):
        return chunks
    joined = [g for g in groups if len(g) > 1 and (compose.separated(board, g) or "separately" in cues)]
    if not counting or not joined:
        return [mentions]
    chosen = joined[0]
    rest = [m for m in mentions if m not in chosen]
    if chosen[0].role != "act":
        paired = [m for m in rest if m.role == "act" and len(next(g for g in groups if m in g)) > 1]
        if paired:
            raise Refused("joins two lists of conditions")
    return [sorted([*_near(one, chosen, rest), one], key=lambda m: m.first) for one in chosen]


def _chunks(mentions: list[Mention], board: Board) -> list[list[Mention]]:
    """Cut at `and` and commas where each piece names an act and more: ArrowDown presses and Enter presses."""
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


def _inherited(own: list[Mention], main: list[Mention], board: Board, segment: _Segment) -> list[Mention]:
    """Complete an elliptic second quantity (`and how many of those failed`) from the first."""
    referring = bool({"those", "these", "them", "it", "ones"} & set(board.canon[segment.first : segment.last]))
    out = list(own)
    if not any(m.role == "act" for m in own):
        out += [m for m in main if m.role == "act"]
    elliptic = not any(m.role == "act" for m in own) or _is_verb(own)
    held = {m.field for m in own if m.role == "condition"}
    if referring or (elliptic and any(m.role == "act" for m in own)):
        out += [m for m in main if m.role == "condition" and m.field not in held and not (m.kind and m.kind.ending)]
    return out


def _is_verb(own: list[Mention]) -> bool:
    acts = [m for m in own if m.role == "act"]
    return bool(acts) and all(m.spoken.lower().endswith("ed") or lemmas(m.spoken.lower()) - {m.spoken.lower()} and not m.spoken.lower().endswith("s") for m in acts)
