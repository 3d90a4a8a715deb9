"""mini-swe-agent: `.traj.json` of versions 1 and 2, and the bare list of messages before them.

A step is an assistant message after the two that open the run. Its action is the one ```bash block
in it (version 2: its tool calls); the next user message is the observation, with `<returncode>`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import (
    MESSAGE,
    each_of,
    exit_status,
    flatten,
    identity,
    loaded,
    mapping,
    name_text,
    objects,
    run_name,
    time_of,
)
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.rows import Damage, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

SHELL = "bash"
FORMAT_NAME = "mini-swe-agent"
OPENING = 2
"""Messages that open a run: the system's and the task, which shows examples of both sides."""

COMMAND = re.compile(r"```(?:bash|mswea_bash_command)\s*\n(.*?)\n?```", re.DOTALL)
NOT_METADATA = {"messages", "instance_id"}


def detect(source: SourceFile) -> bool:
    """Whether the file says that it is mini-swe-agent's, or its observations have return codes."""
    if source.shape != "json":
        return False
    document = source.document
    if isinstance(document, dict):
        info = mapping(document.get("info"))
        named = str(document.get("trajectory_format")).startswith(FORMAT_NAME)
        return isinstance(document.get("messages"), list) and (named or "mini_version" in info)
    turns = [mapping(turn) for turn in document[OPENING:20]] if isinstance(document, list) else []
    return any(str(turn.get("content")).lstrip().startswith("<returncode>") for turn in turns)


def read(source: SourceFile) -> Records:
    """Yield the file's one Trajectory."""
    document = source.document
    record = document if isinstance(document, dict) else {"messages": document}
    records: list[tuple[int | str, dict[str, Any]] | Damage] = [(1, record)]
    yield from each_of(records, lambda run: _trajectories(run, source))


def _trajectories(record: dict[str, Any], source: SourceFile) -> Iterator[Trajectory]:
    messages = objects(record.get("messages"), "messages")
    calls = Calls()
    for number, message in enumerate(messages[OPENING:], OPENING):
        if message.get("role") == "assistant":
            _take_turn(calls, message, f"messages[{number}]")
        elif message.get("role") in ("user", "tool"):
            _take_result(calls, message)
    task = next((flatten(m.get("content")) for m in messages if m.get("role") == "user"), None)
    metadata = {key: value for key, value in record.items() if key not in NOT_METADATA}
    if steps := calls.steps():
        name = identity(record.get("instance_id")) or run_name(source)
        yield Trajectory(name, steps, task, metadata=metadata)


def _take_turn(calls: Calls, message: dict[str, Any], place: str) -> None:
    extra = mapping(message.get("extra"))
    created = mapping(extra.get("response")).get("created")
    ts = time_of(extra.get("timestamp")) or time_of(created)
    called = objects(message.get("tool_calls"), f"{place}.tool_calls")
    for call in called:
        function = mapping(call.get("function"))
        tool = name_text(function.get("name"), f"{place}.tool_calls.function.name")
        calls.call(call.get("id"), tool, function.get("arguments"), turn=place, ts=ts)
    if called:
        return
    text = flatten(message.get("content")) or ""
    commands = COMMAND.findall(text)
    if len(commands) == 1:
        calls.call(None, SHELL, commands[0], action=commands[0], ts=ts)
    else:  # a format error: the program runs nothing and says so
        calls.call(None, MESSAGE, None, action=text, ts=ts)


def _take_result(calls: Calls, message: dict[str, Any]) -> None:
    observation = flatten(message.get("content"))
    code = exit_status(mapping(loaded(message.get("extra"))).get("returncode"))
    if message.get("tool_call_id") is not None:
        calls.result(message["tool_call_id"], observation, exit_code=code)
    else:
        calls.answer_last(observation, exit_code=code)


FORMAT = Format(
    "mini-swe-agent",
    "mini-swe-agent: .traj.json (trajectory_format) or its list of messages",
    detect,
    read,
    nothing="a mini-swe-agent file without steps",
)
