"""Puts made-up ledger rows into a real database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tallysql.store import Store

INSERT_ROW = """
INSERT INTO ledger BY NAME SELECT
    $trajectory_id AS trajectory_id, $step AS step, $call AS call, $tool AS tool, $act AS act,
    $raw AS raw, $targets AS targets, $outcome AS outcome, NULL AS quote,
    list_transform(
        CAST($changes AS STRUCT(object VARCHAR, property VARCHAR, "value" VARCHAR)[]),
        lambda c: {
            'object': c.object, 'property': c.property, 'value': c."value", 'verified': true
        }
    ) AS changes,
    $delta AS delta, $exit_code AS exit_code, $error AS error, $paths AS paths,
    $author AS author, $is_copied AS is_copied, 'mechanical' AS provenance
"""
INSERT_STEP = """
INSERT INTO steps BY NAME SELECT
    $trajectory_id AS trajectory_id, $step AS step, $call AS call, $raw AS action,
    $observation AS observation, $is_copied AS is_copied
"""
STEP_COLUMNS = ("step", "call", "raw", "observation", "is_copied")

EMPTY: dict[str, Any] = {
    "call": 0,
    "tool": None,
    "act": None,
    "raw": None,
    "targets": [],
    "outcome": "unknown",
    "changes": [],
    "delta": [],
    "exit_code": None,
    "error": None,
    "paths": [],
    "author": None,
    "is_copied": False,
    "observation": None,
}


def row(step: int, **columns: Any) -> dict[str, Any]:
    """Make a ledger row; what is not named is empty."""
    unknown = set(columns) - set(EMPTY)
    assert not unknown, unknown
    return EMPTY | {"step": step} | columns


def insert(store: Store, trajectory_id: str, rows: list[dict[str, Any]]) -> None:
    """Write rows into ledger and steps."""
    for made in rows:
        ledger = {name: value for name, value in made.items() if name != "observation"}
        store.run(INSERT_ROW, ledger | {"trajectory_id": trajectory_id})
        step = {name: made[name] for name in STEP_COLUMNS}
        store.run(INSERT_STEP, step | {"trajectory_id": trajectory_id})
