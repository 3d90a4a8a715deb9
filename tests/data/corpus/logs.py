"""Generated agent logs: six kinds of world, small simulators, fixed seeds."""
# ruff: noqa: E501

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True)
class Step:
    """One row of a log."""

    step: int
    action: str
    observation: str


@dataclass(frozen=True)
class Log:
    """One trajectory."""

    trajectory_id: str
    task: str
    domain: str
    steps: tuple[Step, ...]


Pair = tuple[str, str]


def numbered(
    trajectory_id: str, task: str, domain: str, rows: Iterable[Pair], start: int = 0
) -> Log:
    steps = tuple(Step(start + i, a, o) for i, (a, o) in enumerate(rows))
    return Log(trajectory_id, task, domain, steps)


# ---------------------------------------------------------------- text worlds


@dataclass
class Room:
    """A small household: places, things, a bag; says 'Nothing happens.' when an action does not fit."""

    rng: random.Random
    places: list[str]
    openable: set[str]
    things: dict[str, str]
    menu: bool
    here: str = ""
    bag: list[str] = field(default_factory=list)
    open_now: set[str] = field(default_factory=set)

    def shut(self, place: str) -> bool:
        return place in self.openable and place not in self.open_now

    def contents(self, place: str) -> str:
        names = [t for t, p in self.things.items() if p == place]
        return ", and ".join(f"a {n}" for n in names) if names else "nothing"

    def go(self, place: str) -> str:
        if place not in self.places:
            return "Nothing happens."
        self.here = place
        if self.shut(place):
            return f"You arrive at {place}. The {place} is closed."
        return f"You arrive at {place}. On the {place}, you see {self.contents(place)}."

    def open(self, place: str) -> str:
        if self.here != place or not self.shut(place):
            return "Nothing happens."
        self.open_now.add(place)
        return f"You open the {place}. The {place} is open. In it, you see {self.contents(place)}."

    def close(self, place: str) -> str:
        if self.here != place or place not in self.open_now:
            return "Nothing happens."
        self.open_now.discard(place)
        return f"You close the {place}."

    def take(self, thing: str, place: str) -> str:
        if self.here != place or self.shut(place) or self.things.get(thing) != place:
            return "Nothing happens."
        self.things[thing] = "bag"
        self.bag.append(thing)
        return f"You pick up the {thing} from the {place}."

    def drop(self, thing: str, place: str) -> str:
        if self.here != place or self.shut(place) or thing not in self.bag:
            return "Nothing happens."
        self.things[thing] = place
        self.bag.remove(thing)
        return f"You move the {thing} to the {place}."

    def treat(self, verb: str, thing: str, tool: str) -> str:
        near = tool in (self.here, *self.bag)
        held = thing in self.bag or self.things.get(thing) == self.here
        if not near or not held:
            return "Nothing happens."
        return f"You {verb} the {thing} using the {tool}."

    def plain(self, action: str) -> str:
        held = ", and ".join(f"a {t}" for t in self.bag)
        verb, _, rest = action.partition(" ")
        answers = {
            "look": f"You are facing the {self.here}." if self.here else "You are in a room.",
            "inventory": f"You are carrying: {held}." if held else "You are not carrying anything.",
            "help": "Available commands: look, inventory, go to, open, close, take, move",
            "think:": "OK.",
            "examine": f"There's nothing special about {rest}.",
            "use": f"You turn on the {rest}." if self.here == "desk 1" else "Nothing happens.",
        }
        return answers.get(verb, "Nothing happens.")

    def play(self, action: str) -> Pair:
        low = action.lower()
        rules: list[tuple[str, Callable[..., str]]] = [
            (r"go to (.+)", self.go),
            (r"open (.+)", self.open),
            (r"close (.+)", self.close),
            (r"take (.+) from (.+)", self.take),
            (r"move (.+) to (.+)", self.drop),
            (r"(heat|cool|clean|slice) (.+) with (.+)", self.treat),
        ]
        said = ""
        for shape, rule in rules:
            hit = re.fullmatch(shape, low)
            if hit:
                said = rule(*hit.groups())
                break
        else:
            said = self.plain(low)
        if self.menu:
            offers = sorted(self.rng.sample(self.places, 3))
            said += "\n\nThe current available actions are: " + ", ".join(
                [f"go to {p}" for p in offers]
                + ["open drawer 1", "go to safe 1", "take spatula 1 from safe 1", "look", "help"]
            )
        return action, said

    def wander(self, n: int) -> list[Pair]:
        rows = []
        for _ in range(n):
            kind = self.rng.choice("llgggggiexoc")
            place = self.here if kind in "oc" and self.here else self.rng.choice(self.places)
            said = {
                "l": "look",
                "g": f"go to {place}",
                "i": "inventory",
                "e": f"examine {place}",
                "x": f"go to {self.rng.choice(self.places[:3])}",
                "o": f"open {place}",
                "c": f"close {place}",
            }[kind]
            rows.append(self.play(said))
        return rows


