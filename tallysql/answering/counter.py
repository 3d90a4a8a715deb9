"""The fixed counter: no compiler, one plan for every question (paper, appendix H)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tallysql.compiling.compilation import Compilation, TraceEntry
from tallysql.compiling.rules import Range, parse_scope
from tallysql.plan.nodes import Plan, Query, Scope

if TYPE_CHECKING:
    from tallysql.ledger.catalog import Catalog

_FIRST_EVENT = re.compile(r"\bfirst\b(?!\s+(?:\d|few\b))", re.IGNORECASE)


def count_by_tool(question: str, catalog: Catalog) -> Compilation:
    """Plan events by tool within the stated bound; over the whole run for first-event questions."""
    scope = Scope()
    if not _FIRST_EVENT.search(question):
        steps = Range(catalog.first_step or 0, catalog.last_step)
        bounds = parse_scope(question, steps)
        scope = Scope(bounds.lo, bounds.hi)
    plan = Plan((Query("group", scope=scope, by="tool"),))
    return Compilation(plan, (TraceEntry(question, "op: group by tool"),), ("pairs",))
