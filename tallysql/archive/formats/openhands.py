"""OpenHands: events of version 0 (output.jsonl, trajectory exports, before ids), and of the SDK.

A step is an action of the agent under its event id. Version 0 names tool and arguments as the
model called them in `tool_call_metadata`; the SDK in `tool_call`. An observation belongs to the
action that its `cause` or `tool_call_id` names, in the oldest logs to the last one.
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
    mapping,
    name_text,
    objects,
    opposite,
    run_name,
    time_of,
)
from tallysql.archive.formats.columns import INT64, WrongType
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.json_text import json_text
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.rows import Damage, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

NOT_STEPS = {"system", "recall", "change_agent_state", "null", ""}
NOT_RESULTS = {"agent_state_changed", "recall", "null", ""}
NOT_THE_AGENT = ("user", "environment")
NOT_ARGUMENTS = {
    "action", "thought", "blocking", "confirmation_state", "hidden", "is_confirmed", "action_risk",
    "security_risk", "keep_prompt", "translated_ipython_code", "impl_source", "timeout", "kind",
    "wait_for_response", "image_urls", "images_urls", "is_static", "cwd", "is_input",
}  # fmt: skip
STATE = {"agent", "workspace", "execution_status"}
"""Fields of the state that the SDK keeps beside its events."""

NOT_METADATA = {"history", "instruction", "instance", "instance_id"}


def detect(source: SourceFile) -> bool:
    """Whether a record is an event of OpenHands, or holds a history of them."""
    return any(_is_event(record) or _is_run(record) for record in source.sample)


def _is_event(record: dict[str, Any]) -> bool:
    kind = record.get("kind")
    if isinstance(kind, str) and kind.endswith("Event") and "source" in record:
        return True
    if record.keys() >= STATE:
        return True
    if "source" not in record:
        return False
    acts = isinstance(record.get("action"), str) and isinstance(record.get("args"), dict)
    return acts or (isinstance(record.get("observation"), str) and "extras" in record)


def _is_run(record: dict[str, Any]) -> bool:
    history = record.get("history")
    events = _flat(history[:20]) if isinstance(history, list) else []
    return any(
        isinstance(event, dict) and "role" not in event and {"action", "observation"} & event.keys()
        for event in events
    )


def _flat(history: list[Any]) -> list[Any]:
    """Return the events of a history; the oldest logs hold pairs of action and observation."""
    pairs = (event if isinstance(event, list) else [event] for event in history)
    return [event for pair in pairs for event in pair]


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a record with a history, else one of all events in the file."""
    if any(_is_run(record) for record in source.sample):
        yield from each_record(source, lambda record: _from_run(record, source))
    else:
        yield from _from_events(source)


def _from_run(record: dict[str, Any], source: SourceFile) -> Iterator[Trajectory]:
    history = record.get("history")
    if not isinstance(history, list):
        raise WrongType("expected a list", "history")
    run = _Run()
    for number, event in enumerate(objects(_flat(history), "history")):
        run.take(event, f"history[{number}]")
    instruction = record.get("instruction")
    metadata = {key: value for key, value in record.items() if key not in NOT_METADATA}
    name = identity(record.get("instance_id")) or _issue(record) or run_name(source)
    task = instruction if isinstance(instruction, str) else run.task
    yield Trajectory(name, run.calls.steps(), task, metadata=metadata)


def _issue(record: dict[str, Any]) -> str | None:
    """Name a run of the issue resolver after its issue."""
    issue = mapping(record.get("issue"))
    if not {"owner", "repo", "number"} <= issue.keys():
        return None
    return f"{issue['owner']}/{issue['repo']}#{issue['number']}"


def _from_events(source: SourceFile) -> Records:
    run, name = _Run(), run_name(source)
    for record in source.records():
        if isinstance(record, Damage):
            yield record
            continue
        number, event = record
        try:
            run.take(event, f"event {number}")
        except WrongType as error:
            yield Damage(number, f"{error.field}: {error}")
        if steps := run.calls.piece():
            yield Trajectory(name, steps, run.task, is_piece=True)
    if steps := run.calls.steps():
        yield Trajectory(name, steps, run.task, is_piece=True)


