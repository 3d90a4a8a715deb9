"""Codex CLI rollouts, with `payload` envelopes and the bare items of 2025.

A step is a call item; its result is the `…_output` item of the same call id. Outputs come as text,
as content parts, or as JSON text that holds the output and its exit code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tallysql.archive.formats.blocks import (
    damage_of,
    exit_status,
    flag,
    flatten,
    identity,
    loaded,
    mapping,
    name_text,
    opposite,
    run_name,
    time_of,
)
from tallysql.archive.formats.columns import WrongType
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.rows import Damage, Trajectory

if TYPE_CHECKING:
    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile
    from tallysql.archive.rows import Step

ENVELOPES = ("session_meta", "turn_context", "event_msg", "response_item", "compacted")
CALL, OUTPUT = "_call", "_output"
CONTEXT = ("<environment_context>", "<user_instructions>", "<permissions", "# AGENTS.md")
"""How the messages start that the program itself puts in front of the first prompt."""


def detect(source: SourceFile) -> bool:
    """Whether a line is one of Codex' envelopes, or one of the bare items before them."""
    return any(_is_envelope(record) or _is_bare(record) for record in source.sample)


def _is_envelope(record: dict[str, Any]) -> bool:
    return record.get("type") in ENVELOPES and isinstance(record.get("payload"), dict)


def _is_bare(record: dict[str, Any]) -> bool:
    if record.get("record_type") == "state":
        return True
    if {"id", "timestamp", "instructions"} <= record.keys() and "messages" not in record:
        return True
    kind = record.get("type")
    return kind in ("function_call", "function_call_output") and "call_id" in record


def read(source: SourceFile) -> Records:
    """Yield the file's one Trajectory, a long one in pieces."""
    rollout = _Rollout(run_name(source))
    for record in source.records():
        if isinstance(record, Damage):
            yield record
            continue
        try:
            rollout.take(record[1])
        except WrongType as error:
            yield damage_of(record[0], error)
        if steps := rollout.calls.piece():
            yield rollout.trajectory(steps)
    if steps := rollout.calls.steps():
        yield rollout.trajectory(steps)


class _Rollout:
    """What the lines told so far."""

    def __init__(self, name: str) -> None:
        self.calls = Calls()
        self._name = name
        self._is_named = False
        self._task: str | None = None
        self._facts: dict[str, Any] = {}

    def trajectory(self, steps: list[Step]) -> Trajectory:
        return Trajectory(self._name, steps, self._task, None, dict(self._facts), is_piece=True)

    def take(self, line: dict[str, Any]) -> None:
        """Read one line."""
        kind = line.get("type")
        item = line.get("payload") if kind in ENVELOPES else line
        if not isinstance(item, dict):
            raise WrongType("expected an object", "payload")
        if kind == "session_meta" or (kind is None and "instructions" in line):
            self._take_head(item)
        elif kind not in ("event_msg", "turn_context", "compacted"):
            self._take_item(item, line)

    def _take_head(self, head: dict[str, Any]) -> None:
        """The first head names the session; a resumed one repeats the heads of earlier ones."""
        name = identity(head.get("id"))
        if not self._is_named and name:
            self._name, self._is_named = name, True
            known = ("cwd", "originator", "cli_version", "model_provider", "git", "source")
            self._facts.update({key: head[key] for key in known if head.get(key) is not None})

    def _take_item(self, item: dict[str, Any], line: dict[str, Any]) -> None:
        kind = item.get("type")
        ts = time_of(line.get("timestamp") or item.get("timestamp"))
        if kind == "message" or (kind is None and "role" in item):
            self._take_message(item)
        elif not isinstance(kind, str):
            return
        elif kind.endswith(CALL):
            call_id = item.get("call_id") or item.get("id")
            tool = name_text(item.get("name") or kind.removesuffix(CALL), "payload.name")
            known = ("arguments", "input", "action")
            arguments = next((item[key] for key in known if item.get(key) is not None), None)
            self.calls.call(call_id, tool, arguments, ts=ts)
        elif kind.endswith(CALL + OUTPUT):
            output = _output_of(item.get("output", item.get("tools")))
            self.calls.result(
                item.get("call_id"),
                output.text,
                exit_code=output.exit_code,
                is_error=output.is_error,
                ts=ts,
            )

    def _take_message(self, item: dict[str, Any]) -> None:
        text = flatten(item.get("content")) or ""
        if item.get("role") == "assistant":
            self._facts["final_message"] = text
        elif item.get("role") == "user" and self._task is None:
            self._task = None if text.lstrip().startswith(CONTEXT) else text or None


class _Output(NamedTuple):
    text: str | None
    exit_code: int | None = None
    is_error: bool | None = None


def _output_of(output: Any) -> _Output:
    """Read an output in any of its shapes."""
    if isinstance(output, str):
        value = loaded(output)
        if isinstance(value, dict) and ("metadata" in value or "content" in value):
            return _from_mapping(value, output)
        if isinstance(value, list) and all("type" in mapping(part) for part in value) and value:
            return _Output(flatten(value))
        return _Output(output)
    return _from_mapping(output, None) if isinstance(output, dict) else _Output(flatten(output))


def _from_mapping(value: dict[str, Any], text: str | None) -> _Output:
    """Take the output out of its envelope; text that is none stays as it is."""
    for key in ("output", "content", "body"):
        if isinstance(value.get(key), (str, list)):
            code = exit_status(mapping(value.get("metadata")).get("exit_code"))
            failed = flag(value.get("isError", value.get("is_error")))
            if failed is None:
                failed = opposite(value.get("success"))
            return _Output(flatten(value[key]), code, failed)
    return _Output(text if text is not None else flatten(value))


FORMAT = Format(
    "codex",
    "Codex CLI: rollout JSONL (session_meta, response_item), also the bare items of 2025",
    detect,
    read,
    nothing="a Codex session without tool calls",
)
