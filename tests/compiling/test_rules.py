"""Questions over made-up catalogs and the plans that they must become.

A plan is written as text: `op by/limit form | where | not where | scope`, terms as the plan
language matches them: `=` exact, `~` word, `*` substring, `^` prefix, nothing for the default.
"""

# ruff: noqa: E501 (a table reads best one case a line)
from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tallysql.compiling.rules import compile_question
from tallysql.plan.nodes import Declined
from tallysql.plan.parse import check_plan
from tallysql.plan.profiles import PROFILES, REFINED
from tests.compiling.catalogs import EDITOR, GAME, NOTEBOOKS, RESEARCH, SESSION, WEB, WORLD

if TYPE_CHECKING:
    from tallysql.ledger.catalog import Catalog
    from tallysql.plan.nodes import Anchor, Query, Where

MARKS = {"exact": "=", "word": "~", "substring": "*", "prefix": "^", None: ""}


def told(where: Where) -> str:
    return " & ".join(
        f"{c.field} {'/'.join(t.text + MARKS[t.match] for t in c.terms)}" for c in where
    )


def anchor(name: str, found: Anchor | None) -> list[str]:
    return [f"{name} {found.pick} ({told(found.where)})"] if found else []


def shown(query: Query, form: str) -> str:
    scope = query.scope
    pick = f"pick {query.pick}" if query.pick else ""
    parts = [" ".join(filter(None, [query.op, query.by, str(query.limit or ""), form, pick]))]
    parts += [told(query.where)] if query.where else []
    parts += [f"not {told(query.exclude)}"] if query.exclude else []
    if (scope.lo, scope.hi) != (None, None):
        parts.append(f"[{scope.lo}, {scope.hi}]")
    return " | ".join([*parts, *anchor("after", scope.after), *anchor("before", scope.before)])


def compiled(question: str, catalog: Catalog) -> list[str]:
    found = compile_question(question, catalog)
    if isinstance(found.plan, Declined):
        return [f"declined: {found.plan.reason}"]
    assert not check_plan(found.plan, REFINED)
    told = found.threshold
    often = f" {told.how} {told.n}" if told else ""
    return [shown(q, form + often) for q, form in zip(found.plan.queries, found.forms, strict=True)]


