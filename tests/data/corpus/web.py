"""Questions over the two web logs."""
# ruff: noqa: E501

from __future__ import annotations

import re

from ask import Ask, Pred, act, both, either, is_action, malformed, no, part

CLICK, TYPE, SCROLL = act(r"click \[.+"), act(r"type \[.+"), act(r"scroll \[.+")
PRESS, GOTO, BACK = act(r"press \[.+"), act(r"goto \[.+"), act("go_back")
HOVER, DOWN, UP = act(r"hover \[.+"), act(r"scroll \[down\]"), act(r"scroll \[up\]")
NOT_FOUND = act(r"Attempt to perfom .+ but no matching element found.+")
BAD = act(r"The previous prediction you issued was .+")


def click(name: str, kind: str = r"\w+") -> Pred:
    return act(rf"click \[\d+\] where \[\d+\] is {kind} '{re.escape(name)}'")


def enter(text: str, box: str = "") -> Pred:
    where = re.escape(box) if box else "[^']*"
    what = re.escape(text) if text else r"[^\]]*"
    return act(rf"type \[\d+\] \[{what}\] where \[\d+\] is textbox '{where}' required: False")


LINK, BUTTON = (
    act(r"click \[\d+\] where \[\d+\] is link .+"),
    act(r"click \[\d+\] where \[\d+\] is button .+"),
)
LABEL = part(r" is \w+ '(.+?)'")
TEXT = part(r"^type \[\d+\] \[(.*?)\]")
URL = part(r"goto \[(.+)\]")
KEYNAME = part(r"press \[(.+)\]")
VERB = part(r"^(\w+)")

