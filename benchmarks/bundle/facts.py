"""Facts about a run, read from its raw action and observation strings alone.

The bundled questions' reference answers are computed with these, so that they owe nothing to the
package that they test.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Step = dict[str, Any]
EXIT_CODE = re.compile(r"exit code (-?\d+)")
FILE_COMMANDS = ("create", "str_replace", "insert")


def says(*actions: str) -> Callable[[Step], bool]:
    """The action is one of these, word for word."""
    return lambda step: step["action"] in actions


def starts(*openings: str) -> Callable[[Step], bool]:
    """The action starts with one of these words, or consists of them."""
    return lambda step: f"{step['action']} ".startswith(tuple(f"{o} " for o in openings))


def shows(opening: str) -> Callable[[Step], bool]:
    """The observation starts with this."""
    return lambda step: step["observation"].startswith(opening)


def both(*tests: Callable[[Step], bool]) -> Callable[[Step], bool]:
    """All tests hold."""
    return lambda step: all(test(step) for test in tests)


def tool(name: str) -> Callable[[Step], bool]:
    """The call is of this tool."""
    return lambda step: step["action"].startswith(f"{name}: ")


def editor(*commands: str, path: str | None = None) -> Callable[[Step], bool]:
    """The call is one of these editor commands, on this path if one is given."""

    def test(step: Step) -> bool:
        given = arguments(step)
        wanted = given.get("command") in commands
        return tool("str_replace_editor")(step) and wanted and path in {None, given["path"]}

    return test


def runs_command(*words: str) -> Callable[[Step], bool]:
    """The shell command holds all of these."""

    def test(step: Step) -> bool:
        command = arguments(step).get("command", "")
        return tool("execute_bash")(step) and all(word in command for word in words)

    return test


def exits(*codes: int) -> Callable[[Step], bool]:
    """The shell command ended with one of these codes."""
    return lambda step: exit_code(step) in codes


def exits_nonzero(step: Step) -> bool:
    """The shell command ended with a code that is not 0."""
    return exit_code(step) not in {None, 0}


def arguments(step: Step) -> dict[str, Any]:
    """The arguments of a `tool: {json}` action, empty for others."""
    _, colon, text = step["action"].partition(": {")
    return json.loads("{" + text) if colon else {}


def exit_code(step: Step) -> int | None:
    """The logged exit code: of its own field, else the last that the observation states."""
    if step.get("exit_code") is not None:
        return int(step["exit_code"])
    stated = EXIT_CODE.findall(step["observation"]) if tool("execute_bash")(step) else []
    return int(stated[-1]) if stated else None


def path_of(step: Step) -> str:
    """The path that an editor call names."""
    return str(arguments(step)["path"])


def verb_object(verb: str) -> Callable[[Step], str]:
    """What follows the verb, up to a preposition."""
    return lambda step: re.split(r" (?:from|on|in|into|with) ", step["action"][len(verb) + 1 :])[0]


def ranked(values: Sequence[str]) -> list[tuple[str, int]]:
    """Values with their counts, frequent first, then in order of first mention."""
    return Counter(values).most_common()
