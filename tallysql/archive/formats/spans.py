"""Spans of a trace, however they were exported, with what they say of a tool call."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import args_text, identity, loaded, mapping, objects, time_of
from tallysql.archive.formats.columns import WrongType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

NAMES = (
    "gen_ai.tool.name", "ai.toolCall.name", "tool.name", "tool_name", "traceloop.entity.name",
)  # fmt: skip
CALL_IDS = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool.id")
ARGUMENTS = (
    "gen_ai.tool.call.arguments", "tool_arguments", "gcp.vertex.agent.tool_call_args",
    "ai.toolCall.args", "gen_ai.tool.arguments", "traceloop.entity.input", "input.value",
    "tool.parameters", "tool.arguments", "input",
)  # fmt: skip
OUTPUTS = (
    "gen_ai.tool.call.result", "tool_response", "gcp.vertex.agent.tool_response",
    "ai.toolCall.result", "gen_ai.tool.message", "traceloop.entity.output", "output.value",
    "tool.output", "output",
)  # fmt: skip
KINDS = ("openinference.span.kind", "traceloop.span.kind", "langfuse.observation.type")
PREFIXES = ("gen_ai.", "openinference.", "llm.", "ai.", "traceloop.")
FAILED = ("ERROR", "STATUS_CODE_ERROR", "error")
WRAPPERS = ("running tool: ", "tool.", "execute_tool ")
"""What frameworks put before the tool's name in the name of its span."""


@dataclass(frozen=True, slots=True)
class Span:
    """One span.

    Attributes:
        trace, id, parent: ids; `parent` is None at the root.
        start: a text that sorts as the start times do; `position` breaks ties.
        attributes: flat, values parsed.
        is_tool: whether it is one call of the tool `tool`.
        output: None if none was logged; `problem` is the status message of a failed span.
        is_error: by the status; a status that is not set is no error.
    """

    trace: str
    id: str
    parent: str | None
    name: str
    start: str
    position: int
    ts: datetime | None
    attributes: dict[str, Any]
    is_tool: bool
    tool: str
    call_id: str | None
    arguments: str | None
    output: str | None
    is_error: bool
    problem: str | None


def is_langfuse(record: dict[str, Any]) -> bool:
    """Whether a record is Langfuse's export of a trace."""
    listed = record.get("observations")
    if not isinstance(listed, list) or not ("trace" in record or "timestamp" in record):
        return False
    return not listed or "startTime" in mapping(listed[0])


def is_js_span(record: dict[str, Any]) -> bool:
    """Whether a record is a span as the SDKs print it."""
    keys = record.keys()
    return isinstance(record.get("attributes"), dict) and bool(
        {"spanContext", "context", "traceId", "trace_id", "spanId", "span_id"} & keys
    )


def is_bare_span(record: dict[str, Any]) -> bool:
    """Whether a record is nothing but the attributes of a span."""
    return any(key.startswith(PREFIXES) for key in record if isinstance(key, str))


def spans_of(record: dict[str, Any], fallback: str) -> list[Span]:
    """Return the spans in one record.

    Raises:
        WrongType: the record is not what its keys promise.
    """
    if "resourceSpans" in record:
        return list(_from_otlp(record))
    if is_langfuse(record):
        return list(_from_langfuse(record, fallback))
    if is_js_span(record):
        return [_from_sdk(record, fallback)]
    return [_span(fallback, "0", None, str(record.get("name", "")), None, 0, record, {})]


def _from_otlp(record: dict[str, Any]) -> Iterator[Span]:
    for resource in objects(record["resourceSpans"], "resourceSpans"):
        scopes = resource.get("scopeSpans", resource.get("instrumentationLibrarySpans"))
        for scope in objects(scopes, "scopeSpans"):
            for position, span in enumerate(objects(scope.get("spans"), "spans")):
                attributes = _attributes(objects(span.get("attributes"), "spans.attributes"))
                yield _span(
                    _required(span.get("traceId"), "traceId"),
                    _required(span.get("spanId"), "spanId"),
                    identity(span.get("parentSpanId")),
                    str(span.get("name", "")),
                    span.get("startTimeUnixNano"),
                    position,
                    attributes,
                    {"status": span.get("status")},
                )


def _required(value: Any, field: str) -> str:
    name = identity(value)
    if name is None:
        raise WrongType("missing or no text", field)
    return name


def _nanoseconds(value: Any) -> Any:
    try:
        return int(value) if isinstance(value, (int, str)) else None
    except ValueError:
        return None


