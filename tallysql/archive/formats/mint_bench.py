"""MINT-bench's ALFWorld runs: result lines with a dialogue of Python blocks, ground-truth texts.

In a result a step is a turn of the assistant: its block may make many calls, which print what they
like, so that results cannot be told apart. In a ground-truth text a step is a block, each of its
calls a row, and each line of the observation the result of one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import (
    MESSAGE,
    each_record,
    flatten,
    identity,
    mapping,
    objects,
    run_name,
)
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.rows import Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

TURN = b"Assistant:\n<execute>\n"
BLOCK = re.compile(r"Assistant:\n<execute>\n(.*?)\n?</execute>\s*Observation:\n?(.*)", re.DOTALL)
EXECUTED = re.compile(r"<execute>\n?(.*?)\n?</execute>", re.DOTALL)
SOLVED = re.compile(r"<solution>\n?(.*?)\n?</solution>", re.DOTALL)
OUTCOME = ("success", "finished", "terminate_reason", "error", "latest_output")


def detect(source: SourceFile) -> bool:
    """Whether the text starts with a block, or the first record has a run's state and its task."""
    if source.shape == "text":
        return source.head.lstrip().startswith(TURN) and b"Observation:" in source.head
    return any(
        isinstance(mapping(record.get("state")).get("history"), list)
        and "task_id" in mapping(record.get("task"))
        for record in source.sample[:1]
    )


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a result, or the one that a text tells."""
    if source.shape == "text":
        text = source.data().decode("utf-8", "replace")
        yield Trajectory(run_name(source), list(_from_text(text)))
        return
    yield from each_record(source, lambda record: _from_result(record, run_name(source)))


def _from_text(text: str) -> Iterator[Step]:
    for number, turn in enumerate(re.split(r"(?m)^(?=Assistant:\n)", text)[1:]):
        found = BLOCK.match(turn)
        calls = found[1].split("\n") if found else [turn]
        results = found[2].removesuffix("\n").split("\n") if found and found[2] else []
        for place, call in enumerate(calls):
            result = results[place] if place < len(results) else None
            if place == len(calls) - 1 and len(results) > len(calls):
                result = "\n".join(results[place:])
            yield Step(call, result, number, place)


def _from_result(record: dict[str, Any], file: str) -> Iterator[Trajectory]:
    state, task = mapping(record.get("state")), mapping(record.get("task"))
    calls = Calls()
    for message in objects(state.get("history"), "state.history"):
        text = flatten(message.get("content")) or ""
        if message.get("role") == "assistant":
            _take(calls, text)
        else:
            calls.answer_last(text)
    facts = {key: state[key] for key in OUTCOME if key in state}
    prompt = task.get("prompt")
    yield Trajectory(
        f"{file}/{identity(task.get('task_id')) or 'unnamed'}",
        calls.steps(),
        prompt if isinstance(prompt, str) else None,
        identity(task.get("task_name")),
        {**facts, "reference": task.get("reference")},
    )


def _take(calls: Calls, text: str) -> None:
    for tool, pattern in (("python", EXECUTED), ("solution", SOLVED)):
        found = pattern.findall(text)
        if len(found) == 1:
            calls.call(None, tool, found[0], action=found[0])
            return
    calls.call(None, MESSAGE, None, action=text)


FORMAT = Format(
    "mint-bench",
    "MINT-bench: result lines (state.history, task), ground-truth texts with <execute> blocks",
    detect,
    read,
)
