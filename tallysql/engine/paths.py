"""Chooses how a plan runs: the one place that decides, and the only thing that it decides on.

All paths give the same results (docs/architecture.md, "Paths"); they differ in what they spend
time on. `single` plans little, because a short log is read faster than a statement is optimized;
`large` plans fully and reads in parallel; `batch` takes many trajectories in one statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from tallysql.store import Store

Path = Literal["single", "large", "batch"]

LARGE = 100_000
"""Rows from which on a full plan pays: below, DuckDB reads them in one piece anyway."""

BATCH = 8
"""Logs or questions from which on one statement for all can be cheaper than one for each."""

ROWS_FOR_ONE = 20_000
"""Rows of the ledger that are read in the time that a statement for a single log takes."""


def path_of(store: Store, trajectory_id: str) -> Path:
    """Return the path for one plan over one trajectory."""
    if (rows := store.sizes.get(trajectory_id)) is None:
        sql = query("grounding/size").text
        ((rows,),) = store.quick_rows(sql, {"trajectory_id": trajectory_id})
        store.sizes[trajectory_id] = rows
    return "large" if rows >= LARGE else "single"


def path_of_many(store: Store, statements: int) -> Path:
    """Return the path for what would take so many statements of one shape, one for each log.

    `single` means each by itself, by whatever path suits it.
    """
    if statements < BATCH:
        return "single"
    ((rows,),) = store.rows(query("grounding/size_of_all").text)
    return "batch" if statements * ROWS_FOR_ONE >= rows else "single"
