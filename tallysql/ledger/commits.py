"""The ledger of commits: files, renames and assignments from what git recorded.

A step is a commit if its tool is `commit` and its arguments hold `sha` and `files`; the files'
patches are spans of the observation (docs/architecture.md, "Commit histories"; paper, section 5.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from tallysql.store import Store


def find_commits(store: Store) -> None:
    """Make the temp tables `commits` and `commit_files` of the trajectories in `touched`."""
    store.run(query("commits/find").text)


def add_commits(store: Store) -> None:
    """Make the rows of `ledger` and `file_events` of the commits that were found.

    One statement a form of assignment: DuckDB compiles a pattern once only if it is a constant.
    """
    if store.row(query("commits/count").text) != (0,):
        for form, pattern in store.rows(query("commits/forms").text):
            store.run(query("commits/assignments").text, {"form": form, "pattern": pattern})
        store.run(query("commits/rows").text)
    store.run(query("commits/forget").text)
