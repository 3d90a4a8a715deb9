"""SWE-agent's `.traj` files, before and after it called tools natively.

A step is an entry of `trajectory`. Tool and arguments stand in `history`, where the model called a
tool; else the action is a command line, whose first word may be one of SWE-agent's own commands.
Those name the file that they work on only in the logged state: an edit gets it as the argument
`path`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import (
    each_record,
    exit_status,
    flatten,
    loaded,
    mapping,
    name_text,
    objects,
    run_name,
)
from tallysql.archive.formats.columns import WrongType, text
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.json_text import json_text
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.rows import Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

SHELL = "bash"
FILE_ARGUMENT = {"open": "path", "create": "filename"}
ON_OPEN_FILE = {"edit", "insert", "append", "goto", "scroll_up", "scroll_down"}
WITHOUT_FILE = {
    "submit", "exit_cost", "exit_context", "exit_format", "exit_forfeit", "exit_api", "exit_error",
    "search_dir", "search_file", "find_file", "undo_edit",
    "connect_start", "connect_sendline", "connect_exec",
    "debug_start", "debug_add_breakpoint", "debug_continue", "debug_step", "debug_exec",
    "debug_stop", "decompile", "disassemble",
}  # fmt: skip
OWN_KEYS = {"info", "environment", "history", "replay_config"}
NO_FILE = (None, "", "n/a")


def detect(source: SourceFile) -> bool:
    """Whether the first record has SWE-agent's trajectory, or a history of its agents."""
    return any(_is_run(record) or _is_demonstration(record) for record in source.sample[:1])


def _is_run(record: dict[str, Any]) -> bool:
    steps = record.get("trajectory")
    if not isinstance(steps, list) or not OWN_KEYS & record.keys():
        return False
    return not steps or {"action", "observation"} <= mapping(steps[0]).keys()


def _is_demonstration(record: dict[str, Any]) -> bool:
    history = record.get("history")
    turns = [mapping(turn) for turn in history] if isinstance(history, list) else []
    return any("role" in turn and {"agent", "message_type"} & turn.keys() for turn in turns)


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a record."""
    yield from each_record(source, lambda record: _trajectories(record, source))


def _trajectories(record: dict[str, Any], source: SourceFile) -> Iterator[Trajectory]:
    history = objects(record.get("history"), "history")
    entries = objects(record.get("trajectory"), "trajectory")
    steps = list(_steps(entries, history)) if entries else _from_history(history)
    task = next(
        (flatten(turn.get("content")) for turn in history if turn.get("role") == "user"), None
    )
    metadata = {"environment": record.get("environment"), **mapping(record.get("info"))}
    if steps:
        yield Trajectory(run_name(source), steps, task, metadata=metadata)


def _steps(entries: list[dict[str, Any]], history: list[dict[str, Any]]) -> Iterator[Step]:
    turns = [turn for turn in history if turn.get("role") == "assistant"]
    reached = 0
    for number, entry in enumerate(entries):
        try:
            action, observation = text(entry.get("action")), text(entry.get("observation"))
        except WrongType as error:
            raise WrongType(str(error), f"trajectory[{number}]") from None
        place = next((n for n in range(reached, len(turns)) if _is_turn_of(turns[n], action)), None)
        calls: list[Any] = []
        if place is not None:
            reached = place + 1
            calls = objects(turns[place].get("tool_calls"), "history.tool_calls")
        tool, args = _called(calls) if len(calls) == 1 else _typed(action)
        yield Step(action, observation, number, tool=tool, args=_with_file(tool, args, entry))


def _is_turn_of(turn: dict[str, Any], action: str | None) -> bool:
    logged = turn.get("action")
    return isinstance(logged, str) and logged.strip() == (action or "").strip()


def _called(calls: list[dict[str, Any]]) -> tuple[str, str | None]:
    function = mapping(calls[0].get("function"))
    arguments = function.get("arguments")
    tool = name_text(function.get("name"), "history.tool_calls.function.name")
    return tool, arguments if isinstance(arguments, str) else json_text(arguments)


def _typed(action: str | None) -> tuple[str | None, str | None]:
    """Tell SWE-agent's own commands, which are tools, from command lines for the shell."""
    line = (action or "").strip()
    words = line.split(None, 1)
    if not words:
        return None, None
    name, rest = words[0], words[1] if len(words) > 1 else ""
    if name in FILE_ARGUMENT:
        path = rest.split()[0].strip("\"'") if rest else ""
        return name, json_text({FILE_ARGUMENT[name]: path, "line": rest}) if path else None
    if name in ON_OPEN_FILE:
        return name, json_text({"text": rest})
    return (name, rest or None) if name in WITHOUT_FILE else (SHELL, line)


def _with_file(tool: str | None, args: str | None, entry: dict[str, Any]) -> str | None:
    """Add the file that was open to the arguments of a command that works on it."""
    arguments = loaded(args)
    if tool not in ON_OPEN_FILE or not isinstance(arguments, dict) or "path" in arguments:
        return args
    path = mapping(loaded(entry.get("state"))).get("open_file")
    if path in NO_FILE or not isinstance(path, str):
        return args
    return json_text({"path": path, **arguments})


def _from_history(history: list[dict[str, Any]]) -> list[Step]:
    """Read a demonstration, which has only the dialogue."""
    calls = Calls()
    for number, turn in enumerate(history):
        place = f"history[{number}]"
        if turn.get("role") == "assistant":
            _take_turn(calls, turn, place)
        elif turn.get("role") in ("tool", "user"):
            observation = flatten(turn.get("content"))
            ids = turn.get("tool_call_ids")
            if isinstance(ids, list) and ids:
                calls.result(ids[0], observation, exit_code=exit_status(turn.get("exit_code")))
            else:
                calls.answer_last(observation)
    return calls.steps()


def _take_turn(calls: Calls, turn: dict[str, Any], place: str) -> None:
    action = turn.get("action") if isinstance(turn.get("action"), str) else None
    called = objects(turn.get("tool_calls"), f"{place}.tool_calls")
    for call in called:
        tool, args = _called([call])
        alone = action if len(called) == 1 else None
        calls.call(call.get("id"), tool, args, turn=place, action=alone)
    if not called and action:
        typed, line = _typed(action)
        calls.call(None, typed, line, turn=place, action=action)


FORMAT = Format(
    "swe-agent",
    "SWE-agent: .traj files (trajectory, history, info), demonstrations",
    detect,
    read,
    nothing="a SWE-agent file without steps",
)
