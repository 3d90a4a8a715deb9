"""Questions with golds, from templates and episodes: the same input gives the same questions."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from benchmarks.probe.templates import REPLY, TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.probe.events import Episode, Event
    from benchmarks.probe.templates import Bound, Template

Case = dict[str, Any]
"""One question: `question_id, trajectory_id, question, answer, format, template, op, wording,
family, lo, bound, params, gold_steps` (S*), `answer_steps` (what the answer rests on) and `load`
(|S*|).
"""


def generate(
    episodes: Iterable[Episode], templates: Sequence[Template] = TEMPLATES
) -> Iterator[Case]:
    """Yield the questions of all episodes: by episode, then by template, then by bound."""
    for episode in episodes:
        for template in templates:
            if template.family == episode.family:
                for bound in template.bounds or (None,):
                    case = ask(template, episode, bound)
                    if case is not None:
                        yield case


def ask(template: Template, episode: Episode, bound: Bound | None) -> Case | None:
    """Return one question; None where the episode is too short, lacks the event, or ties."""
    kind, value = parameter_of(template, episode)
    whole = [event for event in episode.events if template.select(event, value)]
    lo, hi = step_range(episode, bound)
    selected = [event for event in whole if lo <= event.step <= hi]
    asked = bool(whole) and hi >= episode.events[0].step
    answered = answer(template, selected) if asked else None
    if answered is None:
        return None
    text, steps = answered
    params = {kind: value} if kind else {}
    question = f"{template.question.format(lo=lo, hi=hi, **params)} {REPLY[template.format]}"
    return {
        "question_id": _id(episode.trajectory_id, template.name, question),
        "trajectory_id": episode.trajectory_id,
        "question": question,
        "answer": text,
        "format": template.format,
        "template": template.name,
        "op": template.operation,
        "wording": template.wording,
        "family": template.family,
        "lo": lo if bound == "second quarter" else None,
        "bound": hi if bound else None,
        "params": params,
        "gold_steps": [event.step for event in selected],
        "answer_steps": steps,
        "load": len(selected),
    }


def step_range(episode: Episode, bound: Bound | None) -> tuple[int, int]:
    """Return the inclusive steps of a bound: floor(n/4)-1, floor(n/2)-1 or n-1, counted in steps.

    The second quarter is what lies between the first two, both ends a step further. Positions are
    turned into the log's own numbers, which are the same wherever the log counts from 0.
    """
    numbers = [event.step for event in episode.events]
    n = len(numbers)
    first, last = {
        "quarter": (0, n // 4 - 1),
        "half": (0, n // 2 - 1),
        "second quarter": (n // 4, n // 2),
    }.get(bound or "end", (0, n - 1))
    return numbers[first], numbers[last] if last >= 0 else numbers[0] - 1


def parameter_of(template: Template, episode: Episode) -> tuple[str | None, str]:
    """Return the parameter's name and a value that occurs, drawn by hash, not by frequency."""
    if template.parameter is None:
        return None, ""
    kind, read = template.parameter
    values = {value for value in map(read, episode.events) if value}
    # The middle-bound variant asks about the same value as the template that it varies.
    seed = f"{episode.trajectory_id}\0{template.name.removesuffix('m')}\0"
    return kind, min(values, key=lambda value: _digest(seed + value), default="")


def answer(template: Template, selected: Sequence[Event]) -> tuple[str, list[int]] | None:
    """Return the answer and the steps it rests on; None where there is none, or a tie."""
    steps = [event.step for event in selected]
    values = [template.value(event) or "" for event in selected] if template.value else []
    counts = Counter(values)
    if template.operation == "mode":
        return _mode(counts, values, steps)
    if template.operation in {"first", "last"}:
        ends = steps[:1] if template.operation == "first" else steps[-1:]
        return (str(ends[0]), ends) if ends else None
    texts = {
        "count": str(len(steps)),
        "distinct": str(len(counts)),
        "list": ", ".join(map(str, steps)) or "none",
        "names": ", ".join(counts) or "none",
        "group": ", ".join(f"{name}: {n}" for name, n in counts.most_common()) or "none",
    }
    return texts[template.operation], steps


def _mode(
    counts: Counter[str], values: list[str], steps: list[int]
) -> tuple[str, list[int]] | None:
    ranked = counts.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    most = ranked[0][0]
    return most, [step for step, value in zip(steps, values, strict=True) if value == most]


def lines(cases: Iterable[Case]) -> Iterator[str]:
    """Return the cases as JSON lines."""
    return (json.dumps(case, ensure_ascii=False) + "\n" for case in cases)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _id(*parts: str) -> str:
    return _digest("\0".join(parts))[:12]
