"""How long a view takes, next to BM25 retrieval over the same steps."""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tallysql
from tallysql.answering.contexts import Contexts
from tallysql.reading.bm25 import Bm25
from tallysql.reading.settings import ViewSettings
from tallysql.reading.tokens import tokenizer_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tallysql.api import Memory


def milliseconds(call: Callable[[], Any]) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - start)


LONG = """
    SELECT
        'long' AS trajectory_id,
        row_number() OVER (ORDER BY copy, trajectory_id, step, call) - 1 AS step,
        action, observation
    FROM steps, range(20) AS copies(copy)
    ORDER BY step
    LIMIT $n_steps
"""


@contextmanager
def concatenated(memory: Memory, n_steps: int) -> Iterator[Memory]:
    """Yield a memory of one trajectory `long`, made of all that are loaded, one after the other."""
    with tempfile.TemporaryDirectory() as folder, tallysql.open() as longer:
        source = str(Path(folder, "long.parquet"))
        memory.sql(LONG, {"n_steps": n_steps}).write_parquet(source)
        longer.load(source)
        yield longer


def compared(
    memory: Memory, cases: Sequence[tuple[str, str]], budget: int
) -> Iterator[tuple[float, float, float]]:
    """Yield (view, BM25 ranking, BM25 context) in milliseconds for (trajectory, question).

    Each trajectory's index and documents are built before, by a first question.
    """
    contexts = Contexts(memory.store, ViewSettings(budget=budget))
    documents: dict[str, Bm25] = {}
    for trajectory_id, question in cases:
        if trajectory_id not in documents:
            documents.clear()
            documents[trajectory_id] = Bm25(memory.store, contexts.index(trajectory_id))
            contexts.of("tm", question, trajectory_id)
        found = documents[trajectory_id]
        yield (
            milliseconds(partial(contexts.of, "tm", question, trajectory_id)),
            milliseconds(partial(found.ranked, question)),
            milliseconds(partial(found.context, question, budget, tokenizer_named())),
        )


def medians(rows: Sequence[tuple[float, ...]]) -> list[float]:
    """Return the median of each column."""
    return [statistics.median(column) for column in zip(*rows, strict=True)]
