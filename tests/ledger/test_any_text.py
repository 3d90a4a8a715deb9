"""Whatever a log holds, every step gets a row and every span its text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

PIECES = [
    "go to ",
    "take ",
    "drawer 1",
    " from ",
    "shelf 10",
    "open ",
    "Nothing happens.",
    "You open the ",
    "execute_bash: ",
    "str_replace_editor: ",
    '{"command": "view", "path": "/a/é.py"}',
    '{"command": "',
    '"}',
    "ls -la | grep 'x' && cd /tmp; ",
    "<<EOF\n",
    "'",
    '"',
    "\\",
    "exit code 1",
    "exit code 0",
    "exit code ",
    "[Command finished with exit code 2]",
    "ERROR:\n",
    "{'error': 'a\\'b'}",
    "click [1] where [1] is link '",
    "]",
    "((1,2),(3,4))",
    "\n",
    "\r\n",
    "\x00",
    "\x1b[0m",
    "\u2028",
    "\u0085",
    "𝄞",
    "é",
    "%",
    "_",
    "—",
    " ",
    "{1}",
    "{path}",
    "(",
    ")",
]
TEXT = st.one_of(
    st.none(),
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
STEP = st.fixed_dictionaries({"action": TEXT, "observation": TEXT})


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEP, min_size=1, max_size=40))
def test_rows_and_spans(
    ledger_apart: Callable[..., list[dict[str, Any]]], steps: list[dict[str, str | None]]
) -> None:
    rows = ledger_apart(*steps)
    assert [row["step"] for row in rows] == list(range(len(steps)))
    for step, row in zip(steps, rows, strict=True):
        assert row["raw"] == step["action"]
        assert (row["outcome"] == "unknown") == (row["quote"] is None)
        if row["quote"]:
            start, end = row["quote"]["start"], row["quote"]["end"]
            assert (step["observation"] or "")[start:end] == row["quote"]["text"]
        if row["changes"]:
            assert row["outcome"] == "success"


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20), st.booleans())
def test_paths_survive_json_escapes(
    ledger_apart: Callable[..., list[dict[str, Any]]], path: str, ascii_only: bool
) -> None:
    arguments = json.dumps({"command": "view", "path": path}, ensure_ascii=ascii_only)
    (row,) = ledger_apart({"action": f"str_replace_editor: {arguments}", "observation": ""})
    assert row["paths"] == row["targets"] == [path]