PLANS: list[tuple[Catalog, str, list[str]]] = [
    # counts
    (WORLD, "How many times did the agent go to shelf 1?", ["count integer | tool go= & target shelf 1="]),
    (WORLD, "How often was shelf 10 visited by the agent up to and including step 40?", ["count integer | tool go= & target shelf 10= | [None, 40]"]),
    (WORLD, "Tally the trips to the fridge 1.", ["count integer | tool go= & target fridge 1="]),
    (WORLD, "number of look actions?", ["count integer | tool look="]),
    (WORLD, "How many times was a shelf, any shelf, opened?", ["count integer | tool open= & target shelf~"]),
    (WORLD, "How many times was tea cup 3 picked up?", ["count integer | tool take= & target teacup 3="]),
    (WORLD, "How manny times did the agent exmine kettle 2?", ["count integer | tool examine= & target kettle 2="]),
    (WORLD, 'How many times was "open fridge 1" performed before step 9?', ["count integer | tool open= & target fridge 1= | [None, 8]"]),
    (WORLD, "How many actions in total were performed?", ["count integer"]),
    (EDITOR, "How many bash commands ended with a non-zero exit code after step 12?", ["count integer | tool execute_bash= & exit_code nonzero | [13, None]"]),
    (EDITOR, "How many shell commands exited with status 2?", ["count integer | tool execute_bash= & exit_code 2"]),
    (EDITOR, "How many str_replace edits were actually applied?", ["count integer | tool str_replace_editor.str_replace= & outcome success"]),
    (EDITOR, "How many create, str_replace or insert commands succeeded?", ["count integer | tool str_replace_editor.str_replace=/str_replace_editor.create= & outcome success"]),
    (EDITOR, "How many bash commands ran without grep?", ["count integer | tool execute_bash= | not tool execute_bash.grep="]),
    (EDITOR, "How many commands did not fail?", ["count integer | tool execute_bash= | not outcome failure"]),
    (EDITOR, "How many times was check_units.py run?", ["count integer | tool execute_bash.python= & target /repo/check_units.py=/check_units.py="]),
    (SESSION, "How many times was server.ts edited?", ["count integer | tool Edit=/Write= & path /app/server.ts="]),
    (NOTEBOOKS, "Which files were edited?", ["distinct path names | tool Edit=/MultiEdit=/Write=/NotebookEdit="]),
    (NOTEBOOKS, "How often did it use the Edit tool?", ["count integer | tool Edit="]),
    (NOTEBOOKS, "How many `Edit` calls were there?", ["count integer | tool Edit="]),
    (NOTEBOOKS, "Which files did the agent write?", ["distinct path names | tool Write="]),
    (NOTEBOOKS, "Write a list of the files that were edited.", ["distinct path names | tool Edit=/MultiEdit=/Write=/NotebookEdit="]),
    (NOTEBOOKS, "Which files were written?", ["distinct path names | tool Write="]),
    (NOTEBOOKS, "How many times was server.ts read?", ["count integer | tool Read=/NotebookRead= & path /app/server.ts="]),
    (SESSION, "How many file modifications were there?", ["count integer | tool Edit=/Write="]),
    (WEB, "How often did it click the Go button?", ["count integer | tool click= & target Go="]),
    (WEB, "How many Checkout clicks occurred?", ["count integer | tool click= & target Checkout *="]),
    (WEB, "How many format errors occurred?", ["count integer | tool malformed | not action Attempt to perfom/Attempt to perform"]),
    (RESEARCH, "How many searches did it run?", ["count integer | tool web_search="]),
    (RESEARCH, "Count fetch_page on its own.", ["count integer | tool fetch_page="]),
    (RESEARCH, "How many calls timed out?", ["count integer | error timed out*"]),
    (GAME, "Of the first thirty moves, how many were up?", ["count integer | tool up= | [None, 29]"]),
    (GAME, "How many moves had no effect?", ["count integer | outcome no_effect"]),
    # first, last, n-th, steps
    (WORLD, "At which step did the agent first open the fridge 1?", ["first step | tool open= & target fridge 1="]),
    (WORLD, "When was pantry 2 closed for the last time?", ["last step | tool close= & target pantry 2="]),
    (WORLD, "The third inventory check comes at which step?", ["list 3 step | tool inventory="]),
    (WORLD, "List the turns on which kettle 1 was heated.", ["list steps | tool heat= & target kettle 1="]),
    (EDITOR, "Which steps show a command exiting with code 1?", ["list steps | tool execute_bash= & exit_code 1"]),
    (EDITOR, "Steps at which viewing a file failed because of a bad view_range?", ["list steps | tool str_replace_editor.view= & outcome failure & error view_range*"]),
    (EDITOR, "At step 30, what was the last step when units.py was modified?", ["last step | tool str_replace_editor.str_replace=/str_replace_editor.create= & path /repo/src/units.py= | [None, 30]"]),
    (RESEARCH, "503 Service Unavailable came back on which steps?", ["list steps | error 503 Service Unavailable*"]),
    # values, tables, tops, runs, yes and no
    (WORLD, "Name every shelf that was opened, each one once.", ["distinct first_target names | tool open= & target shelf~"]),
    (WORLD, "How many different places did it visit?", ["distinct first_target integer | tool go="]),
    (WORLD, "Which spot was visited most often?", ["top first_target name | tool go="]),
    (WORLD, "What is the frequency of each action type?", ["group tool pairs"]),
    (WORLD, "What actions did the agent perform, and how frequently, until step 9?", ["group action pairs | [None, 9]"]),
    (WORLD, "What was taken from pantry 2?", ["distinct first_target names | tool take= & target pantry 2="]),
    (WORLD, "What actions were performed between step 3 and step 6?", ["timeline timeline | [3, 6]"]),
    (WORLD, "Was the fridge 1 ever opened?", ["count yes_no | tool open= & target fridge 1="]),
    (WORLD, "What is the longest streak of look actions?", ["runs integer | tool look="]),
    (WORLD, "Was shelf 1 visited more than once?", ["count yes_no at_least 2 | tool go= & target shelf 1="]),
    (WORLD, "Could you tell me if shelf 1 was visited at least three times?", ["count yes_no at_least 3 | tool go= & target shelf 1="]),
    (WORLD, "Which places were visited exactly once?", ["group first_target names exactly 1 | tool go="]),
    (WORLD, "How many places did it visit no more than 4 times?", ["group first_target integer at_most 4 | tool go="]),
    (WORLD, "Where was kettle 1 last put?", ["values second_target name pick last | tool move= & target kettle 1="]),
    (WORLD, "Where did the agent go most often?", ["top first_target name | tool go="]),
    (WORLD, "What was kettle 1 heated with?", ["distinct second_target names | tool heat= & target kettle 1="]),
    (WORLD, "From where was kettle 1 taken?", ["distinct second_target names | tool take= & target kettle 1="]),
    (WORLD, "Where did kettle 1 end up?", ["values value name pick last | change kettle 1.location"]),
    (WORLD, "What was the third object that it picked up?", ["values first_target 3 nth | tool take="]),
    (WORLD, "Which was opened first, fridge 1 or pantry 2?", ["values first_target name pick first | tool open= & target fridge 1=/pantry 2="]),
    (WORLD, "Count the looks; ignore everything after step 50.", ["count integer | tool look= | [None, 50]"]),
    (WORLD, "Which steps up to 40 have a look action?", ["list steps | tool look= | [None, 40]"]),
    (WORLD, "How many looks are there in steps 3..9?", ["count integer | tool look= | [3, 9]"]),
    (WORLD, "How many actions other than looks succeeded?", ["count integer | outcome success | not tool look="]),
    (WORLD, "Which place was visited most often, and how many times?", ["group first_target 1 pairs | tool go="]),
    (WORLD, "What did it pick up first, and what last?", ["values first_target name pick first | tool take=", "values first_target name pick last | tool take="]),
    (EDITOR, "Apart from 0 and 1, which exit codes were there?", ["distinct exit_code names | exit_code 0/nonzero | not exit_code 0/1"]),
    (RESEARCH, "How many searches about tides were there?", ["count integer | tool web_search= & action tides"]),
    (WORLD, "Did it open fridge 1 before pantry 2?", ["count yes_no | tool open= & target fridge 1= | before first (tool open= & target pantry 2=)"]),
    (WORLD, "How many looks came before the first take, and how many after that?", ["count integer | tool look= | before first (tool take=)", "count integer | tool look= | after first (tool take=)"]),
    (WORLD, "How many opens worked and how many did not?", ["count integer | tool open= & outcome success", "count integer | tool open= | not outcome success"]),
    (EDITOR, "How many bash commands had an exit code other than 0?", ["count integer | tool execute_bash= & exit_code nonzero"]),
    (EDITOR, "How many commands did not exit with code 0?", ["count integer | tool execute_bash= & exit_code nonzero"]),
    (EDITOR, "How many views were there of files ending in .bak?", ["count integer | tool str_replace_editor.view= & target /repo/src/units.py.bak="]),
    (EDITOR, "How many create/str_replace/insert commands were there?", ["count integer | tool str_replace_editor.str_replace=/str_replace_editor.create="]),
    (EDITOR, "How many files were searched with grep?", ["distinct target integer | tool execute_bash.grep="]),
    (EDITOR, "How many git log commands were there?", ["count integer | tool execute_bash.git= & action git log"]),
    (EDITOR, "What's the most frequently viewed file?", ["top path name | tool str_replace_editor.view="]),
    (EDITOR, "Which files were created?", ["distinct path names | tool str_replace_editor.create="]),
    (EDITOR, "How often was each editor command used?", ["group act pairs | tool str_replace_editor="]),
    (EDITOR, "What exit codes came up, and how many times each?", ["group exit_code pairs | exit_code 0/nonzero"]),
    (EDITOR, "Most common program among the bash commands?", ["top act name | tool execute_bash="]),
    (RESEARCH, "How many calls did each tool get?", ["group tool pairs"]),
    (GAME, "Maximum number of consecutive left moves?", ["runs integer | tool left="]),
    (GAME, "Did the player ever press anything except up?", ["count yes_no | not tool up="]),
    (EDITOR, "What was first failed command?", ["values action name pick first | tool execute_bash= & outcome failure"]),
    (EDITOR, "What was the last bash command?", ["values action name pick last | tool execute_bash="]),
    (SESSION, "What was the first shell command run after step 5?", ["values action name pick first | tool Bash= | [6, None]"]),
    (WORLD, "What was the first command?", ["values action name pick first"]),
    # changes
    (WORLD, "From step 4 to step 9, what environment changes were there?", ["timeline timeline | change → | not tool open/close | [5, 9]"]),
    (WORLD, "What changes occurred to the inventory?", ["timeline timeline | change inventory.contents"]),
    # event-bounded scopes
    (WORLD, "Once kettle 1 had been picked up, how many looks followed?", ["count integer | tool look= | after first (tool take= & target kettle 1=)"]),
    (WORLD, "How many looks came before the second take?", ["count integer | tool look= | before 2 (tool take=)"]),
    (RESEARCH, "Between the first note_saver and the second one, how many searches were there?", ["count integer | tool web_search= | after first (tool note_saver=) | before 2 (tool note_saver=)"]),
    (WEB, "After the Back click at Step 12, how many Go clicks followed?", ["count integer | tool click= & target Go= | [13, None]"]),
    # several quantities
    (EDITOR, "How many bash commands succeeded, and how many failed?", ["count integer | tool execute_bash= & outcome success", "count integer | tool execute_bash= & outcome failure"]),
    (WORLD, "How often did it open and close the fridge 1?", ["count integer | tool open= & target fridge 1=", "count integer | tool close= & target fridge 1="]),
    (EDITOR, "How many edits were before vs after step 50?", ["count integer | tool str_replace_editor.str_replace=/str_replace_editor.create= | [None, 49]", "count integer | tool str_replace_editor.str_replace=/str_replace_editor.create= | [51, None]"]),
    (WEB, "How many scrolls occurred, and at which steps?", ["count integer | tool scroll=", "list steps | tool scroll="]),
]  # fmt: skip


