"""A third series: the same few questions in many wordings, above all of bounds and verbs."""

from __future__ import annotations

import software as sw
import sql_and_tools as st
import text_world as tw
import web as wb
from ask import Ask, act, both, said

k = Ask("kitchen-1", "w")
k.count("How many looks through step 30?", "bounds/through", tw.LOOK, None, 30)
k.count("How many looks by step 31?", "bounds/by", tw.LOOK, None, 31)
k.count("How many looks until step 32, that step included?", "bounds/until", tw.LOOK, None, 32)
k.count(
    "How many looks had there been when step 39 was over?", "bounds/when-over", tw.LOOK, None, 39
)
k.count("How many looks up to but not including step 39?", "bounds/exclusive", tw.LOOK, None, 38)
k.count("How many looks prior to step 29?", "bounds/prior-to", tw.LOOK, None, 28)
k.count("How many looks earlier than step 26?", "bounds/earlier-than", tw.LOOK, None, 25)
k.count("How many looks in steps below 25?", "bounds/below", tw.LOOK, None, 24)
k.count("How many looks from step 82 to the end?", "bounds/to-the-end", tw.LOOK, 82)
k.count("How many looks from step 87 onwards?", "bounds/onwards", tw.LOOK, 87)
k.count("How many looks past step 87?", "bounds/past", tw.LOOK, 88)
k.count("How many looks beyond step 101?", "bounds/beyond", tw.LOOK, 102)
k.count("How many looks following step 107?", "bounds/following", tw.LOOK, 108)
k.count("How many looks starting at step 107?", "bounds/starting-at", tw.LOOK, 107)
k.count("How many looks starting from Turn 111?", "bounds/starting-from", tw.LOOK, 111)
k.count(
    "How many looks between step 13 and step 26, inclusive?",
    "bounds/between-inclusive",
    tw.LOOK,
    13,
    26,
)
k.count(
    "How many looks between step 13 and step 26, both excluded?",
    "bounds/between-exclusive",
    tw.LOOK,
    14,
    25,
)
k.count("How many looks in the range 14–24?", "bounds/range", tw.LOOK, 14, 24)
k.count("How many looks in the interval [16, 30]?", "bounds/interval", tw.LOOK, 16, 30)
k.count("How many looks during steps 29 to 39?", "bounds/during", tw.LOOK, 29, 39)
k.count("How many looks within steps 23 through 26?", "bounds/within", tw.LOOK, 23, 26)
k.count("How many looks were there in turns 24-30?", "bounds/hyphen", tw.LOOK, 24, 30)
k.count(
    "How many looks took place from turn index 0 to turn index 16?",
    "bounds/turn-index",
    tw.LOOK,
    0,
    16,
)
k.count("How many looks after turn one hundred and seven?", "bounds/number-word", tw.LOOK, 108)
k.count(
    "How many looks before the thirtieth step number, i.e. before step 30?",
    "bounds/before",
    tw.LOOK,
    None,
    29,
)
k.count("How many looks in the first fifteen steps (0 to 14)?", "bounds/first-k", tw.LOOK, None, 14)
k.count("How many looks in the whole episode?", "bounds/none", tw.LOOK)
k.count(
    "At step 26, how many looks had the agent made so far, that one included?",
    "bounds/so-far",
    tw.LOOK,
    None,
    26,
)
k.count("Only steps 0–9 matter: how many looks?", "bounds/only", tw.LOOK, 0, 9)
k.count(
    "Disregarding everything after step 61, how many looks are left?",
    "bounds/disregarding",
    tw.LOOK,
    None,
    61,
)
k.count(
    "How many looks are there in steps 126 to 140?",
    "bounds/after-the-end",
    tw.LOOK,
    126,
    140,
    decline_or_zero=True,
)
k.count("How many times was mug 1 picked up?", "verbs/pick-up", act("take mug 1 .+"))
k.count("How many times was mug 1 grabbed?", "verbs/grab", act("take mug 1 .+"))
k.count(
    "How many times was mug 1 set down, whatever the place?", "verbs/set-down", act("move mug 1 .+")
)
k.count("How many times was mug 1 placed on shelf 2?", "verbs/place", act("move mug 1 to shelf 2"))
k.count("How many times was mug 1 put into drawer 10?", "verbs/put", act("move mug 1 to drawer 10"))
k.count("How many times did the agent travel to fridge 1?", "verbs/travel", act("go to fridge 1"))
k.count("How many times did the agent head to shelf 1?", "verbs/head", act("go to shelf 1"))
k.count(
    "How many times did the agent return to or arrive at microwave 1 with a go to?",
    "verbs/arrive",
    act("go to microwave 1"),
)
k.count("How many times was mug 1 washed?", "verbs/wash", act("clean mug 1 .+"))
k.count("How many times was apple 1 chilled?", "verbs/chill", act("cool apple 1 .+"))
k.count(
    "How many times was potato 1 warmed up in microwave 1?",
    "verbs/warm",
    act("heat potato 1 with microwave 1"),
)
k.count("How many times was potato 1 cut?", "verbs/cut", act("slice potato 1 .+"))
k.count("How many times was drawer 1 shut?", "verbs/shut", act("close drawer 1"))
k.count("How many times was mug 2 inspected?", "verbs/inspect", act("examine mug 2"))
k.count("How many times did the agent ask for help?", "verbs/ask", tw.HELP)
k.count("How many times did the agent check its inventory?", "verbs/check", tw.INV)
k.count('Count it for me: "go to shelf 2".', "form/count-it", act("go to shelf 2"))
k.count("go to shelf 2 - number of occurrences?", "form/fragment", act("go to shelf 2"))
k.count("shelf 2 visits: total?", "form/fragment", act("go to shelf 2"))
k.count(
    "What is the total number of times the agent went to shelf 2?",
    "form/total",
    act("go to shelf 2"),
)
k.count(
    "Of the agent's go to actions, how many had shelf 2 as destination?",
    "form/of-the",
    act("go to shelf 2"),
)
k.count("I need the frequency of visits to shelf 2.", "form/frequency", act("go to shelf 2"))
k.count("How many separate visits did shelf 2 get?", "form/passive", act("go to shelf 2"))
k.count(
    "Please determine how often the agent went to shelf 2 over the course of the episode.",
    "form/polite",
    act("go to shelf 2"),
)

