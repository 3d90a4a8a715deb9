"""From an admission to a view: chronological text with marks, spans and what is missing."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tallysql.reading.excerpts import shifted
from tallysql.reading.lines import gap_lines, header, not_shown
from tallysql.reading.view import Omission, View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tallysql.reading.anchors import Anchor, Candidate
    from tallysql.reading.excerpts import Excerpt
    from tallysql.reading.page import Page
    from tallysql.reading.tokens import Tokenizer

OUT_OF_SCOPE = "out of scope"


def render(
    page: Page,
    preface: Sequence[str],
    anchors: Sequence[Anchor],
    extent: tuple[int, int],
    tokenizer: Tokenizer,
    budget: int,
) -> View:
    """Return the view of a page.

    Args:
        page: what was admitted.
        preface: lines before the first step.
        anchors: reported with the view.
        extent: first and last step of the trajectory.
        tokenizer: the one that the page was filled with. Where counts do not add up as they
            should, the steps admitted last go again: the budget is never exceeded.
        budget: tokens.
    """
    text, excerpts = _text(page, preface)
    tokens = tokenizer.count(text)
    while tokens > budget and (page.shown or page.records):
        (page.shown or page.records).popitem()
        text, excerpts = _text(page, preface)
        tokens = tokenizer.count(text)
    if tokens > budget:
        text, excerpts, tokens = "", [], 0
    cuts = [cut for step in sorted(page.shown) for cut in page.shown[step].cuts]
    return View(
        text, tokens, budget, tokenizer.name, tuple(excerpts), tuple(anchors),
        tuple(_omitted(page, extent)), tuple(cuts),
    )  # fmt: skip


def _text(page: Page, preface: Sequence[str]) -> tuple[str, list[Excerpt]]:
    parts = list(preface)
    size = sum(map(len, parts))
    excerpts: list[Excerpt] = []
    gaps = gap_lines(page.steps)
    for run in _runs(page):
        lines = [gaps.get(run[0].step, ""), _opening(page, run)]
        size += sum(map(len, lines))
        block = page.shown.get(run[0].step)
        if block:
            excerpts += shifted(block.excerpts, size)
            size += len(block.text)
            lines.append(block.text)
        parts += lines
    return "".join(parts), excerpts


def _opening(page: Page, run: Sequence[Candidate]) -> str:
    """Return the header of a step, or the mark of a run of steps without any text."""
    first = run[0].step
    shown = first in page.shown
    if shown or first in page.records:
        return header(first, page.records.get(first, ""), shown=shown)
    return not_shown(first, run[-1].step, len(run))


def _runs(page: Page) -> Iterator[Sequence[Candidate]]:
    """Yield the steps one by one, neighbours without text and record together."""
    for bare, group in groupby(page.steps, key=lambda c: _is_bare(page, c.step)):
        run = list(group)
        yield from _contiguous(run) if bare else ([candidate] for candidate in run)


def _is_bare(page: Page, step: int) -> bool:
    return step not in page.shown and step not in page.records


def _omitted(page: Page, extent: tuple[int, int]) -> Iterator[Omission]:
    """Yield the runs of steps without text: out of scope, or in scope and over budget."""
    first, last = extent
    unseen, place = first, 0
    for why, group in groupby(page.steps, key=lambda c: _why_not(page, c)):
        for run in _contiguous(list(group)):
            if run[0].place > place + 1:
                yield Omission(unseen, run[0].step - 1, OUT_OF_SCOPE)
            if why:
                yield Omission(run[0].step, run[-1].step, why)
            unseen, place = run[-1].step + 1, run[-1].place
    if unseen <= last:
        yield Omission(unseen, last, OUT_OF_SCOPE)


def _why_not(page: Page, candidate: Candidate) -> str:
    if candidate.step in page.shown:
        return ""
    return "budget" if candidate.in_scope or candidate.named else OUT_OF_SCOPE


def _contiguous(steps: Sequence[Candidate]) -> Iterator[Sequence[Candidate]]:
    start = 0
    for i in range(1, len(steps) + 1):
        if i == len(steps) or steps[i].place > steps[i - 1].place + 1:
            yield steps[start:i]
            start = i