def _attributes(listed: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {str(item.get("key")): _value(mapping(item.get("value"))) for item in listed}


def _value(wrapped: dict[str, Any]) -> Any:
    """Unwrap OTLP's typed value."""
    if "arrayValue" in wrapped:
        values = mapping(wrapped["arrayValue"]).get("values")
        return [_value(mapping(v)) for v in values] if isinstance(values, list) else []
    if "kvlistValue" in wrapped:
        values = mapping(wrapped["kvlistValue"]).get("values")
        listed = [mapping(v) for v in values] if isinstance(values, list) else []
        return _attributes(listed)
    return next(iter(wrapped.values()), None)


def _from_langfuse(record: dict[str, Any], fallback: str) -> Iterator[Span]:
    trace = mapping(record.get("trace")) or record
    name = identity(trace.get("id")) or fallback
    for position, seen in enumerate(objects(record.get("observations"), "observations")):
        metadata = mapping(loaded(seen.get("metadata")))
        attributes = {**mapping(loaded(metadata.get("attributes")))}
        attributes.setdefault("langfuse.observation.type", str(seen.get("type")).lower())
        for key in ("input", "output"):
            if seen.get(key) is not None:
                attributes[key] = seen[key]
        yield _span(
            identity(seen.get("traceId")) or name,
            _required(seen.get("id"), f"observations[{position}].id"),
            identity(seen.get("parentObservationId")),
            str(seen.get("name") or ""),
            seen.get("startTime"),
            position,
            attributes,
            {"code": seen.get("level"), "message": seen.get("statusMessage")},
        )


def _from_sdk(record: dict[str, Any], fallback: str) -> Span:
    context = mapping(record.get("spanContext") or record.get("context")) or record
    start = record.get("startTime", record.get("start_time", record.get("startTimeUnixNano")))
    if isinstance(start, list) and len(start) == 2:  # seconds and nanoseconds
        whole, part = start
        start = whole * 10**9 + part if type(whole) is type(part) is int else None
    return _span(
        identity(context.get("traceId") or context.get("trace_id")) or fallback,
        _required(context.get("spanId") or context.get("span_id"), "spanId"),
        identity(record.get("parentSpanId") or record.get("parent_id")),
        str(record.get("name", "")),
        start,
        0,
        mapping(record["attributes"]),
        {"status": record.get("status")},
    )


def _span(
    trace: str,
    own: str,
    parent: str | None,
    name: str,
    start: Any,
    position: int,
    attributes: dict[str, Any],
    told: dict[str, Any],
) -> Span:
    status = told.get("status", told)
    status = mapping(status) if isinstance(status, dict) else {"code": status}
    code = status.get("code", status.get("status_code"))
    failed = code in FAILED or code == 2 or attributes.get("error.type") is not None
    output = _first(attributes, OUTPUTS)
    problem = status.get("message") or status.get("description")
    is_tool = _is_tool(attributes)
    return Span(
        trace=trace,
        id=own,
        parent=parent,
        name=name,
        start=_sortable(start),
        position=position,
        ts=time_of(start if _nanoseconds(start) is None else _nanoseconds(start)),
        attributes=attributes,
        is_tool=is_tool,
        tool=_tool_name(attributes, name) if is_tool else "",
        call_id=identity(_first(attributes, CALL_IDS)),
        arguments=args_text(_first(attributes, ARGUMENTS)),
        output=args_text(output),
        is_error=failed,
        problem=problem if failed and isinstance(problem, str) else None,
    )


def _sortable(start: Any) -> str:
    """Return a text that sorts as times do: numbers by value, ISO times as they are."""
    number = _nanoseconds(start)
    return f"{number:030d}" if number is not None else json.dumps(start, default=str)


def _first(attributes: dict[str, Any], names: Iterable[str]) -> Any:
    return next((attributes[name] for name in names if attributes.get(name) is not None), None)


def _is_tool(attributes: dict[str, Any]) -> bool:
    if attributes.get("gen_ai.operation.name") == "execute_tool":
        return True
    if any(str(attributes.get(key)).lower() == "tool" for key in KINDS):
        return True
    return any(
        isinstance(attributes.get(key), str) for key in ("gen_ai.tool.name", "ai.toolCall.name")
    )


def _tool_name(attributes: dict[str, Any], name: str) -> str:
    known = _first(attributes, NAMES)
    if isinstance(known, str) and known:
        return known
    lead = next((lead for lead in WRAPPERS if name.startswith(lead)), "")
    return name.removeprefix(lead) or "tool"
