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
"""`single`: little planning; `large`: full planning; `batch`: one statement over trajectories."""

LARGE = 100_000
"""Rows from which on a full plan pays: below, DuckDB reads them in one piece anyway."""

BATCH = 8
"""Trajectories from which on one statement over all of them is cheaper than one for each."""


def path_of(store: Store, trajectory_id: str) -> Path:
    """Return the path for one plan over one trajectory."""
    if (rows := store.sizes.get(trajectory_id)) is None:
        ((rows,),) = store.quick_rows(
            query("grounding/size").text, {"trajectory_id": trajectory_id}
        )
        store.sizes[trajectory_id] = rows
    return "large" if rows >= LARGE else "single"


def path_of_many(trajectories: int) -> Path:
    """Return the path for one plan over many trajectories."""
    return "batch" if trajectories >= BATCH else "single"
