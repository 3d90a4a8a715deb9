"""A commit as a step, whatever it was read from: a repository, or MINTEval's records.

See docs/architecture.md, "Commit histories".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Literal

from tallysql.archive.formats.json_text import json_text
from tallysql.archive.rows import Step

if TYPE_CHECKING:
    from datetime import datetime

TOOL = "commit"
"""Tool of all steps that are commits."""

SHORT = 7
"""Characters of a hash that the action shows."""

Status = Literal["added", "modified", "deleted", "renamed", "copied"]

GIT_HEADING = "diff --git "
HUNK = "@@ "
_BINARY = re.compile(r"\A(?:(?!@@).*\n)*(?:Binary files |GIT binary patch)")
_WITHOUT_GIT = re.compile(r"^--- .*\n\+\+\+ ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a commit did to one file.

    Attributes:
        path: the path after the commit; that of the deleted file for a deletion.
        old_path: the path before, for renames and copies.
        sections: how many sections of the patch the file takes: two where its type changed.
        added, deleted: lines, None for binary files.
        start, end: code points of the observation that hold the file's patch.
    """

    status: Status
    path: str
    old_path: str | None = None
    sections: int = 1
    added: int | None = None
    deleted: int | None = None
    start: int | None = None
    end: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the change as `files` in a step's arguments holds it."""
        shape = {
            "status": self.status,
            "path": self.path,
            "old_path": self.old_path,
            "added": self.added,
            "deleted": self.deleted,
            "start": self.start,
            "end": self.end,
        }
        return {name: value for name, value in shape.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit; `date` is what the observation shows, `ts` the same moment in UTC."""

    sha: str
    parents: tuple[str, ...]
    author: str
    email: str | None
    date: str
    ts: datetime | None
    subject: str
    message: str
    patch: str
    files: tuple[FileChange, ...]


def commit_step(commit: Commit, max_file_lines: int | None = None) -> Step:
    """Return the step of a commit: its number is its position in the source.

    Args:
        commit: its patch as a unified diff.
        max_file_lines: at most so many lines of each file's patch are kept, headings not counted;
            how many are left out is said in their place. Line counts are those of the whole patch.
    """
    head = f"{_heading(commit)}\n{commit.message.rstrip()}\n\n"
    patch, files = _placed(commit, len(head), max_file_lines)
    facts = {
        "sha": commit.sha,
        "parents": list(commit.parents),
        "author": commit.author,
        "date": commit.date,
        "files": [file.as_json() for file in files],
    }
    return Step(
        action=f"commit {commit.sha[:SHORT]}: {commit.subject}",
        observation=head + patch,
        tool=TOOL,
        args=json_text(facts),
        ts=commit.ts,
        source_ref=commit.sha,
    )


def _heading(commit: Commit) -> str:
    email = f" <{commit.email}>" if commit.email else ""
    return f"Author: {commit.author}{email}\nDate: {commit.date}\n"


def _placed(
    commit: Commit, at: int, max_file_lines: int | None
) -> tuple[str, tuple[FileChange, ...]]:
    """Return the patch and the files with their places and line counts."""
    sections = _sections(commit.patch)
    if sum(file.sections for file in commit.files) != len(sections):
        return commit.patch, commit.files
    texts: list[str] = []
    files: list[FileChange] = []
    taken = 0
    for file in commit.files:
        own = sections[taken : taken + file.sections]
        taken += file.sections
        text = _shortened(own, max_file_lines)
        texts.append(text)
        added, deleted = _line_counts(file, own)
        end = at + len(text)
        files.append(
            FileChange(
                file.status, file.path, file.old_path, file.sections, added, deleted, at, end
            )
        )
        at = end
    return "".join(texts), tuple(files)


def _sections(patch: str) -> list[str]:
    """Cut a patch where a file begins; no line of a hunk can look like a heading of git's."""
    if patch.startswith(GIT_HEADING):
        parts = patch.removeprefix(GIT_HEADING).split("\n" + GIT_HEADING)
        return [f"{GIT_HEADING}{part}\n" for part in parts[:-1]] + [GIT_HEADING + parts[-1]]
    starts = [found.start() for found in _WITHOUT_GIT.finditer(patch)]
    return [patch[start:end] for start, end in pairwise([*starts, len(patch)])]


def _line_counts(file: FileChange, sections: list[str]) -> tuple[int | None, int | None]:
    """Count the lines that hunks add and delete: each begins with its sign, and nothing else does.

    The same numbers as `git log --numstat`, which would compare all files a second time.
    """
    if file.added is not None or any(_BINARY.search(section) for section in sections):
        return file.added, file.deleted
    hunks = [section.partition("\n@@ ")[2] for section in sections]
    return sum(text.count("\n+") for text in hunks), sum(text.count("\n-") for text in hunks)


def _shortened(sections: list[str], max_lines: int | None) -> str:
    """Return a file's patch with at most so many lines of its hunks, headings not counted."""
    if max_lines is None:
        return "".join(sections)
    kept: list[str] = []
    left = max_lines
    for section in sections:
        head, hunks, body = section.partition("\n@@ ")
        lines = (hunks[1:] + body).removesuffix("\n").split("\n") if hunks else []
        counts = list(accumulate(not line.startswith(HUNK) for line in lines))
        short = [line for line, count in zip(lines, counts, strict=True) if count <= left]
        if len(short) == len(lines):
            kept.append(section)
        else:
            said = f"… {counts[-1] - left} more lines left out"
            kept.append("\n".join([head, *short, said]) + "\n")
        left -= min(left, counts[-1] if counts else 0)
    return "".join(kept)
