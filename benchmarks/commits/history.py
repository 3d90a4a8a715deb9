"""What git says of a history: the files of each commit, and what a file's variables held.

Independent of the ledger: files come from `git log --name-status`, values from the files as each
commit left them, read by Python's own parsers.
"""

from __future__ import annotations

import ast
import configparser
import json
import re
import subprocess
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

VALUE_FILES = (".py", ".toml", ".cfg", ".json", ".yml", ".yaml")
MOST_VALUES_READ = 60
"""Files whose values are looked at, those with the most commits first."""


@dataclass(frozen=True)
class Touched:
    """One file of a commit: git's letter, the path, the path before a rename."""

    letter: str
    path: str
    old: str | None = None

    @property
    def paths(self) -> set[str]:
        """Return the paths that the change concerns."""
        return {self.path, self.old} - {None}  # type: ignore[return-value]


@dataclass(frozen=True)
class Commit:
    """One commit on the first-parent chain: `parents` are how many, `binary` the paths of git's."""

    sha: str
    author: str
    files: tuple[Touched, ...] = field(default=())
    parents: int = 1
    binary: frozenset[str] = frozenset()

    @property
    def paths(self) -> set[str]:
        """Return all paths that the commit touches."""
        return {path for file in self.files for path in file.paths}


class History:
    """A repository's first-parent history, oldest commit first; a step is an index."""

    def __init__(self, repository: str | Path) -> None:
        self.repository = str(repository)
        spelling: dict[str, str] = {}  # authors that differ only in case are one
        self.commits = [
            replace(commit, author=spelling.setdefault(commit.author.lower(), commit.author))
            for commit in self._read()
        ]

    def git(self, *arguments: str) -> bytes:
        """Run git and return what it prints."""
        command = ["git", "-C", self.repository, *arguments]
        return subprocess.run(command, capture_output=True, check=True).stdout

    def _log(self, form: str) -> list[str]:
        output = self.git(
            "log", "--first-parent", "--reverse", "--topo-order", "--diff-merges=first-parent",
            "-M", form, "-z", "--format=%x01%H%x02%an%x02%P%x02",
        ).decode("utf-8", "replace")  # fmt: skip
        return output.split("\x01")[1:]

    def _read(self) -> list[Commit]:
        blocks = zip(self._log("--name-status"), self._log("--numstat"), strict=True)
        return [_commit(block, counts) for block, counts in blocks]

    def steps(self, path: str, letters: str = "AMDRT") -> list[int]:
        """Return the steps whose commits touch a path in one of the ways (git's letters)."""
        return [
            step
            for step, commit in enumerate(self.commits)
            if any(path in file.paths and file.letter in letters for file in commit.files)
        ]

    @cached_property
    def touches(self) -> dict[str, list[int]]:
        """Return path → steps, for all paths."""
        found: dict[str, list[int]] = defaultdict(list)
        for step, commit in enumerate(self.commits):
            for path in commit.paths:
                found[path].append(step)
        return found

    @cached_property
    def values(self) -> dict[tuple[str, str], list[tuple[int, str]]]:
        """Return (file, name) → [(step, value)], the succession of each top-level variable."""
        found: dict[tuple[str, str], list[tuple[int, str]]] = {}
        often = sorted(self.touches, key=lambda path: -len(self.touches[path]))
        files = [path for path in often if path.endswith(VALUE_FILES)]
        for path in files[:MOST_VALUES_READ]:
            if not self.steps(path, "RT") and len(self.steps(path, "D")) == 0:
                found |= {(path, name): values for name, values in self._successions(path).items()}
        return found

    def _successions(self, path: str) -> dict[str, list[tuple[int, str]]]:
        held: dict[str, list[tuple[int, str]]] = defaultdict(list)
        dubious: set[str] = set()
        texts: list[tuple[str, set[str]]] = []
        for step in self.touches[path]:
            text = self.git("show", f"{self.commits[step].sha}:{path}").decode("utf-8", "replace")
            found = read_values(path, text)
            texts.append((text, set(found)))
            for name, value in found.items():
                if value is None:
                    dubious.add(name)
                else:
                    held[name].append((step, value))
        # assigned elsewhere in the file at another time, it is not the same variable
        dubious |= {
            n for n in held for text, names in texts if n not in names and _mentions(text, n)
        }
        return {n: _merged(found) for n, found in held.items() if n not in dubious}