w = Ask("shop-5")
w.count("How many times was the link 'Cart' clicked?", "count/near-miss", click("Cart"))
w.count("How many clicks on 'Cart (2)' are there?", "count/near-miss", click("Cart (2)"))
w.count(
    "How often did the agent press the button 'Add to Cart'?", "count/label", click("Add to Cart")
)
w.count("Count the clicks on Go.", "count/label", click("Go"))
w.count("How many times did the agent scroll down?", "count", DOWN)
w.count("Number of upward scrolls?", "count", UP)
w.count("How many scrolls in either direction up to step 16?", "count/up-to", SCROLL, None, 16)
w.count("After step 20, how many times did it scroll?", "count/after-step", SCROLL, 21)
w.count("How many things were typed in total?", "count", TYPE)
w.count("How many times was text entered into the Qty field?", "count/field", enter("", "Qty"))
w.count("How many times was exactly 3 typed into 'Qty'?", "count/field-value", enter("3", "Qty"))
w.names(
    "Which values were typed into the Qty box, each once?", "distinct/value", enter("", "Qty"), TEXT
)
w.names(
    "Which coupon codes were entered, without repeating any?",
    "distinct/value",
    enter("", "Coupon code"),
    TEXT,
)
w.pairs("What was typed into Search, step by step?", "history/value", enter("", "Search"), TEXT)
w.where(
    "On which steps did it type SAVE10 as the coupon code?",
    "list/field-value",
    enter("SAVE10", "Coupon code"),
)
w.count(
    'How often was "crème brûlée dish" typed?', "count/unicode/quoted", enter("crème brûlée dish")
)
w.first(
    "First step where a name with an umlaut, Ana Müller, gets typed?",
    "first/unicode",
    enter("Ana Müller", "Name"),
)
w.last("When is Checkout clicked the last time?", "last", click("Checkout"))
w.nth("Give the step of the third 'View order' click.", "nth", click("View order"), 2)
w.nth(
    "The 4th Update... rather, the second click on Update: which step is it?",
    "nth/distractor",
    click("Update"),
    1,
)
w.count("How many go_back actions are in the session?", "count", BACK)
w.count(
    "How many times did the agent return to the previous page before step 38?",
    "count/before-step/synonym",
    BACK,
    None,
    37,
)
w.count(
    "How many goto actions opened http://shop.test/orders?page=2?",
    "count/url",
    act(r"goto \[http://shop\.test/orders\?page=2\]"),
)
w.names("List the different URLs opened with goto.", "distinct/url", GOTO, URL)
w.top("Which URL was opened by goto most frequently?", "top/url", GOTO, URL)
w.table("How many presses of each key?", "table/key", PRESS, KEYNAME)
w.table(
    "How many actions of each type are there (click, type, scroll and so on)?",
    "table/tool",
    is_action,
    VERB,
)
w.table("Which buttons were clicked, and how many times each?", "table/label", BUTTON, LABEL)
w.top("Which button got the most clicks?", "top/label", BUTTON, LABEL)
w.count("How many replies had an incorrect format?", "count/format-error", BAD)
w.where(
    "Name the steps with a format error message in place of an action.", "list/format-error", BAD
)
w.count("How many actions ended with no matching element found?", "count/error", NOT_FOUND)
w.where("At which steps was no matching element found?", "list/error", NOT_FOUND)
w.yesno(
    "Was the link Refunds ever clicked?",
    "yesno/only-observed",
    click("Refunds"),
    decline_or_zero=True,
)
w.yesno(
    "Did the agent click the 'Gift wrap' button?",
    "yesno/only-observed",
    click("Gift wrap"),
    decline_or_zero=True,
)
w.yesno("Was a new tab opened?", "yesno", act("new_tab"))
w.yesno("Any hover actions after step 40?", "yesno/zero/after-step", HOVER, 41)
w.yesno(
    "Did it place the order with the 'Place order' button?", "yesno", click("Place order", "button")
)
w.count("How many times was 'Wishlist' clicked?", "count/label", click("Wishlist"))
w.count(
    "How many times was Sign out clicked?", "count/absent", click("Sign out"), decline_or_zero=True
)
w.run("What is the longest series of scrolls in consecutive steps?", "runs", SCROLL)
w.run("Most key presses in a row?", "runs", PRESS)
w.count(
    "Between the first and the second click on 'Add to Cart', how many scrolls were there?",
    "count/between-events",
    SCROLL,
    w.at(click("Add to Cart")) + 1,
    w.at(click("Add to Cart"), 1) - 1,
)
w.count(
    "How many clicks came after 'Checkout' was clicked?",
    "count/after-event",
    CLICK,
    w.at(click("Checkout")) + 1,
)
w.count(
    "Prior to the first goto, how many times was something typed?",
    "count/before-event",
    TYPE,
    None,
    w.at(GOTO) - 1,
)
w.count(
    "After the last click on Reorder and before Wishlist was clicked, how many times was Go clicked?",
    "count/between-events",
    click("Go"),
    w.at(click("Reorder"), -1) + 1,
    w.at(click("Wishlist")) - 1,
)
w.count(
    "How many clicks were on something other than a link?", "count/exclusion", both(CLICK, no(LINK))
)
w.count(
    "How many of the typed texts did not go into Search?",
    "count/exclusion",
    both(TYPE, no(enter("", "Search"))),
)
w.count(
    "Except for clicks and scrolls, how many actions did it take?",
    "count/exclusion",
    both(is_action, no(either(CLICK, SCROLL))),
)
w.multi(
    "How often was Enter pressed, and how often ArrowDown?",
    "multi",
    ("Enter", "count", act(r"press \[Enter\]")),
    ("ArrowDown", "count", act(r"press \[ArrowDown\]")),
)
w.multi(
    "Clicks on 'Apply' and on 'Save': how many of each, please?",
    "multi",
    ("Apply", "count", click("Apply")),
    ("Save", "count", click("Save")),
)
w.multi(
    "Tell me the first step, the last step and the number of clicks on Update.",
    "multi/three",
    ("first", "first", click("Update")),
    ("last", "last", click("Update")),
    ("number", "count", click("Update")),
)
w.count(
    "from turn 10 until turn 30, how many button clicks happened?",
    "count/from-until",
    BUTTON,
    10,
    30,
)
w.count("How many clicks took place in the first 10 steps?", "count/first-k", CLICK, None, 9)
w.count("How many times was 'Add to cart' clikced?", "count/typo", click("Add to Cart"))
w.count(
    'how often is the catalog link labelled "Catalog" (not \\ue608 CATALOG) clicked?',
    "count/near-miss",
    click("Catalog"),
)
w.count(
    "How many scrolls happened after step 500?",
    "count/impossible-bound",
    SCROLL,
    501,
    decline_or_zero=True,
)
w.decline("Why was the coupon entered three times?", "why")
w.decline("What price is displayed for the blue teapot?", "content")
w.decline("Which page title is shown at step 40?", "content")
w.decline("Should the agent have used the wishlist instead?", "should")
w.decline("Had SAVE10 been rejected, what would the agent have bought?", "what-if")
w.decline("What fraction of the actions were scrolls?", "arithmetic")
w.decline("Is this shop easy to use?", "opinion")
w.decline("When will the order be delivered?", "outside")

