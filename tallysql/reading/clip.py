"""Cutting a block at one end so that it fits a number of tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tallysql.reading.excerpts import Block, Cut, Excerpt

if TYPE_CHECKING:
    from collections.abc import Callable

    from tallysql.reading.tokens import Tokenizer


def keep_head(block: Block, tokens: int, tokenizer: Tokenizer) -> Block:
    """Return the beginning of an uncut block, at most `tokens` long, ending with a newline."""
    kept = _longest(len(block.text), lambda n: tokenizer.count(block.text[:n] + "\n") <= tokens)
    return _clipped(block, 0, kept, block.text[:kept] + "\n") if kept else _nothing(block)


def keep_tail(block: Block, tokens: int, tokenizer: Tokenizer) -> Block:
    """Return the end of an uncut block, at most `tokens` long; blanks at its beginning go."""
    size = len(block.text)
    kept = _longest(size, lambda n: tokenizer.count(block.text[size - n :].lstrip()) <= tokens)
    text = block.text[size - kept :].lstrip()
    return _clipped(block, size - len(text), size, text) if text else _nothing(block)


def _longest(size: int, fits: Callable[[int], bool]) -> int:
    """Return the largest n up to `size` that fits; widens first, as texts can be megabytes."""
    low, high = 0, min(size, 256)
    while high < size and fits(high):
        low, high = high, min(size, 2 * high)
    if fits(high):
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _nothing(block: Block) -> Block:
    return _clipped(block, 0, 0, "")


def _clipped(block: Block, low: int, high: int, text: str) -> Block:
    """Return the block with the given text, which shows characters low to high - 1 of its own."""
    excerpts: list[Excerpt] = []
    cuts: list[Cut] = []
    for excerpt in block.excerpts:
        span = excerpt.span
        start = min(max(low - excerpt.at, 0), span.end)
        end = max(min(high - excerpt.at, span.end), start)
        if start < end:
            at = excerpt.at + start - low
            excerpts.append(Excerpt(replace(span, start=start, end=end), at))
        for first, last in ((0, start), (end, span.end)):
            if first < last:
                cuts.append(Cut(span.step, span.call, span.field, first, last, span.end))
    return Block(block.step, text, tuple(excerpts), tuple(cuts))
