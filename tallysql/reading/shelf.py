"""The texts of a trajectory's steps as blocks, with their tokens: fetched once, then kept.

A view of the next question finds them counted; see docs/architecture.md, "Reading view".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.reading.excerpts import WHOLE_FIELD, Block, blocks
from tallysql.reading.tokens import count_within

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallysql.reading.tokens import Tokenizer
    from tallysql.store import Store


class Shelf:
    """Blocks by step and cap.

    Args:
        store: an open database.
        trajectory_id: whose steps.
        tokenizer: counts the blocks.
        tail_share: part of a truncated field that is kept from its end.
    """

    def __init__(
        self, store: Store, trajectory_id: str, tokenizer: Tokenizer, tail_share: float
    ) -> None:
        self.tokenizer = tokenizer
        self._store = store
        self._trajectory_id = trajectory_id
        self._tail_share = tail_share
        self._blocks: dict[tuple[int, int], Block] = {}
        self._longest: dict[int, int] = {}
        self._tokens: dict[tuple[int, int], int] = {}
        self._more_than: dict[tuple[int, int], int] = {}

    def fetch(self, caps: Mapping[int, int]) -> None:
        """Fetch the blocks of steps, step → cap, that are not there yet, at once."""
        missing = {step: cap for step, cap in caps.items() if self._key(step, cap) is None}
        found = blocks(self._store, self._trajectory_id, missing, self._tail_share)
        for step, block in found.items():
            if block.cuts:
                self._blocks[step, missing[step]] = block
            else:
                self._blocks[step, WHOLE_FIELD] = block
                self._longest[step] = max((e.span.end for e in block.excerpts), default=0)

    def block(self, step: int, cap: int) -> Block:
        """Return a step's block with fields of at most `cap` characters."""
        return self._blocks[self._found(step, cap)]

    def tokens(self, step: int, cap: int, limit: int) -> int | None:
        """Return the tokens of a block, None if there are more than `limit`."""
        key = self._found(step, cap)
        if key not in self._tokens:
            if limit <= self._more_than.get(key, 0):
                return None
            counted = count_within(self.tokenizer, self._blocks[key].text, limit)
            if counted is None:
                self._more_than[key] = limit
                return None
            self._tokens[key] = counted
        tokens = self._tokens[key]
        return tokens if tokens <= limit else None

    def _key(self, step: int, cap: int) -> tuple[int, int] | None:
        """Return the key of a block if it is there; a whole one serves all caps that it keeps."""
        if self._longest.get(step, WHOLE_FIELD + 1) <= cap:
            return step, WHOLE_FIELD
        return (step, cap) if (step, cap) in self._blocks else None

    def _found(self, step: int, cap: int) -> tuple[int, int]:
        key = self._key(step, cap)
        if key is None:
            self.fetch({step: cap})
            key = self._key(step, cap)
        assert key is not None
        return key
