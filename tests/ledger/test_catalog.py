"""The catalog counts events, not rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tallysql.ledger.catalog import load_catalog

if TYPE_CHECKING:
    from collections.abc import Callable

    from tallysql.store import Store


def test_the_catalog_counts_events(
    store: Store, ledger_of: Callable[..., list[dict[str, Any]]]
) -> None:
    view = "str_replace_editor: " + json.dumps({"command": "view", "path": "/a/B.py"})
    ledger_of(
        {"step": 3, "action": "", "observation": ""},
        {"step": 4, "action": "open Drawer 1", "observation": "You open the Drawer 1."},
        {"step": 5, "action": "open drawer 1", "observation": "Nothing happens."},
        {"step": 6, "action": "open drawer 1", "observation": "", "is_copied": True},
        {"step": 7, "action": view, "observation": "ERROR:\nno such file"},
        {"step": 8, "action": 'bash: {"cmd": "ls /a/B.py"}', "observation": "exit code 2"},
        {"step": 9, "action": 'The previous prediction you issued was "x"', "observation": ""},
    )
    catalog = load_catalog(store, "t")
    assert catalog.tools == {"open": 2, "str_replace_editor": 1, "bash": 1}
    assert catalog.acts == {"open": 2, "str_replace_editor.view": 1, "bash.ls": 1}
    assert catalog.targets == {"Drawer 1": 2, "/a/B.py": 2}
    assert catalog.paths == {"/a/B.py": 1}
    assert catalog.outcomes == {"failure": 2, "success": 1, "no_effect": 1}
    assert catalog.properties == {"state": 1}
    assert catalog.exit_codes == {2: 1}
    assert catalog.errors == {"no such file": 1, "exit code 2": 1}
    assert catalog.authors == {}
    assert (catalog.first_step, catalog.last_step) == (3, 9)
    assert (catalog.n_events, catalog.n_malformed) == (4, 1)


def test_an_unknown_trajectory_has_an_empty_catalog(store: Store) -> None:
    catalog = load_catalog(store, "nobody")
    assert (catalog.tools, catalog.first_step, catalog.n_events) == ({}, None, 0)
