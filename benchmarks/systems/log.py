"""A trajectory's log in parts, and texts of models among notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tallysql.reading.excerpts import whole_blocks
from tallysql.reading.index import load_index
from tallysql.reading.lines import header
from tallysql.reading.tokens import tokenizer_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.systems.interface import Bench
    from tallysql.reading.excerpts import Block

CHARACTERS_A_TOKEN = 2
"""Into how many characters for each token a step is split that is too long for a part."""


def steps_of(bench: Bench, trajectory_id: str) -> list[Block]:
    """Return the steps, whole, in order."""
    store = bench.memory.store
    return whole_blocks(store, trajectory_id, load_index(store, trajectory_id).records)


def parts_of(bench: Bench, trajectory_id: str, tokens: int) -> Iterator[str]:
    """Yield the log in order in parts of at most so many tokens; a long step fills several."""
    count = tokenizer_named().count
    part, size = "", 0
    for block in steps_of(bench, trajectory_id):
        for piece in _pieces(header(block.step) + block.text, tokens):
            taken = count(piece)
            if part and size + taken > tokens:
                yield part
                part, size = "", 0
            part, size = part + piece, size + taken
    if part:
        yield part


def _pieces(text: str, tokens: int) -> Iterator[str]:
    length = max(len(text), 1)
    if tokenizer_named().count(text) > tokens:
        length = CHARACTERS_A_TOKEN * tokens
    for start in range(0, len(text), length):
        yield text[start : start + length]


def noted(title: str, text: str) -> str:
    """Return a text under a note that says what it is; none of its lines reads like a note."""
    return f"[{title}]\n" + re.sub(r"(?m)^(?=[^\S\n]*\[)", "  ", text.strip()) + "\n"