@pytest.mark.parametrize(("catalog", "question", "plans"), PLANS, ids=[q for _, q, _ in PLANS])
def test_question_becomes_plan(catalog: Catalog, question: str, plans: list[str]) -> None:
    assert compiled(question, catalog) == plans


DECLINED: list[tuple[Catalog, str, str]] = [
    (WORLD, "Why did the agent return to shelf 1?", "asks why"),
    (WORLD, "What should the agent have done at shelf 1?", "asks for advice"),
    (WORLD, "If kettle 1 had been hot, how many steps would it have taken?", "asks what if"),
    (WORLD, "What percentage of actions were looks?", "asks for arithmetic"),
    (WORLD, "What was on shelf 1 at step 9?", "content of step 9"),
    (WORLD, "How many times did the agent polish kettle 1?", "'polish'"),
    (WORLD, "How many times was drawer 1 opened?", "'drawer', '1'"),
    (WORLD, "How many objects are in the fridge 1?", "what was done"),
    (WORLD, "How often was the second kettle examined?", "n-th"),
    (WORLD, "How many times did it go from shelf 1 to shelf 10?", "two targets"),
    (WORLD, "Which action came right after step 5?", "neighbour"),
    (WORLD, "How many times was shelf 1 examined again?", "'again'"),
    (WORLD, "How many times could the agent have examined shelf 1?", "advice"),
    (WORLD, "How many times was shelf 1 examined and then left?", "one event after another"),
    (WORLD, "Which object was taken first, and from where?", "second thing"),
    (WORLD, "Where is kettle 1?", "asks for"),
    (WORLD, "Did the agent succeed in its task?", "as a whole"),
    (WORLD, "Was kettle 1 examined last?", "whether the last one"),
    (WORLD, "Which tool was used second most often?", "n-th of an order"),
    (WORLD, "Which action has the longest streak?", "what a longest run is of"),
    (WORLD, "Which objects were both taken and moved?", "two things at once"),
    (WORLD, "How many times was shelf 1 visited at least twice?", "number of times"),
    (EDITOR, "Which files were printed?", "does not tell"),
    (WORLD, "How many times shelf 1?", "what was done"),
    (WORLD, "Did the agent only look?", "whether all"),
    (WORLD, "Were there more looks than takes?", "is both"),
    (EDITOR, "How often was the most edited file edited?", "most frequent"),
    (WORLD, "How many times was something taken, and from what?", "second thing"),
    (WORLD, "How many actions other than looks are there that was already open?", "a state"),
    (EDITOR, "What did the first pytest run print?", "an action told"),
    (EDITOR, "Which files start with zeta?", "no name of the log"),
    (WORLD, "How many looks were there? Examining a lamp is a look.", "says more"),
    (WORLD, "How many use actions did the agent take?", "'use'"),
    (WORLD, "How many looks were there and in which rooms?", "second thing"),
    (EDITOR, "How many times did the agent view a file without editing it?", "denies an act"),
    (EDITOR, "What does the code at step 9 do?", "content of step 9"),
    (EDITOR, "How many insert commands were issued?", "'insert'"),
    (EDITOR, "What did the first failed command view?", "what one action did"),
    (SESSION, "How many times was index.ts read?", "/app/lib/index.ts"),
    (WEB, "How many times was Wishlist clicked?", "'Wishlist'"),
    (GAME, "How many moves were diagonal?", "'diagonal'"),
]