KITCHEN = """
look|go to drawer 1|open drawer 1|take mug 1 from drawer 1|go to drawer 10|open drawer 10|move mug 1 to drawer 10|close drawer 10
~9
go to cabinet 1|open cabinet 1|open cabinet 1|take mug 10 from cabinet 1|go to sinkbasin 1|clean mug 10 with sinkbasin 1|look|look|look|look|go to shelf 2|move mug 10 to shelf 2
~11
go to drawer 11|open drawer 11|take knife 1 from drawer 11|open drawer 10|open drawer 1|go to countertop 1|take potato 1 from countertop 1|slice potato 1 with knife 1|go to microwave 1|heat potato 1 with microwave 1|heat potato 1 with microwave 1|move potato 1 to shelf 2|open microwave 1|move potato 1 to microwave 1|close microwave 1|inventory|inventory
~10
go to fridge 1|open fridge 1|take apple 1 from fridge 1|cool apple 1 with fridge 1|take apple 1 from fridge 1|go to drawer 1|move apple 1 to drawer 1|help|take apple 1 from drawer 1|go to cabinet 12|open cabinet 12|move apple 1 to cabinet 12|move knife 1 to cabinet 12
~9
go to drawer 10|open drawer 10|take mug 1 from drawer 10|go to sinkbasin 1|clean mug 1 with sinkbasin 1|clean mug 1 with sinkbasin 1|go to coffeemachine 1|move mug 1 to coffeemachine 1|take mug 1 from coffeemachine 1|go to shelf 2|move mug 1 to shelf 2|take mug 2 from shelf 2|look|examine mug 2|help
~8
go to drawer 1|close drawer 1|close drawer 1|go to drawer 10|move mug 2 to drawer 10|go to drawer 11|close drawer 11|go to cabinet 1|close cabinet 1|look|look|look|take spoon 4 from cabinet 1|go to shelf 2
"""

BEDROOM = """
think: first I look around, drawer 1 may hold the pen|look|go to desk 1|take pen 1 from desk 1|Go to Desk 2|move pen 1 to desk 2|go to dresser 1|open dresser 1|take cd 3 from dresser 1|go to dresser 11|move cd 3 to dresser 11|open dresser 11|move cd 3 to dresser 11
~7
go to sidetable 2|take cellphone 1 from sidetable 2|go to bed 1|move cellphone 1 to bed 1|examine pillow 1|go to desk 1|use desklamp 1|examine cellphone 1|use desklamp 1|OPEN DRAWER 1|go to drawer 1|Open drawer 1|close drawer 1|open drawer 1
~8
think: cd 3 is in dresser 11|go to dresser 11|take cd 3 from dresser 11|go to garbagecan 1|move cd 3 to garbagecan 1|take cd 3 from garbagecan 1|go to desk 2|move cd 3 to desk 2|take pen 1 from desk 2|take pen 12 from desk 2|inventory
~7
go to drawer 1|move pen 1 to drawer 1|move pen 12 to drawer 1|close drawer 1|take pen 2 from drawer 1|take pen 1 from drawer 1|go to armchair 1|go to armchair 1|go to armchair 1|look|take saké-bottle 1 from armchair 1|go to sidetable 1|move saké-bottle 1 to sidetable 1|use desklamp 1
~6
think: done|go to bed 1|take cellphone 1 from bed 1|go to desk 1|use desklamp 1|inventory|move cellphone 1 to desk 1
"""


def household(room: Room, script: str) -> list[Pair]:
    rows: list[Pair] = []
    for line in script.strip().splitlines():
        if line.startswith("~"):
            rows += room.wander(int(line[1:]))
        else:
            rows += [room.play(a) for a in line.split("|")]
    return rows


def kitchen() -> Log:
    places = ["drawer 1", "drawer 10", "cabinet 1", "drawer 11", "cabinet 12", "shelf 1", "shelf 2"]
    places += ["sinkbasin 1", "microwave 1", "fridge 1", "countertop 1", "coffeemachine 1"]
    openable = {"drawer 1", "drawer 10", "drawer 11", "cabinet 1", "cabinet 12"}
    openable |= {"microwave 1", "fridge 1"}
    things = {
        "mug 1": "drawer 1", "mug 10": "cabinet 1", "mug 2": "shelf 2", "knife 1": "drawer 11",
        "potato 1": "countertop 1", "apple 1": "fridge 1", "soapbar 1": "sinkbasin 1",
    }  # fmt: skip
    room = Room(random.Random(101), places, openable, things, menu=True)
    rows = household(room, KITCHEN)
    return numbered("kitchen-1", "Put a clean mug on the shelf.", "EMBODIED_AI", rows)


def bedroom() -> Log:
    places = ["desk 1", "desk 2", "bed 1", "dresser 1", "dresser 11", "drawer 1", "garbagecan 1"]
    places += ["sidetable 1", "sidetable 2", "armchair 1"]
    things = {
        "pen 1": "desk 1", "pen 12": "desk 2", "cd 3": "dresser 1", "cellphone 1": "sidetable 2",
        "pillow 1": "bed 1", "saké-bottle 1": "armchair 1", "alarmclock 1": "desk 1",
    }  # fmt: skip
    openable = {"dresser 1", "dresser 11", "drawer 1"}
    room = Room(random.Random(202), places, openable, things, menu=False)
    rows = household(room, BEDROOM)
    return numbered("bedroom-2", "Look at the phone under the lamp.", "EMBODIED_AI", rows)


