"""MINTEval's commit histories: JSON records whose contexts are commits (paper, section 7).

`contexts` is a list of `{content, timestamp}`. The content is an object (as JSON text or as it is)
with commit_sha, parent_sha, timestamp, user, user_id, comment and combined_patch; or header lines,
a message, and a unified diff.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.columns import WrongType, moment
from tallysql.archive.formats.commit_steps import Commit, FileChange, commit_step
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.json_text import parse_json
from tallysql.archive.rows import Damage, Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unidiff.patch import PatchedFile

    from tallysql.archive.formats.commit_steps import Status
    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

CONTEXTS = "contexts"
IDS = ("trajectory_id", "id", "repo", "repository", "repo_name", "repo_full_name")
NAMES = {
    "sha": ("commit_sha", "commit", "sha", "hash"),
    "parents": ("parent_sha", "parent", "parents"),
    "author": ("user", "author", "user_id"),
    "date": ("timestamp", "date"),
    "message": ("comment", "message", "subject"),
    "patch": ("combined_patch", "patch", "diff"),
}
"""Part of a commit → the names that records and header lines give it."""

_HEADER = re.compile(r"(?P<name>[A-Za-z][\w ]*?): *(?P<value>.*)|commit (?P<sha>[0-9a-f]{7,40})")
_KNOWN = frozenset(name for names in NAMES.values() for name in names)
_PERSON = re.compile(r"(?P<name>.*\S)\s*<(?P<email>[^<>]*)>")
_PATCH = re.compile(r"^(?:diff --git |--- (?:a/|/dev/null))", re.MULTILINE)


def detect(source: SourceFile) -> bool:
    """Whether the first record has a list `contexts` whose contents read as commits."""
    for record in source.sample[:1]:
        contexts = _contexts(record)
        return contexts is not None and any(map(_facts, contexts[:1]))
    return False


def read(source: SourceFile) -> Records:
    """Yield one Trajectory a record; a step is the position among its contexts, oldest first."""
    for record in source.records():
        if isinstance(record, Damage):
            yield record
            continue
        number, row = record
        contexts = _contexts(row)
        if contexts is None:
            yield Damage(number, "expected a list of objects in `contexts`")
            continue
        yield _trajectory(source, number, row, contexts)


def _trajectory(
    source: SourceFile, number: int, row: Mapping[str, Any], contexts: list[dict[str, Any]]
) -> Trajectory:
    metadata = _object(row.get("metadata")) or {}
    told = next((str(p[k]) for p in (row, metadata) for k in IDS if p.get(k)), None)
    name = source.trajectory_id or told or f"{source.default_id}-{number}"
    found = [_facts(context) for context in contexts]
    steps = [
        _step(source, facts) if facts else Step(None, str(context.get("content")))
        for facts, context in zip(found, contexts, strict=True)
    ]
    return Trajectory(name, steps, domain="commits", metadata=metadata)


def _contexts(row: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    listed = row.get(CONTEXTS)
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        return None
    return listed


def _facts(context: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the parts of a commit under the names of NAMES; None if the content is none."""
    content = context.get("content")
    given = _object(content)
    if given is None:
        given = _read_text(content) if isinstance(content, str) else {}
    facts: dict[str, str] = {}
    for part, names in NAMES.items():
        value = next((given[name] for name in names if given.get(name)), None)
        facts[part] = " ".join(value) if isinstance(value, list) else str(value or "")
    facts["date"] = facts["date"] or str(context.get("timestamp") or "")
    return facts if facts["sha"] and (facts["patch"] or facts["author"]) else None


def _object(value: Any) -> dict[str, Any] | None:
    """Return the object that a value is, as it stands or as JSON text."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value, _ = parse_json(value.encode("utf-8", "surrogatepass"))
        except ValueError:
            return None
    return value if isinstance(value, dict) else None


def _read_text(content: str) -> dict[str, str]:
    """Read header lines, the message among or behind them, and the diff."""
    start = _PATCH.search(content)
    head = content[: start.start()] if start else content
    facts = {"patch": content[start.start() :] if start else ""}
    message: list[str] = []
    for line in head.split("\n"):
        found = _HEADER.fullmatch(line.strip())
        name = found["name"].lower().replace(" ", "_") if found and found["name"] else None
        if found and found["sha"]:
            facts["sha"] = found["sha"]
        elif name in NAMES["patch"] and found and not found["value"]:
            continue  # the heading of the diff
        elif name not in _KNOWN or name in facts or (message and line[:1] == " "):
            message.append(line.removeprefix("    "))
        elif name in NAMES["message"]:
            facts[name], message = "", [found["value"] if found else ""]
        else:
            facts[name] = found["value"] if found else ""
    text = "\n".join(message).strip("\n")
    return {name: value for name, value in facts.items() if name not in NAMES["message"]} | (
        {"message": text} if text else {}
    )


def _step(source: SourceFile, facts: Mapping[str, str]) -> Step:
    message = facts["message"].strip("\n")
    try:
        ts = moment(facts["date"])
    except WrongType:
        ts = None
    person = _PERSON.fullmatch(facts["author"])
    commit = Commit(
        sha=facts["sha"],
        parents=tuple(facts["parents"].split()),
        author=person["name"] if person else facts["author"],
        email=person["email"] if person else None,
        date=facts["date"],
        ts=ts,
        subject=message.split("\n", 1)[0],
        message=message,
        patch=facts["patch"],
        files=_files(source, facts),
    )
    return commit_step(commit)


def _files(source: SourceFile, facts: Mapping[str, str]) -> tuple[FileChange, ...]:
    """Let unidiff tell the files of a patch; a patch that it cannot read has none."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        return tuple(map(_file, PatchSet(facts["patch"])))
    except UnidiffParseError as error:
        source.warn(f"commit {facts['sha'][:7]}: its patch does not parse ({error})")
        return ()


def _file(file: PatchedFile) -> FileChange:
    status: Status = "modified"
    if file.is_rename:
        status = "renamed"
    elif file.is_added_file:
        status = "added"
    elif file.is_removed_file:
        status = "deleted"
    old = _plain(file.source_file).removeprefix("a/") if file.is_rename else None
    counts = (None, None) if file.is_binary_file else (file.added, file.removed)
    return FileChange(status, _plain(file.path), old, 1, *counts)


def _plain(path: str) -> str:
    """Return a path without git's quotes, in which bytes are written as C does."""
    if len(path) < 2 or path[0] != '"' or path[-1] != '"':
        return path
    octal = "".join(c if c.isascii() else "".join(f"\\{b:03o}" for b in c.encode()) for c in path)
    try:
        raw = ast.literal_eval(f"b{octal}")
    except (SyntaxError, ValueError):
        return path
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else path


FORMAT = Format("mint", "MINTEval: JSON records with `contexts`, one commit each", detect, read)
"""The table's entry."""
