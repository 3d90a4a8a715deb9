"""Chat messages with tool calls: lists, JSONL, request logs, tau-bench results.

A step is a tool call of the assistant. A conversation without any call is read by its turns
instead: a step is what the assistant said, its observation what came next.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import (
    args_text,
    damage_of,
    each_record,
    flatten,
    identity,
    loaded,
    mapping,
    objects,
    run_name,
)
from tallysql.archive.formats.chat import AGENT, Conversation, has_calls
from tallysql.archive.formats.columns import WrongType
from tallysql.archive.formats.format import Format
from tallysql.archive.rows import Damage, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

LISTS = ("messages", "traj", "trajectory", "conversation")
IDS = ("trajectory_id", "traj_id", "instance_id", "conversation_id", "session_id", "id", "uuid")
ROLES = ("system", "developer", "user", "tool", "function", *AGENT)
WRITTEN_OUT = "raw_messages"
"""OpenHands' logs have it where the model was told to write its calls out as text."""

RENDERED = "messages_display"
"""tau-bench's few-shot examples: dialogues as one text, without their calls."""

NOT_METADATA = {*LISTS, "tools", "kwargs", "response", "raw_messages", "simulations", "tasks"}


def detect(source: SourceFile) -> bool:
    """Whether a record is a message with a role, or holds a list of them."""
    return any(_is_message(record) or _is_run(record) for record in source.sample[:3])


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and value.get("role") in ROLES and len(value.keys() & SAID) > 0


SAID = {"content", "tool_calls", "function_call"}


def _is_run(record: dict[str, Any]) -> bool:
    if isinstance(record.get("simulations"), list):
        return any(_is_run(mapping(run)) for run in record["simulations"][:3])
    if RENDERED in record:
        return True
    listed = _listed(record)
    return listed is not None and any(_is_message(message) for message in record[listed][:5])


def _listed(record: dict[str, Any]) -> str | None:
    return next((key for key in LISTS if isinstance(record.get(key), list)), None)


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a record with messages, else one of all messages in the file."""
    if any(_is_message(record) for record in source.sample[:3]):
        yield from _from_messages(source)
        return
    runs = _Runs(source)
    yield from each_record(source, runs.trajectories)


def _from_messages(source: SourceFile) -> Records:
    messages = []
    for record in source.records():
        if isinstance(record, Damage):
            yield record
        else:
            messages.append(record[1])
    try:
        yield from _trajectory(run_name(source), messages, {})
    except WrongType as error:
        yield damage_of(1, error)


class _Runs:
    """Reads the runs of a file; names those that have no id of their own by their number."""

    def __init__(self, source: SourceFile) -> None:
        self._file = run_name(source)
        self._is_single = source.shape == "json" and isinstance(source.document, dict)
        self._number = 0

    def trajectories(self, record: dict[str, Any]) -> Iterator[Trajectory]:
        if isinstance(record.get("simulations"), list):
            for run in objects(record["simulations"], "simulations"):
                yield from self._run({**run, "domain": mapping(record.get("info")).get("domain")})
        else:
            yield from self._run(record)

    def _run(self, record: dict[str, Any]) -> Iterator[Trajectory]:
        listed = _listed(record)
        if listed is None and RENDERED in record:
            return
        if listed is None:
            raise WrongType("expected a list of messages", LISTS[0])
        messages = objects(record[listed], listed)
        response = mapping(record.get("response"))
        name = self._name(record)
        if response:
            answer = _answer(response)
            if answer and WRITTEN_OUT in record:
                answer = _written_out(answer)
            messages = [*messages, *([answer] if answer else [])]
            name = name if self._is_given(record) else _log_name(messages)
        metadata = {key: value for key, value in record.items() if key not in NOT_METADATA}
        keeps_silent = "task_id" in record  # a result: no talk, even if it called nothing
        yield from _trajectory(name, messages, metadata, keeps_silent=keeps_silent)

    def _is_given(self, record: dict[str, Any]) -> bool:
        return any(identity(record.get(key)) for key in IDS)

    def _name(self, record: dict[str, Any]) -> str:
        self._number += 1
        task = identity(record.get("task_id"))
        if task is not None:
            trial = identity(record.get("trial"))
            return "/".join(part for part in (self._file, task, trial) if part is not None)
        own = next((identity(record[key]) for key in IDS if identity(record.get(key))), None)
        return own or (self._file if self._is_single else f"{self._file}/{self._number}")


def _trajectory(
    name: str,
    messages: list[dict[str, Any]],
    metadata: dict[str, Any],
    *,
    keeps_silent: bool = False,
) -> Iterator[Trajectory]:
    conversation = Conversation(says=not keeps_silent and not has_calls(messages))
    for number, message in enumerate(messages):
        conversation.take(message, f"messages[{number}]")
    steps = conversation.steps()
    if conversation.final is not None:
        metadata = {**metadata, "final_message": conversation.final}
    if steps or keeps_silent:
        yield Trajectory(name, steps, conversation.task, metadata=metadata)


def _answer(response: dict[str, Any]) -> dict[str, Any] | None:
    choices = response.get("choices")
    first = mapping(choices[0]) if isinstance(choices, list) and choices else {}
    message = first.get("message")
    return {"role": "assistant", **message} if isinstance(message, dict) else None


def _written_out(answer: dict[str, Any]) -> dict[str, Any]:
    """Write out the calls of an answer as the next request's messages will hold them."""
    text = flatten(answer.get("content")) or ""
    for call in objects(answer.get("tool_calls"), "response.tool_calls"):
        function = mapping(call.get("function"))
        arguments = mapping(loaded(function.get("arguments")))
        parameters = "".join(
            f"<parameter={key}>{args_text(value)}</parameter>" for key, value in arguments.items()
        )
        text += f"\n<function={function.get('name')}>{parameters}</function>"
    return {"role": "assistant", "content": text}


def _log_name(messages: list[dict[str, Any]]) -> str:
    """Name a conversation that was logged request by request: its logs share their beginning.

    The beginning goes as far as the first answer, which ids of calls tell from others like it.
    """
    digest = hashlib.sha256()
    for message in messages:
        text = flatten(message.get("content")) or ""
        if message.get("role") not in AGENT:
            digest.update(text.encode("utf-8", "replace"))
            continue
        called = message.get("tool_calls")
        ids = [mapping(call).get("id") for call in called] if isinstance(called, list) else []
        digest.update(
            repr((text.partition("<function=")[0].strip(), ids)).encode("utf-8", "replace")
        )
        break
    return f"conversation-{digest.hexdigest()[:12]}"


FORMAT = Format(
    "openai",
    "Chat messages with tool_calls: lists, JSONL, request logs, tau-bench results",
    detect,
    read,
    nothing="messages without turns of the assistant that tell calls from talk",
)