# ------------------------------------------------------------------- software


def call(tool: str, **args: object) -> str:
    return f"{tool}: {json.dumps(args, ensure_ascii=False)}"


def view(path: str, lines: list[int] | None = None, ok: bool = True) -> Pair:
    args: dict[str, object] = {"command": "view", "path": path}
    if lines:
        args["view_range"] = lines
    said = f"Here's the result of running `cat -n` on {path}:\n     1\timport os\n"
    if not ok:
        said = f"ERROR:\nInvalid `view_range` parameter: {lines}. The file has 40 lines."
    return call("str_replace_editor", **args), said


def create(path: str, text: str = "print(1)\n", ok: bool = True) -> Pair:
    said = f"File created successfully at: {path}"
    if not ok:
        said = f"ERROR:\nInvalid `path` parameter: {path}. File already exists."
    return call("str_replace_editor", command="create", path=path, file_text=text), said


def swap(path: str, old: str, new: str, fail: str = "") -> Pair:
    said = f"The file {path} has been edited. Here's the result of running `cat -n`:\n     1\t{new}"
    if fail:
        said = f"ERROR:\nNo replacement was performed. {fail}"
    return call(
        "str_replace_editor", command="str_replace", path=path, old_str=old, new_str=new
    ), said


def insert(path: str, line: int, text: str) -> Pair:
    said = (
        f"The file {path} has been edited. Here's the result of running `cat -n`:\n     1\t{text}"
    )
    return (
        call("str_replace_editor", command="insert", path=path, insert_line=line, new_str=text),
        said,
    )


def undo(path: str) -> Pair:
    return (
        call("str_replace_editor", command="undo_edit", path=path),
        f"Last edit to {path} undone successfully.",
    )


def bash(command: str, said: str, code: int | None) -> Pair:
    tail = "[The command has no new output after 30 seconds. You may wait longer.]"
    if code is not None:
        tail = (
            f"[The command completed with exit code {code}.]\n"
            f"[Current working directory: /repo]\n[Command finished with exit code {code}]"
        )
    return call("execute_bash", command=command), f"{said}\n{tail}"


def think(text: str) -> Pair:
    return call("think", thought=text), "Your thought has been logged."


MULTI = "Multiple occurrences of old_str in lines [3, 9]."
ABSENT = "old_str did not appear verbatim in the file."


def cli_tool() -> Log:
    rng = random.Random(303)
    a, bak, ta, cfg = (
        "/repo/app.py",
        "/repo/app.py.bak",
        "/repo/tests/app.py",
        "/repo/src/config.py",
    )
    old_cfg, rep, rep2 = "/repo/src/old_config.py", "/repo/repro.py", "/repo/repro2.py"
    failed = "1 failed, 3 passed in 0.2s"

    def noise(n: int) -> list[Pair]:
        pool = [
            view(a), view(a, [1, 20]), view(cfg), view(ta), view(bak),
            bash("cd /repo && grep -rn timeout src", "src/config.py:3:timeout = 5", 0),
            bash("cd /repo && grep -rn retries src", "", 1),
            bash("cd /repo && ls", "app.py  app.py.bak  src  tests", 0),
            bash("cd /repo && python repro.py", "Traceback (most recent call last):\nKeyError: 'zone'", 1),
            bash("cd /repo && pytest tests/app.py -q", failed, 1),
            think("the KeyError comes from app.py, not from tests/app.py"),
            swap(a, "x = 1", "x = 2"), swap(cfg, "timeout = 5", "timeout = 6"),
        ]  # fmt: skip
        return [rng.choice(pool) for _ in range(n)]

    rows = [
        think("start with a look at the tree"), view("/repo"), view(a), view(a, [900, 950], ok=False),
        bash("cd /repo && git status", "nothing to commit", 0),
        bash("cd /repo && ls -la", "app.py app.py.bak", 0),
        create(rep, "import app\napp.run(zone=None)\n"),
        bash("cd /repo && python repro.py", "KeyError: 'zone'", 1),
        *noise(9),
        swap(a, "def run(", "def run(zone,", MULTI), swap(a, "def run(cfg)", "def run(cfg, zone)"),
        bash("cd /repo && pytest tests/app.py -q", failed, 1),
        swap(bak, "def run(cfg)", "def run(cfg, zone)", ABSENT), swap(ta, "assert run(c)", "assert run(c, 'EU')"),
        create(rep2, "import app\nprint('naïve ✓')\n"), bash("cd /repo && python repro2.py", "naïve ✓", 0),
        *noise(8),
        bash("cd /repo && git stash", "Saved working directory", 0),
        bash("cd /repo && pytest -x", "2 failed", 1), bash("cd /repo && python repro.py", "KeyError", 1), view(cfg),
        bash("cd /repo && git stash pop", "Dropped refs/stash@{0}", 0),
        bash("cd /repo && python -c 'import ctypes; ctypes.string_at(0)'", "Segmentation fault", -11),
        bash("cd /repo && timeout 20 pytest -k slow", "", 124), bash("cd /repo && python server.py", "listening", None),
        bash("cd /repo && kill %1", "no such job", 1), bash("cd /repo && sed -i 's/5/7/' src/config.py", "", 0),
        view(cfg, [1, 10]), view(cfg, [1, 10]), view(cfg, [30, 90], ok=False), undo(a), undo(a),
        swap(cfg, "timeout = 7", "timeout = 9"), insert(cfg, 4, "retries = 3"),
        *noise(10),
        bash("cd /repo && pip install pytest", "already satisfied", 0), bash("cd /repo && pytest tests", "5 passed", 0),
        bash("cd /repo && mypy app.py", "error: bad type", 2), bash("cd /repo && mypy app.py", "Success", 0),
        create(old_cfg, "timeout = 5\n"), create(a, "", ok=False), create(rep2, "", ok=False),
        bash("cd /repo && python server.py", "listening", None), bash("cd /repo && python worker.py", "Terminated", -15),
        view(bak), view(ta, [1, 5]), swap(ta, "'EU'", "'US'"), swap(ta, "'US'", "'EU'"),
        *noise(8),
        insert("/repo/README.md", 2, "Use `--zone`."), view("/repo/README.md"),
        bash("cd /repo && rm repro.py", "", 0), bash("cd /repo && rm repro.py", "rm: cannot remove 'repro.py'", 1),
        bash("cd /repo && pytest tests", "6 passed", 0), bash("cd /repo && git diff --stat", "3 files changed", 0),
        think("all green"), bash("cd /repo && git status", "modified: app.py", 0),
    ]  # fmt: skip
    return numbered("cli-tool-3", "Fix the KeyError for missing zones.", "SOFTWARE", rows)


