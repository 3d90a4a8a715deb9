"""Questions over the two text worlds."""
# ruff: noqa: E501

from __future__ import annotations

from ask import Ask, act, both, either, has, no, part, said

LOOK, INV, HELP = act("look"), act("inventory"), act("help")
GO, OPEN, CLOSE, EXAMINE = act("go to .+"), act("open .+"), act("close .+"), act("examine .+")
TAKE, MOVE = act("take .+ from .+"), act("move .+ to .+")
USE, THINK = act("use .+"), act("think: .+")
CLEAN, HEAT, COOL, SLICE = act("clean .+"), act("heat .+"), act("cool .+"), act("slice .+")
FAIL = said("^Nothing happens")
OK = no(FAIL)
PLACE = part(r"(?:go to|open|close) (.+)")
VERB = part(r"(go to|\w+)")
TAKEN = part(r"take (.+) from")
MOVED = part(r"move (.+) to")
GOAL = part(r"move .+ to (.+)")
SOURCE = part(r"take .+ from (.+)")
DRAWER = r"drawer \d+"

k = Ask("kitchen-1")
k.count("How many times was drawer 1 opened?", "count/near-miss", act("open drawer 1"))
k.count("How often did the agent walk to drawer 10?", "count/near-miss", act("go to drawer 10"))
k.count("Number of visits to drawer 11, please.", "count/near-miss", act("go to drawer 11"))
k.count("How many times was drwaer 1 visited?", "count/typo", act("go to drawer 1"))
k.count("how many tiems did it go to cabinet 1", "count/typo", act("go to cabinet 1"))
k.count("Tally every look up to and including step 45.", "count/up-to", LOOK, None, 45)
k.count("How many looks fall between steps 20 and 45?", "count/between-steps", LOOK, 20, 45)
k.count("Steps 57–90: how many go to actions were there?", "count/en-dash", GO, 57, 90)
k.count(
    "After step fifty-five, how many times did the agent check what it was carrying?",
    "count/number-word",
    INV,
    56,
)
k.count(
    "Before step 44, how many open actions had been attempted?", "count/before-step", OPEN, None, 43
)
k.count(
    "From Turn 100 onward, how many times does the agent look around?", "count/from-step", LOOK, 100
)
k.count(
    "In the first thirty steps, how often did the agent go somewhere?",
    "count/first-k",
    GO,
    None,
    29,
)
k.count("How many go to actions are there among the last 20 steps?", "count/last-k", GO, 106)
k.count(
    "How many attempts to open cabinet 1 had no effect?",
    "count/failure",
    both(act("open cabinet 1"), FAIL),
)
k.count("How many times did opening something actually succeed?", "count/success", both(OPEN, OK))
k.where("On which steps did the environment answer that nothing happens?", "list/failure", FAIL)
k.count(
    "Up to step 63, how many actions achieved nothing at all (the reply was 'Nothing happens.')?",
    "count/failure/up-to",
    FAIL,
    None,
    63,
)
k.first("When was mug 1 picked up for the first time?", "first", act("take mug 1 from .+"))
k.last("At what step did the agent last put mug 1 somewhere?", "last", act("move mug 1 to .+"))
k.nth("Which step is the third visit to sinkbasin 1?", "nth", act("go to sinkbasin 1"), 2)
k.nth("The 2nd time help was requested: give the step.", "nth", HELP, 1)
k.nth("Fourth successful take: at which step does it occur?", "nth/success", both(TAKE, OK), 3)
k.names(
    "Name each receptacle that was opened successfully, once each.",
    "distinct/success",
    both(OPEN, OK),
    PLACE,
)
k.how_many_names(
    "How many different drawers did the agent try to open?",
    "distinct/count",
    act(f"open {DRAWER}"),
    PLACE,
)
k.names(
    "What objects did it manage to pick up over the whole run?",
    "distinct/success",
    both(TAKE, OK),
    TAKEN,
)
k.top("To which place did the agent go most often?", "top", GO, PLACE)
k.top("Which action type dominates the log?", "top/act", lambda s: True, VERB)
k.table("Give me a frequency table of the action verbs.", "table/act", lambda s: True, VERB)
k.table(
    "For every drawer, how many times was it visited?",
    "table/target",
    act(f"go to {DRAWER}"),
    PLACE,
)
k.table(
    "Between step 0 and step 60, break the open attempts down by their target.",
    "table/between-steps",
    OPEN,
    PLACE,
    0,
    60,
)
k.yesno("Was mug 10 ever cleaned?", "yesno", act("clean mug 10 .+"))
k.yesno("Did the agent clean mug 2 at any point?", "yesno/zero", act("clean mug 2 .+"))
k.yesno(
    "Has soapbar 1 been picked up at any time?",
    "yesno/only-observed",
    act("take soapbar 1 .+"),
    decline_or_zero=True,
)
k.count(
    "How many times did the agent go to safe 1?",
    "count/only-in-menu",
    act("go to safe 1"),
    decline_or_zero=True,
)
k.count(
    "How often was spatula 1 taken?",
    "count/only-in-menu",
    act("take spatula 1 .+"),
    decline_or_zero=True,
)
k.count(
    "How many times was drawer 12 opened?",
    "count/absent",
    act("open drawer 12"),
    decline_or_zero=True,
)
k.where(
    "List all steps where lettuce 1 was sliced.",
    "list/absent",
    act("slice lettuce 1 .+"),
    decline_or_zero=True,
)
k.run("What is the longest uninterrupted run of look actions?", "runs", LOOK)
k.run("How many failing actions in a row is the maximum?", "runs/failure", FAIL)
k.count(
    "Between the first cleaning of mug 10 and the slicing of potato 1, how many go to actions took place?",
    "count/between-events",
    GO,
    k.at(act("clean mug 10 .+")) + 1,
    k.at(SLICE) - 1,
)
k.count(
    "How many actions of any kind came before apple 1 was first taken?",
    "count/before-event",
    lambda s: True,
    None,
    k.at(act("take apple 1 .+")) - 1,
)
k.count(
    "After the last help request, how many times was a drawer closed, counting failed attempts too?",
    "count/after-event",
    act(f"close {DRAWER}"),
    k.at(HELP, -1) + 1,
)
k.count(
    "The task is about a clean mug and the agent also fools around with a potato; how many times did it clean mug 1?",
    "count/distractor",
    act("clean mug 1 with .+"),
)
k.count(
    'How many times does "heat potato 1 with microwave 1" occur as an action?',
    "count/quoted",
    act("heat potato 1 with microwave 1"),
)
k.count("Not counting look, how many actions are there?", "count/exclusion", no(LOOK))
k.count(
    "How many go to actions led somewhere other than a drawer?",
    "count/exclusion",
    both(GO, no(act(f"go to {DRAWER}"))),
)
k.count(
    "How many actions are neither go to nor look nor open?",
    "count/exclusion",
    no(either(GO, LOOK, OPEN)),
)
k.multi(
    "How many times was drawer 10 opened, and how many times was it closed?",
    "multi",
    ("opened", "count", act("open drawer 10")),
    ("closed", "count", act("close drawer 10")),
)
k.multi(
    "Give the counts of look, inventory, help and examine actions.",
    "multi/four",
    ("look", "count", LOOK),
    ("inventory", "count", INV),
    ("help", "count", HELP),
    ("examine", "count", EXAMINE),
)
k.multi(
    "For takes: how many in total, and which step has the last one?",
    "multi/count+last",
    ("total", "count", TAKE),
    ("last", "last", TAKE),
)
k.multi(
    "How many open attempts worked and how many did not?",
    "multi/outcome",
    ("worked", "count", both(OPEN, OK)),
    ("did not", "count", both(OPEN, FAIL)),
)
k.pairs(
    "Trace where mug 1 was put down: give each step with the place.",
    "history/location",
    both(act("move mug 1 to .+"), OK),
    GOAL,
)
k.names(
    "In order, which places was apple 1 put into?",
    "history/location",
    both(act("move apple 1 to .+"), OK),
    GOAL,
)
k.where(
    "At which steps did the agent's inventory change, from step 0 through step 60?",
    "history/inventory",
    both(either(TAKE, MOVE), OK),
    0,
    60,
)
k.pairs(
    "List every object that was picked up with the step at which that happened, up to step 70.",
    "history/inventory",
    both(TAKE, OK),
    TAKEN,
    None,
    70,
)
k.where(
    "Which steps changed the state of microwave 1 (opened or closed, successfully)?",
    "history/state",
    both(act("(open|close) microwave 1"), OK),
)
k.count(
    "How many times did the agent go to a fridge after step 9999?",
    "count/impossible-bound",
    act("go to fridge 1"),
    10000,
    decline_or_zero=True,
)
k.count(
    "Up to step 9999, how many times did the agent open a cabinet, no matter which?",
    "count/bound-beyond-end",
    act(r"open cabinet \d+"),
    None,
    9999,
)
k.count(
    "How many looks happened from step 50 to step 10?",
    "count/impossible-bound",
    both(LOOK, lambda s: False),
    decline_or_zero=True,
)
k.count("how many times did the agent grab mug 2", "count/synonym", act("take mug 2 .+"))
k.count("How frequently was something inspected with examine?", "count/synonym", EXAMINE)
k.count(
    "How many times did it put an object on shelf 2 (attempts included)?",
    "count/synonym",
    act("move .+ to shelf 2"),
)
k.count("HOW MANY TIMES WAS CABINET 12 OPENED?", "count/case", act("open cabinet 12"))
k.decline("Why did the agent open cabinet 1 twice in a row?", "why")
k.decline("What should the agent have cleaned instead of mug 10?", "should")
k.decline("If drawer 11 had been locked, how many more steps would it have needed?", "what-if")
k.decline("What did the agent see on shelf 2 when it arrived there at step 98?", "content")
k.decline("What is the ratio of look actions to go to actions?", "arithmetic")
k.decline("Was opening drawer 10 a good idea?", "opinion")

