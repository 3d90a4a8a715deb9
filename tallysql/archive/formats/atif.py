"""ATIF, the agent trajectory interchange format of Harbor, versions 1.5 to 1.8.

A step is a step of the agent, under its own number: one row a tool call, or one row for what it
said. A result without a call id belongs to the calls of its step together: the first one has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import (
    MESSAGE,
    each_record,
    exit_status,
    flag,
    flatten,
    identity,
    loaded,
    mapping,
    name_text,
    objects,
    run_name,
    spoken_calls,
    time_of,
)
from tallysql.archive.formats.columns import INT64
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.rows import Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

SCHEMA = "ATIF-v"
NOT_METADATA = {"steps", "session_id", "trajectory_id", "subagent_trajectories"}


def detect(source: SourceFile) -> bool:
    """Whether the first record says that it is ATIF, or has its agent, session and steps."""
    return any(_is_atif(record) for record in source.sample[:1])


def _is_atif(record: dict[str, Any]) -> bool:
    version = record.get("schema_version")
    if isinstance(version, str) and version.startswith(SCHEMA):
        return True
    return isinstance(record.get("agent"), dict) and isinstance(record.get("steps"), list)


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a record, and one for each sub-agent that it holds."""
    yield from each_record(source, lambda record: _trajectories(record, run_name(source)))


def _trajectories(record: dict[str, Any], fallback: str) -> Iterator[Trajectory]:
    name = identity(record.get("trajectory_id")) or identity(record.get("session_id")) or fallback
    number = mapping(mapping(record.get("agent")).get("extra")).get("continuation_index")
    if isinstance(number, int):
        name = f"{name}/cont-{number}"
    calls, task = Calls(), None
    for position, step in enumerate(objects(record.get("steps"), "steps")):
        source = step.get("source")
        if source == "user" and task is None:
            task = flatten(step.get("message"))
        _take(calls, step, f"steps[{position}]")
    if steps := calls.steps():
        metadata = {key: value for key, value in record.items() if key not in NOT_METADATA}
        yield Trajectory(name, steps, task, metadata=metadata)
    for inner in objects(record.get("subagent_trajectories"), "subagent_trajectories"):
        yield from _trajectories(inner, f"{name}/subagent")


def _take(calls: Calls, step: dict[str, Any], place: str) -> None:
    number = step.get("step_id")
    fields: dict[str, Any] = {
        "step": number if type(number) is int and number in INT64 else None,
        "ts": time_of(step.get("timestamp")),
        "is_copied": step.get("is_copied_context") is True,
    }
    results = objects(mapping(step.get("observation")).get("results"), f"{place}.results")
    if step.get("source") != "agent" and not step.get("tool_calls"):
        _take_orphans(calls, results, fields)
        return
    for call in objects(step.get("tool_calls"), f"{place}.tool_calls"):
        tool = name_text(call.get("function_name"), f"{place}.function_name")
        calls.call(call.get("tool_call_id"), tool, call.get("arguments"), turn=place, **fields)
    if not step.get("tool_calls"):
        _take_words(calls, flatten(step.get("message")) or "", place, fields)
    for result in results:
        observation, told = flatten(result.get("content")), _status(result)
        call_id = result.get("source_call_id")
        if observation is None or (call_id is None and calls.answer_last(observation, **told)):
            continue
        calls.result(call_id, observation, turn=place, **told, **fields)


def _take_words(calls: Calls, text: str, place: str, fields: dict[str, Any]) -> None:
    """Take a message without structured calls: the calls that it spells out, else the message."""
    spoken = list(spoken_calls(text))
    for tool, args in spoken:
        calls.call(
            None, tool, args, action=text if len(spoken) == 1 else None, turn=place, **fields
        )
    if not spoken:
        calls.call(None, MESSAGE, None, action=text, turn=place, **fields)


def _take_orphans(calls: Calls, results: list[dict[str, Any]], fields: dict[str, Any]) -> None:
    for result in results:
        content = flatten(result.get("content"))
        if content is not None:
            calls.say(None, None, observation=content, **fields)


def _status(result: dict[str, Any]) -> dict[str, Any]:
    """Read the exit code and error flag that some agents put beside a result."""
    extra = mapping(loaded(result.get("extra")))
    return {
        "exit_code": exit_status(extra.get("exit_code")),
        "is_error": flag(extra.get("is_error")),
    }


FORMAT = Format(
    "atif",
    "ATIF trajectories of Harbor (schema_version ATIF-v1.5 to 1.8)",
    detect,
    read,
    nothing="an ATIF trajectory without steps of the agent",
)