class _Run:
    """What the events of one run told so far."""

    def __init__(self) -> None:
        self.calls = Calls()
        self.task: str | None = None
        self._is_first = True

    def take(self, event: dict[str, Any], place: str) -> None:
        """Read one event, of either version."""
        kind = event.get("kind")
        if isinstance(kind, str) and kind.endswith(("Event", "Observation")):
            self._take_sdk(event, kind, place)
        elif isinstance(event.get("action"), str):
            self._take_action(event, event["action"], place)
        elif isinstance(event.get("observation"), str):
            self._take_observation(event, event["observation"])
        elif {"action", "observation"} & event.keys():
            raise WrongType("expected text", f"{place}.action or .observation")
        self._is_first = False

    def _take_action(self, event: dict[str, Any], kind: str, place: str) -> None:
        args = event.get("args") if isinstance(event.get("args"), dict) else event
        asks = event.get("source") == "user" or ("source" not in event and self._is_first)
        if kind == MESSAGE and asks:
            if self.task is None:
                self.task = flatten(mapping(args).get("content"))
            return
        if event.get("source") in NOT_THE_AGENT or kind in NOT_STEPS:
            return
        fields = {"step": _number(event), "ts": time_of(event.get("timestamp"))}
        if kind == MESSAGE:
            self.calls.say(flatten(mapping(args).get("content")), MESSAGE, **fields)
            return
        called = _called(event)
        tool, arguments = called if called else (kind, _arguments(mapping(args)))
        name = name_text(tool, f"{place}.tool_call_metadata.function_name")
        self.calls.call(event.get("id"), name, arguments, source_ref=_call_id(event), **fields)

    def _take_observation(self, event: dict[str, Any], kind: str) -> None:
        if kind in NOT_RESULTS:
            return
        extras = mapping(event.get("extras"))
        code = mapping(extras.get("metadata")).get("exit_code", extras.get("exit_code"))
        code = event.get("exit_code", code)
        failed = None if code == -1 else opposite(event.get("success"))
        told: dict[str, Any] = {
            "exit_code": exit_status(code),
            "is_error": True if kind == "error" else failed,
        }
        text, ts = flatten(event.get("content")), time_of(event.get("timestamp"))
        if event.get("cause") is not None:
            self.calls.result(event["cause"], text, step=_number(event), ts=ts, **told)
        elif "id" in event or not self.calls.answer_last(text, **told):
            # what the program said without an action, such as about a call it could not read
            self.calls.say(None, None, observation=text, step=_number(event), ts=ts, **told)

    def _take_sdk(self, event: dict[str, Any], kind: str, place: str) -> None:
        ts, own = time_of(event.get("timestamp")), identity(event.get("id"))
        if kind == "ActionEvent":
            call = mapping(event.get("tool_call"))
            function = mapping(call.get("function"))
            name = event.get("tool_name") or call.get("name") or function.get("name")
            tool = name_text(name, f"{place}.tool_name")
            arguments = call.get("arguments", function.get("arguments"))
            if arguments is None:
                arguments = _arguments(mapping(event.get("action")))
            key = event.get("tool_call_id") or own
            turn = event.get("llm_response_id")
            self.calls.call(key, tool, arguments, turn=turn, ts=ts, source_ref=own)
        elif kind == "MessageEvent":
            self._take_message(event, own)
        elif "tool_call_id" in event or "action_id" in event:
            self._take_sdk_result(event)

    def _take_message(self, event: dict[str, Any], own: str | None) -> None:
        text = flatten(mapping(event.get("llm_message")).get("content"))
        if event.get("source") == "agent":
            self.calls.say(text, MESSAGE, ts=time_of(event.get("timestamp")), source_ref=own)
        elif event.get("source") == "user" and self.task is None:
            self.task = text

    def _take_sdk_result(self, event: dict[str, Any]) -> None:
        observation = mapping(event.get("observation"))
        text = event.get("error", event.get("rejection_reason"))
        if text is None:
            text = observation.get("content", observation.get("output"))
        if text is None:
            text = json_text(observation)
        code = mapping(observation.get("metadata")).get("exit_code")
        tool = event.get("tool_name")
        self.calls.result(
            event.get("tool_call_id") or event.get("action_id"),
            flatten(text),
            tool=tool if isinstance(tool, str) else None,
            exit_code=exit_status(observation.get("exit_code", code)),
            is_error=True if "error" in event else flag(observation.get("is_error")),
            ts=time_of(event.get("timestamp")),
        )


def _number(event: dict[str, Any]) -> int | None:
    number = event.get("id")
    return number if type(number) is int and number in INT64 else None


def _call_id(event: dict[str, Any]) -> str | None:
    return identity(mapping(event.get("tool_call_metadata")).get("tool_call_id"))


def _called(event: dict[str, Any]) -> tuple[Any, Any] | None:
    """Return (tool, arguments) as the model called them; None where the log does not say."""
    metadata = mapping(event.get("tool_call_metadata"))
    if "function_name" not in metadata:
        return None
    choices = mapping(metadata.get("model_response")).get("choices")
    choice = mapping(choices[0]) if isinstance(choices, list) and choices else {}
    listed = mapping(choice.get("message")).get("tool_calls")
    calls = [mapping(call) for call in listed] if isinstance(listed, list) else []
    wanted = metadata.get("tool_call_id")
    call = next((call for call in calls if call.get("id") == wanted), {})
    arguments = mapping(call.get("function")).get("arguments")
    if arguments is None:
        arguments = _arguments(mapping(event.get("args")))
    return metadata["function_name"], arguments


def _arguments(args: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of an action without what the program adds to them."""
    return {key: value for key, value in args.items() if key not in NOT_ARGUMENTS}


FORMAT = Format(
    "openhands",
    "OpenHands: output.jsonl (history), trajectory exports, events of the SDK (kind)",
    detect,
    read,
    nothing="OpenHands events without actions of the agent",
)
