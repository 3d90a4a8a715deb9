"""Claude Code: session files, files of sub-agents, the web export.

A step is a `tool_use`; its result is the `tool_result` of that id in a later user line. Calls of
one API message share a step, though each stands in a line of its own. Texts between calls are no
steps: the first prompt is the task, the last answer is in the metadata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import (
    damage_of,
    flatten,
    mapping,
    name_text,
    run_name,
    time_of,
)
from tallysql.archive.formats.columns import WrongType
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.pairing import Calls
from tallysql.archive.rows import Damage, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile
    from tallysql.archive.rows import Step

EXPORT = "loglines"
TALK = ("user", "assistant")
KEPT = ("cwd", "gitBranch", "version", "slug")
"""What a line says of its whole session."""


def detect(source: SourceFile) -> bool:
    """Whether a line has a session id and a type that Claude Code writes."""
    return any(_is_line(record) or _is_export(record) for record in source.sample)


def _is_line(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    if kind == "summary":
        return "leafUuid" in record
    if kind == "file-history-snapshot":
        return "snapshot" in record
    return isinstance(record.get("sessionId"), str) and isinstance(kind, str)


def _is_export(record: dict[str, Any]) -> bool:
    lines = record.get(EXPORT)
    return isinstance(lines, list) and any(_is_line(mapping(line)) for line in lines[:20])


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a session and one a sub-agent; long ones in pieces."""
    sessions: dict[str, _Session] = {}
    names = _Names(source)
    for record in _lines(source):
        if isinstance(record, Damage):
            yield record
            continue
        number, line = record
        if line.get("type") not in TALK:
            continue
        name = names.of(line)
        session = sessions.get(name)
        if session is None:
            session = sessions[name] = _Session(name)
        try:
            session.take(line)
        except WrongType as error:
            yield damage_of(number, error)
        if steps := session.calls.piece():
            yield session.trajectory(steps)
    for session in sessions.values():
        if steps := session.calls.steps():
            yield session.trajectory(steps)


def _lines(source: SourceFile) -> Iterator[tuple[int, dict[str, Any]] | Damage]:
    for record in source.records():
        if isinstance(record, Damage) or EXPORT not in record[1]:
            yield record
            continue
        for number, line in enumerate(record[1][EXPORT], 1):
            problem = Damage(f"{EXPORT}[{number - 1}]", "not an object")
            yield (number, line) if isinstance(line, dict) else problem


class _Names:
    """Tells which trajectory a line belongs to: its session, or a sub-agent of it."""

    def __init__(self, source: SourceFile) -> None:
        self._fallback = run_name(source)
        self._branches: dict[str, str] = {}

    def of(self, line: dict[str, Any]) -> str:
        session = line.get("sessionId")
        name = session if isinstance(session, str) and session else self._fallback
        agent = line.get("agentId")
        if isinstance(agent, str) and agent:
            return f"{name}/agent-{agent}"
        if line.get("isSidechain") is True:
            return f"{name}/sidechain-{self._branch(line)}"
        return name

    def _branch(self, line: dict[str, Any]) -> str:
        """Name an older version's sub-agent, which has no id, after its first line."""
        own, parent = str(line.get("uuid")), str(line.get("parentUuid"))
        branch = self._branches.get(parent, own[:8])
        self._branches[own] = branch
        return branch


class _Session:
    """What the lines of one session told so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.calls = Calls(unique=True)
        self._task: str | None = None
        self._facts: dict[str, Any] = {}
        self._seen: set[str] = set()

    def trajectory(self, steps: list[Step]) -> Trajectory:
        return Trajectory(self.name, steps, self._task, None, dict(self._facts), is_piece=True)

    def take(self, line: dict[str, Any]) -> None:
        """Read one user or assistant line; a line that was logged before is skipped."""
        own = line.get("uuid")
        if isinstance(own, str):
            if own in self._seen:
                return
            self._seen.add(own)
        for key in KEPT:
            if line.get(key) is not None:
                self._facts.setdefault(key, line[key])
        message = line.get("message")
        content = message.get("content") if isinstance(message, dict) else message
        if isinstance(content, list):
            self._take_blocks(line, mapping(message), content)
        elif isinstance(content, str):
            self._take_text(line, content)

    def _take_blocks(
        self, line: dict[str, Any], message: dict[str, Any], blocks: list[Any]
    ) -> None:
        if isinstance(message.get("model"), str):
            self._facts.setdefault("model", message["model"])
        words = []
        for block in blocks:
            kind = block.get("type") if isinstance(block, dict) else "text"
            if not isinstance(kind, str):
                raise WrongType("block without a type", "message.content")
            if kind.endswith("tool_use"):
                self._take_call(line, message, block)
            elif kind.endswith("tool_result"):
                self._take_result(line, block)
            elif kind == "text":
                words.append(block)
        if words:
            self._take_text(line, flatten(words) or "")

    def _take_call(
        self, line: dict[str, Any], message: dict[str, Any], block: dict[str, Any]
    ) -> None:
        tool = name_text(block.get("name"), "message.content.name")
        ts = time_of(line.get("timestamp"))
        turn = message.get("id") if isinstance(message.get("id"), str) else None
        self.calls.call(block.get("id"), tool, block.get("input"), turn=turn, ts=ts)

    def _take_result(self, line: dict[str, Any], block: dict[str, Any]) -> None:
        observation = flatten(block.get("content")) or ""
        failed = block.get("is_error") is True  # absent where the call succeeded
        ts = time_of(line.get("timestamp"))
        self.calls.result(block.get("tool_use_id"), observation, is_error=failed, ts=ts)

    def _take_text(self, line: dict[str, Any], text: str) -> None:
        if line.get("type") == "assistant":
            self._facts["final_message"] = text
        elif self._task is None and not line.get("isMeta"):
            self._task = text


FORMAT = Format(
    "claude-code",
    "Claude Code: session JSONL (sessionId, type, message), sub-agents, web export (loglines)",
    detect,
    read,
    nothing="a Claude Code session without tool calls",
)
