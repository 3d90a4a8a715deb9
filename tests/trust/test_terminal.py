"""What was logged, named or asked cannot control the terminal, or break out of its line."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tallysql.cli import main
from tallysql.sqlfiles import query_names

EVIL = "\x1b[31mred\x1b]0;title\x07\x9b2J\u202eevil\u2066\x08\x0c"
RUN = f"run{EVIL}"
BOX = f"box{EVIL}"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
CLI = Path(__file__).parents[2] / "tallysql" / "cli"

Show = Callable[..., tuple[str, str]]


class Terminal(io.TextIOWrapper):
    """What a terminal would get."""

    def __init__(self) -> None:
        self.shown = io.BytesIO()
        super().__init__(self.shown, "utf-8", write_through=True)

    def isatty(self) -> bool:
        return True

    def text(self) -> str:
        self.flush()
        return self.shown.getvalue().decode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("terminal")
    action: dict[str, Any] = {
        "trajectory_id": RUN,
        "action": f"open {BOX}",
        "domain": EVIL,
        "task": EVIL,
    }
    seen = f"You open the {BOX}. It is open.{EVIL}"
    rows = [
        action | {"step": n, "domain": EVIL, "observation": seen, "source_ref": EVIL}
        for n in range(3)
    ]
    args = json.dumps({"command": f"ls /tmp/{EVIL}", "path": f"/tmp/{EVIL}"})
    tool = {"tool": f"bash{EVIL}", "args": args, "observation": f"{EVIL}error\nexit code 2"}
    rows.append(action | {"step": 9} | tool)
    (place / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    plan = {
        "applicable": True,
        "queries": [
            {"op": "group", "by": "target", "label": EVIL},
            {"op": "list", "where": {"target": [EVIL + "none"]}},
            {"op": "timeline"},
        ],
    }
    (place / "plan.json").write_text(json.dumps(plan))
    (place / "bad.json").write_text(json.dumps({"applicable": True, "queries": [{EVIL: 1}]}))
    (place / "declined.json").write_text(json.dumps({"applicable": False, "reason": EVIL}))
    asked = [{"question": f"How many?{EVIL}", "trajectory_id": name} for name in (RUN, f"no{EVIL}")]
    (place / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)))
    (place / f"named{EVIL}\n.jsonl").write_text(
        json.dumps(rows[0] | {"trajectory_id": "u"}) + "\n["
    )
    with pytest.raises(SystemExit) as left:
        main(["--db", str(place / "x.duckdb"), "load", str(place / "rows.jsonl")])
    assert left.value.code == 0
    return place


@pytest.fixture
def show(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Run a command with a terminal for stdout and stderr; return what both show."""

    def shown(*args: str) -> tuple[str, str]:
        out, err = Terminal(), Terminal()
        with monkeypatch.context() as patch:
            patch.chdir(folder)
            patch.setenv("TERM", "dumb")
            patch.setenv("NO_COLOR", "1")
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            with pytest.raises(SystemExit):
                main(["--db", "x.duckdb", *args])
        return out.text(), err.text()

    return shown


NAMED = [("query", name.removeprefix("inspect/")) for name in query_names("inspect")]
COMMANDS = [
    *NAMED,
    ("info",),
    ("check",),
    ("sql", "FROM steps"),
    ("sql", "FROM steps", "--output-format", "json"),
    ("sql", "FROM steps", "--output-format", "jsonl"),
    ("sql", "FROM steps", "--output-format", "csv"),
    ("sql", f'SELECT 1 AS "{EVIL}"'),
    ("sql", f"SELECT error('{EVIL}')"),
    ("sql", f'FROM "{EVIL}"'),
    ("ask", f"How many times was {BOX} opened?"),
    ("ask", "Which targets were opened?", "--explain"),
    ("ask", "How many open actions?", "--all"),
    ("ask", "How many open actions?", "--json"),
    ("ask", "How many open actions?", "-t", EVIL),
    ("ask", "How many?", "--where", f"domain = '{EVIL}'"),
    ("plan", f"How many times was {BOX} opened?"),
    ("run", "plan.json"),
    ("run", "plan.json", "--json"),
    ("run", "bad.json"),
    ("run", "declined.json"),
    ("run", f"none{EVIL}"),
    ("view", "open box"),
    ("view", "open box", "--json"),
    ("answer", "questions.jsonl", "-o", "-"),
    ("answer", "questions.jsonl", "-o", f"out{EVIL}.jsonl"),
    ("export", "steps", "-o", "-"),
    ("export", "steps", "-o", "-", "--format", "csv"),
    ("export", f"steps{EVIL}", "-o", "-"),
    ("convert", "rows.jsonl", "-o", "-"),
    ("load", f"none{EVIL}"),
    ("load", f"named{EVIL}\n.jsonl"),
    ("load", "rows.jsonl", "--format", EVIL),
    ("query", EVIL),
    (EVIL,),
    ("info", "--output-format", EVIL),
    ("--db", f"none{EVIL}", "info"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command)[:30])
def test_nothing_controls_the_terminal(show: Show, command: tuple[str, ...]) -> None:
    out, err = show(*command)
    assert out or err
    assert CONTROL.search(out) is None, repr(out)
    assert CONTROL.search(err) is None, repr(err)


def test_an_error_that_names_a_file_is_one_line(show: Show) -> None:
    _, err = show("load", f"none\nerror: not ours{EVIL}")
    assert err.strip().count("\n") == 0
    assert "none\\nerror: not ours" in err


def test_commands_talk_through_output_alone() -> None:
    """`say` and `json_text` of tallysql/cli/output.py leave no way around them."""
    around = re.compile(r"echo\(.*err=True|json\.dumps")
    for file in set(CLI.glob("*.py")) - {CLI / "output.py"}:
        lines = file.read_text("utf-8").splitlines()
        found = [line for line in lines if around.search(line) and "plan_schema" not in line]
        assert found == [], file.name
