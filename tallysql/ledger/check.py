"""Whether a database holds what was loaded, and its ledger what follows from that.

See docs/trust.md, "Checking a database".
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallysql.errors import StoreError
from tallysql.ledger.merge import build
from tallysql.ledger.rebuild import parts
from tallysql.sqlfiles import query, query_names, rules_fingerprint
from tallysql.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.store import Store

TABLES = (
    "sources", "trajectories", "steps", "ledger", "file_events", "annotations", "annotation_chunks",
)  # fmt: skip
FACTS = ("counts", "keys", "hashes", "arguments", "rows", "quotes", "spans", "annotations")
"""The statements of queries/check/ that each return what is wrong, in order."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a database that should not be.

    Attributes:
        check: what found it: a name of FACTS, `rebuilt`, or `read` for damage on the disk.
        trajectory_id: where, None if it is no single trajectory.
        step: which step, None if it is no single one.
        problem: what is wrong.
    """

    check: str
    trajectory_id: str | None
    step: int | None
    problem: str


def check(store: Store) -> Iterator[Problem]:
    """Yield what is wrong with a database, nothing if it is sound; it is only read.

    Every value is read, so that damage on the disk shows. Ledger and file events are compared with
    those that the archived steps and annotations give anew, in a database in memory, part by part.
    """
    try:
        for table in TABLES:
            store.rows(query("check/read_all").text, {"name": table})
        for name in FACTS:
            yield from _found(store, name, name)
        yield from _rebuilt(store)
    except StoreError as error:
        yield Problem("read", None, None, error.message)


def _found(store: Store, check: str, statement: str) -> Iterator[Problem]:
    for trajectory_id, step, problem in store.rows(query(f"check/{statement}").text):
        yield Problem(check, trajectory_id, step, problem)


def _rebuilt(store: Store) -> Iterator[Problem]:
    """Compare ledger and file events with what this release makes of the same steps."""
    if store.row(query("check/fingerprint").text) != (rules_fingerprint(),):
        problem = "another release's rules made the ledger; the next load makes it anew"
        yield Problem("rebuilt", None, None, problem)
        return
    kept = [name for name in query_names("check") if name.startswith("check/part_")]
    with open_store() as scratch:
        for _ in parts(store):
            with ExitStack() as views:
                for name in kept:
                    part = store.relation(query(name).text).to_arrow_table()
                    views.enter_context(scratch.view_of(name.removeprefix("check/"), part))
                scratch.run(query("check/take_part").text)
                build(scratch)
                yield from _found(scratch, "rebuilt", "differences")
            scratch.run(query("check/forget_part").text)
