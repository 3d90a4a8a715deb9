"""The context that each system gives a reader.

See docs/architecture.md, "Reading view".
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

from tallysql.compiling.rules import Range, parse_scope
from tallysql.reading.bm25 import Bm25
from tallysql.reading.build import build_view
from tallysql.reading.index import load_index
from tallysql.reading.long_context import long_context
from tallysql.reading.question import read_question
from tallysql.reading.settings import ViewSettings
from tallysql.reading.shelf import Shelf
from tallysql.reading.tokens import tokenizer_named

if TYPE_CHECKING:
    from tallysql.answering.systems import System
    from tallysql.reading.index import Index
    from tallysql.reading.question import Asked
    from tallysql.reading.tokens import Tokenizer
    from tallysql.reading.view import View
    from tallysql.store import Store

KEPT_INDEXES, KEPT_TEXTS = 64, 4
"""Trajectories whose index, and whose texts, are kept for further questions."""


class Contexts:
    """Contexts over one open store.

    Args:
        store: an open database with ledgers; it is only read.
        settings: of the view; every system keeps to its budget.
        tokenizer: counts the budget, the one named `auto` if None.
        bm25_steps: most steps that `bm25` gives, as many as fit if None.
    """

    def __init__(
        self,
        store: Store,
        settings: ViewSettings | None = None,
        tokenizer: Tokenizer | None = None,
        bm25_steps: int | None = None,
    ) -> None:
        self._store = store
        self._settings = settings or ViewSettings()
        self._tokenizer = tokenizer or tokenizer_named()
        self._bm25_steps = bm25_steps
        self.index = lru_cache(KEPT_INDEXES)(partial(load_index, store))
        self._shelf = lru_cache(KEPT_TEXTS)(self._make_shelf)
        self._documents = lru_cache(KEPT_TEXTS)(self._make_documents)

    def of(self, system: System, question: str, trajectory_id: str) -> View:
        """Return the context that a system gives for a question about an existing trajectory."""
        index = self.index(trajectory_id)
        budget, tokenizer = self._settings.budget, self._tokenizer
        if system == "long-context":
            return long_context(self._store, index, budget, tokenizer)
        if system == "bm25":
            documents = self._documents(trajectory_id)
            return documents.context(question, budget, tokenizer, self._bm25_steps)
        shelf = self._shelf(trajectory_id)
        return build_view(self._store, index, shelf, asked_of(question, index), self._settings)

    def _make_shelf(self, trajectory_id: str) -> Shelf:
        return Shelf(self._store, trajectory_id, self._tokenizer, self._settings.tail_share)

    def _make_documents(self, trajectory_id: str) -> Bm25:
        return Bm25(self._store, self.index(trajectory_id))


def asked_of(question: str, index: Index) -> Asked:
    """Read a question with the scope parser of the rules compiler.

    Bounds that exclude each other ("in steps 4-6 ..., and in steps 7-8 ...") bound nothing.
    """
    first, last = index.extent
    bounds = parse_scope(question, Range(first, last))
    lo, hi = bounds.lo, bounds.hi
    if lo is not None and hi is not None and lo > hi:
        lo = hi = None
    return read_question(question, lo=lo, hi=hi, named=bounds.named)