def parser_lib() -> Log:
    rng = random.Random(404)
    lex, lex2, par = "/work/lib/lexer.py", "/work/lib/lexer2.py", "/work/lib/parser.py"
    mk, doc = "/work/Makefile", "/work/docs/größe.md"

    def noise(n: int) -> list[Pair]:
        pool = [
            view(lex), view(par, [10, 60]), view(lex2), bash("make test", "FAIL lexer", 2),
            bash("make lint", "ok", 0), bash("cat Makefile", "test:\n\tcargo test", 0),
            bash("find . -name '*.py'", "./lib/lexer.py\n./lib/lexer2.py", 0),
            swap(lex, "a", "b", MULTI), swap(par, "tok", "token"), think("lexer2.py is dead code?"),
        ]  # fmt: skip
        return [rng.choice(pool) for _ in range(n)]

    rows = [
        ("—", ""), ("—", ""), view("/work"), view(lex), bash("make test", "FAIL lexer", 2), *noise(8),
        swap(lex, "EOF", "END"), swap(lex, "EOF", "END", ABSENT), bash("make test", "FAIL parser", 2),
        bash("make lint", "E501", 1), create("/work/lib/tokens.py", "END = 0\n"), create("/work/lib/tokens_test.py"),
        *noise(7), insert(par, 1, "from tokens import END"), swap(par, "EOF", "END"), undo(par),
        bash("make test", "killed", 137), bash("make bench", "running", None), bash("make bench", "running", None),
        ('The previous prediction you issued was "edit lexer". However, the format was incorrect.', ""),
        bash("make clean", "", 0), view(doc), swap(doc, "Größe", "Grösse"), swap(doc, "Grösse", "Größe"), *noise(8),
        view(mk), insert(mk, 9, "bench:"), bash("make test", "ok", 0), bash("make test", "ok", 0),
        bash("make test", "ok", 0), ("—", ""),
        ('The previous prediction you issued was "". However, the format was incorrect.', ""),
        create(lex2, "", ok=False), bash("git commit -am 'Use END'", "3 files changed", 0), think("finished"),
    ]  # fmt: skip
    return numbered("parser-lib-4", "Rename EOF to END.", "SOFTWARE", rows, start=1)


# ------------------------------------------------------------------------ web


def page(title: str, extra: str = "") -> str:
    return f"Tab 0 (current): {title}\n\n[1] RootWebArea '{title}' focused: True\n\t[9] link 'Refunds'{extra}"


def click(rng: random.Random, kind: str, name: str) -> str:
    n = rng.randrange(10, 900)
    return f"click [{n}] where [{n}] is {kind} '{name}'"


def enter(rng: random.Random, text: str, name: str) -> str:
    n = rng.randrange(10, 900)
    return f"type [{n}] [{text}] where [{n}] is textbox '{name}' required: False"


NOT_FOUND = 'Attempt to perfom "click" on element "[{n}]" but no matching element found. Please check the observation more carefully.'
BAD_FORMAT = 'The previous prediction you issued was "{t}". However, the format was incorrect. Ensure that the action is wrapped inside a pair of ```.'


