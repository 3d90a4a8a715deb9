"""Questions of AMA-Bench that were made by rule: their references, read back into tables.

Text-world questions of six families have references in a fixed form, so that answers can be
compared without a model (benchmarks/cases.py says what a right answer contains). References that
speak of places by the simulator's own numbers play no part in it: actions and objects are compared.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_AT_STEP = re.compile(r"step (\d+): '?(.+?)'?(?: caused \[.*?\])?(?= \| step |; step |\.?$)")
_BETWEEN = re.compile(r"at step (\d+), (.+?)(?=; at step |\.?$)")
_TIMES = re.compile(r"'([^']+)' \((\d+) times\)")
_INTERACTIONS = re.compile(r"([^:,()]+) \((\d+) interactions?\)")
_INVENTORY = re.compile(r"At step (\d+), (.+?) (?:was|were) (added|removed)")


def _timeline(pattern: re.Pattern[str]) -> Callable[[str], Any]:
    return lambda text: [[int(step), said.strip()] for step, said in pattern.findall(text)]


def _counts(pattern: re.Pattern[str]) -> Callable[[str], Any]:
    return lambda text: {name.strip(): int(count) for name, count in pattern.findall(text)}


def _inventory(text: str) -> list[list[Any]]:
    return [[int(step), name, how] for step, name, how in _INVENTORY.findall(text)]


FAMILIES: tuple[tuple[str, re.Pattern[str], Callable[[str], Any]], ...] = (
    (
        "action_frequency_top15",
        re.compile(r"until step \d+, what actions has the agent performed and how freq", re.I),
        _counts(_TIMES),
    ),
    (
        "actions_between",
        re.compile(r"what actions were performed between step \d+ and step \d+", re.I),
        _timeline(_BETWEEN),
    ),
    (
        "actions_on_object",
        re.compile(r"before step \d+, which actions were performed on .+ and at which steps", re.I),
        _timeline(_AT_STEP),
    ),
    (
        "object_interactions",
        re.compile(r"what objects has the agent interacted with so far .+how many times", re.I),
        _counts(_INTERACTIONS),
    ),
    (
        "environment_changes",
        re.compile(r"what actions made the environment changes", re.I),
        _timeline(_AT_STEP),
    ),
    (
        "inventory_changes_prefix",
        re.compile(r"what changes occurred to the inventory throughout the trajectory", re.I),
        _inventory,
    ),
)


def rule_made(question: str, reference: str) -> tuple[str, Any] | None:
    """Return family and gold of a question made by rule.

    None if it is no such question, or if nothing can be read from its reference.
    """
    for name, asked, read in FAMILIES:
        if asked.search(question):
            gold = read(reference)
            return (name, gold) if gold else None
    return None
