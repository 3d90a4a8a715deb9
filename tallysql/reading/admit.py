"""Admission: which steps fit into the budget, greedily by priority.

See docs/architecture.md, "Reading view" (paper, appendix C).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallysql.reading.excerpts import WHOLE_FIELD
from tallysql.reading.tokens import CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tallysql.reading.anchors import Candidate, FileItem
    from tallysql.reading.page import Page
    from tallysql.reading.settings import ViewSettings
    from tallysql.reading.shelf import Shelf

BATCH = 500
"""Steps whose texts are fetched at once."""

SMALLEST_BLOCK = 4
"""Tokens below which no block fits: both of its lines have a name, a colon and a text."""


@dataclass(frozen=True, slots=True)
class Admission:
    """Fills a page by priority: (not named, out of scope, distance to the nearest anchor, step).

    Attributes:
        page: what is filled.
        shelf: where the texts come from.
        distance: step → positions to the nearest anchor.
    """

    page: Page
    shelf: Shelf
    settings: ViewSettings
    distance: Mapping[int, int]

    def run(self, records: Mapping[int, str], files: Sequence[FileItem]) -> None:
        """Admit named steps, index records, neighbours, linked steps, and then all the others."""
        order = self._order()
        named = [c.step for c in self.page.steps if c.named]
        self._fetch(order[:BATCH])
        for step in named:
            if self.page.show(step, self._cap(step)) is None:
                self.page.show(step, self.settings.far_characters)
        self._index(order, records)
        self._fill(neighbours(self.page.steps, self.settings.window))
        self._link(files)
        if self.settings.widen:
            self._widen(WHOLE_FIELD, named, self.page.left // 2)
        self._fill(order)
        if self.settings.widen:
            self._widen(self.settings.near_characters, order, self.page.left)
            self._widen(WHOLE_FIELD, order, self.page.left)

    def _order(self) -> list[int]:
        ranked = sorted(
            (not c.named, not c.named and not c.in_scope, self.distance[c.step], c.step)
            for c in self.page.steps
        )
        return [step for *_, step in ranked]

    def _cap(self, step: int) -> int:
        near = self.distance[step] <= self.settings.window
        return self.settings.near_characters if near else self.settings.far_characters

    def _fetch(self, steps: Sequence[int]) -> None:
        self.shelf.fetch({step: self._cap(step) for step in steps})

    def _index(self, order: Sequence[int], records: Mapping[int, str]) -> None:
        share = int(self.settings.index_share * self.settings.budget)
        indexed = {c.step for c in self.page.steps if c.in_scope or c.named}
        for step in order:
            if step not in indexed:
                return
            taken = self.page.record(step, records[step], share)
            if taken is None:
                return
            share -= taken

    def _link(self, files: Sequence[FileItem]) -> None:
        """Admit steps of the files that the question names, by score, from a share of their own."""
        scores = {c.step: c.score for c in self.page.steps}
        linked = {step for file in files if file.named for step in file.steps}
        order = sorted(linked - self.page.shown.keys(), key=lambda step: (-scores[step], step))
        share = int(self.settings.linked_share * self.page.left)
        admitted = 0
        self._fetch(order)
        for step in order:
            if admitted == self.settings.linked_steps:
                return
            taken = self.page.show(step, self._cap(step), share)
            if taken is not None:
                share -= taken
                admitted += 1

    def _fill(self, order: Sequence[int]) -> None:
        """Show what fits, skipping what does not.

        Admission depends on what was admitted before, so it goes step by step.
        """
        for start in range(0, len(order), BATCH):
            if self.page.left < SMALLEST_BLOCK:
                return
            batch = [step for step in order[start : start + BATCH] if step not in self.page.shown]
            self._fetch(batch)
            for step in batch:
                self.page.show(step, self._cap(step))

    def _widen(self, cap: int, steps: Sequence[int], allowance: int) -> None:
        """Spend tokens on characters that were cut from shown steps, in the order given."""
        most = CHARACTERS * allowance
        wanted: list[int] = []
        for step in steps:
            cuts = self.page.shown[step].cuts if step in self.page.shown else ()
            missing = sum(min(cut.length, cap) - (cut.length - cut.size) for cut in cuts)
            if 0 < missing <= most:
                wanted.append(step)
                most -= missing
        self.shelf.fetch(dict.fromkeys(wanted, cap))
        for step in wanted:
            allowance -= self.page.show(step, cap, allowance) or 0


def neighbours(steps: Sequence[Candidate], window: int) -> list[int]:
    """Return the steps around the named ones, nearest first."""
    named = [c.place for c in steps if c.named]
    near = [
        (min(abs(c.place - place) for place in named), c.step)
        for c in steps
        if c.in_scope and not c.named and any(abs(c.place - place) <= window for place in named)
    ]
    return [step for _, step in sorted(near)]
