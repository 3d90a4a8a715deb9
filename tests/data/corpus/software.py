"""Questions over the two software logs."""
# ruff: noqa: E501

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ask import Ask, Pred, act, both, either, has, is_action, malformed, no, part, said

if TYPE_CHECKING:
    from logs import Step

BASH, THINK = act("execute_bash: .+"), act("think: .+")
EDITOR = act("str_replace_editor: .+")


def ed(commands: str, path: str = "") -> Pred:
    """An editor call with one of these commands, on exactly this path if one is given."""
    where = re.escape(path) if path else '[^"]+'
    return has(rf'^str_replace_editor: \{{"command": "(?:{commands})", "path": "{where}"')


def sh(shape: str) -> Pred:
    """A shell command (past `cd /repo &&`) that starts with this shape."""
    return has(rf'^execute_bash: \{{"command": "(?:cd /repo && )?{shape}')


def code(s: Step) -> int | None:
    """The last exit code the observation states."""
    hits = re.findall(r"exit code (-?\d+)", s.observation)
    return int(hits[-1]) if hits else None


def exits(*values: int) -> Pred:
    return lambda s: BASH(s) and code(s) in values


def nonzero(s: Step) -> bool:
    return BASH(s) and code(s) not in (0, None)


def any_code(s: Step) -> bool:
    return BASH(s) and code(s) is not None


def unknown(s: Step) -> bool:
    return BASH(s) and code(s) is None


MODIFY = "create|str_replace|insert"
ERROR = said(r"^ERROR:")
OK = no(ERROR)
PATH = part(r'"path": "([^"]+)"')
COMMAND = part(r'"command": "(\w+)"')
PYTEST = sh(r"(?:timeout \d+ )?pytest")
TOOL = part(r"^(\w+):")


def status(s: Step) -> str:
    return str(code(s))


APP, BAK, TAPP, CFG = (
    "/repo/app.py",
    "/repo/app.py.bak",
    "/repo/tests/app.py",
    "/repo/src/config.py",
)

