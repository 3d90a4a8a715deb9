"""Builds the reading view: anchors, admission, rendering.

See docs/architecture.md, "Reading view".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.reading.admit import Admission
from tallysql.reading.anchors import candidates, choose_anchors, distances, file_items
from tallysql.reading.lines import counter_line, scope_line
from tallysql.reading.page import Page
from tallysql.reading.render import render
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from tallysql.reading.index import Index
    from tallysql.reading.question import Asked
    from tallysql.reading.settings import ViewSettings
    from tallysql.reading.shelf import Shelf
    from tallysql.reading.view import View
    from tallysql.store import Store


def build_view(
    store: Store, index: Index, shelf: Shelf, asked: Asked, settings: ViewSettings
) -> View:
    """Return the view of one trajectory for one question.

    The same archive, question, settings and tokenizer give the same bytes.

    Args:
        store: an open database; it is only read.
        index: the trajectory.
        shelf: its texts; its tokenizer counts the budget.
        asked: the question's terms, paths, scope and named steps.
        settings: the paper's constants.
    """
    trajectory_id = index.trajectory_id
    steps = candidates(store, trajectory_id, asked, settings)
    files = file_items(store, trajectory_id, asked, settings) if index.has_files else ()
    anchors = choose_anchors(steps, files, settings)
    distance = distances(steps, anchors)
    page = Page(steps, shelf, settings.budget)
    preface = [line for line in _preface(store, index, asked, settings) if page.charge(line)]
    Admission(page, shelf, settings, distance).run(index.records, files)
    return render(page, preface, anchors, index.extent, shelf.tokenizer, settings.budget)


def _preface(store: Store, index: Index, asked: Asked, settings: ViewSettings) -> list[str]:
    """Return the lines before the first step: the scope, and the counter if it is asked for."""
    first, last = index.extent
    lo = first if asked.lo is None else max(asked.lo, first)
    hi = last if asked.hi is None else min(asked.hi, last)
    lines = [scope_line((lo, hi), index.extent)] if (lo, hi) != index.extent else []
    if settings.counter and asked.counts:
        params = {"trajectory_id": index.trajectory_id, "lo": asked.lo, "hi": asked.hi}
        counts = store.rows(query("reading/actions_per_tool").text, params)
        lines += [counter_line(counts)] if counts else []
    return lines
