"""Made-up questions: plans whose terms mostly occur in the made-up ledgers."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

TOOLS = ["open", "take", "go", "pytest", "clean", "close"]
TARGETS = ["drawer 1", "cabinet 9", "shelf 3", "mug 1", "fridge", "countertop 12"]
OUTCOMES = ["success", "failure", "no_effect"]
OPS = ["count", "list", "first", "last"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One sub-query in the terms that every contender understands.

    Attributes:
        terms: (field, text) pairs, all of which have to match; tool, target or outcome.
        hi: the last step, None is open.
    """

    trajectory: str
    op: str
    terms: tuple[tuple[str, str], ...]
    hi: int | None

    def plan(self) -> dict[str, Any]:
        """Return it in the plan language; substring, which is what contenders can do."""
        where = {
            field: [text if field == "outcome" else {"term": text, "match": "substring"}]
            for field, text in self.terms
        }
        query = {"op": self.op, "scope": {"lo": None, "hi": self.hi}, "where": where}
        return {"applicable": True, "queries": [query]}


def questions(number: int, trajectories: int, steps: int, seed: int = 7) -> list[Asked]:
    """Return questions about random trajectories; the same numbers give the same questions."""
    draw = random.Random(seed)
    return [_question(draw, trajectories, steps) for _ in range(number)]


def _question(draw: random.Random, trajectories: int, steps: int) -> Asked:
    known = [("tool", TOOLS), ("target", TARGETS), ("outcome", OUTCOMES)]
    fields = sorted(draw.sample(known, draw.choice([1, 2, 2, 3])))
    return Asked(
        f"run-{draw.randrange(trajectories):06d}",
        draw.choice(OPS),
        tuple((field, draw.choice(values)) for field, values in fields),
        draw.choice([None, None, draw.randrange(steps)]),
    )