c = Ask("cli-tool-3")
c.count("How many bash commands were executed in all?", "count", BASH)
c.count("How many times was /repo/app.py viewed?", "count/near-miss", ed("view", APP))
c.count(
    "How often did the agent look into /repo/app.py.bak with view?",
    "count/near-miss",
    ed("view", BAK),
)
c.count("Count the views of /repo/tests/app.py.", "count/near-miss", ed("view", TAPP))
c.count(
    "How many str_replace commands were issued for /repo/app.py, leaving /repo/tests/app.py out of it?",
    "count/near-miss",
    ed("str_replace", APP),
)
c.count(
    "How many times did the agent modify /repo/src/config.py with the editor?",
    "count/file",
    ed(MODIFY, CFG),
)
c.count(
    "How many modifications of old_config.py are there?",
    "count/file/near-miss",
    ed(MODIFY, "/repo/src/old_config.py"),
)
c.count("Number of shell commands that returned exit code 1?", "count/exit-code", exits(1))
c.count("How many commands ended with a non-zero exit code?", "count/exit-code", nonzero)
c.count(
    "How many commands came back with exit code 0 up to step 50?",
    "count/exit-code/up-to",
    exits(0),
    None,
    50,
)
c.count("How many commands exited with -11?", "count/exit-code/negative", exits(-11))
c.where(
    "List the steps where the exit code was negative.",
    "list/exit-code/negative",
    lambda s: BASH(s) and (code(s) or 0) < 0,
)
c.count(
    "For how many bash commands does the log state no exit code?", "count/exit-code/none", unknown
)
c.where("Which steps ended in exit code 124?", "list/exit-code", exits(124))
c.first("First command with exit code 2: what step?", "first/exit-code", exits(2))
c.last(
    "At what step did a command fail (non-zero exit code) for the last time?",
    "last/exit-code",
    nonzero,
)
c.nth("The fifth run of pytest is at which step?", "nth", PYTEST, 4)
c.count(
    "How many times was pytest run? Installing it is not running it.", "count/near-miss", PYTEST
)
c.count("How often was repro.py executed with python?", "count/near-miss", sh(r"python repro\.py"))
c.count("How many times was repro2.py run?", "count/near-miss", sh(r"python repro2\.py"))
c.count("How many pytest runs exited with 0?", "count/exit-code/tool", both(PYTEST, exits(0)))
c.first(
    "What is the first step at which a pytest run passed, i.e. exited with code 0?",
    "first/exit-code",
    both(PYTEST, exits(0)),
)
c.count(
    "How many grep commands found nothing and exited with 1?",
    "count/exit-code/tool",
    both(sh("grep"), exits(1)),
)
c.table(
    "Break the exit codes down: how many commands for each?", "table/exit-code", any_code, status
)
c.table("How are the calls distributed over the tools?", "table/tool", is_action, TOOL)
c.table("Which editor commands were used, with counts?", "table/editor-command", EDITOR, COMMAND)
c.table(
    "How many modifications (create, str_replace, insert) per file?", "table/file", ed(MODIFY), PATH
)
c.top("Which file was viewed most?", "top/file", ed("view"), PATH)
c.top("Which editor command is used most often?", "top/editor-command", EDITOR, COMMAND)
c.least("Which tool was called least often?", "least/tool", is_action, TOOL)
c.names("Which files did the agent try to create? Once each.", "distinct/file", ed("create"), PATH)
c.names(
    "Files really created (no error), in order?",
    "distinct/file/success",
    both(ed("create"), OK),
    PATH,
)
c.names(
    "List all paths that were opened with view, each one once.", "distinct/file", ed("view"), PATH
)
c.how_many_names(
    "How many different files did it modify or try to modify?", "distinct/count", ed(MODIFY), PATH
)
c.count("How many editor calls produced an error?", "count/failure", both(EDITOR, ERROR))
c.where("At which steps did a str_replace fail?", "list/failure", both(ed("str_replace"), ERROR))
c.count("How many str_replace edits went through?", "count/success", both(ed("str_replace"), OK))
c.count(
    "How many str_replace attempts failed because of multiple occurrences?",
    "count/error",
    both(ed("str_replace"), said("Multiple occurrences")),
)
c.where(
    "On what steps was the view_range invalid?",
    "list/error",
    both(ed("view"), said("Invalid `view_range`")),
)
c.count("How many times was undo_edit applied?", "count", ed("undo_edit"))
c.yesno("Was /repo/app.py.bak successfully modified?", "yesno/success", both(ed(MODIFY, BAK), OK))
c.yesno("Did the agent use insert on README.md?", "yesno", ed("insert", "/repo/README.md"))
c.yesno("Did it ever insert into tests/app.py?", "yesno/zero", ed("insert", TAPP))
c.yesno("Was setup.py viewed?", "yesno/absent", ed("view", "/repo/setup.py"), decline_or_zero=True)
c.count(
    "How many times was /repo/app.pyc edited?",
    "count/absent",
    ed(MODIFY, "/repo/app.pyc"),
    decline_or_zero=True,
)
c.count("How often was cargo run?", "count/absent", sh("cargo"), decline_or_zero=True)
c.run("What is the longest run of consecutive bash commands?", "runs/tool", BASH)
c.run(
    "What is the longest stretch of consecutive steps that all ended with a non-zero exit code?",
    "runs/exit-code",
    nonzero,
)
c.count(
    "How many commands were run between git stash and git stash pop?",
    "count/between-events",
    BASH,
    c.at(sh('git stash"')) + 1,
    c.at(sh("git stash pop")) - 1,
)
c.count(
    "Before repro2.py was first created, how many view commands had been issued?",
    "count/before-event",
    ed("view"),
    None,
    c.at(ed("create", "/repo/repro2.py")) - 1,
)
c.count(
    "After the last undo_edit, how many times was the file src/config.py modified?",
    "count/after-event",
    ed(MODIFY, CFG),
    c.at(ed("undo_edit"), -1) + 1,
)
c.count(
    "After old_config.py was created, how many bash commands followed?",
    "count/after-event",
    BASH,
    c.at(ed("create", "/repo/src/old_config.py")) + 1,
)
c.count("steps 20-40: how many think actions?", "count/zero", THINK, 20, 40)
c.count("Through step 58, how many thoughts were logged?", "count/through", THINK, None, 58)
c.count("In steps 30 to 60, how many pytest commands appear?", "count/step-range", PYTEST, 30, 60)
c.count(
    "How many bash commands do not mention python?",
    "count/exclusion",
    both(BASH, no(has("python"))),
)
c.count(
    "How many editor calls were something other than view?",
    "count/exclusion",
    both(EDITOR, no(ed("view"))),
)
c.count(
    "How many modifications did not touch app.py in /repo (the exact file)?",
    "count/exclusion/file",
    both(ed(MODIFY), no(ed(MODIFY, APP))),
)
c.count('How many commands contain "git status"?', "count/quoted", both(BASH, has("git status")))
c.count(
    "Although the bug is in app.py and the tests keep failing, how many times did the agent view src/config.py?",
    "count/distractor",
    ed("view", CFG),
)
c.multi(
    "How many bash commands succeeded (exit code 0) and how many failed (non-zero)?",
    "multi/exit-code",
    ("succeeded", "count", exits(0)),
    ("failed", "count", nonzero),
)
c.multi(
    "Number of create, str_replace and insert commands, separately?",
    "multi/three",
    ("create", "count", ed("create")),
    ("str_replace", "count", ed("str_replace")),
    ("insert", "count", ed("insert")),
)
c.multi(
    "When was mypy run first and when last?",
    "multi/first+last",
    ("first", "first", sh("mypy")),
    ("last", "last", sh("mypy")),
)
c.multi(
    "How many times was app.py.bak viewed, and at which step was that done first?",
    "multi/count+first",
    ("views", "count", ed("view", BAK)),
    ("first", "first", ed("view", BAK)),
)
c.count("How many git commands did the agent type?", "count/program", sh("git"))
c.where("Steps at which server.py was started?", "list/program", sh(r"python server\.py"))
c.where(
    "List every step on which tests/app.py was changed through the editor.",
    "list/file",
    ed(MODIFY, TAPP),
)
c.first(
    "At what step was README.md in /repo first opened with view?",
    "first/case",
    ed("view", "/repo/README.md"),
)
c.count("How many times was readme.md modified?", "count/case", ed(MODIFY, "/repo/README.md"))
c.count("how many bash comands were run after step 70", "count/typo", BASH, 71)
c.count(
    "How many bash commands ran after step 9999?",
    "count/impossible-bound",
    BASH,
    10000,
    decline_or_zero=True,
)
c.count(
    "How many files did the agent view from step 80 to step 20?",
    "count/impossible-bound",
    both(ed("view"), lambda s: False),
    decline_or_zero=True,
)
c.where(
    "List the modification steps (create, str_replace, insert) no later than Turn 22.",
    "list/no-later-than",
    ed(MODIFY),
    None,
    22,
)
c.decline("Why did the test run at step 38 hit the time limit?", "why")
c.decline("What does line 3 of src/config.py say?", "content")
c.decline("Which traceback is shown at step 7?", "content")
c.decline("Should app.py.bak have been removed from the repository?", "should")
c.decline("If the stash had not been popped, would the tests still fail?", "what-if")
c.decline("What percentage of the commands failed?", "arithmetic")
c.decline("On average, how many steps lie between two pytest runs?", "arithmetic")
c.decline("Is the fix in app.py well written?", "opinion")
c.decline("Which Python version will this project support next year?", "outside")

