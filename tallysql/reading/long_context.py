"""Long context: the whole trajectory, cut in the middle where it exceeds the budget.

The first 70 % and the last 30 % of the token budget are kept, as AMA-Bench does (paper, appendix H).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallysql.reading.excerpts import Block, Cut, Excerpt, blocks, shifted
from tallysql.reading.lines import header
from tallysql.reading.view import Omission, View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tallysql.archive.spans import Span
    from tallysql.reading.tokens import Tokenizer
    from tallysql.store import Store
