"""A small ledger made by hand, on which expected values can be counted by eye."""

from __future__ import annotations

from tests.ledgers import row


def _change(name: str, state: str, value: str) -> dict[str, str]:
    return {"object": name, "property": state, "value": value}


KITCHEN = [
    row(0, tool="look", act="look", raw="look", outcome="success", observation="You see drawer 1."),
    row(1, tool="go", act="go to", raw="go to drawer 1", targets=["drawer 1"], outcome="success"),
    row(
        2,
        tool="open",
        act="open",
        raw="open drawer 1",
        targets=["drawer 1"],
        outcome="success",
        changes=[_change("drawer 1", "state", "open")],
    ),
    row(3, tool="go", act="go to", raw="go to drawer 10", targets=["drawer 10"], outcome="success"),
    row(
        4,
        tool="open",
        act="open",
        raw="open Drawer 10",
        targets=["Drawer 10", "drawer 10"],
        outcome="failure",
        error="The drawer is stuck.",
    ),
    row(5, act="malformed", raw="The previous action was not valid."),
    row(6),
    row(7, tool="open", act="open", raw="open drawer 10", targets=["drawer 10"], outcome="failure"),
    row(8, tool="open", act="open", raw="old open", targets=["drawer 1"], is_copied=True),
    row(9, tool="open", act="open", raw="open drawer 1", targets=["drawer 1"], outcome="no_effect"),
]

WORKSHOP = [
    row(
        1,
        tool="str_replace_editor",
        act="str_replace_editor.view",
        raw='str_replace_editor: {"command": "view", "path": "/repo/setup.py"}',
        targets=["/repo/setup.py"],
        paths=["/repo/setup.py"],
        outcome="success",
    ),
    row(
        2,
        tool="execute_bash",
        act="execute_bash.pytest",
        raw='execute_bash: {"command": "pytest -q"}',
        exit_code=1,
        outcome="failure",
        error="E   assert 1 == 2",
        observation="1 failed",
    ),
    row(
        2,
        call=1,
        tool="execute_bash",
        act="execute_bash.ls",
        raw='execute_bash: {"command": "ls"}',
        exit_code=0,
        outcome="success",
    ),
    row(
        3,
        tool="str_replace_editor",
        act="str_replace_editor.create",
        raw='str_replace_editor: {"command": "create", "path": "/repo/src/100%_done.py"}',
        targets=["/repo/src/100%_done.py"],
        paths=["/repo/src/100%_done.py"],
        outcome="success",
        changes=[_change("/repo/src/100%_done.py", "content", "created")],
        delta=["command: view → create"],
    ),
    row(
        4,
        tool="execute_bash",
        act="execute_bash.pytest",
        raw='execute_bash: {"command": "pytest -q"}',
        exit_code=127,
        outcome="failure",
        error="pytest: command not found",
    ),
    row(
        5,
        tool="str_replace_editor",
        act="str_replace_editor.view",
        raw='str_replace_editor: {"command": "view", "path": "/repo/setup.py.bak"}',
        targets=["/repo/setup.py.bak"],
        paths=["/repo/setup.py.bak"],
        outcome="unknown",
    ),
]

LEDGERS = {"kitchen": KITCHEN, "workshop": WORKSHOP}
