"""OpenTelemetry traces: OTLP JSON lines, lists of spans, Langfuse exports.

A step is a tool span, in order of start time; attributes follow GenAI conventions, OpenInference
or a framework's own names. A trace without tool spans is read by the calls in the messages of its
model spans.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import damage_of, identity
from tallysql.archive.formats.columns import WrongType
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.formats.span_messages import called_in, results_in
from tallysql.archive.formats.spans import (
    Span,
    is_bare_span,
    is_js_span,
    is_langfuse,
    spans_of,
)
from tallysql.archive.rows import Damage, Trajectory

if TYPE_CHECKING:
    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile
    from tallysql.archive.rows import Step


def detect(source: SourceFile) -> bool:
    """Whether a record is an OTLP export, a Langfuse export, or a span."""
    return any(
        isinstance(record.get("resourceSpans"), list)
        or is_langfuse(record)
        or is_js_span(record)
        or is_bare_span(record)
        for record in source.sample[:5]
    )


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a conversation, or a trace where spans name no conversation."""
    traces: dict[str, list[Span]] = {}
    for record in source.records():
        if isinstance(record, Damage):
            yield record
            continue
        number, value = record
        try:
            found = spans_of(value, source.default_id)
        except WrongType as error:
            yield damage_of(number, error)
            continue
        for span in found:
            traces.setdefault(span.trace, []).append(span)
    runs: dict[str, list[Span]] = {}
    for name, spans in traces.items():
        runs.setdefault(_conversation(spans) or name, []).extend(spans)
    for name, spans in runs.items():
        ordered = sorted(spans, key=lambda span: (span.start, span.position))
        if steps := _from_tools(ordered) or _from_models(ordered):
            yield Trajectory(name, steps, metadata=_facts(ordered))


def _conversation(spans: list[Span]) -> str | None:
    ids = (identity(span.attributes.get("gen_ai.conversation.id")) for span in spans)
    return next((name for name in ids if name), None)


def _facts(spans: list[Span]) -> dict[str, Any]:
    traces = list(dict.fromkeys(span.trace for span in spans))
    root = next((span.name for span in spans if span.parent is None), spans[0].name)
    return {"traces": traces, "name": root}


def _from_tools(spans: list[Span]) -> list[Step]:
    """Read the tool spans; a call that two layers of a framework logged counts once."""
    calls = Calls()
    tools = {span.id: span for span in spans if span.is_tool}
    called: set[str] = set()
    for span in tools.values():
        outer = tools.get(span.parent or "")
        if outer is not None and (outer.tool, outer.arguments) == (span.tool, span.arguments):
            continue
        if span.call_id is not None:
            key = f"{span.tool} {span.call_id} {span.arguments}"
            if key in called:
                continue
            called.add(key)
        calls.call(
            span.id, span.tool, span.arguments, ts=span.ts, source_ref=span.call_id or span.id
        )
        if span.output is not None or span.problem is not None:
            text = span.output if span.output is not None else span.problem
            calls.result(span.id, text, is_error=span.is_error)
    return calls.steps()


def _from_models(spans: list[Span]) -> list[Step]:
    """Read the calls in what models answered, and the results in what they were sent next."""
    calls = Calls(unique=True)
    for span in spans:
        if span.is_tool:
            continue
        for call_id, tool, arguments in called_in(span):
            calls.call(call_id, tool, arguments, turn=span.id, ts=span.ts)
        for call_id, text in results_in(span):
            calls.result(call_id, text, ts=span.ts)
    return calls.steps()


FORMAT = Format(
    "otel",
    "OpenTelemetry: OTLP JSON lines, spans with gen_ai.* or OpenInference, Langfuse exports",
    detect,
    read,
    nothing="spans without a tool call",
)
