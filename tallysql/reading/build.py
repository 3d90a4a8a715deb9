"""Builds the reading view: anchors, admission, rendering.

See docs/architecture.md, "Reading view".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.reading.admit import Admission, Shelf, admit
from tallysql.reading.anchors import candidates, choose_anchors, distances, file_items
from tallysql.reading.lines import counter_line, scope_line
from tallysql.reading.render import render
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from tallysql.reading.question import Asked
    from tallysql.reading.settings import ViewSettings
    from tallysql.reading.tokens import Tokenizer
    from tallysql.reading.view import View
    from tallysql.store import Store

Extent = tuple[int, int]
"""First and last step number of a trajectory."""


def step_range(store: Store, trajectory_id: str) -> Extent | None:
    """Return the first and the last step of a trajectory, None if it has no steps."""
    first, last = store.rows(query("reading/step_range").text, {"trajectory_id": trajectory_id})[0]
    return None if first is None else (first, last)


def build_view(
    store: Store,
    trajectory_id: str,
    asked: Asked,
    settings: ViewSettings,
    tokenizer: Tokenizer,
    extent: Extent,
) -> View:
    """Return the view of one trajectory for one question.

    The same archive, question, settings and tokenizer give the same bytes.

    Args:
        store: an open database; it is only read.
        trajectory_id: a trajectory that exists.
        asked: the question's terms, paths, scope and named steps.
        settings: the paper's constants.
        tokenizer: counts the budget.
        extent: the trajectory's step range, as `step_range` gives it.
    """
    steps = candidates(store, trajectory_id, asked, settings)
    files = file_items(store, trajectory_id, asked, settings)
    anchors = choose_anchors(steps, files, settings)
    distance = distances(steps, anchors)
    page = Admission(steps, tokenizer, settings.budget)
    preface = [
        line
        for line in _preface(store, trajectory_id, asked, settings, extent)
        if page.charge(line)
    ]
    records = _records(store, trajectory_id, asked)
    shelf = Shelf(store, trajectory_id, settings, distance)
    admit(page, shelf, files, records, settings, distance)
    return render(page, preface, anchors, extent, tokenizer, settings.budget)


def _preface(
    store: Store, trajectory_id: str, asked: Asked, settings: ViewSettings, extent: Extent
) -> list[str]:
    """Return the lines before the first step: the scope, and the counter if it is asked for."""
    lo = extent[0] if asked.lo is None else max(asked.lo, extent[0])
    hi = extent[1] if asked.hi is None else min(asked.hi, extent[1])
    lines = [scope_line((lo, hi), extent)] if (lo, hi) != extent else []
    if settings.counter and asked.counts:
        params = {"trajectory_id": trajectory_id, "lo": asked.lo, "hi": asked.hi}
        counts = store.rows(query("reading/actions_per_tool").text, params)
        lines += [counter_line(counts)] if counts else []
    return lines


def _records(store: Store, trajectory_id: str, asked: Asked) -> dict[int, str]:
    params = {
        "trajectory_id": trajectory_id,
        "lo": asked.lo,
        "hi": asked.hi,
        "named": list(asked.named),
    }
    return dict(store.rows(query("reading/records").text, params))