def shop() -> Log:
    r = random.Random(505)

    def link(name: str) -> str:
        return click(r, "link", name)

    def button(name: str) -> str:
        return click(r, "button", name)

    acts = [
        link("Catalog"), "scroll [down]", "scroll [down]", link("Teapots"), enter(r, "blue teapot", "Search"),
        button("Go"), button("Add to Cart"), link("Cart"), link("Cart (2)"), "go_back", enter(r, "Blue Teapot", "Search"),
        "press [Enter]", button("Go"), "scroll [down]", "scroll [down]", "scroll [down]", "scroll [up]", button("Add to Cart"),
        NOT_FOUND.format(n=77), NOT_FOUND.format(n=78), button("Add to Cart"), link("Cart"), enter(r, "3", "Qty"),
        button("Update"), enter(r, "4", "Qty"), button("Update"), enter(r, "3", "Qty"), button("Update"),
        BAD_FORMAT.format(t="I will scroll [down] now"), "hover [12] where [12] is link 'Account'", link("Account"),
        link("Orders"), "goto [http://shop.test/orders?page=2]", "goto [http://shop.test/orders?page=3]",
        "goto [http://shop.test/orders?page=2]", link("View order"), "go_back", link("View order"), "go_back",
        link("View order"), "scroll [down]", button("Reorder"), NOT_FOUND.format(n=301), button("Reorder"),
        enter(r, "crème brûlée dish", "Search"), button("Go"), button("Go"), "scroll [up]", "scroll [up]",
        link("\\ue608 CATALOG"), link("Wishlist"), "press [ArrowDown]", "press [ArrowDown]", "press [Enter]",
        "press [ArrowDown]", "press [Enter]", "new_tab", "goto [http://shop.test/]", "tab_focus [0]",
        enter(r, "ana@shop.test", "Email"), enter(r, "Ana Müller", "Name"), enter(r, "ana@shop.test ", "Confirm email"),
        button("Save"), BAD_FORMAT.format(t="click Save"), button("Save"), BAD_FORMAT.format(t=""), link("Cart"),
        button("Checkout"), enter(r, "SAVE10", "Coupon code"), button("Apply"), enter(r, "save20", "Coupon code"),
        button("Apply"), enter(r, "SAVE10", "Coupon code"), button("Apply"), "scroll [down]", button("Place order"),
        "stop [Order 1187 placed]",
    ]  # fmt: skip
    titles = ["Shop / Home", "Shop / Catalog", "Shop / Cart", "Shop / Orders"]
    rows = [(a, page(r.choice(titles), "\n\t[14] button 'Gift wrap'")) for a in acts]
    return numbered("shop-5", "Order three blue teapots with a coupon.", "WEB", rows)


def forum() -> Log:
    r = random.Random(606)

    def link(name: str) -> str:
        return click(r, "link", name)

    acts = [
        link("Forums"), link("f/baking"), "scroll [down]", link("f/bakingtips"), "go_back", link("f/baking"),
        link("Hot"), link("New"), link("New"), link("New"), link("Submit"), enter(r, "Rye starter", "Title"),
        enter(r, "My starter smells of apples, is that normal?", "Body"), click(r, "button", "Create submission"),
        click(r, "button", "Preview"), click(r, "button", "Create submission"), link("42 comments"), link("2 comments"),
        enter(r, "Great post", "Comment"), click(r, "button", "Post"), enter(r, "Great post", "Comment"),
        click(r, "button", "Post"), click(r, "button", "Upvote"), click(r, "button", "Upvote"), click(r, "button", "Downvote"),
        BAD_FORMAT.format(t="upvote"), click(r, "button", "Upvote"), "scroll [down]", "scroll [down]", "scroll [up]",
        link("f/baking"), NOT_FOUND.format(n=5), link("42 comments"), link("f/Zürich"), "press [PageDown]",
        click(r, "button", "Subscribe"), click(r, "button", "Unsubscribe"), click(r, "button", "Subscribe"),
        enter(r, "Rye", "Search query"), "press [Enter]", enter(r, "rye bread", "Search query"), "press [Enter]",
        link("Next"), link("Next"), "go_back", link("Next"), link("Next page settings"), "scroll [down]",
        click(r, "button", "Upvote"), "stop [N/A]",
    ]  # fmt: skip
    rows = [
        (a, page(r.choice(["Forum / All", "Forum / f/baking"]), "\n\t[3] link 'Wiki'"))
        for a in acts
    ]
    return numbered("forum-6", "Ask about a rye starter and subscribe.", "WEB", rows)


# ---------------------------------------------------------------- text to SQL


def sql(text: str, said: str) -> Pair:
    return f"execute_snowflake_sql: {text}", said


def ok_rows(csv: str) -> str:
    return f"EXECUTION RESULT of [execute_snowflake_sql]:\nQuery executed successfully\n\n```csv\n{csv}\n```"


def shell(command: str, said: str) -> Pair:
    return f"execute_bash: {command}", f"EXECUTION RESULT of [execute_bash]:\n{said}"


EMPTY = "EXECUTION RESULT of [execute_snowflake_sql]:\nQuery executed successfully\n\nNo data found for the specified query."
BAD_COLUMN = (
    "{{'error': \"SQL compilation error: error line 1 at position 7\\ninvalid identifier '{c}'\"}}"
)
BAD_TABLE = (
    "{{'error': \"SQL compilation error:\\nObject '{t}' does not exist or not authorized.\"}}"
)
SLOW = "{'error': 'API error: Read timed out. (read timeout=30)'}"
SERVER = "{'error': 'API error: 500 Internal Server Error'}"


