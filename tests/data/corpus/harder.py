"""A second series over the same logs: odder bounds, wordings and combinations."""
# ruff: noqa: E501

from __future__ import annotations

import software as sw
import sql_and_tools as st
import text_world as tw
import web as wb
from ask import Ask, act, both, either, has, is_action, malformed, no, part, said

k = Ask("kitchen-1", "h")
k.count(
    "Could you tell me how many times drawer 1 or drawer 10 was visited?",
    "count/disjunction",
    act("go to drawer (1|10)"),
)
k.count(
    "strictly after step 12 and strictly before step 30, how many looks?",
    "count/strictly",
    tw.LOOK,
    13,
    29,
)
k.count("How many go to actions occur at or before step 40?", "count/at-or-before", tw.GO, None, 40)
k.count(
    "On or after step 84, how many visits to sinkbasin 1 took place?",
    "count/on-or-after",
    act("go to sinkbasin 1"),
    84,
)
k.count(
    "Later than step 10 but no later than step 36: number of visits to drawer 10?",
    "count/mixed-bounds",
    act("go to drawer 10"),
    11,
    36,
)
k.count(
    "Consider only steps 40 through 80 (both ends included). How many takes are in there?",
    "count/through",
    tw.TAKE,
    40,
    80,
)
k.count("How many opens were tried in the opening 20 steps?", "count/first-k", tw.OPEN, None, 19)
k.count("Over the final five steps, how often did the agent look?", "count/last-k", tw.LOOK, 121)
k.count(
    "Exclude step 23 itself: after it, up to step 32, how many looks?",
    "count/mixed-bounds",
    tw.LOOK,
    24,
    32,
)
k.count(
    "How many times did it take a mug, whichever mug it was?",
    "count/class",
    act(r"take mug \d+ from .+"),
)
k.count(
    "How many times was some cabinet closed (attempts)?", "count/class", act(r"close cabinet \d+")
)
k.count(
    "In how many steps was potato 1 heated or sliced?",
    "count/disjunction",
    act("(heat|slice) potato 1 .+"),
)
k.count(
    "What's the count of moves into drawer 10?", "count/destination", act("move .+ to drawer 10")
)
k.count("How many takes were made from drawer 10?", "count/source", act("take .+ from drawer 10"))
k.count(
    "Answer with an integer only: how many times was microwave 1 closed?",
    "count/instruction",
    act("close microwave 1"),
)
k.where(
    "I have a question about drawer 11. The agent went there several times. On which steps?",
    "list/two-sentences",
    act("go to drawer 11"),
)
k.where(
    'Which steps hold a help command? Answer as a comma-separated list or "none".',
    "list/instruction",
    tw.HELP,
)
k.where("Give me, in order, all the steps with a clean action", "list", tw.CLEAN)
k.yesno(
    "Is it true that the agent took the knife 1 out of drawer 11?",
    "yesno/confirm",
    act("take knife 1 from drawer 11"),
)
k.yesno("Does the log contain an attempt to close sinkbasin 1?", "yesno", act("close sinkbasin 1"))
k.yesno("Was there any cooling before step 60?", "yesno/zero/before-step", tw.COOL, None, 59)
k.value(
    "Which object was picked up last?", "history/last-value", both(tw.TAKE, tw.OK), tw.TAKEN, -1
)
k.value(
    "What is the last place apple 1 was put into?",
    "history/last-value",
    both(act("move apple 1 to .+"), tw.OK),
    tw.GOAL,
    -1,
)
k.value(
    "Where did the agent go right at its first go to action?",
    "history/first-value",
    tw.GO,
    tw.PLACE,
    0,
)
k.nth("What is the step of the penultimate take?", "nth-from-end", tw.TAKE, -2)
k.nth("Which step is the twenty-first go to?", "nth/number-word", tw.GO, 20)
k.first("First failed action of the whole episode: which step?", "first/failure", tw.FAIL)
k.first(
    "After step 60, when is drawer 10 visited first?",
    "first/after-step",
    act("go to drawer 10"),
    61,
)
k.last(
    "Before step 50, when was something last opened successfully?",
    "last/before-step",
    both(tw.OPEN, tw.OK),
    None,
    49,
)
k.count("mug 1's cleanings: how many?", "count/possessive", act("clean mug 1 .+"))
k.count("drawer 11 — how many attempts at opening it?", "count/em-dash", act("open drawer 11"))
k.count(
    "How many times did the agent visit “cabinet 12”?",
    "count/curly-quotes",
    act("go to cabinet 12"),
)
k.count(
    "How many times did it go to the coffee machine 1?",
    "count/spelling",
    act("go to coffeemachine 1"),
)
k.count(
    "number of sink basin 1 visits up to step 60",
    "count/spelling",
    act("go to sinkbasin 1"),
    None,
    60,
)
k.count("pls count invetory checks", "count/typo", tw.INV)
k.multi(
    "How often was each of these taken: mug 1, mug 2, mug 10?",
    "multi/three/near-miss",
    ("mug 1", "count", act("take mug 1 .+")),
    ("mug 2", "count", act("take mug 2 .+")),
    ("mug 10", "count", act("take mug 10 .+")),
)
k.multi(
    "Up to step 60, count the opens and the closes.",
    "multi/up-to",
    ("opens", "count", tw.OPEN, None, 60),
    ("closes", "count", tw.CLOSE, None, 60),
)
k.multi(
    "How many looks before step 50, and how many from step 50 on?",
    "multi/two-bounds",
    ("before", "count", tw.LOOK, None, 49),
    ("from", "count", tw.LOOK, 50, None),
)
k.table(
    "For each object, how many successful pick-ups are there?",
    "table/success",
    both(tw.TAKE, tw.OK),
    tw.TAKEN,
)
k.table("Break down the failed actions by verb.", "table/failure", tw.FAIL, tw.VERB)
k.top("Which object was moved most often?", "top/object", tw.MOVE, tw.MOVED)
k.decline("Count the steps the agent could have saved.", "what-if")
k.decline("Was the mug really clean at the end?", "opinion")
k.decline("Which drawer does the agent like best?", "opinion")

