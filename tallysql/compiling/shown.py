"""How a prompt shows the values of a catalog."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SHOWN = 20
"""Most frequent values of everything that has no number of its own."""

VALUE_LIMIT = 160
"""Characters of one value; longer ones are no names, and are left out."""


def values_line(name: str, counted: Mapping[str, int], most: int) -> Iterator[str]:
    """Yield one line with the most frequent values and how many are not shown."""
    short = {value: count for value, count in counted.items() if len(value) <= VALUE_LIMIT}
    if not short:
        return
    shown = ", ".join(f"{_line(value)} ({count})" for value, count in islice(short.items(), most))
    more = f", and {len(short) - most} more" if len(short) > most else ""
    yield f"{name}: {shown}{more}"


def _line(value: str) -> str:
    return " ".join(value.split())