def orders() -> Log:
    rng = random.Random(707)
    o, arch = "SHOP.PUBLIC.ORDERS", "SHOP.PUBLIC.ORDERS_ARCHIVE"
    base = "/data/shop"

    def noise(n: int) -> list[Pair]:
        pool = [
            sql(f"SELECT COUNT(*) FROM {o}", ok_rows("COUNT(*)\n812")), sql(f"SELECT * FROM {o} LIMIT 5", SLOW),
            sql(f"SELECT * FROM {arch} LIMIT 5", ok_rows("ID\n7")),
            sql(f"SELECT AMOUNT FROM {o} WHERE REGION = 'Köln'", EMPTY),
            sql(f"SELECT AMOUT FROM {o}", BAD_COLUMN.format(c="AMOUT")), shell(f"grep -i amount {base}/DDL.csv", "ORDERS,AMOUNT"),
        ]  # fmt: skip
        return [rng.choice(pool) for _ in range(n)]

    rows = [
        ("—", ""), ("—", ""), shell(f"ls {base}", "DDL.csv\nORDERS.json\nORDERS_ARCHIVE.json"),
        shell(f"cat {base}/DDL.csv", "table_name,DDL"), shell(f"cat {base}/ORDERS.json", '{"rows": 3}'),
        shell(f"cat {base}/ORDERS_ARCHIVE.json", '{"rows": 1}'), shell(f"cat {base}/ORDERS.json", '{"rows": 3}'),
        sql(f"SELECT CUSTOMER FROM {o}", BAD_COLUMN.format(c="CUSTOMER")),
        sql("SELECT * FROM SHOP.PUBLIC.REFUND", BAD_TABLE.format(t="SHOP.PUBLIC.REFUND")), *noise(7),
        sql(f"SELECT SUM(AMOUNT) FROM {o}", SLOW), sql(f"SELECT SUM(AMOUNT) FROM {o}", SLOW),
        sql(f"SELECT SUM(AMOUNT) FROM {o}", SLOW), sql(f"SELECT SUM(AMOUNT) FROM {o}", ok_rows("SUM\n99120.5")),
        shell(f"head -n 3 {base}/ORDERS.json", "{"), shell("echo 'Read timed out'", "Read timed out"), *noise(6),
        sql(f"SELECT REGION FROM {arch}", SERVER), sql(f"SELECT REGION FROM {arch}", SERVER),
        sql(f"WITH r AS (SELECT REGION FROM {arch}) SELECT * FROM r", ok_rows("REGION\nKöln")),
        sql(f"SELECT CUSTOMER FROM {arch}", BAD_COLUMN.format(c="CUSTOMER")), ("—", ""),
        shell(f"grep -c Köln {base}/ORDERS.json", "0"), shell(f"wc -l {base}/DDL.csv", "9"), *noise(7),
        sql("SHOW TABLES IN SHOP.PUBLIC", ok_rows("name\nORDERS")), sql(f"DESCRIBE TABLE {o}", ok_rows("name\nID")),
        sql(f"WITH t AS (SELECT * FROM {o}) SELECT COUNT(*) FROM t", ok_rows("COUNT(*)\n812")),
        sql(f"WITH t AS (SELECT * FROM {o}) SELECT COUNT(DISTINCT ID) FROM t", SLOW),
        shell(f"cat {base}/RESULT.csv", "cat: RESULT.csv: No such file or directory"), ("terminate: done", ""),
    ]  # fmt: skip
    return numbered("orders-7", "Revenue per region?", "TEXT2SQL", rows)


def weather() -> Log:
    rng = random.Random(808)
    s, st = "METEO.RAW.STATIONS", "METEO.RAW.STATIONS_2020"

    def noise(n: int) -> list[Pair]:
        pool = [
            sql(f"SELECT NAME FROM {s}", ok_rows("NAME\nSäntis")), sql(f"SELECT NAME FROM {st}", SLOW),
            sql(f"SELECT TEMP FROM {s}", BAD_COLUMN.format(c="TEMP")), shell("grep -n TEMP /meteo/DDL.csv", "4:TEMP_C"),
            sql(f"SELECT MAX(TEMP_C) FROM {st}", ok_rows("MAX\n39.7")), sql(f"SELECT MIN(TEMP_C) FROM {st}", EMPTY),
        ]  # fmt: skip
        return [rng.choice(pool) for _ in range(n)]

    rows = [
        ("—", ""), ("—", ""), shell("ls /meteo", "DDL.csv"), shell("cat /meteo/DDL.csv", "STATIONS,NAME"), *noise(9),
        sql("", "{'error': 'empty statement'}"), sql(f"SELECT ELEV FROM {s}", BAD_COLUMN.format(c="ELEV")),
        sql(f"SELECT ELEV FROM {st}", BAD_COLUMN.format(c="ELEV")), sql(f"SELECT ELEV_M FROM {s}", ok_rows("ELEV_M\n2501")),
        *noise(8), sql("SELECT 1", ok_rows("1\n1")), sql("SELECT 1", ok_rows("1\n1")), sql("SELECT 1", SERVER),
        shell("python plot.py", "saved Säntis.png"), sql(f"SELECT NAME FROM {s} WHERE NAME ILIKE '%säntis%'", ok_rows("NAME\nSäntis")),
        *noise(9), shell("ls /meteo", "DDL.csv"), sql(f"SELECT MAX(TEMP_C) FROM {s}", EMPTY), ("terminate: 39.7", ""),
    ]  # fmt: skip
    return numbered("weather-8", "Hottest day on record?", "TEXT2SQL", rows)


