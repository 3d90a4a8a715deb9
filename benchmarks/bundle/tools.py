"""The two tools of the scripted coding agent: a real shell and a real editor of files.

Commands run in a sandbox directory; in what is logged its path reads `/repo`, and the prefix of the
Python that runs them reads `/usr`. Nothing else of the output is touched: exit codes, test results
and timings are those of the real processes.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LOGGED_ROOT = "/repo"
ROOT_IN_COMMAND = re.compile(r"(?<![\w.])/repo(?!\w)")
CONTEXT_LINES = 3


@dataclass(frozen=True, slots=True)
class ShellResult:
    """What a command printed; `exit_code` is None where it was stopped by the time limit."""

    output: str
    exit_code: int | None


class Sandbox:
    """A directory that stands for `/repo`."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "repo"
        self.root.mkdir()
        self._commands = folder / "bin"
        self._commands.mkdir()
        (self._commands / "python").symlink_to(sys.executable)
        self._environment = {
            "PATH": f"{self._commands}:{os.environ['PATH']}",
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": ":".join(p for p in sys.path if p.endswith("site-packages")),
            "PYTEST_ADDOPTS": "-p no:cacheprovider",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "GIT_AUTHOR_DATE": "2026-01-05T09:00:00Z",
            "GIT_COMMITTER_DATE": "2026-01-05T09:00:00Z",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }

    def real(self, path: str) -> Path:
        """The file behind a path as the agent writes it."""
        return self.root / path.removeprefix(LOGGED_ROOT).lstrip("/")

    def shell(self, command: str, limit: float) -> ShellResult:
        """Run a command in the sandbox; after `limit` seconds it is stopped."""
        process = subprocess.Popen(
            ["bash", "-c", ROOT_IN_COMMAND.sub(str(self.root), command)],
            cwd=self.root,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return ShellResult(self._logged(output), None)
        return ShellResult(self._logged(output), process.returncode)

    def _logged(self, output: bytes) -> str:
        text = output.decode("utf-8", "replace").replace(str(self.root), LOGGED_ROOT)
        text = text.replace(str(self._commands), "/usr/bin")
        for prefix in {sys.prefix, sys.base_prefix}:
            text = text.replace(prefix, "/usr")
        return text.rstrip("\n")


class Editor:
    """Views and edits files by exact path; every answer starts with what really happened."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self._before: dict[str, list[str | None]] = {}

    def view(self, path: str, view_range: list[int] | None = None) -> str:
        """Show a file with line numbers, or the names in a directory."""
        file = self.sandbox.real(path)
        if file.is_dir():
            return self._directory(path, file)
        if not file.exists():
            return f"ERROR:\nThe path {path} does not exist. Please provide a valid path."
        lines = file.read_text("utf-8").split("\n")
        first, last = view_range or (1, len(lines))
        if not 1 <= first <= last <= len(lines):
            return (
                f"ERROR:\nInvalid `view_range` parameter: {view_range}. "
                f"The file has {len(lines)} lines."
            )
        head = f"Here's the result of running `cat -n` on {path}:\n"
        return head + _numbered(lines[first - 1 : last], first)

    def create(self, path: str, file_text: str) -> str:
        """Write a new file; an existing one is left alone."""
        file = self.sandbox.real(path)
        if file.exists():
            return f"ERROR:\nFile already exists at: {path}. Cannot overwrite files using `create`."
        file.parent.mkdir(parents=True, exist_ok=True)
        self._remember(path, None)
        file.write_text(file_text, "utf-8")
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        """Replace a text that occurs exactly once."""
        file = self.sandbox.real(path)
        if not file.exists():
            return f"ERROR:\nThe path {path} does not exist. Please provide a valid path."
        text = file.read_text("utf-8")
        count = text.count(old_str)
        if count == 0:
            return (
                f"ERROR:\nNo replacement was performed, old_str `{old_str}` "
                f"did not appear verbatim in {path}."
            )
        if count > 1:
            lines = [
                text[: m.start()].count("\n") + 1 for m in re.finditer(re.escape(old_str), text)
            ]
            return (
                f"ERROR:\nNo replacement was performed. Multiple occurrences of old_str "
                f"`{old_str}` in lines {lines}. Please ensure it is unique."
            )
        line = text[: text.index(old_str)].count("\n") + 1
        return self._write(path, text, text.replace(old_str, new_str), line, new_str)

    def insert(self, path: str, insert_line: int, new_str: str) -> str:
        """Put text after a line."""
        file = self.sandbox.real(path)
        text = file.read_text("utf-8")
        lines = text.split("\n")
        if not 0 <= insert_line <= len(lines):
            return (
                f"ERROR:\nInvalid `insert_line` parameter: {insert_line}. "
                f"It should be within the range of lines of the file: [0, {len(lines)}]"
            )
        lines[insert_line:insert_line] = new_str.split("\n")
        return self._write(path, text, "\n".join(lines), insert_line + 1, new_str)

    def undo_edit(self, path: str) -> str:
        """Take back the last edit of a file."""
        if not self._before.get(path):
            return f"ERROR:\nNo edit history found for {path}."
        text, file = self._before[path].pop(), self.sandbox.real(path)
        if text is None:
            file.unlink()
            return f"Last edit to {path} undone successfully. The file no longer exists."
        file.write_text(text, "utf-8")
        return f"Last edit to {path} undone successfully.\n{_numbered(text.split(chr(10)), 1)}"

    def _write(self, path: str, before: str, after: str, line: int, new_str: str) -> str:
        self._remember(path, before)
        self.sandbox.real(path).write_text(after, "utf-8")
        first = max(1, line - CONTEXT_LINES)
        last = line + new_str.count("\n") + CONTEXT_LINES
        snippet = _numbered(after.split("\n")[first - 1 : last], first)
        return (
            f"The file {path} has been edited. Here's the result of running `cat -n` on a snippet "
            f"of {path}:\n{snippet}\nReview the changes and make sure they are as expected."
        )

    def _remember(self, path: str, text: str | None) -> None:
        self._before.setdefault(path, []).append(text)

    def _directory(self, path: str, folder: Path) -> str:
        names = sorted(
            str(p.relative_to(folder))
            for p in [*folder.glob("*"), *folder.glob("*/*")]
            if ".git" not in p.parts
        )
        head = f"Here's the files and directories up to 2 levels deep in {path}:"
        return "\n".join([head, path, *(f"{path}/{name}" for name in names)])


def clear(folder: Path) -> None:
    """Remove a sandbox's directory and make it anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{number:6d}\t{line}" for number, line in enumerate(lines, first))
