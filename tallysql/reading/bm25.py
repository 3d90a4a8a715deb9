"""BM25 over step documents, by the library bm25s: the baseline of retrieval by words.

Needs the extra `bm25`. See docs/architecture.md, "Reading view".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.errors import InputError
from tallysql.reading.excerpts import whole_blocks
from tallysql.reading.lines import header
from tallysql.reading.paste import cost, paste

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.reading.excerpts import Block
    from tallysql.reading.index import Index
    from tallysql.reading.tokens import Tokenizer
    from tallysql.reading.view import View
    from tallysql.store import Store


class Bm25:
    """A trajectory's steps as documents: number, action and observation, whole.

    Raises:
        InputError: the package bm25s is not installed.
    """

    def __init__(self, store: Store, index: Index) -> None:
        try:
            import bm25s
        except ImportError:
            raise InputError("BM25 needs a package", "pip install 'tallysql[bm25]'") from None
        self._library: Any = bm25s
        self._trajectory = index
        self._blocks = whole_blocks(store, index.trajectory_id, index.records)
        words = self._words([header(block.step) + block.text for block in self._blocks])
        self._scorer = bm25s.BM25()
        self._has_words = any(words)
        if self._has_words:
            self._scorer.index(words, show_progress=False)

    def _words(self, texts: Sequence[str]) -> list[list[str]]:
        """Return lower-cased words without English stop words, as the library splits them."""
        listed: list[list[str]] = self._library.tokenize(
            list(texts), stopwords="en", return_ids=False, show_progress=False
        )
        return listed

    def ranked(self, question: str) -> list[Block]:
        """Return the steps that share words with the question, best first, ties in order."""
        (words,) = self._words([question])
        known = (
            [word for word in words if word in self._scorer.vocab_dict] if self._has_words else []
        )
        if not known:
            return []
        scores = self._scorer.get_scores(known).tolist()
        order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
        return [self._blocks[i] for i in order if scores[i] > 0]

    def context(
        self, question: str, budget: int, tokenizer: Tokenizer, k: int | None = None
    ) -> View:
        """Return the best steps that fit, in the order of the trajectory.

        Args:
            question: as asked.
            budget: tokens; a step that does not fit is skipped.
            tokenizer: counts them.
            k: most steps, as many as fit if None.
        """
        left = budget
        chosen: list[Block] = []
        for block in self.ranked(question)[:k]:
            taken = cost(block, tokenizer)
            if taken <= left:
                chosen.append(block)
                left -= taken
        chosen.sort(key=lambda block: block.step)
        return paste(chosen, self._trajectory, budget, tokenizer)