b = Ask("bedroom-2")
b.count("How many times did the agent go to desk 2?", "count/case", act("go to desk 2"))
b.count(
    "Open drawer 1: how many attempts, whatever the spelling of the command?",
    "count/case",
    act("open drawer 1"),
)
b.count(
    "How many times was dresser 1 visited, not dresser 11?",
    "count/near-miss",
    act("go to dresser 1"),
)
b.count("Count the trips to dresser 11.", "count/near-miss", act("go to dresser 11"))
b.count("How many times was desklamp 1 used?", "count", act("use desklamp 1"))
b.count("How many uses of desklamp 1 failed?", "count/failure", both(act("use desklamp 1"), FAIL))
b.count("What's the number of think actions?", "count", THINK)
b.count(
    "By step 49, how many moves of cd 3 had been tried?",
    "count/by-step",
    act("move cd 3 to .+"),
    None,
    49,
)
b.count(
    "How many times was cd 3 successfully moved somewhere?",
    "count/success",
    both(act("move cd 3 to .+"), OK),
)
b.count(
    "No later than step 40, how many visits to sidetable 1 were there?",
    "count/no-later-than",
    act("go to sidetable 1"),
    None,
    40,
)
b.count(
    "Past step 60, how many times did the agent head for drawer 1?",
    "count/after-step",
    act("go to drawer 1"),
    61,
)
b.count(
    "Turn 10 to Turn 30: how many times did it go to desk 1?",
    "count/turn",
    act("go to desk 1"),
    10,
    30,
)
b.count(
    "between step twenty and step forty, how often was close attempted",
    "count/number-word",
    CLOSE,
    20,
    40,
)
b.count("How many times was pen 12 picked up?", "count/near-miss", act("take pen 12 .+"))
b.count("How often did the agent try to take pen 2?", "count/near-miss", act("take pen 2 .+"))
b.yesno(
    "Did the agent ever succeed in taking pen 2?", "yesno/success", both(act("take pen 2 .+"), OK)
)
b.yesno(
    "Was alarmclock 1 moved at any time?",
    "yesno/only-observed",
    act("move alarmclock 1 .+"),
    decline_or_zero=True,
)
b.yesno("Did the agent visit bed 1 after step 80?", "yesno/after-step", act("go to bed 1"), 81)
b.yesno("Was the pillow examined?", "yesno", act("examine pillow 1"))
b.count("How many times was saké-bottle 1 taken?", "count/unicode", act("take saké-bottle 1 .+"))
b.first(
    "First step at which the agent carries out a move on saké-bottle 1?",
    "first/unicode",
    act("move saké-bottle 1 .+"),
)
b.first(
    "When did the agent first try to put cd 3 into dresser 11?",
    "first",
    act("move cd 3 to dresser 11"),
)
b.first(
    "At which step was cd 3 first actually placed in dresser 11?",
    "first/success",
    both(act("move cd 3 to dresser 11"), OK),
)
b.last("The final inventory check happens at which step?", "last", INV)
b.nth("Third use of desklamp 1: which step?", "nth", act("use desklamp 1"), 2)
b.where("Give the steps of all go to garbagecan 1 actions.", "list", act("go to garbagecan 1"))
b.where("Which steps hold failed take attempts?", "list/failure", both(TAKE, FAIL))
b.where(
    "Enumerate the steps at which pen 1 was taken or moved.",
    "list/object",
    act("(take|move) pen 1 .+"),
)
b.names("Which objects did the agent try to take, each named once?", "distinct", TAKE, TAKEN)
b.names(
    "From which places was something successfully taken? No repeats.",
    "distinct/success",
    both(TAKE, OK),
    SOURCE,
)
b.table("Count the visits per place.", "table/target", GO, PLACE)
b.run(
    "At most how many times in a row was armchair 1 the destination?",
    "runs",
    act("go to armchair 1"),
)
b.run("Longest streak of go to actions?", "runs", GO)
b.pairs(
    "What is the location history of cd 3? Give step and place for each time it was put down.",
    "history/location",
    both(act("move cd 3 to .+"), OK),
    GOAL,
)
b.pairs(
    "Where was cellphone 1 put, and when? Successful moves only.",
    "history/location",
    both(act("move cellphone 1 to .+"), OK),
    GOAL,
)
b.where(
    "On which steps was drawer 1 opened or closed with success?",
    "history/state",
    both(act("(open|close) drawer 1"), OK),
)
b.count(
    "How many actions lie strictly between picking up pen 12 and closing drawer 1 for the last time?",
    "count/between-events",
    lambda s: True,
    b.at(act("take pen 12 .+")) + 1,
    b.at(act("close drawer 1"), -1) - 1,
)
b.count(
    "Before the first use of desklamp 1, how many take actions were there?",
    "count/before-event",
    TAKE,
    None,
    b.at(USE) - 1,
)
b.count(
    "Once pen 12 had been put into drawer 1, how many times was armchair 1 visited?",
    "count/after-event",
    act("go to armchair 1"),
    b.at(act("move pen 12 to drawer 1")) + 1,
)
b.count(
    "Leaving think and look aside, how many actions did the agent take?",
    "count/exclusion",
    no(either(THINK, LOOK)),
)
b.count("How many takes were not of cd 3?", "count/exclusion", both(TAKE, no(act("take cd 3 .+"))))
b.multi(
    "How often was cd 3 taken and how often was pen 1 taken?",
    "multi",
    ("cd 3", "count", act("take cd 3 .+")),
    ("pen 1", "count", act("take pen 1 .+")),
)
b.multi(
    "Tell me the number of takes, the number of moves and the number of closes.",
    "multi/three",
    ("takes", "count", TAKE),
    ("moves", "count", MOVE),
    ("closes", "count", CLOSE),
)
b.count(
    "How many times was desk 3 visited?", "count/absent", act("go to desk 3"), decline_or_zero=True
)
b.count(
    "How often was laptop 1 opened?", "count/absent", act("open laptop 1"), decline_or_zero=True
)
b.where(
    "List the steps with number greater than 86 where anything was taken.",
    "list/impossible-bound",
    TAKE,
    87,
    decline_or_zero=True,
)
b.count("How many actions contain the word garbagecan?", "count/raw", has("garbagecan"))
b.decline("For what reason was the lamp switched on again at step 28?", "why")
b.decline("Explain the agent's plan for the phone.", "why")
b.decline("Would taking pen 2 have worked if drawer 1 had been open?", "what-if")
b.decline("Which side table would have been the better place for the bottle?", "opinion")
b.decline("How many more times was desk 1 visited than desk 2?", "arithmetic")
b.decline("What does the inventory at step 52 contain?", "content")
b.decline("Who manufactured desklamp 1?", "outside")

ITEMS = [*k.items, *b.items]
