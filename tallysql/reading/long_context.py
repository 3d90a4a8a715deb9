"""Long context: the whole trajectory, cut in the middle where it exceeds the budget.

The first 70 % and the last 30 % of the token budget are kept (paper, appendix H).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.reading.clip import keep_head, keep_tail
from tallysql.reading.excerpts import Block, whole_blocks
from tallysql.reading.lines import header
from tallysql.reading.paste import cost, paste

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tallysql.reading.index import Index
    from tallysql.reading.tokens import Tokenizer
    from tallysql.reading.view import View
    from tallysql.store import Store

HEAD_SHARE = 0.7


def long_context(store: Store, index: Index, budget: int, tokenizer: Tokenizer) -> View:
    """Return all steps, or the first 70 % and last 30 % of `budget` tokens with the cut marked."""
    steps = list(index.records)
    listed = whole_blocks(store, index.trajectory_id, steps)
    if sum(cost(block, tokenizer) for block in listed) <= budget:
        return paste(listed, index, budget, tokenizer)
    left = budget - tokenizer.count(_mark(steps[-1], steps[-1]))
    share = int(HEAD_SHARE * left)
    head = _fill(listed, share, tokenizer, keep_head)
    rest = listed[max(len(head) - 1, 0) :]
    tail = _fill(reversed(rest), left - share, tokenizer, keep_tail)[::-1]
    mark = [_mark(head[-1].step, tail[0].step)] if head and tail else []
    return paste([*head, *mark, *tail], index, budget, tokenizer)


def _mark(before: int, after: int) -> str:
    return f"[cut here: from step {before} to step {after}]\n"


def _fill(
    listed: Iterable[Block],
    tokens: int,
    tokenizer: Tokenizer,
    keep: Callable[[Block, int, Tokenizer], Block],
) -> list[Block]:
    """Return the first blocks that fit, the last of them cut where they do not."""
    filled: list[Block] = []
    for block in listed:
        taken = cost(block, tokenizer)
        if taken > tokens:
            part = keep(block, tokens - tokenizer.count(header(block.step)), tokenizer)
            return [*filled, part] if part.text else filled
        filled.append(block)
        tokens -= taken
    return filled
