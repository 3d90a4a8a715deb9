"""Contexts without anchors: blocks one after the other under their headers."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tallysql.reading.excerpts import Block, shifted
from tallysql.reading.lines import header
from tallysql.reading.view import Omission, View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tallysql.reading.excerpts import Excerpt
    from tallysql.reading.index import Index
    from tallysql.reading.tokens import Tokenizer


def cost(block: Block, tokenizer: Tokenizer) -> int:
    """Return the tokens of a block with its header."""
    return tokenizer.count(header(block.step) + block.text)


def paste(parts: Sequence[Block | str], index: Index, budget: int, tokenizer: Tokenizer) -> View:
    """Return the context of blocks and marks in the order given.

    Args:
        parts: blocks, and lines between them.
        index: the trajectory; its other steps are reported as omitted.
        budget: tokens, reported only.
        tokenizer: counts the text.
    """
    texts: list[str] = []
    excerpts: list[Excerpt] = []
    size = 0
    for part in parts:
        lines = [part] if isinstance(part, str) else [header(part.step), part.text]
        if isinstance(part, Block):
            excerpts += shifted(part.excerpts, size + len(lines[0]))
        texts += lines
        size += sum(map(len, lines))
    text = "".join(texts)
    found = [part for part in parts if isinstance(part, Block)]
    cuts = tuple(cut for block in found for cut in block.cuts)
    omitted = tuple(_omitted(index, {block.step for block in found}))
    tokens = tokenizer.count(text)
    return View(text, tokens, budget, tokenizer.name, tuple(excerpts), (), omitted, cuts)


def _omitted(index: Index, shown: set[int]) -> Iterator[Omission]:
    for hidden, group in groupby(index.records, key=lambda step: step not in shown):
        steps = list(group)
        if hidden:
            yield Omission(steps[0], steps[-1], "budget")
