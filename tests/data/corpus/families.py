"""A fourth series: numbers of times, places, n-th values, sides of an event, parts of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import games as gm
import software as sw
import text_world as tw
import web as wb
from ask import Ask, Key, act, both, either, no

if TYPE_CHECKING:
    from ask import Pred


def often(ask: Ask, question: str, pred: Pred, low: int, high: int | None = None) -> None:
    """Whether so many events happened."""
    found = ask.events(pred)
    so = len(found) >= low and (high is None or len(found) <= high)
    ask.add(question, "times/yesno", "yesno", "yes" if so else "no", found if so else [])


def those(ask: Ask, question: str, pred: Pred, key: Key, low: int, high: int | None = None) -> None:
    """The values with so many events, in order of first mention."""
    tally = dict(ask.tally(pred, key))
    order = dict.fromkeys(key(s) for s in ask.events(pred))
    held = [v for v in order if tally[v] >= low and (high is None or tally[v] <= high)]
    ask.add(question, "times/names", "list", ", ".join(held) or "none", ask.events(pred))


def go(place: str) -> Pred:
    return act(f"go to {place}")


OPEN = act("open .+")
GO = act("go to .+")

k = Ask("kitchen-1", "f")
often(k, "Was drawer 11 visited more than once?", go("drawer 11"), 2)
often(k, "Did the agent go to drawer 11 at least four times?", go("drawer 11"), 4)
often(k, "Could you check whether help was called for exactly twice?", tw.HELP, 2, 2)
often(k, "Was the inventory checked fewer than three times?", tw.INV, 0, 2)
often(k, "Can you tell me if drawer 11 was visited several times?", go("drawer 11"), 2)
those(k, "Which places did the agent visit at least 5 times?", GO, tw.PLACE, 5)
those(k, "Which objects were picked up more than once?", tw.TAKE, tw.TAKEN, 2)
k.value("Where did the agent go first?", "where/first", GO, tw.PLACE, 0)
k.value("Where did the agent go last?", "where/last", GO, tw.PLACE, -1)
k.top("Where did the agent go most often?", "where/most", GO, tw.PLACE)
k.count("I'd like to know how often drawer 11 was visited, please.", "polite", go("drawer 11"))
k.count("Would you please count the looks up to step 40?", "polite", tw.LOOK, None, 40)
k.count(
    "Ignoring everything after step 61, how many inventory checks are there?",
    "bounds/ignoring",
    tw.INV,
    None,
    61,
)
k.count(
    "Disregarding all steps before step 30, how many looks are there?",
    "bounds/ignoring",
    tw.LOOK,
    30,
)
k.count("How many looks are there in steps 10..50?", "bounds/dots", tw.LOOK, 10, 50)
k.where("Which steps up to 60 are looks?", "bounds/bare", tw.LOOK, None, 60)
k.where("List all steps after 80 with a go to action.", "bounds/bare", GO, 81)
k.count(
    "Looking at the log only as far as step 70, how many looks do you count?",
    "bounds/as-far-as",
    tw.LOOK,
    None,
    70,
)
k.multi(
    "How many looks came before the first take, and how many after that?",
    "sides",
    ("before", "count", tw.LOOK, None, k.at(tw.TAKE) - 1),
    ("after", "count", tw.LOOK, k.at(tw.TAKE) + 1, None),
)
k.decline("Is mug 1 on the countertop?", "state")
k.decline("Did the agent succeed in its task?", "whole")
k.decline("Which drawers were opened but never closed?", "two-things")
k.decline("Where is mug 1 now?", "state")
k.decline("Did all the looks succeed?", "all")
k.decline("What is the third most visited place?", "nth-most")
k.decline("Which place has the longest streak of visits?", "run-of")
k.decline("How many steps in does the first take happen?", "arithmetic")
k.decline("Was the last action a look?", "last-one")
k.decline("Were there more looks than go to actions?", "comparison")
k.decline("How many looks were there? Examining something is a look, too.", "restated")
k.decline("For how many steps did the agent carry mug 1?", "state")

b = Ask("bedroom-2", "f")
often(b, "Was desklamp 1 used at least twice?", act("use desklamp 1"), 2)
often(b, "Has the agent been to drawer 1 more than three times?", go("drawer 1"), 4)
those(b, "Which objects did the agent try to take exactly once?", tw.TAKE, tw.TAKEN, 1, 1)
b.count("How many times did it use the desk lamp?", "nickname", act("use desklamp 1"))
b.first("When was the lamp first used?", "nickname", act("use desklamp 1"))
b.where("On which steps was the desk lamp used?", "nickname", act("use desklamp 1"))
b.decline("Where could cd 3 be hidden?", "advice")

c = Ask("cli-tool-3", "f")
c.count("How many bash commands had an exit code other than 0?", "exit", sw.nonzero)
c.count("How many commands returned a non-zero status?", "exit", sw.nonzero)
c.count("For how many bash commands was the exit code non-zero?", "exit", sw.nonzero)
c.count("How many shell commands did not return 0?", "exit", sw.nonzero)
c.where("Which steps hold a command with an exit code different from 0?", "exit", sw.nonzero)
c.count(
    "How many views were there of files ending in .bak?",
    "parts",
    act(r'str_replace_editor: .*"command": "view".*\.bak".*'),
)
c.count(
    "How many create/str_replace/insert commands did the editor get?", "slashes", sw.ed(sw.MODIFY)
)
c.top("What's the most frequently viewed file?", "top/adjective", sw.ed("view"), sw.PATH)
c.count("How many git stash commands were there?", "subcommand", sw.sh(r"git stash"))
c.decline("What did the first failing pytest run print?", "content")
c.decline("Which files were both viewed and edited?", "two-things")
c.decline("Did the last command succeed?", "last-one")
c.decline("Which lines of app.py were changed?", "content")

w = Ask("shop-5", "f")
often(w, "Was 'Update' clicked more than once?", wb.click("Update"), 2)
often(w, "Was 'Cart (2)' clicked exactly once?", wb.click("Cart (2)"), 1, 1)
w.value("What was the second element clicked?", "nth/value", wb.CLICK, wb.LABEL, 1)
w.value("What was the third link that was clicked?", "nth/value", wb.LINK, wb.LABEL, 2)
w.count("How many clicks were not on links?", "not/element", both(wb.CLICK, no(wb.LINK)))
w.count("Would you tell me how many scrolls there are?", "polite", wb.SCROLL)
w.decline("Is there a Checkout button on the page?", "state")
w.decline("How many clicks had the desired effect?", "opinion")

g = Ask("tiles-11", "f")
g.count("How many upward moves were made?", "ward", gm.UP)
g.count("How many leftward moves are there before step 40?", "ward", gm.LEFT, None, 39)
g.count("The player goes up how many times?", "alone", gm.UP)
g.run("What's the longest run of up?", "alone", gm.UP)
g.count("How many moves are there before the first down?", "alone", gm.ANY, None, g.at(gm.DOWN) - 1)
often(g, "Was down played more than ten times?", gm.DOWN, 11)
those(g, "Which moves were made at least 20 times?", gm.ANY, gm.whole, 20)
g.count("How many moves are either up or down?", "either", either(gm.UP, gm.DOWN))
g.decline("Which move has the longest streak?", "run-of")
g.decline("Is up played more often than right?", "comparison")

ITEMS = [item for log in (k, b, c, w, g) for item in log.items]