b = Ask("bedroom-2", "h")
b.count(
    "How many go to actions are there from the very start up to step 9?",
    "count/up-to",
    tw.GO,
    None,
    9,
)
b.count("Not beyond step 44, how many thoughts?", "count/not-beyond", tw.THINK, None, 44)
b.count(
    "How many times did it pick up the cell phone 1?", "count/spelling", act("take cellphone 1 .+")
)
b.count(
    "How many times did it try to close the garbage can 1?",
    "count/spelling",
    act("close garbagecan 1"),
)
b.count(
    "Visits to sidetable 1 and sidetable 2 taken together?",
    "count/disjunction",
    act("go to sidetable [12]"),
)
b.count(
    "How many takes from drawer 1 failed?",
    "count/failure/source",
    both(act("take .+ from drawer 1"), tw.FAIL),
)
b.count(
    "How many objects went into drawer 1? Count the successful moves.",
    "count/success/destination",
    both(act("move .+ to drawer 1"), tw.OK),
)
b.count(
    "How many examine actions happened in steps 15..30?", "count/dotted-range", tw.EXAMINE, 15, 30
)
b.where(
    "Steps on which any pen was taken, failed tries included?",
    "list/class",
    act(r"take pen \d+ from .+"),
)
b.yesno(
    "Was there ever a successful close of garbagecan 1?",
    "yesno/success",
    both(act("close garbagecan 1"), tw.OK),
)
b.value("What was the first object the agent took?", "history/first-value", tw.TAKE, tw.TAKEN, 0)
b.value(
    "Into or onto what was cd 3 moved last?",
    "history/last-value",
    both(act("move cd 3 to .+"), tw.OK),
    tw.GOAL,
    -1,
)
b.nth(
    "At which step is desk 1 visited for the third time?", "nth/near-miss", act("go to desk 1"), 2
)
b.multi(
    "Dresser 1 and dresser 11: how many visits to each?",
    "multi/near-miss",
    ("dresser 1", "count", act("go to dresser 1")),
    ("dresser 11", "count", act("go to dresser 11")),
)
b.multi(
    "Of all uses of desklamp 1, how many worked and how many failed?",
    "multi/outcome",
    ("worked", "count", both(tw.USE, tw.OK)),
    ("failed", "count", both(tw.USE, tw.FAIL)),
)
b.decline("Is a phone under a lamp a sensible goal?", "opinion")

