"""OpenClaw's telemetry: `tool.start` and `tool.end` events, by session.

Events have no call id: an end belongs to the oldest open start of its tool in its session. They say
whether a call succeeded, not what it returned, so that observations are missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import damage_of, flatten, name_text, opposite, time_of
from tallysql.archive.formats.columns import WrongType
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.rows import Damage, Trajectory

if TYPE_CHECKING:
    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

EVENTS = (
    "agent.start", "agent.end", "tool.start", "tool.end",
    "message.in", "message.out", "message.sending",
)  # fmt: skip
KEYS = {"sessionKey", "channel"}


def detect(source: SourceFile) -> bool:
    """Whether a line is one of OpenClaw's events."""
    return any(
        record.get("type") in EVENTS and bool(KEYS & record.keys()) for record in source.sample
    )


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a session."""
    sessions: dict[str, Calls] = {}
    tasks: dict[str, str] = {}
    for record in source.records():
        if isinstance(record, Damage):
            yield record
            continue
        number, event = record
        name = event.get("sessionKey")
        if not isinstance(name, str):
            continue
        if event.get("type") == "agent.start" and isinstance(event.get("prompt"), str):
            tasks.setdefault(name, event["prompt"])
        try:
            _take(sessions.setdefault(name, Calls()), event)
        except WrongType as error:
            yield damage_of(number, error)
    for name, calls in sessions.items():
        if steps := calls.steps():
            yield Trajectory(name, steps, tasks.get(name))


def _take(calls: Calls, event: dict[str, Any]) -> None:
    if event.get("type") == "tool.start":
        tool = name_text(event.get("toolName"), "toolName")
        calls.call(tool, tool, event.get("params"), ts=time_of(event.get("ts")))
    elif event.get("type") == "tool.end":
        tool = name_text(event.get("toolName"), "toolName")
        text = flatten(event.get("result", event.get("error")))
        calls.result(tool, text, tool=tool, is_error=opposite(event.get("success")))


FORMAT = Format(
    "openclaw",
    "OpenClaw telemetry: lines tool.start and tool.end with sessionKey",
    detect,
    read,
    nothing="telemetry without tool calls",
)
