"""The computed reader: executed values in the form that the question asks for.

See docs/architecture.md, "Answering".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tallysql.compiling.compilation import AnswerForm, Compilation, Threshold
    from tallysql.engine.results import Result

NONE = "none"


def computed_answer(compilation: Compilation, results: Sequence[Result]) -> str | None:
    """Format the executed values of a compiled question.

    Args:
        compilation: the plan's answer forms, one per sub-query.
        results: the executed sub-queries, in plan order.

    Returns:
        An integer, a step number, a comma-separated list or "none", names, `name: count` pairs,
        yes or no; several quantities stand in the order asked, joined with "; " and labelled.
        None if a quantity does not survive: a part of the answer is no answer. A relaxed result
        is evidence for a reader, but not what was asked.
    """
    if not results or not all(map(_answers, results)):
        return None
    if any(
        _is_partial(result, form) for form, result in zip(compilation.forms, results, strict=True)
    ):
        return None
    if compilation.threshold:
        return _so_often(results[0], compilation.forms[0], compilation.threshold)
    parts = [_FORMS[form](result) for form, result in zip(compilation.forms, results, strict=True)]
    if len(parts) == 1:
        return parts[0]
    if compilation.bare:
        return ", ".join(parts)
    return "; ".join(
        f"{_label(result, form)}: {part}"
        for form, result, part in zip(compilation.forms, results, parts, strict=True)
    )


def _is_partial(result: Result, form: AnswerForm) -> bool:
    """Whether an order is asked of more names than were found, or of events that failed."""
    return (
        _is_vain(result)
        or _is_valueless(result)
        or (form in {"order", "oldest", "newest"} and len(result.groups) != result.query.limit)
    )


def _is_valueless(result: Result) -> bool:
    """Whether values are asked of events that name none: the words of a final answer."""
    by_value = result.query.by is not None and result.op != "runs"
    return by_value and result.matched > 0 and not result.groups and not result.value


def _so_often(result: Result, form: AnswerForm, threshold: Threshold) -> str:
    """Compare a count, or the count of each value grouped by, with the number asked for."""
    if result.op != "group":
        return "yes" if threshold.holds(result.matched) else "no"
    held = [group for group in result.groups if threshold.holds(group.count)]
    if form == "yes_no":
        return "yes" if held else "no"
    if form == "integer":
        return str(len(held))
    ordered = sorted(held, key=lambda group: group.steps)
    return ", ".join(group.key for group in ordered) or NONE


def _nth(result: Result) -> str:
    """Return the value of the n-th event; runs of one value hold an event each time."""
    left = result.query.limit or 1
    for group in result.groups:
        left -= group.count
        if left <= 0:
            return str(group.key)
    return NONE


def _is_vain(result: Result) -> bool:
    """Whether the one value asked for is that of an attempt: what was taken last?"""
    if result.op != "values" or (result.query.pick is None and result.query.limit is None):
        return False
    if any(group.key is None for group in result.groups):
        return True  # the event names no such value
    if result.query.by not in {"first_target", "second_target", "target", "path"}:
        return False
    asked = any(clause.field == "outcome" for clause in result.query.where)
    failed = {"failure", "no_effect"}
    return not asked and any(failed & group.outcomes.keys() for group in result.groups)


def _answers(result: Result) -> bool:
    """Whether a result is what was asked: not relaxed, and no zero that rests on a guess."""
    guessed = any(
        term.match == "substring"
        for clause in result.query.where
        if clause.field == "target"
        for term in clause.terms
    )
    return result.state == "ok" or (result.state == "verified_zero" and not guessed)


def _label(result: Result, form: AnswerForm) -> str:
    words = result.query.label or ""
    return f"{words} {_LABELS[form]}".strip() if form in _LABELS else words or result.op


_LABELS: dict[AnswerForm, str] = {"step": "step", "steps": "steps"}


def _integer(result: Result) -> str:
    if result.op == "runs":
        return str(max((group.count for group in result.groups), default=0))
    return str(len(result.value) if isinstance(result.value, list) else result.value)


def _changes(result: Result) -> str:
    """Each value of a succession but the first is a change."""
    return str(max(len(result.groups) - 1, 0))


def _step(result: Result) -> str:
    value = result.value
    if result.op == "list":
        nth = result.query.limit or 1
        return str(value[nth - 1]) if len(value) >= nth else NONE
    return NONE if value is None else str(value)


def _steps(result: Result) -> str:
    if result.op == "runs":
        longest = max((group.count for group in result.groups), default=0)
        return _listed(group.steps for group in result.groups if group.count == longest)
    return ", ".join(map(str, result.value)) or NONE


def _listed(runs: Any) -> str:
    return ", ".join(str(step) for steps in runs for step in steps) or NONE


def _names(result: Result) -> str:
    return ", ".join(_keys(result)) or NONE


def _keys(result: Result) -> list[str]:
    if isinstance(result.value, dict):
        return list(result.value["keys"])
    return [group.key for group in result.groups]


def _name(result: Result) -> str:
    """A profile without `top` groups instead: then the most frequent values are the answer."""
    if result.op == "group":
        most = max((group.count for group in result.groups), default=0)
        return ", ".join(group.key for group in result.groups if group.count == most) or NONE
    return _names(result)


def _least(result: Result) -> str:
    """Return the least frequent of the values that occur; ties are all named."""
    fewest = min((group.count for group in result.groups), default=0)
    return ", ".join(group.key for group in result.groups if group.count == fewest) or NONE


def _pairs(result: Result) -> str:
    ordered = sorted(result.groups, key=lambda group: (-group.count, group.steps))
    return ", ".join(f"{group.key}: {group.count}" for group in ordered) or NONE


def _yes_no(result: Result) -> str:
    return "yes" if result.matched else "no"


def _earliest(result: Result) -> str:
    """Return the value of the first event; several if that one event has them."""
    first = min((group.steps[0] for group in result.groups), default=None)
    return ", ".join(g.key for g in result.groups if g.steps[0] == first) or NONE


def _latest(result: Result) -> str:
    """Return the value of the last event; several if that one event has them."""
    last = max((group.steps[-1] for group in result.groups), default=None)
    return ", ".join(g.key for g in result.groups if g.steps[-1] == last) or NONE


def _timeline(result: Result) -> str:
    return "; ".join(_row(row) for row in result.value) or NONE


def _row(row: dict[str, Any]) -> str:
    """One event: what was done and, in brackets, what it changed."""
    changes = ", ".join(map(_change, row.get("changes") or []))
    said = row.get("raw") or row.get("tool") or ""
    said = said if len(said) <= 200 else said[:200] + " …"
    return f"step {row['step']}: {said}" + (f" [{changes}]" if changes else "")


def _change(change: Any) -> str:
    if isinstance(change, dict):
        return f"{change['object']}.{change['property']} → {change['value']}"
    return str(change)


_FORMS: dict[AnswerForm, Callable[[Result], str]] = {
    "integer": _integer,
    "changes": _changes,
    "order": lambda result: ", ".join(_keys(result)),
    "oldest": lambda result: _keys(result)[0],
    "newest": lambda result: _keys(result)[-1],
    "earliest": _earliest,
    "latest": _latest,
    "since": lambda result: str(result.groups[0].steps[0]) if result.groups else NONE,
    "step": _step,
    "steps": _steps,
    "names": _names,
    "name": _name,
    "least": _least,
    "nth": _nth,
    "pairs": _pairs,
    "yes_no": _yes_no,
    "timeline": _timeline,
}
