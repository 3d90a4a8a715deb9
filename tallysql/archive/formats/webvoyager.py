"""WebVoyager's `interact_messages.json`: thought and action as text, the page as the next message.

The action is what follows `Action:`. Element numbers hold for one page only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import MESSAGE, each_of, flatten, mapping, objects, run_name
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.rows import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

VERBS = "Click|Type|Scroll|Wait|GoBack|Google|ANSWER"
ACTION = re.compile(rf"^Action:\s*((?:{VERBS})\b.*)", re.MULTILINE | re.DOTALL)
ELEMENT = re.compile(r"\w+ \[")


def detect(source: SourceFile) -> bool:
    """Whether the file is a list of messages in which an assistant acts on numbered elements."""
    if source.shape != "json" or not isinstance(source.document, list):
        return False
    turns = [mapping(turn) for turn in source.document[:12]]
    said = [flatten(turn.get("content")) or "" for turn in turns if turn.get("role") == "assistant"]
    return any(ACTION.search(text) and text.startswith("Thought:") for text in said)


def read(source: SourceFile) -> Records:
    """Yield the file's one Trajectory."""
    yield from each_of(
        [(1, {"messages": source.document})], lambda run: _trajectory(run, run_name(source))
    )


def _trajectory(run: dict[str, Any], name: str) -> Iterator[Trajectory]:
    calls, task = Calls(), None
    for message in objects(run["messages"], "messages"):
        text = flatten(message.get("content"))
        if message.get("role") == "assistant":
            _take_turn(calls, text or "")
        elif message.get("role") == "user" and not calls.answer_last(text) and task is None:
            task = text
    if steps := calls.steps():
        yield Trajectory(name, steps, task, "web")


def _take_turn(calls: Calls, text: str) -> None:
    found = ACTION.search(text)
    if found is None:
        calls.call(None, MESSAGE, None, action=text)
        return
    action = found[1].strip()
    verb, _, rest = action.partition(" ")
    # a numbered element stands in brackets, which the ledger reads; other arguments are text
    args = None if ELEMENT.match(action) else rest.strip() or None
    calls.call(None, verb.rstrip(";"), args, action=action)


FORMAT = Format(
    "webvoyager",
    "WebVoyager: interact_messages.json (Thought and Action as text, pages as messages)",
    detect,
    read,
    nothing="a WebVoyager log without turns of the assistant",
)
