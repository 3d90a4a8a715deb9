"""Admission: which steps fit into the budget, greedily by priority.

See docs/architecture.md, "Reading view" (paper, appendix C).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.reading.excerpts import Caps, blocks
from tallysql.reading.lines import gap_lines, header, not_shown
from tallysql.reading.tokens import count_within

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tallysql.reading.anchors import Candidate, FileItem
    from tallysql.reading.excerpts import Block
    from tallysql.reading.settings import ViewSettings
    from tallysql.reading.tokens import Tokenizer
    from tallysql.store import Store

BATCH = 500
"""Steps whose texts are fetched at once."""


class Shelf:
    """The blocks of a trajectory's steps, fetched in batches and kept."""

    def __init__(
        self,
        store: Store,
        trajectory_id: str,
        settings: ViewSettings,
        distance: Mapping[int, int],
    ) -> None:
        self._store = store
        self._trajectory_id = trajectory_id
        self._window = settings.window
        self._caps = Caps(settings.near_characters, settings.far_characters, settings.tail_share)
        self._distance = distance
        self._blocks: dict[int, Block] = {}

    def fetch(self, steps: Iterable[int]) -> None:
        """Fetch the blocks of steps that are not there yet, at the caps of their distances."""
        near: list[int] = []
        far: list[int] = []
        for step in steps:
            if step not in self._blocks:
                (near if self._distance[step] <= self._window else far).append(step)
        self._blocks |= blocks(self._store, self._trajectory_id, near, far, self._caps)

    def __getitem__(self, step: int) -> Block:
        return self._blocks[step]

    def shorter(self, step: int) -> Block:
        """Return a step's block at the narrow cap."""
        return blocks(self._store, self._trajectory_id, [], [step], self._caps)[step]


class Admission:
    """What is on the page, and the tokens that are left.

    Every line is charged when it is put on the page; lines end with a newline and begin with a
    visible character, so their tokens add up.

    Attributes:
        steps: the candidates, in order.
        shown: step → block.
        records: step → index record.
        left: tokens left.
    """

    def __init__(self, steps: Sequence[Candidate], tokenizer: Tokenizer, budget: int) -> None:
        self.steps = steps
        self.shown: dict[int, Block] = {}
        self.records: dict[int, str] = {}
        self._tokenizer = tokenizer
        self._index = {candidate.step: i for i, candidate in enumerate(steps)}
        self._bare = [True] * len(steps)
        last = max((candidate.step for candidate in steps), default=0)
        self._mark = tokenizer.count(not_shown(last, last, 2))
        fixed = sum(tokenizer.count(line) for line in gap_lines(steps).values())
        self.left = budget - fixed - self._mark * self._runs()

    def charge(self, text: str) -> bool:
        """Take the tokens of a line that stands outside the steps; False if there are too few."""
        tokens = count_within(self._tokenizer, text, self.left)
        self.left -= tokens or 0
        return tokens is not None

    def show(self, block: Block, allowance: int | None = None) -> int | None:
        """Put a step's text on the page.

        Args:
            block: the text.
            allowance: tokens that it may take at most, all that are left if None.

        Returns:
            The tokens taken, None if they do not fit.
        """
        limit = self.left if allowance is None else min(self.left, allowance)
        extra = self._uncovering(block.step)
        if block.step not in self.records:
            extra += self._tokenizer.count(header(block.step))
        tokens = count_within(self._tokenizer, block.text, limit - extra)
        if tokens is None:
            return None
        self.shown[block.step] = block
        self._cover(block.step)
        self.left -= tokens + extra
        return tokens + extra

    def record(self, step: int, text: str, allowance: int) -> int | None:
        """Put a step's index record on the page; returns the tokens taken, None if too many."""
        tokens = self._tokenizer.count(header(step, text, shown=False)) + self._uncovering(step)
        if tokens > min(self.left, allowance):
            return None
        self.records[step] = text
        self._cover(step)
        self.left -= tokens
        return tokens

    def _uncovering(self, step: int) -> int:
        """Return the tokens by which marks grow when a step stops being one left out silently."""
        i = self._index[step]
        if not self._bare[i]:
            return 0
        beside = (i > 0 and self._joined(i - 1, i)) + (
            i + 1 < len(self.steps) and self._joined(i, i + 1)
        )
        return self._mark * (beside - 1)

    def _joined(self, i: int, j: int) -> bool:
        return self._bare[i] and self._bare[j] and self.steps[j].place == self.steps[i].place + 1

    def _cover(self, step: int) -> None:
        self._bare[self._index[step]] = False

    def _runs(self) -> int:
        return sum(i == 0 or not self._joined(i - 1, i) for i in range(len(self.steps)))


def admit(
    page: Admission,
    shelf: Shelf,
    files: Sequence[FileItem],
    records: Mapping[int, str],
    settings: ViewSettings,
    distance: Mapping[int, int],
) -> None:
    """Fill the page: named steps, index records, neighbours, linked steps, then all the others."""
    named = [c.step for c in page.steps if c.named]
    order = sorted((c.step for c in page.steps), key=lambda step: (distance[step], step))
    order = [*named, *(step for step in order if step not in set(named))]
    shelf.fetch(order[:BATCH])
    for step in named:
        if page.show(shelf[step]) is None:
            page.show(shelf.shorter(step))
    _index(page, order, records, int(settings.index_share * settings.budget))
    _fill(page, shelf, _neighbours(page.steps, settings.window))
    _link(page, shelf, _linked(page, files), settings)
    _fill(page, shelf, order)


def _index(page: Admission, order: Sequence[int], records: Mapping[int, str], share: int) -> None:
    for step in order:
        taken = page.record(step, records[step], share)
        if taken is None:
            return
        share -= taken


def _neighbours(steps: Sequence[Candidate], window: int) -> list[int]:
    """Return the steps around the named ones, nearest first."""
    named = [c.place for c in steps if c.named]
    near = [
        (min(abs(c.place - place) for place in named), c.step)
        for c in steps
        if not c.named and any(abs(c.place - place) <= window for place in named)
    ]
    return [step for _, step in sorted(near)]


def _linked(page: Admission, files: Sequence[FileItem]) -> list[int]:
    """Return the steps of the files that the question names, by score, then in order."""
    scores = {c.step: c.score for c in page.steps}
    steps = {step for file in files if file.named for step in file.steps}
    return sorted(steps - page.shown.keys(), key=lambda step: (-scores[step], step))


def _link(page: Admission, shelf: Shelf, linked: Sequence[int], settings: ViewSettings) -> None:
    share = int(settings.linked_share * page.left)
    admitted = 0
    shelf.fetch(linked)
    for step in linked:
        if admitted == settings.linked_steps:
            return
        taken = page.show(shelf[step], share)
        if taken is not None:
            share -= taken
            admitted += 1


def _fill(page: Admission, shelf: Shelf, order: Sequence[int]) -> None:
    """Show what fits, skipping what does not.

    Admission depends on what was admitted before, so it goes step by step.
    """
    for start in range(0, len(order), BATCH):
        if page.left < SMALLEST_BLOCK:
            return
        batch = [step for step in order[start : start + BATCH] if step not in page.shown]
        shelf.fetch(batch)
        for step in batch:
            page.show(shelf[step])


SMALLEST_BLOCK = 4
"""Tokens below which no block fits: both of its lines have a name, a colon and a text."""