c = Ask("cli-tool-3", "w")
c.count("How many create commands did the agent issue?", "verbs/create", sw.ed("create"))
c.count("How many times was an existing edit undone?", "verbs/undo", sw.ed("undo_edit"))
c.count("How many insert commands were given?", "verbs/insert", sw.ed("insert"))
c.count(
    "How many replacements (str_replace) were attempted in tests/app.py?",
    "verbs/replace",
    sw.ed("str_replace", sw.TAPP),
)
c.count("How many times was src/config.py opened for viewing?", "verbs/view", sw.ed("view", sw.CFG))
c.count(
    "How many times did the agent read /repo/README.md with the editor?",
    "verbs/read",
    sw.ed("view", "/repo/README.md"),
)
c.count(
    "How many terminal commands were executed before step 10?", "verbs/terminal", sw.BASH, None, 9
)
c.count("How many calls to execute_bash come after step 75?", "verbs/call", sw.BASH, 76)
c.count(
    "How many commands finished with exit status zero before step 40?",
    "exit/status-zero",
    sw.exits(0),
    None,
    39,
)
c.count(
    "How many commands returned a nonzero exit status after step 60?",
    "exit/nonzero",
    sw.nonzero,
    61,
)
c.count(
    "How many commands did not exit with 0 although they report an exit code, in steps 30–45?",
    "exit/not-zero",
    sw.nonzero,
    30,
    45,
)
c.count("How many times did a command exit with return code 2?", "exit/return-code", sw.exits(2))
c.count("How many commands have the exit code -15?", "exit/negative", sw.exits(-15))
c.where("Which steps show a command that timed out with code 124?", "exit/list", sw.exits(124))
c.where("Which steps have commands with exit code 2?", "exit/list", sw.exits(2))
c.where(
    "On which steps did a pytest run exit with code 0?", "exit/list", both(sw.PYTEST, sw.exits(0))
)
c.first(
    "When did a bash command first come back with a non-zero exit code?", "exit/first", sw.nonzero
)
c.first(
    "What's the first step whose exit code is negative?",
    "exit/first-negative",
    lambda s: sw.BASH(s) and (sw.code(s) or 0) < 0,
)
c.where(
    "At which steps was /repo/app.py modified, failed attempts included?",
    "files/list",
    sw.ed(sw.MODIFY, sw.APP),
)
c.where(
    "At which steps was /repo/app.py modified successfully?",
    "files/list-success",
    both(sw.ed(sw.MODIFY, sw.APP), sw.OK),
)
c.first("When was /repo/src/config.py first modified?", "files/first", sw.ed(sw.MODIFY, sw.CFG))
c.last("When was /repo/src/config.py last modified?", "files/last", sw.ed(sw.MODIFY, sw.CFG))
c.last(
    "At what step was app.py.bak viewed for the last time?",
    "files/last-near-miss",
    sw.ed("view", sw.BAK),
)
c.names(
    "Which files did the agent change successfully with str_replace? Once each.",
    "files/distinct",
    both(sw.ed("str_replace"), sw.OK),
    sw.PATH,
)
c.names("Which files were the target of an insert?", "files/distinct", sw.ed("insert"), sw.PATH)
c.yesno(
    "Has /repo/tests/app.py been modified before step 20?",
    "files/yesno",
    sw.ed(sw.MODIFY, sw.TAPP),
    None,
    19,
)
c.yesno(
    "Has /repo/tests/app.py been modified by step 21?",
    "files/yesno",
    sw.ed(sw.MODIFY, sw.TAPP),
    None,
    21,
)
c.count(
    "How many file modifications were confirmed by the editor?",
    "files/success",
    both(sw.ed(sw.MODIFY), sw.OK),
)
c.count(
    "How many file modifications up to step 57 (attempts count)?",
    "files/up-to",
    sw.ed(sw.MODIFY),
    None,
    57,
)
c.count(
    "How many think steps after the stash was popped?",
    "events/after",
    sw.THINK,
    c.at(sw.sh("git stash pop")) + 1,
)
c.count(
    "How many bash commands between the first and the second start of server.py?",
    "events/between",
    sw.BASH,
    c.at(sw.sh(r"python server\.py")) + 1,
    c.at(sw.sh(r"python server\.py"), 1) - 1,
)
c.count(
    "How many editor calls before the first pytest run?",
    "events/before",
    sw.EDITOR,
    None,
    c.at(sw.PYTEST) - 1,
)
c.count(
    "How many view commands after the last pytest run?",
    "events/after/zero",
    sw.ed("view"),
    c.at(sw.PYTEST, -1) + 1,
)