c = Ask("cli-tool-3", "h")
c.count(
    "How many modifications hit files under the directory /repo/src?",
    "count/directory",
    both(sw.ed(sw.MODIFY), has(r'"path": "/repo/src/')),
)
c.count('How many bash commands contain "20"?', "count/quoted-number", both(sw.BASH, has("20")))
c.count(
    "How many commands exited with either 124 or -11?",
    "count/exit-code/disjunction",
    sw.exits(124, -11),
)
c.count(
    "How many bash commands ended with an exit code other than 0 and 1 (commands without a code do not count)?",
    "count/exit-code/exclusion",
    lambda s: sw.any_code(s) and sw.code(s) not in (0, 1),
)
c.count(
    "Number of commands that exited with 1 in steps 24 to 41?",
    "count/exit-code/step-range",
    sw.exits(1),
    24,
    41,
)
c.count(
    "How many pytest commands with non-zero exit code came before step 33?",
    "count/exit-code/before-step",
    both(sw.PYTEST, sw.nonzero),
    None,
    32,
)
c.count(
    "How many bash commands mention both pytest and tests/app.py?",
    "count/conjunction",
    both(sw.BASH, has("pytest"), has(r"tests/app\.py")),
)
c.count(
    "How many times was config.py viewed successfully?",
    "count/success/file",
    both(sw.ed("view", sw.CFG), sw.OK),
)
c.count(
    "How many view calls on /repo/src/config.py used a view_range?",
    "count/argument",
    both(sw.ed("view", sw.CFG), has("view_range")),
)
c.count(
    "How often did a modification attempt fail?", "count/failure", both(sw.ed(sw.MODIFY), sw.ERROR)
)
c.count("Count the rm commands.", "count/program", sw.sh("rm"))
c.count("How many git stash commands, pop included?", "count/program", sw.sh("git stash"))
c.count(
    "How many shell commands ran after Turn 59 and before Turn 70?",
    "count/strictly",
    sw.BASH,
    60,
    69,
)
c.count("How many editor commands in the final ten steps?", "count/last-k", sw.EDITOR, 78)
c.where(
    "Give the steps where either app.py.bak or tests/app.py was modified (attempts too).",
    "list/disjunction",
    either(sw.ed(sw.MODIFY, sw.BAK), sw.ed(sw.MODIFY, sw.TAPP)),
)
c.where(
    "Which steps are create commands that failed?", "list/failure", both(sw.ed("create"), sw.ERROR)
)
c.first(
    "First non-zero exit after step 60: which step?", "first/exit-code/after-step", sw.nonzero, 61
)
c.last("Last successful str_replace: step?", "last/success", both(sw.ed("str_replace"), sw.OK))
c.nth(
    "Which step is the third modification of /repo/src/config.py?",
    "nth/file",
    sw.ed(sw.MODIFY, sw.CFG),
    2,
)
c.value("Which file was created first?", "history/first-value", sw.ed("create"), sw.PATH, 0)
c.value(
    "Which file did the agent modify last?", "history/last-value", sw.ed(sw.MODIFY), sw.PATH, -1
)
c.yesno("Did mypy ever exit with 0?", "yesno/exit-code", both(sw.sh("mypy"), sw.exits(0)))
c.yesno(
    "Was server.py ever reported with an exit code?",
    "yesno/exit-code/none",
    both(sw.sh(r"python server\.py"), sw.any_code),
)
c.yesno("Is there any undo_edit on src/config.py?", "yesno/zero", sw.ed("undo_edit", sw.CFG))
c.table(
    "Exit codes of the pytest runs with their counts, please.",
    "table/exit-code",
    both(sw.PYTEST, sw.any_code),
    sw.status,
)
c.table(
    "Failed editor calls by editor command?", "table/failure", both(sw.EDITOR, sw.ERROR), sw.COMMAND
)
c.table(
    "How many times was each editor command used on /repo/app.py?",
    "table/file",
    sw.ed(sw.MODIFY + "|view|undo_edit", sw.APP),
    sw.COMMAND,
)
c.multi(
    "How many editor calls succeeded and how many returned an error?",
    "multi/outcome",
    ("succeeded", "count", both(sw.EDITOR, sw.OK)),
    ("error", "count", both(sw.EDITOR, sw.ERROR)),
)
c.multi(
    "Count the views of app.py.bak and the modification attempts on it.",
    "multi/file",
    ("views", "count", sw.ed("view", sw.BAK)),
    ("modifications", "count", sw.ed(sw.MODIFY, sw.BAK)),
)
c.multi(
    "First and last pytest run, and the total number of runs?",
    "multi/three",
    ("first", "first", sw.PYTEST),
    ("last", "last", sw.PYTEST),
    ("total", "count", sw.PYTEST),
)
c.count("hwo many veiws of src/config.py were there", "count/typo", sw.ed("view", sw.CFG))
c.count(
    "How many edits were made to /repo/tests/app.py.bak?",
    "count/absent/near-miss",
    sw.ed(sw.MODIFY, "/repo/tests/app.py.bak"),
    decline_or_zero=True,
)
c.count(
    "How many commands exited with code 42?",
    "count/exit-code/absent",
    sw.exits(42),
    decline_or_zero=True,
)
c.count(
    "How many python commands were run up to step 9999?",
    "count/bound-beyond-end",
    sw.sh("python"),
    None,
    9999,
)
c.decline("How much longer did the slow test take than the others?", "arithmetic")
c.decline("Summarize what the agent learned from the tests.", "content")