LEX, LEX2, PAR, DOC = (
    "/work/lib/lexer.py",
    "/work/lib/lexer2.py",
    "/work/lib/parser.py",
    "/work/docs/größe.md",
)
MAKE_TEST = sh("make test")

p = Ask("parser-lib-4")
p.count("How many times was make test run?", "count", MAKE_TEST)
p.count(
    "How many times did make test exit with status 2?", "count/exit-code", both(MAKE_TEST, exits(2))
)
p.count("How many make commands of any kind were run?", "count/program", sh("make"))
p.count("How many times was lexer.py viewed?", "count/near-miss", ed("view", LEX))
p.count("How many times was lexer2.py viewed?", "count/near-miss", ed("view", LEX2))
p.count(
    "How often did it view tokens_test.py?", "count/zero", ed("view", "/work/lib/tokens_test.py")
)
p.count(
    "How many attempted modifications of /work/lib/parser.py are there?",
    "count/file",
    ed(MODIFY, PAR),
)
p.count("How many edits of größe.md did the agent make?", "count/unicode", ed(MODIFY, DOC))
p.count(
    "How many replies were rejected because their format was incorrect?",
    "count/format-error",
    malformed,
)
p.where("List the steps with format errors.", "list/format-error", malformed)
p.count(
    "How many editor calls happened within the first ten steps?",
    "count/first-k/one-based",
    EDITOR,
    1,
    10,
)
p.count("Up to and including step 20, how many shell commands?", "count/up-to", BASH, None, 20)
p.count("Before Step 16, how many bash calls?", "count/before-step", BASH, None, 15)
p.count(
    "Between steps 30 and 40, how many calls went to the editor?",
    "count/between-steps",
    EDITOR,
    30,
    40,
)
p.first(
    "On which step did make test exit with 0 for the first time?",
    "first/exit-code",
    both(MAKE_TEST, exits(0)),
)
p.last("The last str_replace on lexer.py is at which step?", "last/file", ed("str_replace", LEX))
p.nth("2nd view of lexer2.py: which step?", "nth", ed("view", LEX2), 1)
p.where("Which steps ran make bench?", "list", sh("make bench"))
p.count(
    "How many of the make bench runs finished with a zero exit code?",
    "count/exit-code/zero",
    both(sh("make bench"), exits(0)),
)
p.where(
    "At which steps is a bash command without any exit code in the log?",
    "list/exit-code/none",
    unknown,
)
p.run(
    "What's the largest number of consecutive steps that are all make test runs?", "runs", MAKE_TEST
)
p.run("Longest run of editor calls?", "runs/tool", EDITOR)
p.table(
    "Exit codes of the make commands, with how often each occurred?",
    "table/exit-code",
    both(sh("make"), any_code),
    status,
)
p.table("Count the view commands per path.", "table/file", ed("view"), PATH)
p.top("Which file got the most modifications?", "top/file", ed(MODIFY), PATH)
p.names(
    "Which files were created successfully?", "distinct/file/success", both(ed("create"), OK), PATH
)
p.yesno("Did creating lexer2.py succeed?", "yesno/success", both(ed("create", LEX2), OK))
p.yesno("Was lexer2.py ever changed by str_replace?", "yesno/zero", ed("str_replace", LEX2))
p.yesno("Did any command exit with code 137?", "yesno/exit-code", exits(137))
p.yesno("Did any command exit with code 3?", "yesno/exit-code/zero", exits(3), decline_or_zero=True)
p.count(
    "How many views took place after tokens.py was created?",
    "count/after-event",
    ed("view"),
    p.at(ed("create", "/work/lib/tokens.py")) + 1,
)
p.count(
    "Between the undo of parser.py and make clean, how many make bench runs took place?",
    "count/between-events",
    sh("make bench"),
    p.at(ed("undo_edit", PAR)) + 1,
    p.at(sh("make clean")) - 1,
)
p.count(
    "How many modifications were made to files other than lexer.py and parser.py?",
    "count/exclusion/file",
    both(ed(MODIFY), no(either(ed(MODIFY, LEX), ed(MODIFY, PAR)))),
)
p.count(
    "Aside from make, how many shell commands were there?",
    "count/exclusion",
    both(BASH, no(sh("make"))),
)
p.multi(
    "How many str_replace edits of parser.py and how many of lexer.py were attempted?",
    "multi/file",
    ("parser.py", "count", ed("str_replace", PAR)),
    ("lexer.py", "count", ed("str_replace", LEX)),
)
p.multi(
    "Give the first and the last step at which Makefile was touched by the editor (view or change).",
    "multi/first+last",
    ("first", "first", ed("view|" + MODIFY, "/work/Makefile")),
    ("last", "last", ed("view|" + MODIFY, "/work/Makefile")),
)
p.count(
    "How many times was cargo.toml edited?",
    "count/absent",
    ed(MODIFY, "/work/cargo.toml"),
    decline_or_zero=True,
)
p.count(
    "How many bash commands were run after step 55?",
    "count/impossible-bound",
    BASH,
    56,
    decline_or_zero=True,
)
p.decline("How come make test was killed at step 30?", "why")
p.decline("Is lexer2.py really dead code?", "opinion")
p.decline("What is printed at step 21?", "content")
p.decline("If step 29 had not been undone, what would parser.py look like?", "what-if")
p.decline("Divide the number of views by the number of modifications.", "arithmetic")

ITEMS = [*c.items, *p.items]