f = Ask("forum-6")
f.count("How many times was f/baking clicked?", "count/near-miss", click("f/baking"))
f.count("How many times was f/bakingtips clicked?", "count/near-miss", click("f/bakingtips"))
f.count("How many clicks did '2 comments' receive?", "count/near-miss", click("2 comments"))
f.count("How many clicks did '42 comments' receive?", "count/near-miss", click("42 comments"))
f.count("Clicks on New, in total?", "count/label", click("New"))
f.count("How often was Upvote clicked?", "count/label", click("Upvote"))
f.count(
    "How many times did it click Subscribe, as opposed to Unsubscribe?",
    "count/near-miss",
    click("Subscribe"),
)
f.count(
    'How many times was the text "Great post" written into Comment?',
    "count/quoted",
    enter("Great post", "Comment"),
)
f.count("How many times was the link 'Next' clicked?", "count/near-miss", click("Next"))
f.first("At which step was the submission's title typed first?", "first", enter("", "Title"))
f.last("Last click on Post: which step?", "last", click("Post"))
f.nth("At which step was Upvote clicked for the third time?", "nth", click("Upvote"), 2)
f.where("Steps of all clicks on 'Create submission'?", "list", click("Create submission"))
f.where("Which steps contain scrolls?", "list", SCROLL)
f.names(
    "What search queries were entered? Each once.",
    "distinct/value",
    enter("", "Search query"),
    TEXT,
)
f.names("Which keys were pressed during the session?", "distinct/key", PRESS, KEYNAME)
f.top("Which button was clicked most often?", "top/label", BUTTON, LABEL)
f.table("Count the clicks per button.", "table/label", BUTTON, LABEL)
f.table("Into which text fields did it type, and how many times each?", "table/field", TYPE, LABEL)
f.yesno("Was f/Zürich visited by a click?", "yesno/unicode", click("f/Zürich"))
f.yesno("Was the Wiki link clicked?", "yesno/only-observed", click("Wiki"), decline_or_zero=True)
f.yesno("Did the agent downvote anything?", "yesno/synonym", click("Downvote"))
f.yesno(
    "Was Subscribe clicked before step 30?", "yesno/zero/before-step", click("Subscribe"), None, 29
)
f.run("How many clicks on New were made in consecutive steps, at most?", "runs", click("New"))
f.run("Longest unbroken sequence of clicks?", "runs/tool", CLICK)
f.count("Between steps 10 and 25, how many button clicks?", "count/between-steps", BUTTON, 10, 25)
f.count(
    "After the click on Submit, how many texts were typed?",
    "count/after-event",
    TYPE,
    f.at(click("Submit")) + 1,
)
f.count(
    "How many clicks precede the first scroll?", "count/before-event", CLICK, None, f.at(SCROLL) - 1
)
f.count(
    "Between the first Subscribe click and the Unsubscribe click, how many actions took place?",
    "count/between-events/zero",
    is_action,
    f.at(click("Subscribe")) + 1,
    f.at(click("Unsubscribe")) - 1,
)
f.count(
    "How many links other than f/baking were clicked? Count clicks.",
    "count/exclusion",
    both(LINK, no(click("f/baking"))),
)
f.count(
    "How many steps hold an error message instead of a proper action?", "count/malformed", malformed
)
f.multi(
    "How many upvotes and how many downvotes were clicked?",
    "multi",
    ("upvotes", "count", click("Upvote")),
    ("downvotes", "count", click("Downvote")),
)
f.multi(
    "How many scrolls down, scrolls up, key presses and go_backs?",
    "multi/four",
    ("scrolls down", "count", DOWN),
    ("scrolls up", "count", UP),
    ("key presses", "count", PRESS),
    ("go_backs", "count", BACK),
)
f.count("How many times was 'Old' clicked?", "count/absent", click("Old"), decline_or_zero=True)
f.where("Which steps after Turn 45 are clicks?", "list/after-step", CLICK, 46)
f.decline("Why did the agent unsubscribe and subscribe again?", "why")
f.decline("How many comments does the rye starter post have on the page?", "content")
f.decline("Would the post be more popular with a picture?", "what-if")
f.decline("Is f/baking a better forum than f/bakingtips?", "opinion")

ITEMS = [*w.items, *f.items]