p = Ask("parser-lib-4", "h")
p.count(
    "How many str_replace commands failed on lexer.py?",
    "count/failure/file",
    both(sw.ed("str_replace", sw.LEX), sw.ERROR),
)
p.count(
    "Within steps 40–50, how many make test runs came back with zero?",
    "count/exit-code/en-dash",
    both(sw.MAKE_TEST, sw.exits(0)),
    40,
    50,
)
p.count(
    "How many edits of Markdown documents (.md) are there?",
    "count/extension",
    both(sw.ed(sw.MODIFY), has(r'\.md"')),
)
p.count(
    "How many editor commands touched the directory /work/lib (any file in it)?",
    "count/directory",
    both(sw.EDITOR, has(r'"path": "/work/lib/')),
)
p.count(
    "In the first five steps, how many actions did the agent really take (empty prompt rows are none)?",
    "count/first-k/one-based",
    is_action,
    1,
    5,
)
p.where("List the steps with an empty prompt row.", "list/prompt-rows", st.empty_prompt)
p.where("Which steps exited with status 2 or 137?", "list/exit-code/disjunction", sw.exits(2, 137))
p.first("Which step is the first one with a real action?", "first/prompt-rows", is_action)
p.value(
    "Which file was edited last with str_replace?",
    "history/last-value",
    sw.ed("str_replace"),
    sw.PATH,
    -1,
)
p.multi(
    "tokens.py and tokens_test.py: at which steps was each created?",
    "multi/first",
    ("tokens.py", "first", sw.ed("create", "/work/lib/tokens.py")),
    ("tokens_test.py", "first", sw.ed("create", "/work/lib/tokens_test.py")),
)
p.yesno(
    "Was /work/lib/tokens.py modified after its creation?",
    "yesno/zero/after-event",
    sw.ed(sw.MODIFY, "/work/lib/tokens.py"),
    p.at(sw.ed("create", "/work/lib/tokens.py")) + 1,
)
p.yesno(
    "Did git commit succeed with exit code 0?",
    "yesno/exit-code",
    both(sw.sh("git commit"), sw.exits(0)),
)

