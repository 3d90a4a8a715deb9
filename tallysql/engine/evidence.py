"""Renders results as the text that a reader gets, within a budget of characters.

See docs/architecture.md, "Evidence". What a budget leaves out is always counted in its place.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tallysql.engine.results import Bound, Group, Result
    from tallysql.plan.nodes import Anchor, Clause, Pick, Query, Where

BUDGET = 6000
"""Characters in all (M in the paper)."""

TEXT_LIMIT = 200
"""Characters of one value; longer ones are cut, with their length."""

ERRORS_SHOWN = 5

RANGES_A_LINE = 20

OUTCOME_ORDER = ("success", "failure", "no_effect", "unknown")

Items = list[tuple[str, int]]
"""Lines that a budget may cut, with the number of steps, values or rows that each one holds."""


def render(results: Sequence[Result], budget: int = BUDGET) -> str:
    """Return the evidence block of a plan's results, at most `budget` characters.

    Empty if no sub-query survives: then there is no computed evidence, and the results' reasons
    say why.
    """
    if not any(result.survives for result in results):
        return ""
    numbered = list(enumerate(results, start=1))
    whole = [render_result(number, result) for number, result in numbered]
    gaps = 2 * (len(whole) - 1)
    rooms = _shares([len(text) for text in whole], budget - gaps)
    fitted = (
        text if len(text) <= room else render_result(number, result, room)
        for (number, result), text, room in zip(numbered, whole, rooms, strict=True)
    )
    return "\n\n".join(fitted)[: max(budget, 0)]


def compress_steps(steps: Sequence[int]) -> str:
    """Return ascending steps as ranges: `3-7, 12`."""
    return ", ".join(text for text, _ in _ranges(steps))


def _ranges(steps: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield each range's text and its number of steps."""
    if not steps:
        return
    breaks = [i for i, (a, b) in enumerate(pairwise(steps), start=1) if b != a + 1]
    for start, end in pairwise([0, *breaks, len(steps)]):
        first, last = steps[start], steps[end - 1]
        yield (str(first) if first == last else f"{first}-{last}"), end - start


