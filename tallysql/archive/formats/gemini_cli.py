"""Gemini CLI: recorded sessions (`messages` with `toolCalls`) and checkpoints (`parts`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import (
    each_of,
    flatten,
    identity,
    mapping,
    name_text,
    objects,
    run_name,
    time_of,
)
from tallysql.archive.formats.columns import WrongType, kind_of
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.json_text import json_text
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.rows import Damage, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

AGENT = "gemini"
SPEAKERS = {AGENT, "user", "info", "error", "warning"}
FAILED = {"success": False, "error": True, "cancelled": True}
KEPT = ("projectHash", "startTime", "lastUpdated", "kind", "summary")


def detect(source: SourceFile) -> bool:
    """Whether the first record is a session of the Gemini CLI, or a turn with parts."""
    for record in source.sample[:1]:
        if "sessionId" in record and "projectHash" in record:
            return True
        turns = record.get("contents", record.get("history"))
        first = mapping(turns[0]) if isinstance(turns, list) and turns else record
        if first.get("role") in ("user", "model") and isinstance(first.get("parts"), list):
            return any(map(_is_part, first["parts"]))
    return False


def _is_part(part: Any) -> bool:
    """Whether a part is Google's: what it is stands in its key, not in a type."""
    part = mapping(part)
    return "type" not in part and bool({"text", "functionCall", "functionResponse"} & part.keys())


def read(source: SourceFile) -> Records:
    """Yield the file's one Trajectory."""
    records = list(source.records())
    yield from (record for record in records if isinstance(record, Damage))
    found = [record[1] for record in records if not isinstance(record, Damage)]
    yield from each_of([(1, {"records": found})], lambda whole: _trajectories(whole, source))


def _trajectories(whole: dict[str, Any], source: SourceFile) -> Iterator[Trajectory]:
    head: dict[str, Any] = {}
    turns: dict[Any, dict[str, Any]] = {}
    for number, record in enumerate(whole["records"]):
        listed = next((key for key in ("messages", "contents", "history") if key in record), None)
        if listed is not None or "sessionId" in record:
            head = head or record
        lines = objects(record[listed], listed) if listed is not None else [record]
        for place, turn in enumerate(lines):
            # a session that is appended to logs a message again when its calls are done
            turns[identity(turn.get("id")) or (number, place)] = turn
    calls, task = Calls(), None
    for place, turn in enumerate(turns.values()):
        if "parts" in turn:
            _take_parts(calls, turn, f"contents[{place}]")
        elif turn.get("type") == AGENT:
            _take_message(calls, turn, f"messages[{place}]")
        if task is None and "user" in (turn.get("type"), turn.get("role")):
            task = flatten(turn.get("content", turn.get("parts")))
    if steps := calls.steps():
        name = identity(head.get("sessionId")) or run_name(source)
        metadata = {key: head[key] for key in KEPT if key in head}
        yield Trajectory(name, steps, task, metadata=metadata)


def _take_message(calls: Calls, message: dict[str, Any], place: str) -> None:
    for call in objects(message.get("toolCalls"), f"{place}.toolCalls"):
        tool = name_text(call.get("name"), f"{place}.toolCalls.name")
        ts = time_of(call.get("timestamp")) or time_of(message.get("timestamp"))
        calls.call(call.get("id"), tool, call.get("args"), turn=place, ts=ts)
        observation = _observation(call)
        failed = FAILED.get(str(call.get("status")))
        if observation is not None or failed is not None:
            calls.answer_last(observation, is_error=failed)


def _observation(call: dict[str, Any]) -> str | None:
    """Return what the model saw, else what the user saw, None if neither is logged."""
    result = call.get("result")
    if isinstance(result, list) and result:
        parts = [mapping(part) for part in result]
        answers = [
            _response(part["functionResponse"]) for part in parts if "functionResponse" in part
        ]
        return "\n".join(answers) if answers else flatten(result)
    if isinstance(result, str):
        return result
    shown = call.get("resultDisplay")
    return flatten(mapping(shown).get("fileDiff", shown))


def _response(answer: Any) -> str:
    response = mapping(answer).get("response")
    for key in ("output", "error", "content"):
        value = mapping(response).get(key)
        if isinstance(value, (str, list)):
            return flatten(value) or ""
    return json_text(response)


def _take_parts(calls: Calls, turn: dict[str, Any], place: str) -> None:
    parts = turn["parts"]
    if not isinstance(parts, list):
        raise WrongType(f"expected a list, found {kind_of(parts)}", f"{place}.parts")
    for part in map(mapping, parts):
        if isinstance(part.get("functionCall"), dict):
            call = part["functionCall"]
            tool = name_text(call.get("name"), f"{place}.functionCall.name")
            calls.call(call.get("id") or tool, tool, call.get("args"), turn=place)
        elif isinstance(part.get("functionResponse"), dict):
            answer = part["functionResponse"]
            failed = "error" in mapping(answer.get("response"))
            key = answer.get("id") or answer.get("name")
            calls.result(key, _response(answer), is_error=failed)


FORMAT = Format(
    "gemini-cli",
    "Gemini CLI: session JSON (sessionId, projectHash, messages), checkpoints (parts)",
    detect,
    read,
    nothing="a Gemini CLI session without tool calls",
)