w = Ask("shop-5", "h")
w.count(
    "How many clicks hit something called Cart, be it 'Cart' or 'Cart (2)'?",
    "count/disjunction",
    either(wb.click("Cart"), wb.click("Cart (2)")),
)
w.count(
    "How many downward scrolls were there between the first click on Go and the second one?",
    "count/between-events",
    wb.DOWN,
    w.at(wb.click("Go")) + 1,
    w.at(wb.click("Go"), 1) - 1,
)
w.count(
    "How many times was an e-mail address typed into Email or Confirm email?",
    "count/field/disjunction",
    act(r"type .+ is textbox '(Email|Confirm email)' .+"),
)
w.count(
    "Number of key presses other than Enter?",
    "count/exclusion",
    both(wb.PRESS, no(act(r"press \[Enter\]"))),
)
w.count("How many link clicks were made at or after step 30?", "count/on-or-after", wb.LINK, 30)
w.count(
    "How many button clicks happened within the last fifteen steps?", "count/last-k", wb.BUTTON, 62
)
w.count(
    "How many goto actions went to a URL containing 'page=3'?",
    "count/quoted-number",
    both(wb.GOTO, has("page=3")),
)
w.where(
    "List the steps with clicks on 'Apply', but only those after step 70.",
    "list/after-step",
    wb.click("Apply"),
    71,
)
w.where("Which steps typed something into Search?", "list/field", wb.enter("", "Search"))
w.value(
    "What was the last value typed into Qty?",
    "history/last-value",
    wb.enter("", "Qty"),
    wb.TEXT,
    -1,
)
w.value("Which URL did the agent open first with goto?", "history/first-value", wb.GOTO, wb.URL, 0)
w.value("Which key was pressed first?", "history/first-value", wb.PRESS, wb.KEYNAME, 0)
w.pairs(
    "Which coupon codes were typed, at which steps?",
    "history/value",
    wb.enter("", "Coupon code"),
    wb.TEXT,
)
w.nth("Second-to-last click on 'Go': which step?", "nth-from-end", wb.click("Go"), -2)
w.first(
    "When was the 'Place order' button hit?", "first/synonym", wb.click("Place order", "button")
)
w.yesno(
    "Did the agent ever enter 'save20' as coupon code?",
    "yesno/field-value",
    wb.enter("save20", "Coupon code"),
)
w.yesno(
    "Was the Account link clicked before it was hovered over?",
    "yesno/zero/before-event",
    wb.click("Account"),
    None,
    w.at(wb.HOVER) - 1,
)
w.multi(
    "Scrolls: how many down, how many up, and what is the longest series?",
    "multi/run",
    ("down", "count", wb.DOWN),
    ("up", "count", wb.UP),
    ("longest", "run", wb.SCROLL),
)
w.table("Number of texts typed per field?", "table/field", wb.TYPE, wb.LABEL)
w.count("How many time's was 'Updtae' clicked?", "count/typo", wb.click("Update"))
w.count(
    "How many malformed replies or missing elements were there altogether?",
    "count/malformed",
    malformed,
)
w.decline("What colour is the Reorder button?", "outside")
w.decline("Tell me how the shop calculates shipping.", "outside")

