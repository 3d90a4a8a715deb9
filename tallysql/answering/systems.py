"""The names of the systems that answer; see docs/architecture.md, "Reading view"."""

from __future__ import annotations

from typing import Literal, get_args

System = Literal["tallymem", "tm", "counter", "long-context", "bm25"]
SYSTEMS: tuple[System, ...] = get_args(System)

COMPUTING: frozenset[System] = frozenset({"tallymem", "counter"})
"""Systems that execute a plan; their context is the view, and evidence comes with it."""
