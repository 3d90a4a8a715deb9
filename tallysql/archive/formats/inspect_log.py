"""Inspect logs: `.json`, the ZIP archive `.eval`, and single samples out of one.

A step is a turn of the assistant: one row a tool call, or one row for what it said. Results come
from the tool messages; calls that only the events hold (compacted messages) come from those.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from functools import partial
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import (
    each_of,
    flatten,
    identity,
    mapping,
    name_text,
    objects,
    time_of,
)
from tallysql.archive.formats.chat import Conversation
from tallysql.archive.formats.columns import WrongType
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.source import unpacked_limit
from tallysql.archive.rows import Damage, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

ZIP = b"PK\x03\x04"
ZSTD = 93
DAMAGED = (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, NotImplementedError)
ATTACHMENT = re.compile(r"attachment://([0-9a-f]{16,64})")
KEPT = ("target", "scores", "metadata", "error", "limit", "model_usage", "total_time")
LOG_KEYS = {"version", "status", "plan", "results", "stats", "samples"}


def detect(source: SourceFile) -> bool:
    """Whether the file is a ZIP with a header or samples, a log, or one sample."""
    if source.head.startswith(ZIP):
        try:
            with zipfile.ZipFile(io.BytesIO(source.data())) as archive:
                names = archive.namelist()
        except DAMAGED:
            return False
        return any(name == "header.json" or name.startswith("samples/") for name in names)
    return any(_is_log(record) or _is_sample(record) for record in source.sample[:1])


def _is_log(record: dict[str, Any]) -> bool:
    return isinstance(record.get("eval"), dict) and bool(LOG_KEYS & record.keys())


def _is_sample(record: dict[str, Any]) -> bool:
    if {"messages", "epoch", "id"} <= record.keys():
        return True
    events = record.get("events")
    return isinstance(events, list) and bool(events) and "event" in mapping(events[0])


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a sample and epoch."""
    if source.head.startswith(ZIP):
        yield from _from_archive(source)
        return
    for record in source.records():
        if isinstance(record, Damage):
            yield record
            continue
        name, log = _log_name(record[1], source), record[1]
        if "samples" not in log and not _is_log(log):
            yield from each_of([record], partial(_trajectory, log=name))
            continue
        try:
            samples = objects(log.get("samples"), "samples")
        except WrongType as error:
            yield Damage(record[0], f"{error.field}: {error}")
            continue
        numbered = ((f"samples[{place}]", sample) for place, sample in enumerate(samples))
        yield from each_of(numbered, partial(_trajectory, log=name))


def _log_name(log: dict[str, Any], source: SourceFile) -> str:
    task = mapping(log.get("eval"))
    parts = [identity(task.get("task")), identity(task.get("eval_id") or task.get("run_id"))]
    return "_".join(part for part in parts if part) or source.default_id


def _from_archive(source: SourceFile) -> Records:
    try:
        with zipfile.ZipFile(io.BytesIO(source.data())) as archive:
            _require_size(archive, unpacked_limit(source.size))
            header: Any = {}
            if "header.json" in archive.namelist():
                header = source.parse(_member(archive, "header.json"))
            name = _log_name(mapping(header), source)
            yield from each_of(_samples(source, archive), partial(_trajectory, log=name))
    except DAMAGED as error:
        raise source.error(f"not an Inspect archive: {error}") from None


def _require_size(archive: zipfile.ZipFile, limit: int) -> None:
    """Check what the members say they unpack to; they are never read beyond that."""
    if sum(info.file_size for info in archive.infolist()) > limit:
        raise ValueError(f"it unpacks to more than {limit} bytes, which no log of its size does")


def _samples(
    source: SourceFile, archive: zipfile.ZipFile
) -> Iterator[tuple[str, dict[str, Any]] | Damage]:
    for name in archive.namelist():
        if not name.startswith("samples/") or not name.endswith(".json"):
            continue
        try:
            value = source.parse(_member(archive, name))
        except (*DAMAGED, LookupError, RuntimeError) as error:
            yield Damage(name, f"cannot be read: {error}")
            continue
        yield (name, value) if isinstance(value, dict) else Damage(name, "not an object")


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Read a member; Python's zipfile knows no zstd before 3.14."""
    info = archive.getinfo(name)
    if info.compress_type != ZSTD:
        return archive.read(name)
    import pyarrow as pa

    stream = archive.fp
    if stream is None:
        raise ValueError("the archive is closed")
    stream.seek(info.header_offset + 26)
    lengths = stream.read(4)
    stream.seek(int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little"), 1)
    packed = pa.BufferReader(stream.read(info.compress_size))
    data = bytes(pa.CompressedInputStream(packed, "zstd").read(info.file_size + 1))
    if len(data) > info.file_size:
        raise ValueError("longer than its archive says")
    return data


def _trajectory(sample: dict[str, Any], log: str) -> Iterator[Trajectory]:
    attachments = mapping(sample.get("attachments"))
    events = objects(sample.get("events"), "events")
    times = {
        event.get("id"): time_of(event.get("timestamp"))
        for event in events
        if event.get("event") == "tool" and isinstance(event.get("id"), str)
    }
    conversation = Conversation(says=True, tells_errors=True)
    called: set[Any] = set()
    for number, message in enumerate(objects(sample.get("messages"), "messages")):
        place = f"messages[{number}]"
        whole = _with_attachments(message, attachments)
        listed = objects(message.get("tool_calls"), f"{place}.tool_calls")
        called.update(str(call.get("id")) for call in listed)
        first = identity(listed[0].get("id")) if listed else None
        ts = times.get(first) if first else None
        conversation.take(whole, place, **({"ts": ts} if ts else {}))
    _take_events(conversation, events, called, attachments)
    steps = conversation.steps()
    if steps:
        known = {key: sample[key] for key in KEPT if sample.get(key) is not None}
        parts = (log, identity(sample.get("id")), identity(sample.get("epoch")))
        name = "/".join(part for part in parts if part is not None)
        yield Trajectory(name, steps, conversation.task, metadata=known)


def _take_events(
    conversation: Conversation,
    events: list[dict[str, Any]],
    called: set[Any],
    attachments: dict[str, Any],
) -> None:
    """Take the calls that no message holds."""
    for number, event in enumerate(events):
        if event.get("event") != "tool" or str(event.get("id")) in called:
            continue
        if "result" not in event and "function" not in event:
            continue
        whole = _with_attachments(event, attachments)
        tool = name_text(whole.get("function"), f"events[{number}].function")
        ts, error = time_of(whole.get("timestamp")), whole.get("error")
        conversation.calls.call(whole.get("id"), tool, whole.get("arguments"), ts=ts)
        text = flatten(whole.get("result"))
        if not text and isinstance(error, dict):
            text = flatten(error.get("message"))
        conversation.calls.result(whole.get("id"), text, is_error=error is not None)


def _with_attachments(value: Any, attachments: dict[str, Any]) -> Any:
    """Put the texts in that placeholders stand for."""
    if not attachments:
        return value
    if isinstance(value, str):
        if "attachment://" not in value:
            return value
        return ATTACHMENT.sub(lambda m: str(attachments.get(m[1], m[0])), value)
    if isinstance(value, list):
        return [_with_attachments(item, attachments) for item in value]
    if isinstance(value, dict):
        return {key: _with_attachments(item, attachments) for key, item in value.items()}
    return value


FORMAT = Format(
    "inspect",
    "Inspect logs: .json and .eval (ZIP with samples/), by sample and epoch",
    detect,
    read,
    nothing="an Inspect log without samples that hold messages",
)
