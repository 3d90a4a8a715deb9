"""Questions over the four games."""
# ruff: noqa: E501

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ask import Ask, Pred, act, both, either, has, no, said

if TYPE_CHECKING:
    from logs import Step

ANY: Pred = lambda s: True  # noqa: E731
UP, DOWN, LEFT, RIGHT = act("up"), act("down"), act("left"), act("right")
INVALID = said("Invalid move")


def whole(s: Step) -> str:
    return s.action


g = Ask("tiles-11")
g.count("How many times did the player move up?", "count", UP)
g.count("Number of right moves?", "count", RIGHT)
g.count("How many of the moves were down?", "count", DOWN)
g.count("How many left moves until step 50?", "count/until", LEFT, None, 50)
g.count("Among the first 25 moves, how many were up?", "count/first-k", UP, None, 24)
g.count("How many moves to the left are there in turns 30–60?", "count/en-dash", LEFT, 30, 60)
g.count("How many of the last ten moves were up?", "count/last-k", UP, 100)
g.count("Later than step 89, how often was right played?", "count/after-step", RIGHT, 90)
g.first("When was down played for the first time?", "first", DOWN)
g.last("At which step was down played last?", "last", DOWN)
g.nth("The tenth right move is at which step?", "nth", RIGHT, 9)
g.where("Steps of all down moves?", "list", DOWN)
g.table("How often was each direction chosen?", "table/action", ANY, whole)
g.table(
    "Frequencies of the four directions in the first fifty steps?",
    "table/first-k",
    ANY,
    whole,
    None,
    49,
)
g.top("Which move was played most?", "top/action", ANY, whole)
g.least("Which direction was used least?", "least/action", ANY, whole)
g.run("What is the longest run of consecutive up moves?", "runs", UP)
g.run("How many lefts were played in a row, at most?", "runs", LEFT)
g.count("How many moves were invalid, leaving the board unchanged?", "count/no-effect", INVALID)
g.count("How many up moves were invalid?", "count/no-effect", both(UP, INVALID))
g.where(
    "At which steps up to step 40 did the game report an invalid move?",
    "list/no-effect",
    INVALID,
    None,
    40,
)
g.count(
    "How many moves were something other than up or left?", "count/exclusion", no(either(UP, LEFT))
)
g.count(
    "Between the first down and the second down, how many right moves were played?",
    "count/between-events",
    RIGHT,
    g.at(DOWN) + 1,
    g.at(DOWN, 1) - 1,
)
g.count(
    "Before the first right, how many moves were made?",
    "count/before-event",
    ANY,
    None,
    g.at(RIGHT) - 1,
)
g.count(
    "After the last down, how many left moves followed?",
    "count/after-event",
    LEFT,
    g.at(DOWN, -1) + 1,
)
g.multi(
    "How many ups and how many downs, please?",
    "multi",
    ("ups", "count", UP),
    ("downs", "count", DOWN),
)
g.multi(
    "Number of left moves, number of right moves, and the first step of each?",
    "multi/four",
    ("left", "count", LEFT),
    ("right", "count", RIGHT),
    ("first left", "first", LEFT),
    ("first right", "first", RIGHT),
)
g.yesno("Did the player move down before step 6?", "yesno/zero/before-step", DOWN, None, 5)
g.yesno("Was down played at any point after step 90?", "yesno/after-step", DOWN, 91)
g.count("How many diagonal moves were made?", "count/absent", act("diagonal"), decline_or_zero=True)
g.count(
    "How many up moves happened between step 200 and step 300?",
    "count/impossible-bound",
    UP,
    200,
    300,
    decline_or_zero=True,
)
g.decline("Why did the player keep pressing up when nothing moved?", "why")
g.decline("What is the highest tile on the board at step 70?", "content")
g.decline("Would starting with left have been better?", "what-if")
g.decline("What is the average number of moves between two downs?", "arithmetic")

WEST, EAST = act("move west"), act("move east")
NORTH, SOUTH = act("move north"), act("move south")
MOVE, DO, NOOP, SLEEP = act(r"move \w+"), act("do"), act("noop"), act("sleep")
MAKE, PLACE = act("make .+"), act("place .+")
LACK = said("^You lack the materials")