w = Ask("shop-5", "w")
w.count("How many times did the agent hit Enter?", "verbs/hit", act(r"press \[Enter\]"))
w.count("How many times did the user agent navigate to a URL with goto?", "verbs/navigate", wb.GOTO)
w.count(
    "How many page-down scrolls (scroll [down]) in the first 20 steps?",
    "verbs/scroll",
    wb.DOWN,
    None,
    19,
)
w.count("How many times was the mouse moved over something (hover)?", "verbs/hover", wb.HOVER)
w.count("How many times was a tab focused?", "verbs/tab", act(r"tab_focus .+"))
w.count("How many inputs were made in the 'Search' textbox?", "verbs/input", wb.enter("", "Search"))
w.count("How many times was the text 4 entered in Qty?", "values/number", wb.enter("4", "Qty"))
w.count(
    "How many times was SAVE10 entered as a coupon code before step 71?",
    "values/bound",
    wb.enter("SAVE10", "Coupon code"),
    None,
    70,
)
w.where(
    "List the steps of the clicks on the 'View order' link.", "labels/list", wb.click("View order")
)
w.where(
    "At which steps was the button 'Add to Cart' clicked?", "labels/list", wb.click("Add to Cart")
)
w.first("When was Cart first clicked? (The plain Cart link.)", "labels/first", wb.click("Cart"))
w.last("When was Go last clicked?", "labels/last", wb.click("Go"))
w.yesno("Did the agent click Teapots?", "labels/yesno", wb.click("Teapots"))
w.yesno(
    "Did the agent click Coffee pots?",
    "labels/yesno-absent",
    wb.click("Coffee pots"),
    decline_or_zero=True,
)
w.count(
    "How many clicks on Save followed the first Save click?",
    "events/after-same",
    wb.click("Save"),
    w.at(wb.click("Save")) + 1,
)
w.count(
    "How many scrolls happened from step 13 up to the first 'View order' click?",
    "events/mixed",
    wb.SCROLL,
    13,
    w.at(wb.click("View order")) - 1,
)