# -------------------------------------------------------------------- tool QA


def tool(name: str, said: str, **args: object) -> Pair:
    return f"{name}({json.dumps(args, ensure_ascii=False)})", said


def search(query: str, said: str = "") -> Pair:
    hits = f"{{'query': {query!r}, 'results': [{{'url': 'https://example.org/a', 'title': 'Lighthouse list'}}]}}"
    return tool("tavily_search", said or hits, query=query)


def fetch(
    url: str, said: str = "Lighthouse\nFirst lit in 1856.", name: str = "fetch_website_content"
) -> Pair:
    return tool(name, said, website_url=url)


LIMITED = "Error: 429 Too Many Requests (rate limited)"
DOWN = "Error: 503 Service Unavailable"
GONE = "Error: 404 Client Error: Not Found"


def lighthouse() -> Log:
    rng = random.Random(909)
    w, n = "https://en.wikipedia.org/wiki/Ar-Men", "https://en.wikipedia.org/wiki/Ar-Men_(novel)"
    img = "fetch_website_content_with_images"

    def noise(k: int) -> list[Pair]:
        pool = [
            search("Ar-Men lighthouse height"), search("Ar-Men lighthouse"), search("phare d'Ar-Men construit année"),
            fetch(w), fetch("https://archive.org/details/phares", DOWN), fetch("https://phares.test/armen", LIMITED),
        ]  # fmt: skip
        return [rng.choice(pool) for _ in range(k)]

    def mark(i: int, status: str) -> Pair:
        return tool(
            "mark_step",
            f"Step {i}: step_status is {status}",
            step_index=i,
            step_status=status,
            step_notes="notes",
        )

    rows = [
        search("Ar-Men lighthouse"), search('"Ar-Men" lighthouse keepers'), fetch(w), fetch(n), fetch(w, name=img), *noise(7),
        tool("file_saver", "Content successfully saved to work/notes.md", content="h 33.5 m", file_name="notes.md"),
        mark(0, "completed"), *noise(6), tool("search_wiki", "No page found for 'Ar Men lighthous'", query="Ar Men lighthous"),
        tool("search_wiki", "Ar-Men is a lighthouse at one end of the Île de Sein.", query="Ar-Men"),
        fetch("https://phares.test/armen", LIMITED), fetch("https://phares.test/armen", LIMITED), fetch("https://phares.test/armen", GONE),
        mark(1, "blocked"), tool("execute_code", "44.0", code="print(33.5 + 10.5)"), tool("execute_code", "SyntaxError: invalid syntax", code="print(33.5 +"),
        *noise(7), tool("file_saver", "Content successfully saved to work/notes2.md", content="x", file_name="notes2.md"),
        tool("file_read", "h 33.5 m", file_name="notes.md"), tool("file_read", "h 33.5 m", file_name="notes.md"),
        tool("file_read", "Error: no such file", file_name="Notes_final.md"), mark(2, "in_progress"), mark(2, "completed"),
        *noise(8), fetch("https://en.wikipedia.org/wiki/%C3%8Ele_de_Sein"), search("灯台 アルメン 高さ"), search("灯台 アルメン 高さ", DOWN),
        tool("file_read", "x", file_name="notes2.md"), mark(3, "blocked"), tool("execute_code", "33.5", code="print(33.5)"),
        ("FINAL_ANSWER: 33.5", ""),
    ]  # fmt: skip
    return numbered("lighthouse-9", "How tall is the lighthouse?", "OPENWORLD_QA", rows)


def composer() -> Log:
    rng = random.Random(1010)
    q = [
        "Clara Schumann concerto premiere",
        "Clara Schumann",
        "clara schumann piano concerto op. 7",
    ]

    def noise(k: int) -> list[Pair]:
        pool = [
            search(q[0]), search(q[1]), search(q[2], DOWN), fetch("https://music.test/clara", "Clara Schumann, pianist"), fetch("https://music.test/clara/op7", GONE),
            tool("execute_code", "1835", code="print(1835)"),
        ]  # fmt: skip
        return [rng.choice(pool) for _ in range(k)]

    rows = [
        search(q[1]), search(q[0]), *noise(9), tool("file_saver", "Content successfully saved to w/a.txt", content="1835", file_name="a.txt"),
        ('The previous prediction you issued was "search again". However, the format was incorrect.', ""), *noise(9),
        tool("pdf_reader", "Error: 403 Forbidden", url="https://music.test/score.pdf"), tool("pdf_reader", "Leipzig, 9. November 1835", url="https://music.test/score.pdf"),
        *noise(8), tool("file_read", "1835", file_name="a.txt"), tool("calculator", "16", expression="1835-1819"),
        tool("calculator", "Error: division by zero", expression="1/0"), *noise(9), ("FINAL_ANSWER: Leipzig", ""),
    ]  # fmt: skip
    return numbered("composer-10", "Where was the concerto first played?", "OPENWORLD_QA", rows)


