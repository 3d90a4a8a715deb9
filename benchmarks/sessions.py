"""Claude Code sessions, made by a seeded generator: what a directory of projects looks like.

The lines have the shape that the program writes: calls and results in lines of their own, each
result logged once more as `toolUseResult`, progress lines in between.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SESSION_BYTES = (200_000, 6_000_000)
NAMES = [
    "ledger", "harbour", "signal", "bucket", "window", "parser", "cursor", "handler", "quota",
    "metric", "widget", "router", "planner", "digest", "report", "tenant", "invoice", "shelf",
]  # fmt: skip
WORDS = [
    "return", "value", "self", "index", "for", "item", "in", "rows", "if", "not", "None", "else",
    "raise", "ValueError", "assert", "import", "from", "class", "def", "yield", "with", "open",
    "as", "lambda", "config", "result", "total", "count", "path", "name", "text", "line",
]  # fmt: skip
PROGRAMS = (
    "pytest -q tests/test_{0}.py",
    "cd /home/dev/{1} && python -m pytest tests -x",
    "git status --short",
    "git diff HEAD~1 -- src/{0}.py | head -50",
    "ls -la src/{1}",
    'rg "def {0}" --type py',
    "make check 2>&1 | tail -20",
    "sed -n '1,80p' src/{0}/{1}.py",
)


class _Maker:
    """Makes the lines of one session."""

    def __init__(self, rng: random.Random, text: list[str], session: str, folder: str) -> None:
        self._rng = rng
        self._text = text
        self._session = session
        self._folder = folder
        self._previous: str | None = None
        self._clock = rng.randrange(1_700_000_000, 1_750_000_000)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield lines without end."""
        yield self._line("user", {"role": "user", "content": f"Fix {self._name()}; run the tests."})
        while True:
            message = self._uuid()
            if self._rng.random() < 0.4:
                words = {"type": "text", "text": " ".join(self._rng.choices(WORDS, k=30))}
                yield self._assistant(message, words)
            for tool, arguments, answer, details in self._turn():
                call = f"toolu_{self._rng.getrandbits(96):024x}"
                block = {"type": "tool_use", "id": call, "name": tool, "input": arguments}
                yield self._assistant(message, block)
                for _ in range(self._rng.randrange(3)):
                    yield self._line(
                        "progress", None, data={"type": "hook_progress"}, for_call=call
                    )
                yield self._result(call, answer, details)

    def _turn(self) -> Iterator[tuple[str, dict[str, Any], str, Any]]:
        for _ in range(self._rng.choice((1, 1, 1, 2, 3))):
            make = self._rng.choices(
                (self._bash, self._read, self._edit, self._write, self._grep), (40, 25, 20, 5, 10)
            )[0]
            yield make()

    def _bash(self) -> tuple[str, dict[str, Any], str, Any]:
        command = self._rng.choice(PROGRAMS).format(self._name(), self._name())
        output = self._some_text(1, 60)
        arguments = {"command": command, "description": "Run a command"}
        if self._rng.random() < 0.15:
            failure = f"Exit code 1\n{output}\nValueError: {self._name()} is missing"
            return "Bash", arguments, failure, f"Error: {failure}"
        details = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        return "Bash", arguments, output, details

    def _read(self) -> tuple[str, dict[str, Any], str, Any]:
        path, content = self._path(), self._some_text(20, 200)
        numbered = "\n".join(f"{n:6}\u2192{line}" for n, line in enumerate(content.split("\n"), 1))
        file = {"filePath": path, "content": content, "numLines": 1, "startLine": 1}
        return "Read", {"file_path": path}, numbered, {"type": "text", "file": file}

    def _edit(self) -> tuple[str, dict[str, Any], str, Any]:
        path, old, new = self._path(), self._some_text(1, 12), self._some_text(1, 15)
        arguments = {"file_path": path, "old_string": old, "new_string": new}
        if self._rng.random() < 0.1:
            problem = f"String to replace not found in file.\nString: {old}"
            return "Edit", arguments, f"<tool_use_error>{problem}</tool_use_error>", problem
        answer = f"The file {path} has been updated. Here's the result:\n{new}"
        details = {
            "filePath": path,
            "oldString": old,
            "newString": new,
            "originalFile": self._some_text(20, 200),
            "structuredPatch": [{"oldStart": 1, "lines": [f"-{old}", f"+{new}"]}],
        }
        return "Edit", arguments, answer, details

    def _write(self) -> tuple[str, dict[str, Any], str, Any]:
        path, content = self._path(), self._some_text(10, 100)
        arguments = {"file_path": path, "content": content}
        details = {"type": "create", "filePath": path, "content": content, "structuredPatch": []}
        return "Write", arguments, f"File created successfully at: {path}", details

    def _grep(self) -> tuple[str, dict[str, Any], str, Any]:
        found = "\n".join(f"{self._path()}:{n}" for n in range(self._rng.randrange(1, 40)))
        arguments = {"pattern": self._name(), "path": self._folder, "output_mode": "content"}
        return "Grep", arguments, found, {"mode": "content", "content": found, "numFiles": 3}

    def _assistant(self, message: str, block: dict[str, Any]) -> dict[str, Any]:
        usage = {"input_tokens": self._rng.randrange(9999), "output_tokens": 5, "service_tier": "x"}
        content = {"id": f"msg_{message}", "type": "message", "role": "assistant"}
        return self._line(
            "assistant", content | {"model": "model-1", "content": [block], "usage": usage}
        )

    def _result(self, call: str, answer: str, details: Any) -> dict[str, Any]:
        block: dict[str, Any] = {"tool_use_id": call, "type": "tool_result", "content": answer}
        if isinstance(details, str):
            block["is_error"] = True
        return self._line("user", {"role": "user", "content": [block]}, toolUseResult=details)

    def _line(self, kind: str, message: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
        own = self._uuid()
        self._clock += self._rng.randrange(1, 30)
        line = {
            "parentUuid": self._previous,
            "isSidechain": False,
            "userType": "external",
            "cwd": self._folder,
            "sessionId": self._session,
            "version": "2.0.1",
            "gitBranch": "main",
            "type": kind,
            **({"message": message} if message else {}),
            "uuid": own,
            "timestamp": f"{_moment(self._clock)}.000Z",
            **more,
        }
        self._previous = own
        return line

    def _some_text(self, low: int, high: int) -> str:
        count = self._rng.randrange(low, high)
        start = self._rng.randrange(len(self._text) - count)
        return "\n".join(self._text[start : start + count])

    def _name(self) -> str:
        return self._rng.choice(NAMES)

    def _path(self) -> str:
        return f"{self._folder}/src/{self._name()}/{self._name()}.py"

    def _uuid(self) -> str:
        return f"{self._rng.getrandbits(128):032x}"


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _pool(rng: random.Random) -> list[str]:
    """Return lines of something like program text; one in fifty is not ASCII."""
    lines = []
    for _ in range(50_000):
        words = " ".join(rng.choices(WORDS + NAMES, k=rng.randrange(1, 12)))
        tail = " # caf\u00e9 \u2192 \u4e2d" if rng.random() < 0.02 else ""
        lines.append("    " * rng.randrange(4) + words + f" = {rng.randrange(10_000)}" + tail)
    return lines


def write_sessions(folder: Path, size: int, seed: int) -> list[Path]:
    """Write session files of `size` bytes together, in folders by project; returns their paths."""
    rng = random.Random(seed)
    text, files, left = _pool(rng), [], size
    while left > 0:
        project = rng.choice(NAMES)
        session = f"{rng.getrandbits(128):032x}"
        path = folder / f"-home-dev-{project}" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        wanted = min(left, rng.randrange(*SESSION_BYTES))
        maker = _Maker(rng, text, session, f"/home/dev/{project}")
        with path.open("wb") as file:
            for line in maker.lines():
                if file.write(orjson.dumps(line) + b"\n") and file.tell() >= wanted:
                    break
        files.append(path)
        left -= path.stat().st_size
    return files