@pytest.mark.parametrize(("catalog", "question", "why"), DECLINED, ids=[q for _, q, _ in DECLINED])
def test_declining_names_the_words(catalog: Catalog, question: str, why: str) -> None:
    (found,) = compiled(question, catalog)
    assert found.startswith("declined: ")
    assert why in found


def test_trace_covers_the_question_and_tells_definitions() -> None:
    question = "How many edits of units.py failed before step 20, please?"
    found = compile_question(question, EDITOR)
    became = {entry.text: entry.became for entry in found.trace}
    assert "".join(entry.text for entry in found.trace).replace(" ", "") == question.replace(
        " ", ""
    )
    assert became["edits"] == (
        "file modification = act in {str_replace_editor.create, str_replace_editor.str_replace}"
    )
    assert became["before step 20"] == "scope: steps up to 19"
    assert became["please"].startswith("ignored")


def test_corrected_spelling_is_told() -> None:
    found = compile_question("How many times was the fridge 1 opned?", WORLD)
    assert not isinstance(found.plan, Declined)
    assert any(entry.became.startswith("read as ") for entry in found.trace)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize(("catalog", "question"), [(c, q) for c, q, _ in PLANS])
def test_every_profile_gets_a_plan_of_its_own_or_a_decline(
    catalog: Catalog, question: str, profile: object
) -> None:
    found = compile_question(question, catalog, profile)  # type: ignore[arg-type]
    if not isinstance(found.plan, Declined):
        assert not check_plan(found.plan, profile)  # type: ignore[arg-type]


def test_a_profile_says_what_it_lacks() -> None:
    question = "How many looks came before the second take?"
    found = compile_question(question, WORLD, PROFILES["principal"])
    assert isinstance(found.plan, Declined)
    assert "principal" in found.plan.reason


@pytest.mark.parametrize(("word", "pick"), [("first", "first"), ("last", "last")])
def test_one_command_is_told_whole(word: str, pick: str) -> None:
    found = compile_question(f"What was the {word} command?", EDITOR)
    assert not isinstance(found.plan, Declined)
    (query,) = found.plan.queries
    assert (query.by, query.pick) == ("action", pick)
