"""The tool calls and results in the messages that model spans hold, whoever logged them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import flatten, identity, loaded, mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.spans import Span

SENT = (
    "gen_ai.input.messages", "gen_ai.prompt", "ai.prompt.messages", "llm.input_messages",
    "input.value", "input",
)  # fmt: skip
ANSWERED = (
    "gen_ai.output.messages", "gen_ai.completion", "ai.response.toolCalls", "llm.output_messages",
    "output.value", "output",
)  # fmt: skip
INDEXED = re.compile(r"(llm\.(?:input|output)_messages)\.(\d{1,6})\.message\.(.+)")
CALLS = ("tool_call", "tool-call", "function_call", "tool_use")
RESULTS = ("tool_call_response", "tool-result", "function_call_output", "tool_result")


def called_in(span: Span) -> Iterator[tuple[str, str, Any]]:
    """Yield (call id, tool, arguments) of the calls in what was sent and what was answered."""
    for message in _messages(span, (*SENT, *ANSWERED)):
        for call in _calls(message):
            inner = mapping(call.get("function")) or call
            tool = inner.get("name") or call.get("toolName")
            call_id = identity(call.get("call_id") or call.get("id") or call.get("toolCallId"))
            if isinstance(tool, str) and tool and call_id:
                keys = ("arguments", "args", "input")
                yield (
                    call_id,
                    tool,
                    next((inner[k] for k in keys if inner.get(k) is not None), None),
                )


def results_in(span: Span) -> Iterator[tuple[str, str | None]]:
    """Yield (call id, text) of the results in what was sent."""
    for message in _messages(span, SENT):
        call_id = identity(message.get("tool_call_id"))
        if message.get("role") == "tool" and call_id:
            yield call_id, flatten(message.get("content"))
        for part in _parts(message):
            if part.get("type") in RESULTS:
                known = ("call_id", "id", "toolCallId", "tool_use_id")
                own = next((identity(part[key]) for key in known if identity(part.get(key))), None)
                keys = ("result", "response", "output", "content")
                value = next((part[key] for key in keys if part.get(key) is not None), None)
                if own:
                    yield own, flatten(value)


def _calls(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    listed = message.get("tool_calls")
    if isinstance(listed, list):
        yield from map(mapping, listed)
    yield from (part for part in _parts(message) if part.get("type") in CALLS)


def _parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a message's parts; some logs list the parts themselves as messages."""
    for key in ("parts", "content"):
        if isinstance(message.get(key), list):
            return [mapping(part) for part in message[key]]
    return [message] if message.get("type") in (*CALLS, *RESULTS) else []


def _messages(span: Span, keys: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    attributes = {**span.attributes, **_unflattened(span.attributes)}
    for key in keys:
        value = loaded(attributes.get(key))
        if isinstance(value, dict):
            value = value.get("messages", value.get("output", [value]))
        if isinstance(value, list):
            yield from (message for message in value if isinstance(message, dict))


def _unflattened(attributes: dict[str, Any]) -> dict[str, list[Any]]:
    """Rebuild OpenInference's messages, whose fields are attributes with numbered names."""
    lists: dict[str, dict[int, dict[str, Any]]] = {}
    for key, value in attributes.items():
        found = INDEXED.fullmatch(key)
        if found:
            message = lists.setdefault(found[1], {}).setdefault(int(found[2]), {})
            _put(message, found[3], value)
    return {name: [messages[n] for n in sorted(messages)] for name, messages in lists.items()}


TOOL_CALL = re.compile(r"tool_calls\.(\d{1,6})\.tool_call\.(id|function\.name|function\.arguments)")


def _put(message: dict[str, Any], field: str, value: Any) -> None:
    found = TOOL_CALL.fullmatch(field)
    if found is None:
        message[field] = value
        return
    calls = message.setdefault("tool_calls", [])
    while len(calls) <= int(found[1]) and len(calls) < 1000:
        calls.append({"function": {}})
    if int(found[1]) < len(calls):
        call = calls[int(found[1])]
        if found[2] == "id":
            call["id"] = value
        else:
            call["function"][found[2].removeprefix("function.")] = value
