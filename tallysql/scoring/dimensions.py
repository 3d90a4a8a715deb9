"""What scores are broken down by: each dimension gives a question the name of its group.

See docs/evaluation.md.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from tallysql.errors import UnknownName
from tallysql.reading.settings import BUDGET
from tallysql.reading.tokens import tokenizer_named
from tallysql.scoring.load import LOW, UNDEFINED, load_bin, reference_load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tallysql.scoring.references import Pair, Reference

CROSS = "*"
"""Joins dimensions into one whose groups are crossed: `fits*load`."""

NO_GROUP = "none"


def _fact(name: str) -> Callable[[Pair], str]:
    return lambda pair: _shown(pair.reference.facts.get(name))


def _shown(value: Any) -> str:
    return NO_GROUP if value is None or value == "" else str(value)


def aggregation_load(pair: Pair) -> str:
    """Return the bin of the load that the answer's own record states."""
    return load_bin(pair.record.get("aggregation_load") if pair.record is not None else None)


def expected_load(pair: Pair) -> str:
    """Return the bin of the load that the reference states, or else lets expect."""
    stated = pair.reference.facts.get("load")
    if stated is None and pair.reference.answer is not None:
        stated = reference_load(pair.reference.answer)
    return load_bin(stated)


def level(pair: Pair) -> str:
    """Return whether the answer's aggregation load is low (at most 15), high, or undefined."""
    load = pair.record.get("aggregation_load") if pair.record is not None else None
    return UNDEFINED if load is None else "high" if load > LOW else "low"


def half(pair: Pair) -> str:
    """Return `A` or `B`, by the SHA-256 of the trajectory id: whole trajectories fall to one."""
    digest = hashlib.sha256(pair.reference.question.trajectory_id.encode("utf-8")).digest()
    return "AB"[digest[0] % 2]


def family(pair: Pair) -> str:
    """Return the family of a question, by its text alone (families.toml)."""
    return family_of(pair.reference.question.question)


def family_of(question: str) -> str:
    """Return the first family whose pattern is found in a question, `other` if none is."""
    return next((name for name, _, seen in families() if seen.search(question)), "other")


def aggregates(pair: Pair) -> str:
    """Return whether the question's family asks for a quantity over a set of steps."""
    kinds = {name: counts for name, counts, _ in families()}
    return "aggregation" if kinds.get(family(pair), False) else "other"


@cache
def families() -> tuple[tuple[str, bool, re.Pattern[str]], ...]:
    """Return name, whether it aggregates, and pattern of each family, in the order of trial."""
    text = (resources.files("tallysql") / "scoring" / "families.toml").read_text("utf-8")
    return tuple(
        (row["name"], row.get("aggregates", True), re.compile(row["pattern"], re.I | re.S))
        for row in tomllib.loads(text)["family"]
    )


def fits(pair: Pair) -> str:
    """Return whether the whole history fits a context of 26,000 tokens."""
    tokens = history_tokens(pair.reference)
    if tokens is None:
        return "unknown"
    return "fits" if tokens <= BUDGET else "does not fit"


def history_tokens(reference: Reference) -> int | None:
    """Return the tokens of a trajectory: as its record states, else counted; None if unknown."""
    stated = reference.facts.get("history_tokens") or reference.facts.get("total_tokens")
    trajectory = reference.facts.get("trajectory")
    if stated or not isinstance(trajectory, list):
        return stated or None
    return _counted(reference.question.trajectory_id, _Same(trajectory))


class _Same:
    """A trajectory as a cache's key: told apart by its place in memory alone."""

    def __init__(self, turns: list[Any]) -> None:
        self.turns = turns

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.turns is other.turns

    def __hash__(self) -> int:
        return id(self.turns)


@cache
def _counted(_: str, trajectory: _Same) -> int:
    count = tokenizer_named().count
    texts = (
        str(turn.get(field) or "")
        for turn in trajectory.turns
        if isinstance(turn, dict)
        for field in ("action", "observation")
    )
    return sum(map(count, texts))


DIMENSIONS: Mapping[str, Callable[[Pair], str]] = {
    "domain": _fact("domain"),
    "type": _fact("type"),
    "task-type": _fact("task_type"),
    "template": _fact("template"),
    "format": _fact("format"),
    "load": aggregation_load,
    "load-level": level,
    "reference-load": expected_load,
    "family": family,
    "aggregation": aggregates,
    "fits": fits,
    "half": half,
    "status": lambda pair: _shown((pair.record or {}).get("status")),
    "trajectory": lambda pair: pair.reference.question.trajectory_id,
}
"""Name → group of a pair of reference and answer record."""


def dimension(name: str) -> Callable[[Pair], str]:
    """Return a dimension, or the cross of several (`fits*load`).

    Raises:
        UnknownName: there is no such dimension; the hint names near ones.
    """
    parts: Sequence[str] = name.split(CROSS)
    for part in parts:
        if part not in DIMENSIONS:
            raise UnknownName("dimension", part, DIMENSIONS)
    chosen = [DIMENSIONS[part] for part in parts]
    return lambda pair: f" {CROSS} ".join(of(pair) for of in chosen)