v = Ask("survival-12")
v.count("How many times was Move West performed, in whichever spelling?", "count/case", WEST)
v.count("How often did the player move north?", "count", NORTH)
v.count("How many moves of any direction were there?", "count/class", MOVE)
v.count("How many Do actions appear?", "count/near-miss", DO)
v.count("How many Noop actions were there?", "count", NOOP)
v.count("How often did the agent sleep?", "count", SLEEP)
v.count("How many attempts to make a stone pickaxe were made?", "count", act("make stone pickaxe"))
v.count(
    "How many crafting attempts (Make ...) failed for lack of materials?",
    "count/failure",
    both(MAKE, LACK),
)
v.where("At which steps did the game say that materials are lacking?", "list/failure", LACK)
v.names("Which things did the agent try to make? Each action once.", "distinct/action", MAKE, whole)
v.first("On which step is a table placed for the first time?", "first", act("place table"))
v.last("The last Sleep is on which step?", "last", SLEEP)
v.nth("Second Place Table: what step?", "nth", act("place table"), 1)
v.nth("Twelfth Do action: what step?", "nth", DO, 11)
v.where("Which steps are Place Stone actions?", "list", act("place stone"))
v.where(
    "Turns on which the agent does nothing (Noop), up to turn 80?", "list/up-to", NOOP, None, 80
)
v.table("How many Make actions of each kind?", "table/action", MAKE, whole)
v.table("Count each kind of Move action.", "table/action", MOVE, lambda s: s.action.title())
v.top("What is the most common action overall?", "top/action", ANY, whole)
v.run("How many Sleep actions follow one another at most?", "runs", SLEEP)
v.run("What's the longest run of Do?", "runs", DO)
v.yesno(
    "Did the agent make an iron sword?",
    "yesno/absent",
    act("make iron sword"),
    decline_or_zero=True,
)
v.yesno("Was Make Iron Pickaxe attempted?", "yesno", act("make iron pickaxe"))
v.yesno(
    "Did the agent place a stone after step 50?", "yesno/zero/after-step", act("place stone"), 51
)
v.count("Up to step 40, how many times did it move south?", "count/up-to", SOUTH, None, 40)
v.count("From step 60 through step 99, how many moves east?", "count/through", EAST, 60, 99)
v.count(
    "How many Do actions lie between the first Place Table and the first Place Stone?",
    "count/between-events",
    DO,
    v.at(act("place table")) + 1,
    v.at(act("place stone")) - 1,
)
v.count(
    "How many actions came after the last Make action?",
    "count/after-event",
    ANY,
    v.at(MAKE, -1) + 1,
)
v.count(
    "Before the first Sleep, how many Noop actions were there?",
    "count/before-event",
    NOOP,
    None,
    v.at(SLEEP) - 1,
)
v.count(
    "Apart from Move and Do actions, how many actions are in the log?",
    "count/exclusion",
    no(either(MOVE, DO)),
)
v.count("How many moves were not to the west?", "count/exclusion", both(MOVE, no(WEST)))
v.multi(
    "How many pickaxe attempts (any material) and how many sword attempts?",
    "multi",
    ("pickaxe", "count", act("make .+ pickaxe")),
    ("sword", "count", act("make .+ sword")),
)
v.multi(
    "When did the first and the last Make action happen?",
    "multi/first+last",
    ("first", "first", MAKE),
    ("last", "last", MAKE),
)
v.first("At what step does the message 'You died.' appear?", "first/observation", said("You died"))
v.count(
    "How many times was a plant placed?", "count/absent", act("place plant"), decline_or_zero=True
)
v.decline("Why did the player die?", "why")
v.decline("What does the player face at step 12?", "content")
v.decline("Should the agent have built a shelter before sleeping?", "should")
v.decline("If it had made the sword earlier, would it have survived?", "what-if")


def swap(text: str) -> Pred:
    return act(re.escape(text))


S1, S2, S3 = swap("((3,4),(3,5))"), swap("((3,4),(4,4))"), swap("((0,1),(1,1))")
REVERSED, MATCH = said("^No match"), said("^Match of 3!")