o = Ask("orders-7", "w")
o.count("How many Snowflake calls in steps 16 to 19?", "bounds/range", st.SQL, 16, 19)
o.count(
    "How many queries raised an error before step 16?",
    "outcome/raised",
    both(st.SQL, st.ERROR),
    None,
    15,
)
o.count(
    "How many queries went through without error between steps 20 and 40?",
    "outcome/through",
    both(st.SQL, st.DONE),
    20,
    40,
)
o.count("How many queries errored out in total?", "outcome/errored", both(st.SQL, st.ERROR))
o.where("Which steps returned an internal server error?", "outcome/list", st.SERVER)
o.where(
    "Which steps are successful queries after step 36?", "outcome/list", both(st.SQL, st.DONE), 37
)
o.first("When does the first compilation error turn up?", "outcome/first", st.COMPILE)
o.last("When does the last compilation error turn up?", "outcome/last", st.COMPILE)
o.yesno("Did any query time out after step 40?", "outcome/yesno", st.TIMEOUT, 41)
o.yesno("Did any query time out between steps 20 and 40?", "outcome/yesno-zero", st.TIMEOUT, 20, 40)
o.count("How many wc commands?", "program/count", st.prog("wc"))
o.count(
    "How many times was the file ORDERS_ARCHIVE.json read by a bash command?",
    "program/file",
    both(st.BASH, act(r".+/ORDERS_ARCHIVE\.json.*")),
)

t = Ask("lighthouse-9", "w")
t.count(
    "How often was the web searched via tavily_search after step 40?",
    "verbs/searched",
    st.SEARCH,
    41,
)
t.count("How many Python snippets were executed with execute_code?", "verbs/executed", st.CODE)
t.count("How many times did the agent write a file with file_saver?", "verbs/write", st.SAVE)
t.count(
    "How many file_read calls ended in an error?", "outcome/failed", both(st.READ, st.ANY_ERROR)
)
t.count(
    "How many tavily_search calls failed with a 503?", "outcome/failed", both(st.SEARCH, st.DOWN)
)
t.where(
    "Which steps fetched the page https://en.wikipedia.org/wiki/Ar-Men_(novel)?",
    "url/list",
    st.url("https://en.wikipedia.org/wiki/Ar-Men_(novel)"),
)
t.where("List the steps of the file_read calls.", "tool/list", st.READ)
t.first("When was search_wiki first used?", "tool/first", st.WIKI)
t.last("When was tavily_search last used?", "tool/last", st.SEARCH)
t.yesno(
    "Was execute_code called before the first file_saver call?",
    "events/yesno-zero",
    st.CODE,
    None,
    t.at(st.SAVE) - 1,
)
t.yesno(
    "Was notes.md read after step 40?", "file/yesno-zero", both(st.READ, st.file("notes.md")), 41
)

g = Ask("tiles-11", "w")
g.count("How many times was up pressed?", "verbs/pressed", act("up"))
g.count("How many times did the player swipe left?", "verbs/swipe", act("left"))
g.count("How many times did the player go right in steps 50–80?", "verbs/go", act("right"), 50, 80)
g.count(
    "How many ups before the first down?", "events/before", act("up"), None, g.at(act("down")) - 1
)
g.where(
    "Which steps after step 60 had an invalid left move?",
    "outcome/list",
    both(act("left"), said("Invalid move")),
    61,
)

v = Ask("survival-12", "w")
v.count("How many times did the player walk west?", "verbs/walk", act("move west"))
v.count("How many tables were placed?", "verbs/placed", act("place table"))
v.count("How many times did the player idle (Noop) after step 70?", "verbs/idle", act("noop"), 71)
v.count("How many sleeps by turn 75?", "bounds/by-turn", act("sleep"), None, 75)
v.where("When did the player sleep? List all steps.", "list/when", act("sleep"))

ITEMS = [item for log in (k, c, w, o, t, g, v) for item in log.items]