def _commit(block: str, counts: str) -> Commit:
    sha, author, parents, rest = block.split("\x02", 3)
    parts = [part for part in rest.lstrip("\0\n").split("\0") if part]
    files: list[Touched] = []
    while parts:
        letter = parts.pop(0).strip()[:1]
        if letter in "RC":
            old, new = parts.pop(0), parts.pop(0)
            files.append(Touched(letter, new, old))
        else:
            files.append(Touched(letter, parts.pop(0)))
    # a binary file has dashes for line counts; of a rename, the path is the next part but one
    told = counts.split("\x02", 3)[3].lstrip("\0\n").split("\0")
    binary = {
        told[i + 2] if part == "-\t-\t" else part.removeprefix("-\t-\t")
        for i, part in enumerate(told)
        if part.startswith("-\t-\t")
    }
    return Commit(sha, author, tuple(files), len(parents.split()), frozenset(binary))


def _merged(found: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return [next(group) for _, group in groupby(found, key=lambda pair: pair[1])]


def read_values(path: str, text: str) -> dict[str, str | None]:
    """Return the single-line strings and numbers that a file assigns at its top level.

    None marks a name that the file assigns more than once or otherwise: its history is dubious.
    """
    try:
        pairs = READERS[Path(path).suffix](text)
    except (SyntaxError, ValueError, configparser.Error):
        return {}
    names = [name for name, _ in pairs]
    return {
        name: value if names.count(name) == 1 and _mentions(text, name) == 1 else None
        for name, value in pairs
    }


def _mentions(text: str, name: str) -> int:
    """Count the lines that begin with a name, in any case, and could assign it."""
    heads = [line.strip().lstrip('-{ "').lower() for line in text.splitlines()]
    rests = [head[len(name) :].lstrip(' "') for head in heads if head.startswith(name.lower())]
    return sum(rest[:1] in {"=", ":"} for rest in rests)


def _python(text: str) -> list[tuple[str, str | None]]:
    pairs: list[tuple[str, str | None]] = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            name, value = ast.unparse(node.targets[0]), node.value
            plain = isinstance(value, ast.Constant) and node.lineno == node.end_lineno
            pairs.append((name, _scalar(value.value) if plain else None))  # type: ignore[attr-defined]
    return pairs


def _toml(text: str) -> list[tuple[str, str | None]]:
    tables = tomllib.loads(text)
    project = {**tables.get("project", {}), **tables.get("tool", {}).get("poetry", {})}
    return [(name, _scalar(value)) for name, value in project.items()]


def _ini(text: str) -> list[tuple[str, str | None]]:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return [(n, _scalar(v)) for section in parser.sections() for n, v in parser.items(section)]


def _json(text: str) -> list[tuple[str, str | None]]:
    found = json.loads(text)
    return [(n, _scalar(v)) for n, v in found.items()] if isinstance(found, dict) else []


def _yaml(text: str) -> list[tuple[str, str | None]]:
    """Read the plain scalars of the outermost mapping; what is quoted or goes on has None."""
    pairs = re.findall(r"^([A-Za-z][\w-]*):[ ]+(\S.*)$", text, re.MULTILINE)
    return [(n, _scalar(v.strip()) if v[0] not in "[{|>&*!#%@" else None) for n, v in pairs]


READERS = {
    ".py": _python, ".toml": _toml, ".cfg": _ini, ".json": _json, ".yml": _yaml, ".yaml": _yaml,
}  # fmt: skip


def _scalar(value: object) -> str | None:
    """Return a value as it reads; None for what is no plain one-line text or number."""
    text = str(value)
    plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    clean = text and not set(text) & set("\n\\\"'#;,") and text == text.strip()
    return text if plain and clean and len(text) < 80 else None
