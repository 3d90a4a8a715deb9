"""Questions about the coding runs."""

from __future__ import annotations

from benchmarks.bundle.asked import asked
from benchmarks.bundle.facts import (
    FILE_COMMANDS,
    both,
    editor,
    exit_code,
    exits,
    exits_nonzero,
    path_of,
    runs_command,
    shows,
    tool,
)

PYTEST = runs_command("python -m pytest")


def _code(step: dict[str, object]) -> str:
    return str(exit_code(step))


CODING_QUESTIONS = (
    asked(
        "coding-shelf", "How many bash commands did the agent run?", "integer", tool("execute_bash")
    ),
    asked(
        "coding-shelf",
        "How many times was /repo/shelf/isbn.py modified, attempts included?",
        "integer",
        editor(*FILE_COMMANDS, path="/repo/shelf/isbn.py"),
    ),
    asked(
        "coding-shelf", "Which steps ran a command that ended with exit code 2?", "steps", exits(2)
    ),
    asked(
        "coding-shelf",
        "How many commands had a non-zero exit code up to step 40?",
        "integer",
        exits_nonzero,
        hi=40,
    ),
    asked("coding-shelf", "What is the first step that runs pytest?", "first", PYTEST),
    asked(
        "coding-shelf",
        "Which file was modified most often?",
        "top",
        editor(*FILE_COMMANDS),
        value=path_of,
    ),
    asked(
        "coding-shelf",
        "Which files did the agent create, in order?",
        "names",
        editor("create"),
        value=path_of,
    ),
    asked("coding-shelf", "Why did the first version of check10 fail its test?", "declined"),
    asked(
        "coding-shelf",
        "How many str_replace attempts failed?",
        "integer",
        both(editor("str_replace"), shows("ERROR")),
    ),
    asked(
        "coding-gauge", "How many str_replace calls were made?", "integer", editor("str_replace")
    ),
    asked("coding-gauge", "How many times was pytest run after step 30?", "integer", PYTEST, lo=31),
    asked("coding-gauge", "List the steps with an undo_edit.", "steps", editor("undo_edit")),
    asked("coding-gauge", "Did any command exit with code 127?", "yes_no", exits(127)),
    asked(
        "coding-gauge",
        "How often does each exit code occur?",
        "pairs",
        lambda s: exit_code(s) is not None,
        value=_code,
    ),
    asked(
        "coding-gauge",
        "How many views came before the first undo_edit?",
        "integer",
        editor("view"),
        before=editor("undo_edit"),
    ),
    asked(
        "coding-cachebox",
        "How many git commit commands were executed?",
        "integer",
        runs_command("git commit"),
    ),
    asked(
        "coding-cachebox", "At which step did a command last exit with code 1?", "last", exits(1)
    ),
    asked(
        "coding-cachebox",
        "How many times did the agent view /repo/cachebox/lru.py and how many "
        "times did it view /repo/cachebox/timed.py?",
        "integers",
        editor("view", path="/repo/cachebox/lru.py"),
        editor("view", path="/repo/cachebox/timed.py"),
    ),
    asked(
        "coding-cachebox",
        "How many times was README.md modified in the first 5 steps?",
        "integer",
        editor(*FILE_COMMANDS, path="/repo/README.md"),
        hi=4,
    ),
    asked("coding-numerals", "How many think actions are there?", "integer", tool("think")),
    asked(
        "coding-numerals",
        "How many modifications did each file receive?",
        "pairs",
        editor(*FILE_COMMANDS),
        value=path_of,
    ),
    asked(
        "coding-numerals",
        "How many times was words.py viewed between steps 25 and 45?",
        "integer",
        editor("view", path="/repo/numerals/words.py"),
        lo=25,
        hi=45,
    ),
    asked(
        "coding-numerals",
        "Count the insert commands before step 50.",
        "integer",
        editor("insert"),
        hi=49,
    ),
    asked("coding-numerals", "What does the traceback at step 7 say?", "declined"),
    asked(
        "coding-ticket",
        "How many times was the file editor called?",
        "integer",
        tool("str_replace_editor"),
    ),
    asked("coding-ticket", "Which steps ran git mv?", "steps", runs_command("git mv")),
    asked(
        "coding-ticket",
        "How many successful str_replace edits did report.py get?",
        "integer",
        both(
            editor("str_replace", path="/repo/ticket/report.py"),
            lambda s: s["observation"].startswith("The file "),
        ),
    ),
    asked(
        "coding-ticket",
        "How many bash commands failed with exit code 1 by step 60?",
        "integer",
        exits(1),
        hi=60,
    ),
    asked(
        "coding-ticket",
        "What is the most frequent exit code?",
        "top",
        lambda s: exit_code(s) is not None,
        value=_code,
    ),
    asked(
        "coding-ticket",
        "Which tool was used most?",
        "top",
        lambda _: True,
        value=lambda s: str(s["action"].partition(":")[0]),
    ),
    asked("coding-ticket", "How could the waiting line be made faster?", "declined"),
)