# ---------------------------------------------------------------------- games


def slide(row: list[int]) -> list[int]:
    tiles = [t for t in row if t]
    out: list[int] = []
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile:
            tile *= 2
            tiles.pop(0)
        out.append(tile)
    return out + [0] * (len(row) - len(out))


def turn(board: list[list[int]]) -> list[list[int]]:
    return [list(r) for r in zip(*board, strict=True)][::-1]


def tiles_2048() -> Log:
    rng = random.Random(1112)
    board = [[0] * 4 for _ in range(4)]
    rows: list[Pair] = []
    for _ in range(110):
        move = rng.choices(["up", "left", "right", "down"], [6, 5, 3, 1])[0]
        turns = {"left": 0, "up": 1, "right": 2, "down": 3}[move]
        new = board
        for _ in range(turns):
            new = turn(new)
        new = [slide(r) for r in new]
        for _ in range((4 - turns) % 4):
            new = turn(new)
        said = "" if new != board else ", 'note': 'Invalid move, the board did not change'"
        free = [(i, j) for i in range(4) for j in range(4) if not new[i][j]]
        if free and (new != board or not rows):
            i, j = rng.choice(free)
            new[i][j] = rng.choice([2, 2, 4])
        board = [list(r) for r in new]
        top = max(map(max, board))
        empty = sum(not t for r in board for t in r)
        rows.append((move, f"{{'board': {board}, 'highest_tile': {top}, 'empty': {empty}{said}}}"))
    return numbered("tiles-11", "2048: merge tiles.", "Game", rows)


def survival() -> Log:
    rng = random.Random(1212)
    moves = ["Move West", "Move West", "Move North", "Move South", "Move East", "Do", "Do"]
    script = "~14|Place Table|~3|Make Wood Pickaxe|Make Wood Pickaxe|~9|Noop|Noop|Noop|move west|~6|Make Wood Sword|"
    script += "~8|Place Stone|Place Stone|~10|Make Stone Pickaxe|Place Table|Make Stone Pickaxe|~9|Sleep|Sleep|Sleep|Sleep|"
    script += "Noop|~11|Make Iron Pickaxe|~7|move west|Sleep|~4|Do|Do|Do|Do|Do|Noop"
    rows = []
    for part in script.split("|"):
        acts = [rng.choice(moves) for _ in range(int(part[1:]))] if part[0] == "~" else [part]
        for act in acts:
            face = rng.choice(["grass", "tree", "stone", "water", "cow", "table"])
            said = f"You see:\n- {face} 1 step to your {rng.choice(['west', 'north'])}\n\nYou face {face} at your front."
            if act.startswith("Make") and rng.random() < 0.5:
                said = f"You lack the materials.\n\n{said}"
            rows.append((act, said))
    rows[-1] = (rows[-1][0], "You died.\n\nYou face zombie at your front.")
    return numbered("survival-12", "Collect and craft.", "Game", rows)


def candy() -> Log:
    rng = random.Random(1313)
    pool = [
        "((0,1),(0,2))",
        "((0,1),(1,1))",
        "((3,4),(3,5))",
        "((3,4),(4,4))",
        "((10,1),(10,2))",
        "((2,2),(2,3))",
    ]
    acts = [rng.choice(pool) for _ in range(30)]
    acts += (
        ["((3,4),(3,5))"] * 4 + [rng.choice(pool) for _ in range(12)] + ["((-1, -1), (-1, -1))"] * 3
    )
    rows: list[Pair] = []
    score = 0
    for i, act in enumerate(acts):
        gain = 0 if act.startswith("((-") else rng.choice([0, 0, 30, 60])
        score += gain
        said = "No match, the swap was reversed." if not gain else "Match of 3!"
        rows.append((act, f"{said}\nScore: {score}\nMoves left: {len(acts) - i}"))
    return numbered("candy-13", "Match candies.", "Game", rows)


def dungeon() -> Log:
    rng = random.Random(1414)
    pool = [
        "west",
        "west",
        "northwest",
        "southwest",
        "far west",
        "east",
        "far east",
        "north",
        "south",
        "search",
        "kick",
    ]
    script = (
        [rng.choice(pool) for _ in range(30)]
        + ["search"] * 5
        + ["kick", "kick", "open", "west", "pray"]
    )
    script += [rng.choice(pool) for _ in range(26)] + ["eat", "west", "west", "west"]
    says = ["", "", "", "It's solid stone.", "It's a wall.", "You find a hidden door."]
    rows = []
    for act in script:
        text = (
            rng.choice(says)
            if act not in ("kick", "open")
            else rng.choice(["WHAMM!", "This door is locked."])
        )
        rows.append(
            (
                act,
                f"message:\n{text}\n\nlanguage observation:\nstairs up far east\ndoorway near west",
            )
        )
    return numbered("dungeon-14", "Find the stairs down.", "Game", rows)


def build() -> dict[str, Log]:
    makers = [kitchen, bedroom, cli_tool, parser_lib, shop, forum, orders, weather]
    makers += [lighthouse, composer, tiles_2048, survival, candy, dungeon]
    logs = [make() for make in makers]
    return {log.trajectory_id: log for log in logs}
