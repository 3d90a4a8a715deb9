"""Made-up catalogs: a text world, four coding agents, a web agent, a research agent, a game."""

# ruff: noqa: E501 (a table reads best one case a line)
from __future__ import annotations

from tallysql.ledger.catalog import Catalog


def catalog(
    acts: dict[str, int],
    targets: list[str] | None = None,
    paths: list[str] | None = None,
    *,
    tools: dict[str, int] | None = None,
    outcomes: tuple[str, ...] = ("success", "failure"),
    exit_codes: dict[int, int] | None = None,
    errors: list[str] | None = None,
    last_step: int = 99,
) -> Catalog:
    """Build a catalog from its acts; a tool is what stands before the dot of an act."""
    if tools is None:
        tools = {}
        for act, count in acts.items():
            name = act.split(".")[0]
            tools[name] = tools.get(name, 0) + count
    return Catalog(
        trajectory_id="made up",
        tools=tools,
        acts=acts,
        targets=dict.fromkeys([*(targets or []), *(paths or [])], 1),
        paths=dict.fromkeys(paths or [], 2),
        outcomes=dict.fromkeys(outcomes, 1),
        properties={"location": 2, "contents": 2, "state": 1},
        exit_codes=exit_codes or {},
        errors=dict.fromkeys(errors or [], 1),
        authors={},
        first_step=0,
        last_step=last_step,
        n_events=sum(acts.values()),
    )


WORLD = catalog(
    {"go to": 40, "look": 20, "open": 6, "close": 5, "take": 4, "move": 3, "examine": 2, "help": 2, "inventory": 3, "heat": 1},
    ["shelf 1", "shelf 10", "fridge 1", "pantry 2", "lamp 1", "kettle 1", "kettle 2", "teacup 3", "microwave 1"],
    tools={"go": 40, "look": 20, "open": 6, "close": 5, "take": 4, "move": 3, "examine": 2, "help": 2, "inventory": 3, "heat": 1},
)  # fmt: skip

EDITOR = catalog(
    {
        "execute_bash.pytest": 9, "execute_bash.grep": 7, "execute_bash.python": 5, "execute_bash.git": 2,
        "str_replace_editor.view": 12, "str_replace_editor.str_replace": 8, "str_replace_editor.create": 3, "think": 1,
    },
    ["notes.txt", "check_units.py"],
    ["/repo/src/units.py", "/repo/src/units.py.bak", "/repo/tests/test_units.py", "/repo/check_units.py"],
    exit_codes={0: 14, 1: 6, 2: 3},
    errors=["ValueError: unknown unit 'furlong'", "Invalid `view_range` parameter: [1, 9]"],
)  # fmt: skip

SESSION = catalog(
    {"Bash.npm": 4, "Bash.rg": 3, "Read": 9, "Edit": 5, "Write": 2, "Grep": 3, "WebSearch": 1},
    [],
    ["/app/index.ts", "/app/lib/index.ts", "/app/server.ts", "/app/README.md"],
    exit_codes={0: 5, 1: 2},
)

NOTEBOOKS = catalog(
    {"Bash.npm": 4, "Read": 9, "Edit": 5, "MultiEdit": 2, "Write": 2, "NotebookEdit": 1, "NotebookRead": 1},
    [],
    ["/app/index.ts", "/app/server.ts"],
)  # fmt: skip

WEB = catalog(
    {"click": 14, "type": 5, "scroll": 3, "goto": 2, "press": 2, "stop": 1},
    ["Add to cart", "Go", "Back", "Checkout *", "Quantity", "blue mug", "https://shop.example/cart", "down", "Enter"],
    outcomes=("unknown",),
)  # fmt: skip

RESEARCH = catalog(
    {"web_search": 12, "fetch_page": 7, "fetch_page_with_images": 1, "note_saver": 3, "run_sql": 4},
    ["https://atlas.example/rivers/Tagus", "https://atlas.example/rivers/Douro", "rivers of Iberia length", "Tagus source"],
    ["out/rivers.md", "out/lengths.json"],
    errors=["HTTP 503 Service Unavailable", "request timed out after 30 s"],
)  # fmt: skip

GAME = catalog({"up": 30, "left": 12, "right": 8, "down": 1}, outcomes=("unknown", "no_effect"))
