"""The mechanical ledger over hand-written steps of every kind of log, one case a line."""

# ruff: noqa: E501

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tallysql.ledger.mechanical import build

if TYPE_CHECKING:
    from collections.abc import Callable

    from tallysql.store import Store

MENU = (
    "\n\nThe current available actions are: open drawer 1, go to drawer 10, take cup 1 from desk 1"
)
DONE = "[The command completed with exit code {0}.]\n[Current working directory: /w]\n[Command finished with exit code {0}]"


def editor(**arguments: Any) -> str:
    return "str_replace_editor: " + json.dumps(arguments)


def bash(command: str) -> str:
    return "execute_bash: " + json.dumps({"command": command})


# action, observation, and what the ledger row must say of them
ACTIONS: list[tuple[str | None, str | None, dict[str, Any]]] = [
    # text worlds
    ("go to cabinet 1", "You arrive at cabinet 1. The cabinet 1 is closed." + MENU,
     {"tool": "go", "act": "go to", "targets": ["cabinet 1"], "outcome": "success"}),
    ("go to drawer 1", "You arrive at loc 24. The drawer 1 is closed.", {"targets": ["drawer 1"], "outcome": "success"}),
    ("take soapbar 1 from sinkbasin 1", "You pick up the soapbar 1 from the sinkbasin 1." + MENU,
     {"tool": "take", "act": "take", "targets": ["soapbar 1", "sinkbasin 1"], "outcome": "success"}),
    ("move mug 1 to shelf 2", "You move the mug 1 to the shelf 2." + MENU, {"act": "move", "targets": ["mug 1", "shelf 2"]}),
    ("put mug 1 in/on shelf 2", "You put the mug 1 in/on the shelf 2.", {"act": "put", "targets": ["mug 1", "shelf 2"], "outcome": "success"}),
    ("insert cup into chest", "You put the cup into the chest.", {"act": "insert", "targets": ["cup", "chest"], "outcome": "success"}),
    ("put the red apple on the old stove", "You put the red apple on the old stove.",
     {"targets": ["red apple", "old stove"], "outcome": "success"}),
    ("unlock door with old key", "You unlock the door.", {"act": "unlock", "targets": ["door", "old key"], "outcome": "success"}),
    ("heat mug 1 with microwave 1", "You heat the mug 1 using the microwave 1." + MENU, {"targets": ["mug 1", "microwave 1"], "outcome": "success"}),
    ("go north", "-= Kitchen =-\nYou are in a kitchen.", {"act": "go", "targets": ["north"], "outcome": "success"}),
    ("look", "You are facing the desk 1. Next to it, you see nothing." + MENU, {"act": "look", "targets": [], "outcome": "success"}),
    ("inventory", "You are not carrying anything." + MENU, {"act": "inventory", "outcome": "success"}),
    ("help", "Available commands:\n  look" + MENU, {"act": "help", "outcome": "success"}),
    ("examine mug 1", "There's nothing special about mug 1." + MENU, {"act": "examine", "targets": ["mug 1"], "outcome": "success"}),
    ("open drawer 1", "You open the drawer 1. The drawer 1 is open. In it, you see nothing." + MENU, {"outcome": "success"}),
    ("open drawer 1", "You open the drawer 10. The drawer 10 is open.", {"targets": ["drawer 1"], "outcome": "unknown"}),
    ("open drawer 1", "Nothing happens." + MENU, {"outcome": "no_effect", "error": None}),
    ("take lamp", "You can't see any such thing.", {"outcome": "failure", "error": "You can't see any such thing."}),
    ("close drawer 1", MENU, {"outcome": "unknown", "quote": None, "targets": ["drawer 1"]}),
    ("open case", "That's already open.", {"outcome": "no_effect"}),
    ("examin mug", "That's not a verb I recognise.", {"outcome": "failure"}),
    ("take onion", "You take the onion from the fridge.", {"outcome": "success"}),
    ("examine mug", "The mug is clean.", {"outcome": "success"}),
    # shells
    (bash("cd /w && python -m pytest tests/test_a.py"), "1 passed\n" + DONE.format(0),
     {"tool": "execute_bash", "act": "execute_bash.pytest", "targets": ["/w", "tests/test_a.py"], "outcome": "success", "exit_code": 0}),
    (bash("cd /w && A=1 sudo timeout 60 ./run.sh -x"), DONE.format(124), {"act": "execute_bash.run.sh", "exit_code": 124, "outcome": "failure", "error": None}),
    (bash("python fix.py"), "a\nValueError: bad\nbye\n" + DONE.format(1),
     {"act": "execute_bash.python", "targets": ["fix.py"], "exit_code": 1, "error": "ValueError: bad"}),
    (bash("/usr/bin/git -C x log"), DONE.format(0), {"act": "execute_bash.git"}),
    (bash("grep 'a/b.py' src/c.py"), DONE.format(1), {"act": "execute_bash.grep", "targets": ["src/c.py"], "error": None}),
    (bash("cat > out.txt << 'EOF'\nsee /etc/hosts\nEOF"), DONE.format(0), {"act": "execute_bash.cat", "targets": ["out.txt"]}),
    (bash("ls"), "it said exit code 3\n" + DONE.format(0), {"exit_code": 0}),
    (bash("ls"), "exit code 7\n" + "x" * 5000, {"exit_code": 7, "outcome": "failure"}),
    (bash("sleep 90; make"), "...\n[The command has no new output after 30 seconds. Wait.]", {"act": "execute_bash.make", "exit_code": None, "outcome": "unknown", "quote": None}),
    (bash("ls"), "Exit code 2\nno such file", {"exit_code": 2, "outcome": "failure"}),
    ("bash: {bad", "?", {"tool": "bash", "act": "bash", "targets": []}),
    ('execute_bash: {"command": "ls /w', "?", {"act": "execute_bash", "targets": []}),
    ("bash: $(which x) y", "?", {"act": "bash"}),
    ("bash: { ls; }", "?", {"act": "bash.ls"}),
    ("bash: (cd x; ls)", "?", {"act": "bash.ls"}),
    ("bash: [ -f x ] || g++ a.cpp", "?", {"act": "bash.[", "targets": ["a.cpp"]}),
    # editors
    (editor(command="view", path="/w/a.py"), "Here's the result of running `cat -n` on /w/a.py:\n 1 exit code 9",
     {"tool": "str_replace_editor", "act": "str_replace_editor.view", "targets": ["/w/a.py"], "paths": ["/w/a.py"], "outcome": "success", "exit_code": None}),
    (editor(command="create", file_text="see /b.py", path="/w/é.py"), "File created successfully at: /w/é.py", {"act": "str_replace_editor.create", "outcome": "success"}),
    (editor(command="str_replace", path="/w/a.py", old_str="x", new_str="y"), "ERROR:\nNo replacement was performed.\nMore.",
     {"outcome": "failure", "error": "No replacement was performed.", "changes": []}),
    (editor(command="str_replace", path="/w/a.py", old_str="x", new_str="y"), "The file /w/a.py.bak has been edited.", {"outcome": "unknown"}),
    # SQL agents
    ("execute_snowflake_sql: SELECT 1", "EXECUTION RESULT of [execute_snowflake_sql]:\n1",
     {"tool": "execute_snowflake_sql", "act": "execute_snowflake_sql", "outcome": "success"}),
    ("execute_snowflake_sql: SELECT 1", "EXECUTION RESULT of [execute_snowflake_sql]:\nSQL Error: no table", {"outcome": "failure", "error": "SQL Error: no table"}),
    ("execute_snowflake_sql: SELECT 1", "{'error': \"API error: it's down\"}", {"outcome": "failure", "error": "API error: it's down"}),
    ("execute_bash: ", "{'error': 'API error: 500'}", {"tool": "execute_bash", "act": "execute_bash", "error": "API error: 500"}),
    ("execute_bash: cat /w/DDL.csv", "EXECUTION RESULT of [execute_bash]:\na", {"act": "execute_bash.cat", "targets": ["/w/DDL.csv"]}),
    ("terminate: SELECT 1", "", {"tool": "terminate", "outcome": "unknown"}),
    ("—", "", {"tool": None, "act": None, "targets": []}),
    ("", "", {"tool": None, "act": None}),
    (None, None, {"tool": None, "act": None}),
    # the web
    ("click [96] where [96] is link 'What's New'", "Tab 0", {"tool": "click", "act": "click", "targets": ["What's New"], "outcome": "unknown"}),
    ("hover [503] where [503] is combobox '' focused: True", "Tab 0", {"targets": ["combobox [503]"]}),
    ("type [7] [two words ] where [7] is textbox 'From' required: False", "Tab 0", {"act": "type", "targets": ["From", "two words"]}),
    ("scroll [down]", "Tab 0", {"act": "scroll", "targets": ["down"]}),
    ("goto [http://a.b/c?d=[1]]", "Tab 0", {"targets": ["http://a.b/c?d=[1]"]}),
    ("new_tab", "Tab 0", {"tool": "new_tab", "act": "new_tab", "targets": []}),
    ('The previous prediction you issued was "click". Wrong.', "Tab 0", {"tool": None, "act": "malformed", "targets": [], "outcome": "unknown"}),
    ('Attempt to perfom "type" on element "[4]" but no matching element found.', "Tab 0", {"tool": None, "act": "malformed"}),
    # games
    ("Move North", "You see:", {"tool": "Move", "act": "move north", "targets": ["North"]}),
    ("Make Wood Pickaxe", "You see:", {"tool": "Make", "act": "make wood pickaxe", "targets": ["Wood Pickaxe"]}),
    ("up", "Board", {"tool": "up", "act": "up", "targets": []}),
    ("((2,4),(3,4))", "Board", {"tool": "swap", "act": "swap", "targets": ["((2,4),(3,4))"]}),
    ("south", "message:\nIt's a wall.\n", {"outcome": "no_effect"}),
    # tools with JSON arguments
    ('tavily_search({"query": "\\"a b\\" \\u00e9"})', "{'query': 'a'}", {"tool": "tavily_search", "targets": ['"a b" é'], "outcome": "success"}),
    ('tavily_search({"query": "q"})', "[{'error': \"An unexpected error\"}]", {"outcome": "failure", "error": "An unexpected error"}),
    ('get({"url": "http://a.b"})', '{"error": null, "x": 1}', {"targets": ["http://a.b"], "outcome": "unknown", "error": None}),
    ("FINAL_ANSWER: 2", "", {"tool": "FINAL_ANSWER", "act": "FINAL_ANSWER", "targets": []}),
    ('call("a","b c")', "ok", {"tool": "call", "act": "call", "targets": ["a", "b c"]}),
    ("think: what now?", "OK.", {"tool": "think", "act": "think"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def rows_of(
    ledger_apart: Callable[..., list[dict[str, Any]]],
) -> dict[tuple[str | None, str | None], dict[str, Any]]:
    """One ledger over all the cases, a trajectory each, by action and observation."""
    cases = [(action, observation) for action, observation, _ in (*ACTIONS, *CHANGES)]
    rows = ledger_apart(
        *(
            {"trajectory_id": f"{number:04}", "action": action, "observation": observation}
            for number, (action, observation) in enumerate(cases)
        )
    )
    return dict(zip(cases, rows, strict=True))


@pytest.mark.parametrize(("action", "observation", "expected"), ACTIONS)
def test_a_step_becomes_its_row(
    rows_of: dict[tuple[str | None, str | None], dict[str, Any]],
    action: str | None,
    observation: str | None,
    expected: dict[str, Any],
) -> None:
    row = rows_of[action, observation]
    assert {field: row[field] for field in expected} == expected
    assert row["raw"] == action
    assert row["provenance"] == "mechanical"
    assert (row["outcome"] == "unknown") == (row["quote"] is None)
    if row["quote"]:
        start, end = row["quote"]["start"], row["quote"]["end"]
        assert observation is not None
        assert observation[start:end] == row["quote"]["text"] != ""


CHANGES = [
    ("take mug 1 from desk 1", "You pick up the mug 1 from the desk 1.", ["mug 1.location → inventory", "inventory.contents → +mug 1"]),
    ("move mug 1 to desk 1", "You move the mug 1 to the desk 1.", ["mug 1.location → desk 1", "inventory.contents → -mug 1"]),
    ("open drawer 1", "You open the drawer 1.", ["drawer 1.state → open"]),
    ("close drawer 1", "You close the drawer 1.", ["drawer 1.state → closed"]),
    ("cool egg 1 with fridge 1", "You cool the egg 1 using the fridge 1.", ["egg 1.temperature → cold"]),
    ("clean cup 1 with sinkbasin 1", "You clean the cup 1 using the sinkbasin 1.", ["cup 1.cleanliness → clean"]),
    ("slice egg 1 with knife 1", "You sliced the egg 1 with the knife 1.", ["egg 1.state → sliced"]),
    ("use desklamp 1", "You turn on the desklamp 1.", ["desklamp 1.state → on"]),
    ("use desklamp 1", "You turn off the desklamp 1.", ["desklamp 1.state → off"]),
    ("open drawer 1", "Nothing happens.", []),
    ("cook carrot with stove", "You fried the carrot.", ["carrot.state → fried"]),
    ("prepare meal", "Adding the meal to your inventory.", ["meal.location → inventory", "inventory.contents → +meal"]),
    (editor(command="create", path="/a", file_text=""), "File created successfully at: /a", ["/a.content → created"]),
    (editor(command="insert", path="/a", insert_line=1, new_str=""), "The file /a has been edited. ", ["/a.content → inserted"]),
    (editor(command="undo_edit", path="/a"), "Last edit to /a undone successfully.", ["/a.content → undone"]),
]  # fmt: skip


@pytest.mark.parametrize(("action", "observation", "expected"), CHANGES)
def test_receipts_confirm_changes(
    rows_of: dict[tuple[str | None, str | None], dict[str, Any]],
    action: str,
    observation: str,
    expected: list[str],
) -> None:
    changes = rows_of[action, observation]["changes"]
    assert [f"{c['object']}.{c['property']} → {c['value']}" for c in changes] == expected


def test_verified_says_whether_the_value_occurs(
    ledger_of: Callable[..., list[dict[str, Any]]],
) -> None:
    (row,) = ledger_of(
        {"action": "take cup 1 from box 1", "observation": "You take the cup 1 from the box 1."}
    )
    assert [change["verified"] for change in row["changes"]] == [False, True]


def test_structured_fields_win_over_the_text(
    ledger_of: Callable[..., list[dict[str, Any]]],
) -> None:
    shell, edit, named = ledger_of(
        {"action": "run it", "observation": "fine\nexit code 0", "tool": "Bash",
         "args": "{}", "args_json": '{"command": "npm test"}', "exit_code": 2, "is_error": False},
        {"action": "x", "observation": "?", "tool": "Edit", "args": "{}", "args_json": '{"file_path": "/a"}', "is_error": True},
        {"action": "go to desk 1", "observation": "You arrive at desk 1.", "tool": "go"},
    )  # fmt: skip
    assert (shell["tool"], shell["act"], shell["exit_code"], shell["outcome"]) == ("Bash", "Bash.npm", 2, "failure")  # fmt: skip
    assert (edit["act"], edit["paths"], edit["outcome"], edit["error"]) == ("Edit", ["/a"], "failure", "?")  # fmt: skip
    assert (named["act"], named["targets"], named["outcome"]) == ("go to", ["desk 1"], "success")


def test_structured_fields_tell_where_nothing_was_observed(
    ledger_of: Callable[..., list[dict[str, Any]]],
) -> None:
    rows = ledger_of(
        {"action": "Bash: ls", "observation": None, "is_error": True},
        {"action": "Bash: ls", "observation": None, "is_error": False},
        {"action": "Bash: ls", "observation": None, "exit_code": 2},
        {"action": "Bash: ls", "observation": None, "exit_code": 0},
        {"action": "Bash: ls", "observation": None, "exit_code": 0, "is_error": True},
        {"action": "Bash: ls", "observation": None},
    )
    outcomes = ["failure", "success", "failure", "success", "failure", "unknown"]
    assert [row["outcome"] for row in rows] == outcomes
    assert {row["quote"] for row in rows} == {None}


def test_delta_compares_calls_of_one_tool_on_one_path(
    ledger_of: Callable[..., list[dict[str, Any]]],
) -> None:
    rows = ledger_of(
        {"action": editor(command="view", path="/a"), "observation": ""},
        {"action": editor(command="view", path="/b", view_range=[1, 2]), "observation": ""},
        {"action": editor(command="view", path="/a", view_range=[1, 9]), "observation": ""},
        {"action": editor(command="view", path="/a", view_range=[5, 9]), "observation": ""},
        {"action": editor(command="view", path="/a", view_range=[5, 9]), "observation": ""},
    )
    assert [row["delta"] for row in rows] == [
        [], [], ["view_range: none → [1,9]"], ["view_range: [1,9] → [5,9]"], []
    ]  # fmt: skip


def test_one_row_per_archived_call_and_building_again_changes_nothing(
    store: Store, ledger_of: Callable[..., list[dict[str, Any]]]
) -> None:
    steps = [{"action": action, "observation": seen} for action, seen, _ in ACTIONS]
    rows = ledger_of(*steps, {"step": 3, "call": 1, "action": "up", "observation": "", "is_copied": True})  # fmt: skip
    assert len(rows) == len(steps) + 1
    assert [row["step"] for row in rows if row["is_copied"]] == [3]
    build(store)
    assert store.rows("SELECT count(*) FROM ledger") == [(len(rows),)]


def test_only_touched_trajectories_are_built_again(
    store: Store, ledger_of: Callable[..., list[dict[str, Any]]]
) -> None:
    ledger_of({"trajectory_id": "a", "action": "up", "observation": ""})
    store.run("UPDATE ledger SET provenance = 'kept'")
    rows = ledger_of({"trajectory_id": "b", "action": "up", "observation": ""})
    assert [(row["trajectory_id"], row["provenance"]) for row in rows] == [
        ("a", "kept"),
        ("b", "mechanical"),
    ]


def test_a_new_tool_is_a_row(store: Store, ledger_of: Callable[..., list[dict[str, Any]]]) -> None:
    store.run("INSERT INTO vocabulary.tools VALUES ('zsh_tool', 'shell')")
    store.run("INSERT INTO vocabulary.receipts VALUES ('ok', 'tool zsh_tool', 'Fine: ', 'success', NULL)")  # fmt: skip
    (row,) = ledger_of({"action": 'zsh_tool: {"command": "ls -la /x"}', "observation": "Fine: 1"})
    assert (row["act"], row["targets"], row["outcome"]) == ("zsh_tool.ls", ["/x"], "success")


FILES = [
    (editor(command="view", path="/w/a.py"), "Here's the result of running `cat -n` on /w/a.py:", ("view", "read", True)),
    ('str_replace_editor: {"file_text":"\\"path\\":\\"/w/a.py\\"","path":"/w/a.py","command":"create"}',
     "File created successfully at: /w/a.py", ("create", "write", True)),
    (editor(command="str_replace", path="/w/a.py"), "ERROR:\nno", ("str_replace", "write", False)),
    (editor(command="undo_edit", path="/w/a.py"), None, ("undo_edit", "undo", False)),
    ('file_saver({"content": "x", "file_path": "/w/a.py"})', "Content successfully saved to /w/a.py", ("file_saver", "write", True)),
    ('Read: {"file_path": "C:\\\\a.py"}', "     1\tx", ("Read", "read", False)),
]  # fmt: skip


@pytest.mark.parametrize(("action", "observation", "expected"), FILES)
def test_file_events_carry_spans(
    store: Store,
    ledger_of: Callable[..., list[dict[str, Any]]],
    action: str,
    observation: str | None,
    expected: tuple[str, str, bool],
) -> None:
    ledger_of({"action": action, "observation": observation})
    relation = store.relation("FROM file_events")
    ((*_, path, command, kind, confirmed, path_at, command_at, seen_at),) = relation.fetchall()
    assert (command, kind, confirmed) == expected
    assert action[command_at["start"] : command_at["end"]] == command
    text = action[path_at["start"] : path_at["end"]]
    assert json.loads(f'"{text}"') == path
    assert not text.startswith('\\"')
    assert (seen_at is None) == (observation is None)
    if "file_text" in action:
        assert path_at["start"] > action.index('","path"')


def test_shell_commands_are_no_file_events(
    store: Store, ledger_of: Callable[..., list[dict[str, Any]]]
) -> None:
    ledger_of({"action": bash("cat /w/a.py"), "observation": DONE.format(0)})
    assert store.rows("FROM file_events") == []
