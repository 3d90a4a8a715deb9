"""A scripted coding agent: writes a package, tests it, breaks and mends it, and fumbles on the way.

What it does is decided by the project's script and a seed; what it sees is what really happened.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

from benchmarks.bundle.projects import PROJECTS, Module, Project
from benchmarks.bundle.run import Run
from benchmarks.bundle.tools import Editor, Sandbox, clear

if TYPE_CHECKING:
    from pathlib import Path

TIME_LIMIT = 3.0
FUMBLES_BEFORE_FIX = (0, 1, 1, 2, 2, 3)


def runs(folder: Path) -> list[Run]:
    """Let the agent work on all projects, each in a fresh sandbox under `folder`."""
    recorded = []
    for project in PROJECTS:
        clear(folder)
        recorded.append(Coder(project, Sandbox(folder)).work())
    return recorded


class Coder:
    """One run on one project."""

    def __init__(self, project: Project, sandbox: Sandbox) -> None:
        self.project = project
        self.sandbox = sandbox
        self.editor = Editor(sandbox)
        self.rng = random.Random(project.seed)
        self.run = Run(f"coding-{project.name}", project.task, "coding")

    def work(self) -> Run:
        """Do the whole task and return what was logged."""
        self._look_around()
        for module in self.project.modules:
            self._write_module(module)
            for old, new in module.fixes:
                self._mend(module, old, new)
            self._commit(f"Add {module.name}")
        self._round_off()
        return self.run

    def _look_around(self) -> None:
        self.think(
            f"I start with an empty checkout and {len(self.project.modules)} modules to write."
        )
        self.bash(
            "cd /repo && git init -q -b main . && git config user.name coder "
            "&& git config user.email coder@example.org && git status --short"
        )
        self.edit("view", path="/repo")
        self.edit(
            "create",
            path="/repo/README.md",
            file_text=f"# {self.project.name}\n\n{self.project.task}\n",
        )
        self.edit("create", path=f"/repo/{self.project.name}/__init__.py", file_text="")

    def _write_module(self, module: Module) -> None:
        self.edit("create", path=self._path(module), file_text=module.text)
        self.edit("create", path=self._test_path(module), file_text=module.test)
        self.test(module)

    def _mend(self, module: Module, old: str, new: str) -> None:
        """Look for the fault, perhaps change the wrong thing first, then fix it."""
        for _ in range(self.rng.choice(FUMBLES_BEFORE_FIX)):
            self._fumble(module)
        self.edit("view", path=self._path(module))
        if self.rng.random() < 0.4:
            self._try_in_vain(module, old)
        self.edit("str_replace", path=self._path(module), old_str=old, new_str=new)
        self.test(module)

    def _try_in_vain(self, module: Module, old: str) -> None:
        self.edit("str_replace", path=self._path(module), old_str=old, new_str=f"{old}  # noqa")
        self.test(module)
        self.edit("undo_edit", path=self._path(module))

    def _fumble(self, module: Module) -> None:
        """One of the things that agents do without need, or wrongly."""
        path, name = self._path(module), self.project.name
        length = module.text.count("\n") + 1
        shell = (
            f"cd /repo && grep -rn 'def ' {name}/{module.name}.py",
            "cd /repo && git diff --stat",
            f"cat /repo/{name}/{module.name}.pyy",
            "cd /repo && ls tests",
            f"cd /repo && python -c 'import {name}.{module.name} as m; print(m.__doc__)'",
            "cd /repo && make check",
            f"cd /repo && flake9 {name}",
            f"cd /repo && grep -n FIXME {name}/{module.name}.py",
            f"cd /repo && python -m pytest -q tests/test_{module.name}.py -x 2>&1 | tail -n 3",
        )
        edits: tuple[dict[str, Any], ...] = (
            {"command": "view", "path": path, "view_range": [1, 6]},
            {"command": "view", "path": path, "view_range": [length + 40, length + 60]},
            {"command": "view", "path": f"/repo/src/{module.name}.py"},
            {"command": "view", "path": self._test_path(module)},
            {
                "command": "str_replace",
                "path": path,
                "old_str": "return None\n\n\nclass",
                "new_str": "class",
            },
            {"command": "create", "path": path, "file_text": module.text},
            {"command": "view", "path": f"/repo/{name}"},
        )
        if self.rng.random() < 0.5:
            self.bash(self.rng.choice(shell))
        else:
            self.edit(**self.rng.choice(edits))

    def _round_off(self) -> None:
        name, last = self.project.name, self.project.modules[-1]
        self.bash("cd /repo && python -m pytest -q")
        for _ in range(4):
            self._fumble(self.rng.choice(self.project.modules))
        if self.project.endless:
            self.bash(self.project.endless)
            self.think("That never ended. I leave the loop out and go on.")
        self.edit(
            "insert", path="/repo/README.md", insert_line=2, new_str="Run the tests with pytest.\n"
        )
        self.bash(f"cd /repo && git mv {name}/{last.name}.py {name}/{last.name}s.py")
        self.bash("cd /repo && python -m pytest -q")
        self.bash(
            f"cd /repo && sed -i 's/{name}\\.{last.name} /{name}.{last.name}s /'"
            f" tests/test_{last.name}.py"
        )
        self.bash("cd /repo && python -m pytest -q")
        self._commit(f"Rename {last.name} to {last.name}s")
        self.bash("cd /repo && git log --oneline --format=%s")
        self.edit("view", path="/repo")

    def _commit(self, message: str) -> None:
        self.bash(f"cd /repo && git add -A && git commit -q -m '{message}' && git status --short")

    def _path(self, module: Module) -> str:
        return f"/repo/{self.project.name}/{module.name}.py"

    def _test_path(self, module: Module) -> str:
        return f"/repo/tests/test_{module.name}.py"

    def test(self, module: Module) -> None:
        """Run one module's tests."""
        self.bash(f"cd /repo && python -m pytest -q tests/test_{module.name}.py")

    def think(self, thought: str) -> None:
        """Note a thought."""
        self._log("think", {"thought": thought}, "Your thought has been logged.")

    def edit(self, command: str, **arguments: Any) -> None:
        """Call the editor."""
        observation = getattr(self.editor, command)(**arguments)
        self._log("str_replace_editor", {"command": command, **arguments}, observation)

    def bash(self, command: str) -> None:
        """Call the shell."""
        result = self.sandbox.shell(command, TIME_LIMIT)
        lines = [result.output] if result.output else []
        if result.exit_code is None:
            lines.append(f"[No end after {TIME_LIMIT:.0f} seconds: the command was stopped.]")
        elif self.project.codes_in_text:
            lines.append(f"[Command finished with exit code {result.exit_code}]")
        observation = "\n".join(lines)
        self._log("execute_bash", {"command": command}, observation, result.exit_code)

    def _log(
        self, tool: str, arguments: dict[str, Any], observation: str, exit_code: int | None = None
    ) -> None:
        text = json.dumps(arguments)
        more = {} if self.project.codes_in_text else {"exit_code": exit_code}
        self.run.add(f"{tool}: {text}", observation, tool=tool, args=text, **more)
