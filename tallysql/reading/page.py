"""The page: what was admitted so far, and the tokens that are left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.reading.lines import gap_lines, header, not_shown
from tallysql.reading.tokens import count_within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.reading.anchors import Candidate
    from tallysql.reading.excerpts import Block
    from tallysql.reading.shelf import Shelf


class Page:
    """Admitted steps and records under a token budget.

    Every line is charged when it is put on the page. Lines end with a newline and begin with a
    visible character, so their tokens add up.

    Attributes:
        steps: the candidates, in order.
        shown: step → block.
        records: step → index record.
        left: tokens left.
    """

    def __init__(self, steps: Sequence[Candidate], shelf: Shelf, budget: int) -> None:
        self.steps = steps
        self.shown: dict[int, Block] = {}
        self.records: dict[int, str] = {}
        self._shelf = shelf
        self._count = shelf.tokenizer.count
        self._taken: dict[int, int] = {}
        self._index = {candidate.step: i for i, candidate in enumerate(steps)}
        self._bare = [True] * len(steps)
        last = max((candidate.step for candidate in steps), default=0)
        self._mark = self._count(not_shown(last, last, 2))
        fixed = sum(map(self._count, gap_lines(steps).values()))
        self.left = budget - fixed - self._mark * self._runs()

    def charge(self, text: str) -> bool:
        """Take the tokens of a line that stands outside the steps; False if there are too few."""
        tokens = count_within(self._shelf.tokenizer, text, self.left)
        self.left -= tokens or 0
        return tokens is not None

    def show(self, step: int, cap: int, allowance: int | None = None) -> int | None:
        """Put a step's text on the page, or widen what is there.

        Args:
            step: a candidate.
            cap: characters of a field that are shown at most.
            allowance: tokens that it may take at most; all that are left if None.

        Returns:
            The tokens taken, None if they do not fit.
        """
        limit = self.left if allowance is None else min(self.left, allowance)
        extra = self._growth(step) - self._taken.get(step, 0)
        if step not in self.records and step not in self.shown:
            extra += self._count(header(step))
        tokens = self._shelf.tokens(step, cap, limit - extra)
        if tokens is None:
            return None
        self.shown[step] = self._shelf.block(step, cap)
        self._taken[step] = tokens
        self._cover(step)
        self.left -= tokens + extra
        return tokens + extra

    def record(self, step: int, text: str, allowance: int) -> int | None:
        """Put a step's index record on the page; returns the tokens taken, None if too many."""
        tokens = self._count(header(step, text, shown=False)) + self._growth(step)
        if tokens > min(self.left, allowance):
            return None
        self.records[step] = text
        self._cover(step)
        self.left -= tokens
        return tokens

    def _growth(self, step: int) -> int:
        """Return the tokens by which marks grow when a step stops being left out silently."""
        i = self._index[step]
        if not self._bare[i]:
            return 0
        before = i > 0 and self._joined(i - 1, i)
        after = i + 1 < len(self.steps) and self._joined(i, i + 1)
        return self._mark * (before + after - 1)

    def _joined(self, i: int, j: int) -> bool:
        return self._bare[i] and self._bare[j] and self.steps[j].place == self.steps[i].place + 1

    def _cover(self, step: int) -> None:
        self._bare[self._index[step]] = False

    def _runs(self) -> int:
        return sum(i == 0 or not self._joined(i - 1, i) for i in range(len(self.steps)))