f = Ask("forum-6", "h")
f.count(
    "How many clicks went to Upvote or Downvote?",
    "count/disjunction",
    either(wb.click("Upvote"), wb.click("Downvote")),
)
f.count("How many scroll actions come after Turn 26?", "count/turn", wb.SCROLL, 27)
f.count(
    "No more than the first 12 steps: how many link clicks?", "count/first-k", wb.LINK, None, 11
)
f.value(
    "Which forum link, starting with f/, was clicked last?",
    "history/last-value",
    act(r"click .+ is link 'f/.+'"),
    wb.LABEL,
    -1,
)
f.names(
    "Which forums (links starting with f/) were clicked? Once each.",
    "distinct/prefix",
    act(r"click .+ is link 'f/.+'"),
    wb.LABEL,
)
f.where("Which steps press Enter?", "list/key", act(r"press \[Enter\]"))
f.yesno("Did the agent type anything into Body?", "yesno/field", wb.enter("", "Body"))
f.multi(
    "'42 comments' and '2 comments': how many clicks each?",
    "multi/near-miss",
    ("42 comments", "count", wb.click("42 comments")),
    ("2 comments", "count", wb.click("2 comments")),
)

o = Ask("orders-7", "h")
o.count(
    "How many time-outs happened at or before step 17?", "count/at-or-before", st.TIMEOUT, None, 17
)
o.count("How many queries use the keyword LIMIT?", "count/word", both(st.SQL, st.word("LIMIT")))
o.count("How many queries on the archive table failed?", "count/failure", both(st.ARCH, st.ERROR))
o.count("How many queries on ORDERS_ARCHIVE succeeded?", "count/success", both(st.ARCH, st.DONE))
o.count(
    'How many bash commands echo or print the words "Read timed out"?',
    "count/quoted/trap",
    both(st.BASH, has("Read timed out")),
)
o.count(
    "How many queries complained about an invalid identifier?",
    "count/error",
    both(st.SQL, said("invalid identifier")),
)
o.count(
    "How many errors named the identifier CUSTOMER?",
    "count/error",
    said("invalid identifier 'CUSTOMER'"),
)
o.where(
    "Give all steps at which SELECT COUNT(*) FROM SHOP.PUBLIC.ORDERS was sent on its own.",
    "list/exact",
    act(r"execute_snowflake_sql: SELECT COUNT\(\*\) FROM SHOP\.PUBLIC\.ORDERS"),
)
o.value(
    "Which program did the last bash command start?", "history/last-value", st.BASH, st.PROGRAM, -1
)
o.value("Which tool was called first?", "history/first-value", is_action, st.TOOL, 0)
o.nth("Fourth SQL compilation error: which step?", "nth/error", st.COMPILE, 3)
o.last(
    "Which step has the last successful query before step 30?",
    "last/success/before-step",
    both(st.SQL, st.DONE),
    None,
    29,
)
o.multi(
    "How many queries were sent before the first bash grep and how many after the last one?",
    "multi/events",
    ("before", "count", st.SQL, None, o.at(st.prog("grep")) - 1),
    ("after", "count", st.SQL, o.at(st.prog("grep"), -1) + 1, None),
)
o.decline("Is Snowflake slower than Postgres?", "opinion")