y = Ask("candy-13")
y.count("How many times was the swap ((3,4),(3,5)) played?", "count/coordinates", S1)
y.count("How often was ((3,4),(4,4)) swapped?", "count/coordinates", S2)
y.count(
    "How many times was ((0,1),(0,2)) tried, as distinct from ((10,1),(10,2))?",
    "count/coordinates/near-miss",
    swap("((0,1),(0,2))"),
)
y.count(
    "How many times does the move ((-1, -1), (-1, -1)) occur?",
    "count/coordinates/negative",
    swap("((-1, -1), (-1, -1))"),
)
y.count("How many swaps were reversed because there was no match?", "count/no-effect", REVERSED)
y.count("How many swaps produced a match?", "count/success", MATCH)
y.count("Up to step 20, how many swaps made a match?", "count/success/up-to", MATCH, None, 20)
y.first("First time ((2,2),(2,3)) is played?", "first/coordinates", swap("((2,2),(2,3))"))
y.last("Last time ((0,1),(1,1)) is played?", "last/coordinates", S3)
y.where("Steps with the swap ((0,1),(0,2))?", "list/coordinates", swap("((0,1),(0,2))"))
y.top("Which swap was played most often?", "top/action", ANY, whole)
y.table("How many times was each move played?", "table/action", ANY, whole)
y.how_many_names(
    "How many different moves occur in the game, the (-1, -1) one included?",
    "distinct/count",
    ANY,
    whole,
)
y.run("Longest run of the same swap ((3,4),(3,5))?", "runs", S1)
y.run("At most how many matches came in consecutive steps?", "runs/success", MATCH)
y.multi(
    "How many matches and how many reversals?",
    "multi/outcome",
    ("matches", "count", MATCH),
    ("reversals", "count", REVERSED),
)
y.count(
    "How often does ((9,9),(9,8)) occur?",
    "count/absent",
    swap("((9,9),(9,8))"),
    decline_or_zero=True,
)
y.decline("By how much did the score rise from step 10 to step 30?", "arithmetic")
y.decline("What is the score at step 25?", "content")
y.decline("Which swap would give the most points now?", "should")

W, KICK, FIND = act("west"), act("kick"), act("search")
d = Ask("dungeon-14")
d.count("How many times was the plain command west given?", "count/near-miss", W)
d.count("How many moves were northwest?", "count/near-miss", act("northwest"))
d.count("How often was southwest chosen?", "count/near-miss", act("southwest"))
d.count("How many times was 'far west' entered?", "count/near-miss/quoted", act("far west"))
d.count("How many north moves, not counting northwest?", "count/near-miss", act("north"))
d.count("How many times did the hero search?", "count", FIND)
d.count("How many kicks were there in steps 10 through 40?", "count/through", KICK, 10, 40)
d.count(
    "How many kicks met a locked door?",
    "count/observation",
    both(KICK, said("This door is locked")),
)
d.where(
    'On which steps did a wall message ("It\'s a wall.") appear?',
    "list/observation",
    said("It's a wall"),
)
d.count(
    'How many times did the message "It\'s solid stone." come up?',
    "count/observation",
    said("It's solid stone"),
)
d.first("When does the hero pray?", "first", act("pray"))
d.nth("At which step is the fifth kick?", "nth", KICK, 4)
d.table("List all commands with the number of times each was used.", "table/action", ANY, whole)
d.top("The most frequent command?", "top/action", ANY, whole)
d.run("How many searches in a row, at maximum?", "runs", FIND)
d.yesno(
    "Was northeast ever used?", "yesno/absent/near-miss", act("northeast"), decline_or_zero=True
)
d.yesno("Did the hero eat?", "yesno", act("eat"))
d.yesno("Was anything opened after step 40?", "yesno/zero/after-step", act("open"), 41)
d.count(
    "How many commands were issued between pray and eat?",
    "count/between-events",
    ANY,
    d.at(act("pray")) + 1,
    d.at(act("eat")) - 1,
)
d.count(
    "How many west moves came after eating?", "count/after-event/near-miss", W, d.at(act("eat")) + 1
)
d.count(
    "How many commands do not contain the word west at all (northwest and southwest contain it too)?",
    "count/exclusion",
    no(has("west")),
)
d.multi(
    "Kicks and searches: how many of each?",
    "multi",
    ("kicks", "count", KICK),
    ("searches", "count", FIND),
)
d.count("How many times did the hero zap a wand?", "count/absent", act("zap"), decline_or_zero=True)
d.decline("Why was the door kicked instead of opened?", "why")
d.decline("How many hit points does the hero have at step 30?", "content")
d.decline("Is praying at that point good strategy?", "opinion")

ITEMS = [*g.items, *v.items, *y.items, *d.items]
