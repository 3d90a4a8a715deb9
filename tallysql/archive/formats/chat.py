"""Messages of chat models as calls and results, in the spellings of OpenAI and Anthropic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import (
    MESSAGE,
    flag,
    flatten,
    mapping,
    name_text,
    objects,
    spoken_calls,
    time_of,
)
from tallysql.archive.formats.pairing import Calls

if TYPE_CHECKING:
    from tallysql.archive.rows import Step

AGENT = ("assistant", "agent", "model")
ASIDE = ("system", "developer")
"""Tuples, as other such constants: what logs hold in the place of a word need not be hashable."""


class Conversation:
    """The messages of one conversation, read in order.

    Args:
        says: whether a message of the agent without a call is a step.
        tells_errors: whether a result without an error is known to be none.
    """

    def __init__(self, *, says: bool = False, tells_errors: bool = False) -> None:
        self.calls = Calls()
        self.task: str | None = None
        self.final: str | None = None
        self._says = says
        self._no_error = False if tells_errors else None

    def steps(self) -> list[Step]:
        """Return the rows; the conversation ends here."""
        return self.calls.steps()

    def take(self, message: dict[str, Any], place: str, **fields: Any) -> None:
        """Read one message; `fields` are fields of Step."""
        role = message.get("role")
        if "timestamp" in message:
            fields.setdefault("ts", time_of(message["timestamp"]))
        if role in AGENT:
            self._take_agent(message, place, fields)
        elif role in ("tool", "function"):
            self._take_result(message, fields)
        elif role not in ASIDE:
            self._take_user(message, place, fields)

    def _take_agent(self, message: dict[str, Any], place: str, fields: dict[str, Any]) -> None:
        called = [*objects(message.get("tool_calls"), f"{place}.tool_calls")]
        if isinstance(message.get("function_call"), dict):
            called.append({"function": message["function_call"]})
        called += [block for block in _blocks(message) if block.get("type") == "tool_use"]
        for call in called:
            tool, arguments = _named(call, place)
            self.calls.call(call.get("id"), tool, arguments, turn=place, **fields)
        text = flatten(message.get("content"))
        if text:
            self.final = text
        if not called:
            self._take_words(text or "", place, fields)

    def _take_words(self, text: str, place: str, fields: dict[str, Any]) -> None:
        spoken = list(spoken_calls(text))
        for tool, args in spoken:
            self.calls.call(None, tool, args, turn=place, **fields)
        if self._says and not spoken:
            self.calls.call(None, MESSAGE, None, action=text, turn=place, **fields)

    def _take_result(self, message: dict[str, Any], fields: dict[str, Any]) -> None:
        call_id = message.get("tool_call_id") or message.get("id")
        tool = message.get("name") or message.get("function")
        error = message.get("error")
        failed = flag(message.get("is_error", error))
        if failed is None:
            failed = self._no_error if error is None else True
        text = flatten(message.get("content"))
        if not text and isinstance(error, dict):
            text = flatten(error.get("message"))
        named = tool if isinstance(tool, str) else None
        self.calls.result(call_id, text, tool=named, is_error=failed, **fields)

    def _take_user(self, message: dict[str, Any], place: str, fields: dict[str, Any]) -> None:
        results = [block for block in _blocks(message) if block.get("type") == "tool_result"]
        for block in results:
            text, failed = flatten(block.get("content")), block.get("is_error") is True
            self.calls.result(block.get("tool_use_id"), text or "", is_error=failed, **fields)
        if results:
            return
        text = flatten(message.get("content"))
        if not self.calls.answer_last(text) and self.task is None:
            self.task = text


def _blocks(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    return [mapping(block) for block in content] if isinstance(content, list) else []


def _named(call: dict[str, Any], place: str) -> tuple[str, Any]:
    """Return (tool, arguments) of a call in any spelling."""
    function = call.get("function")
    inner = function if isinstance(function, dict) else call
    name = function if isinstance(function, str) else inner.get("name")
    arguments = inner.get("arguments", inner.get("input", inner.get("args")))
    return name_text(name, f"{place}.tool_calls.name"), arguments


def has_calls(messages: list[dict[str, Any]]) -> bool:
    """Whether any message of the agent holds a call."""
    return any(
        message.get("tool_calls")
        or message.get("function_call")
        or any(block.get("type") == "tool_use" for block in _blocks(message))
        or "<function=" in (flatten(message.get("content")) or "")
        for message in messages
        if message.get("role") in AGENT
    )