def _shares(lengths: Sequence[int], budget: int) -> list[int]:
    """Split a budget: short texts keep their length, the long ones share the rest evenly."""
    rooms = [0] * len(lengths)
    left = budget
    by_length = sorted(range(len(lengths)), key=lengths.__getitem__)
    for position, index in enumerate(by_length):
        rooms[index] = max(0, min(lengths[index], left // (len(lengths) - position)))
        left -= rooms[index]
    return rooms


def render_result(number: int, result: Result, room: int | None = None) -> str:
    """Return the text of one result, survivor or not: whole, or cut to `room` characters."""
    head = [f"[{number}] {_title(result)}", *_conditions(result), *_findings(result)]
    body = _body(result, cut=room is not None)
    if room is None:
        return "\n".join([*head, *(line for line, _ in body)])
    # The head gives way to the body only where it is longer than half of the room.
    body_length = sum(len(line) + 1 for line, _ in body)
    kept = _cut("\n".join(head), max(room // 2, room - body_length))
    return kept + _fit(body, room - len(kept), _noun(result))


def _fit(items: Items, room: int, noun: str) -> str:
    """Append as many lines as the room holds, then how many steps, values or rows are missing."""
    text, missing = "", sum(weight for _, weight in items)
    for line, weight in items:
        longer = f"{text}\n{line}"
        closing = f"\n… {missing - weight} more {noun} left out" if missing > weight else ""
        if len(longer) + len(closing) > room:
            break
        text, missing = longer, missing - weight
    closing = f"\n… {missing} more {noun} left out" if missing else ""
    return (text + closing)[: max(room, 0)]


def _cut(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    closing = f"… ({len(text) - room} characters left out)"
    return (text[: max(0, room - len(closing))] + closing)[: max(room, 0)]


def _title(result: Result) -> str:
    query = result.query
    by = f" by {query.by}" if query.by is not None else ""
    limit = f", at most {query.limit}" if query.limit is not None else ""
    pick = f", {_picked(query.pick)}" if query.pick is not None else ""
    label = f": {_line(query.label)}" if query.label else ""
    state = {"ok": "", "verified_zero": " (verified zero)", "relaxed": " (relaxed)"}
    return f"{query.op}{by}{limit}{pick}{state.get(result.state, ' (dropped)')}{label}"


def _picked(pick: Pick) -> str:
    if isinstance(pick, str):
        return f"the {pick}"
    return f"number {pick}" if pick > 0 else f"number {-pick} from the end"


def _conditions(result: Result) -> Iterator[str]:
    query = result.query
    where = _where(query.where)
    excluded = f"; not ({_where(query.exclude)})" if query.exclude else ""
    yield f"filters: {where or 'none, every event'}{excluded}"
    yield f"scope: {_scope(query, result.bounds)}"
    if result.reason is not None:
        label = "check" if result.state == "verified_zero" else result.state
        yield f"{label}: {_line(result.reason, 1000)}"


def _findings(result: Result) -> Iterator[str]:
    if not result.survives:
        return
    yield f"matched: {_plural(result.matched, 'event')} in {_plural(len(result.steps), 'step')}"
    if result.query.by is None and result.outcomes:
        yield f"outcomes: {_outcomes(result.outcomes)}"
    if result.errors:
        yield f"failures by error text: {_errors(result.errors)}"
    if result.without_value:
        yield f"without {result.query.by}: {_plural(result.without_value, 'event')}"
    yield from VALUES[result.op](result)
    if result.left_out:
        yield f"beyond the limit: {result.left_out} more"


def _scalar(result: Result) -> Iterator[str]:
    yield f"value: {result.value}"


def _step(result: Result) -> Iterator[str]:
    yield f"value: {'none' if result.value is None else f'step {result.value}'}"


def _listed(result: Result) -> Iterator[str]:
    if not result.value:
        yield "value: none"
    elif result.left_out:
        yield f"value: steps {compress_steps(result.value)}"


def _grouped(result: Result) -> Iterator[str]:
    noun = "run" if result.op == "runs" else "value"
    yield f"value: {_plural(len(result.groups), noun)}" if result.groups else "value: none"


def _succession(result: Result) -> Iterator[str]:
    """Without a pick or limit, values in order: each but the first is a change."""
    changes = max(len(result.groups) - 1, 0)
    whole = result.query.pick is None and not result.left_out
    told = f"; {_plural(changes, 'change')}" if whole else ""
    yield f"value: {_plural(len(result.groups), 'value')}{told}" if result.groups else "value: none"


def _topmost(result: Result) -> Iterator[str]:
    keys = ", ".join(_line(key) for key in result.value["keys"])
    yield f"value: {keys} ({result.value['count']} times)" if keys else "value: none"


VALUES: dict[str, Callable[[Result], Iterator[str]]] = {
    "count": _scalar,
    "first": _step,
    "last": _step,
    "list": _listed,
    "timeline": _listed,
    "group": _grouped,
    "distinct": _grouped,
    "runs": _grouped,
    "top": _topmost,
    "values": _succession,
}


def _body(result: Result, *, cut: bool) -> Items:
    """Return what may be cut: steps, groups or rows, one line each."""
    if not result.survives:
        return []
    if result.op == "timeline":
        return [(_row(row), 1) for row in result.value]
    if _has_groups(result):
        return [(_group(group, cut=cut), 1) for group in result.groups]
    return _step_items(result.steps)


def _noun(result: Result) -> str:
    """Return what the lines of the body hold, in the plural."""
    named = {"timeline": "rows", "runs": "runs"}
    return named.get(result.op, "values" if _has_groups(result) else "steps")


def _has_groups(result: Result) -> bool:
    return result.query.by is not None and result.op != "count"


def _step_items(steps: Sequence[int]) -> Items:
    ranges = list(_ranges(steps))
    chunks = [ranges[i : i + RANGES_A_LINE] for i in range(0, len(ranges), RANGES_A_LINE)]
    last = len(chunks) - 1
    return [
        (
            ("steps: " if number == 0 else "") + _joined(chunk) + ("," if number < last else ""),
            sum(weight for _, weight in chunk),
        )
        for number, chunk in enumerate(chunks)
    ]


def _group(group: Group, *, cut: bool) -> str:
    ranges = list(_ranges(group.steps))
    shown = ranges[:RANGES_A_LINE] if cut else ranges
    rest = sum(weight for _, weight in ranges[len(shown) :])
    more = f", and {rest} more left out" if rest else ""
    outcomes = _outcomes(group.outcomes)
    return f"- {_line(group.key)}: {group.count} ({outcomes}); steps {_joined(shown)}{more}"


def _joined(ranges: Sequence[tuple[str, int]]) -> str:
    return ", ".join(text for text, _ in ranges)


def _row(row: Mapping[str, Any]) -> str:
    parts = [str(row["tool"] or "no tool"), row["outcome"], *row["changes"]]
    raw = f"; raw: {_line(row['raw'])}" if row.get("raw") else ""
    return f"- step {row['step']}: {'; '.join(_line(part) for part in parts)}{raw}"


def _where(where: Where) -> str:
    return "; ".join(map(_clause, where))


def _clause(clause: Clause) -> str:
    terms = (
        repr(_line(term.text)) + (f" ({term.match})" if term.match is not None else "")
        for term in clause.terms
    )
    return f"{clause.field} {' or '.join(terms)}"


def _scope(query: Query, bounds: Iterable[Bound]) -> str:
    scope = query.scope
    parts = []
    if scope.lo is not None and scope.hi is not None:
        parts.append(f"steps {scope.lo} to {scope.hi}")
    elif scope.lo is not None:
        parts.append(f"from step {scope.lo}")
    elif scope.hi is not None:
        parts.append(f"up to step {scope.hi}")
    found = {bound.end: bound for bound in bounds}
    for end, anchor in (("after", scope.after), ("before", scope.before)):
        if anchor is not None:
            parts.append(f"{end} {_anchor(anchor, found.get(end))}")  # type: ignore[call-overload]
    return ", ".join(parts) or "the whole trajectory"


def _anchor(anchor: Anchor, bound: Bound | None) -> str:
    pick = anchor.pick if isinstance(anchor.pick, str) else f"event {anchor.pick}"
    at = "not found" if bound is None or bound.step is None else f"step {bound.step}"
    if bound is not None and bound.call:
        at += f" call {bound.call}"
    return f"the {pick} event with {_where(anchor.where)} ({at})"


def _outcomes(outcomes: Mapping[str, int]) -> str:
    ordered = sorted(outcomes, key=lambda o: (o not in OUTCOME_ORDER, _rank(o), o))
    return ", ".join(f"{outcome} {outcomes[outcome]}" for outcome in ordered)


def _rank(outcome: str) -> int:
    return OUTCOME_ORDER.index(outcome) if outcome in OUTCOME_ORDER else 0


def _errors(errors: Mapping[str, int]) -> str:
    ordered = sorted(errors.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{_line(text)!r} {count}" for text, count in ordered[:ERRORS_SHOWN]]
    rest = len(ordered) - ERRORS_SHOWN
    return ", ".join(shown) + (f", and {rest} other texts left out" if rest > 0 else "")


def _line(text: str, limit: int = TEXT_LIMIT) -> str:
    """Return a text on one line, cut with its number of missing characters."""
    flat = text.replace("\r", "\\r").replace("\n", "\\n")
    if len(flat) <= limit:
        return flat
    return f"{flat[:limit]}… ({len(flat) - limit} characters left out)"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