t = Ask("lighthouse-9", "h")
t.count(
    "How many calls hit wikipedia.org pages through fetch_website_content?",
    "count/domain",
    both(st.FETCH, has(r"//en\.wikipedia\.org/")),
)
t.count(
    "How many tavily searches happened after the last mark_step with status completed?",
    "count/after-event",
    st.SEARCH,
    t.at(both(st.MARK, has('"completed"')), -1) + 1,
)
t.count(
    "Between step thirty and step forty-four, how many calls were rate limited?",
    "count/number-word",
    st.LIMITED,
    30,
    44,
)
t.count(
    "How many fetch_website_content requests failed with some error?",
    "count/failure",
    both(st.FETCH, st.ANY_ERROR),
)
t.count(
    'How many queries contain the phrase "lighthouse height"?',
    "count/quoted",
    both(st.SEARCH, has("lighthouse height")),
)
t.where(
    "Steps at which notes.md was read or saved?",
    "list/disjunction",
    both(either(st.SAVE, st.READ), st.file("notes.md")),
)
t.value("Which file was read last?", "history/last-value", st.READ, st.FNAME, -1)
t.value("What status was set by the last mark_step?", "history/last-value", st.MARK, st.STATE, -1)
t.value("What was the first search query?", "history/first-value", st.SEARCH, st.sent, 0)
t.pairs("Which status did mark_step set at which step?", "history/value", st.MARK, st.STATE)
t.table("Requests per URL for fetch_website_content?", "table/url", st.FETCH, st.URL)
t.table("Per search query, how many searches?", "table/value", st.SEARCH, st.sent)
t.yesno("Was any code executed before step 26?", "yesno/zero/before-step", st.CODE, None, 25)
t.first("When does the first rate limit error (429) show up?", "first/error", st.LIMITED)
t.multi(
    "How many fetches of https://phares.test/armen were there; how many got a 429 and how many a 404?",
    "multi/error",
    ("fetches", "count", st.url(st.PHARES)),
    ("429", "count", both(st.url(st.PHARES), st.LIMITED)),
    ("404", "count", both(st.url(st.PHARES), st.GONE)),
)

g = Ask("tiles-11", "h")
g.count(
    "In steps 10 to 20, how many moves were invalid?",
    "count/no-effect/step-range",
    said("Invalid move"),
    10,
    20,
)
g.count("Left or right: how many moves in total?", "count/disjunction", act("left|right"))
g.first(
    "First invalid right move after step 20?",
    "first/no-effect",
    both(act("right"), said("Invalid move")),
    21,
)
g.first(
    "At which step does the reported highest_tile reach 32 for the first time?",
    "first/observation",
    said("'highest_tile': 32,"),
)
g.value("What was the very last move?", "history/last-value", is_action, part("(.+)"), -1)

v = Ask("survival-12", "h")
v.count("How many Do actions were performed in turns 40–70?", "count/en-dash", act("do"), 40, 70)
v.count(
    "How many stone-related actions (Place Stone, Make Stone Pickaxe) were there?",
    "count/disjunction",
    act("place stone|make stone pickaxe"),
)
v.value(
    "Which item did the agent try to make last?",
    "history/last-value",
    act("make .+"),
    part(r"make (.+)"),
    -1,
)
v.where(
    "On which steps was 'Make Wood Pickaxe' or 'Make Wood Sword' tried?",
    "list/disjunction",
    act("make wood (pickaxe|sword)"),
)
v.yesno(
    "Was the wood sword ever made without the game reporting missing materials?",
    "yesno/success",
    both(act("make wood sword"), no(said("lack the materials"))),
)
v.multi(
    "Move North, Move South, Move East: counts for each, please.",
    "multi/three",
    ("north", "count", act("move north")),
    ("south", "count", act("move south")),
    ("east", "count", act("move east")),
)

d = Ask("dungeon-14", "h")
d.count("East or far east: how many commands altogether?", "count/disjunction", act("(far )?east"))
d.count(
    "How many searches revealed a hidden door?",
    "count/observation",
    both(act("search"), said("You find a hidden door")),
)
d.where(
    "Steps on which a kick made the WHAMM! sound?",
    "list/observation",
    both(act("kick"), said("WHAMM!")),
)
d.value(
    "What was the last command other than west?",
    "history/last-value",
    no(act("west")),
    part("(.+)"),
    -1,
)
d.count(
    "In the first 2 dozen steps, how many west commands (plain west)?",
    "count/first-k/number-word",
    act("west"),
    None,
    23,
)

ITEMS = [item for log in (k, b, c, p, w, f, o, t, g, v, d) for item in log.items]
