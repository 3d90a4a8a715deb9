"""What one trajectory's ledger holds, for compilers and people."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallysql.lowering.partition import over_all
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tallysql.store import Row, Store


@dataclass(frozen=True, slots=True)
class Catalog:
    """The vocabulary of one trajectory; mappings are value → number of events, frequent first.

    Attributes:
        tools: tool names.
        acts: normalized action types (`go to`, `str_replace_editor.view`, `execute_bash.pytest`).
        targets: all targets, in their first spelling.
        paths: exact file paths.
        outcomes: success, failure, no_effect, unknown as present.
        properties: properties of recorded changes.
        exit_codes: exit codes as present.
        errors: first error lines.
        authors: authors (commit histories).
        first_step, last_step: the range of step numbers, None if there are no steps.
        n_events: rows that are events: neither empty, nor malformed, nor copied context.
        n_malformed: actions that are error messages.
    """

    trajectory_id: str
    tools: dict[str, int]
    acts: dict[str, int]
    targets: dict[str, int]
    paths: dict[str, int]
    outcomes: dict[str, int]
    properties: dict[str, int]
    exit_codes: dict[int, int]
    errors: dict[str, int]
    authors: dict[str, int]
    first_step: int | None
    last_step: int | None
    n_events: int
    n_malformed: int = 0


def load_catalog(store: Store, trajectory_id: str) -> Catalog:
    """Return the catalog of one trajectory; an unknown id has an empty one."""
    text = query("catalog/vocabulary").text
    return _catalog(trajectory_id, store.rows(text, {"trajectory_id": trajectory_id}))


def load_common_catalog(store: Store, trajectory_ids: Sequence[str] | None) -> Catalog:
    """Return the catalog of many trajectories taken for one, of all if None; it has no id."""
    statement = over_all(query("catalog/vocabulary").text, trajectory_ids)
    return _catalog("", store.rows(statement.sql, statement.params))


def _catalog(trajectory_id: str, rows: Iterable[Row]) -> Catalog:
    counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
    first_step = last_step = None
    for section, value, events, first, last in rows:
        counts[section][value] = events
        if section == "all":
            first_step, last_step = first, last
    return Catalog(
        trajectory_id=trajectory_id,
        tools=counts["tools"],
        acts=counts["acts"],
        targets=counts["targets"],
        paths=counts["paths"],
        outcomes=counts["outcomes"],
        properties=counts["properties"],
        exit_codes={int(code): events for code, events in counts["exit_codes"].items()},
        errors=counts["errors"],
        authors=counts["authors"],
        first_step=first_step,
        last_step=last_step,
        n_events=sum(counts["events"].values()),
        n_malformed=sum(counts["malformed"].values()),
    )
