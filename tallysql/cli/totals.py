"""What the answers about many trajectories come to: counts add up, groups merge."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tallysql.answering.records import Record

ADDING = frozenset({"count", "group"})


def total_of(records: list[Record]) -> str | None:
    """Return the total of records of one question; None where their answers do not add up.

    Counts are added. Groups merge by value, spellings that differ only in case under the first of
    them, as within one trajectory, and stand in order of frequency.
    """
    answered = [record["results"] for record in records if record["answer"] is not None]
    found = [results[0] for results in answered if len(results) == 1]
    ops = {result["op"] for result in found}
    if len(found) < len(answered) or len(ops) != 1 or not ops <= ADDING:
        return None
    if ops == {"count"}:
        return str(sum(result["value"] for result in found))
    counts: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for result in found:
        for group in result["groups"]:
            shown.setdefault(group["key"].lower(), group["key"])
            counts[group["key"].lower()] += group["count"]
    return ", ".join(f"{shown[key]}: {count}" for key, count in counts.most_common())
