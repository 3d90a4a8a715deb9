"""Questions over the text-to-SQL and the tool-use logs."""
# ruff: noqa: E501

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ask import Ask, Pred, act, both, either, has, is_action, malformed, no, part, said

if TYPE_CHECKING:
    from logs import Step

SQL, BASH = act("execute_snowflake_sql: .+"), act("execute_bash: .+")
SQL_CALL = has("^execute_snowflake_sql:")
ERROR = said(r"^\{'error'")
DONE = said("Query executed successfully")
NO_ROWS = said("No data found for the specified query")
TIMEOUT = both(SQL_CALL, ERROR, said("Read timed out"))
COMPILE = both(SQL_CALL, said("SQL compilation error"))
SERVER = both(SQL_CALL, said("500 Internal Server Error"))
MISSING = both(SQL_CALL, said("does not exist or not authorized"))
TOOL = part(r"^(\w+):")
PROGRAM = part(r"^execute_bash: (\w+)")
FILE = part(r"/data/shop/([\w.]+)")


def prog(name: str) -> Pred:
    return act(rf"execute_bash: {name} .+")


def word(name: str) -> Pred:
    """The action names this identifier as a whole."""
    return has(rf"(?<![A-Za-z0-9_./-]){re.escape(name)}(?![A-Za-z0-9_./-])")


def empty_prompt(s: Step) -> bool:
    return s.action == "—" and not s.observation


ORD, ARCH = both(SQL, word("SHOP.PUBLIC.ORDERS")), both(SQL, word("SHOP.PUBLIC.ORDERS_ARCHIVE"))
WITH = act("execute_snowflake_sql: with .+")

o = Ask("orders-7")
o.count("How many Snowflake SQL queries were sent?", "count/tool", SQL)
o.count("How many bash commands were used?", "count/tool", BASH)
o.count(
    "How many queries name SHOP.PUBLIC.ORDERS itself, not the archive table?",
    "count/near-miss",
    ORD,
)
o.count("How many queries name SHOP.PUBLIC.ORDERS_ARCHIVE?", "count/near-miss", ARCH)
o.count("How many SQL queries timed out?", "count/error", TIMEOUT)
o.where("Give the steps at which a query hit a read time-out.", "list/error", TIMEOUT)
o.count("How many SQL compilation errors occurred?", "count/error", COMPILE)
o.count("How many times did the server answer 500 Internal Server Error?", "count/error", SERVER)
o.count(
    "How often was an object reported as not existing or not authorized?", "count/error", MISSING
)
o.count("How many queries failed for any reason?", "count/failure", both(SQL, ERROR))
o.count("How many queries executed successfully?", "count/success", both(SQL, DONE))
o.count("How many queries ran fine but found no data?", "count/observation", both(SQL, NO_ROWS))
o.first("What is the first step with a successful query?", "first/success", both(SQL, DONE))
o.first("When did the first SQL query fail?", "first/failure", both(SQL, ERROR))
o.last("Last query that timed out: which step?", "last/error", TIMEOUT)
o.nth("At which step did the third time-out occur?", "nth/error", TIMEOUT, 2)
o.run("How many steps in a row timed out at most?", "runs/error", TIMEOUT)
o.run(
    "What's the longest streak of consecutive failing queries (steps directly after each other)?",
    "runs/failure",
    both(SQL, ERROR),
)
o.table("Calls per tool, please.", "table/tool", is_action, TOOL)
o.table(
    "Which programs do the bash commands start, and how many times each?",
    "table/program",
    BASH,
    PROGRAM,
)
o.top("Which program do the bash commands call most?", "top/program", BASH, PROGRAM)
o.names("On which files was cat run? Name each once.", "distinct/file", prog("cat"), FILE)
o.count(
    "How many cat commands were run on ORDERS.json?",
    "count/file/near-miss",
    both(prog("cat"), has(r"/ORDERS\.json")),
)
o.count("How many commands mention DDL.csv?", "count/file", both(BASH, has(r"DDL\.csv")))
o.count("How many grep commands were run?", "count/program", prog("grep"))
o.yesno("Was DESCRIBE TABLE used?", "yesno", act("execute_snowflake_sql: describe table .+"))
o.yesno(
    "Did the agent ever run a DELETE statement?",
    "yesno/absent",
    act("execute_snowflake_sql: delete .+"),
    decline_or_zero=True,
)
o.yesno(
    "Did any query fail with a 500 error before step 20?",
    "yesno/zero/before-step",
    SERVER,
    None,
    19,
)
o.count("How many queries start with WITH?", "count/prefix", WITH)
o.count("How many bash commands contain 'Köln'?", "count/unicode", both(BASH, has("Köln")))
o.count(
    "How many queries filter on REGION = 'Köln'?",
    "count/unicode/quoted",
    both(SQL, has("REGION = 'Köln'")),
)
o.count(
    "How many queries select the misspelled column AMOUT?",
    "count/near-miss",
    both(SQL, word("AMOUT")),
)
o.count(
    'How often was exactly "SELECT SUM(AMOUNT) FROM SHOP.PUBLIC.ORDERS" sent?',
    "count/quoted",
    act(r"execute_snowflake_sql: SELECT SUM\(AMOUNT\) FROM SHOP\.PUBLIC\.ORDERS"),
)
o.count("Up to step 15, how many queries were issued?", "count/up-to", SQL, None, 15)
o.count("Steps 20–35: how many bash commands?", "count/en-dash", BASH, 20, 35)
o.count(
    "How many queries succeeded after step 27?", "count/success/after-step", both(SQL, DONE), 28
)
o.count(
    "How many time-outs were there before the first success of SELECT SUM(AMOUNT)?",
    "count/before-event",
    TIMEOUT,
    None,
    o.at(both(has(r"SUM\(AMOUNT\)"), DONE)) - 1,
)
o.count(
    "How many queries were issued after SHOW TABLES?",
    "count/after-event",
    SQL,
    o.at(has("SHOW TABLES")) + 1,
)
o.count(
    "Between the head command and the wc command, how many queries had a compilation error?",
    "count/between-events",
    COMPILE,
    o.at(prog("head")) + 1,
    o.at(prog("wc")) - 1,
)
o.count(
    "How many queries failed for a reason other than a time-out?",
    "count/exclusion",
    both(SQL, ERROR, no(TIMEOUT)),
)
o.count("How many bash commands were not grep?", "count/exclusion", both(BASH, no(prog("grep"))))
o.multi(
    "Number of successful and of failed queries?",
    "multi/outcome",
    ("successful", "count", both(SQL, DONE)),
    ("failed", "count", both(SQL, ERROR)),
)
o.multi(
    "How many time-outs, compilation errors and internal server errors, in that order?",
    "multi/three",
    ("time-outs", "count", TIMEOUT),
    ("compilation errors", "count", COMPILE),
    ("internal server errors", "count", SERVER),
)
o.multi(
    "How many cat and how many ls commands were there?",
    "multi",
    ("cat", "count", prog("cat")),
    ("ls", "count", prog("ls")),
)
o.count(
    "How many steps are empty prompt rows without any action?", "count/prompt-rows", empty_prompt
)
o.count(
    "How many queries read from SHOP.PUBLIC.REFUNDS?",
    "count/absent/near-miss",
    both(SQL, word("SHOP.PUBLIC.REFUNDS")),
    decline_or_zero=True,
)
o.count(
    "How many queires were sent after step 9999?",
    "count/impossible-bound/typo",
    SQL,
    10000,
    decline_or_zero=True,
)
o.decline("Why did the sum query work on the fourth try?", "why")
o.decline("How high is the total revenue returned at step 19?", "content")
o.decline("How should the query at step 45 be sped up?", "should")
o.decline("If the region column had been indexed, how many time-outs would remain?", "what-if")
o.decline("What share of the queries succeeded, in percent?", "arithmetic")
o.decline("Which columns are listed in the file shown at step 3?", "content")

ST, ST20 = both(SQL, word("METEO.RAW.STATIONS")), both(SQL, word("METEO.RAW.STATIONS_2020"))
m = Ask("weather-8")
m.count("How many calls to execute_snowflake_sql are in the log?", "count/tool", SQL_CALL)
m.count(
    "How many queries touched METEO.RAW.STATIONS (without the 2020 table)?", "count/near-miss", ST
)
m.count("How many queries touched METEO.RAW.STATIONS_2020?", "count/near-miss", ST20)
m.count("How many queries timed out on the 2020 table?", "count/error", both(TIMEOUT, ST20))
m.where("At what steps did SQL compilation errors show up?", "list/error", COMPILE)
m.count("SELECT 1 was sent how many times?", "count/quoted", act("execute_snowflake_sql: SELECT 1"))
m.count(
    "How many of the SELECT 1 calls succeeded?",
    "count/success",
    both(act("execute_snowflake_sql: SELECT 1"), DONE),
)
m.count("Number of grep commands up to step 17, inclusive?", "count/up-to", prog("grep"), None, 17)
m.count(
    "How many queries came back with no data from step six to step thirty-one?",
    "count/number-word",
    both(SQL, NO_ROWS),
    6,
    31,
)
m.first("First query on STATIONS_2020: at which step?", "first/near-miss", ST20)
m.last("At which step was ls used for the last time?", "last", prog("ls"))
m.nth("Second query that returned no data: which step?", "nth", both(SQL, NO_ROWS), 1)
m.run("Longest sequence of consecutive steps calling execute_snowflake_sql?", "runs/tool", SQL_CALL)
m.table("Programs started through bash, with their frequency?", "table/program", BASH, PROGRAM)
m.top("Which bash program is the most common?", "top/program", BASH, PROGRAM)
m.yesno("Was plot.py run?", "yesno", has(r"execute_bash: python plot\.py"))
m.yesno("Was a Python script run after step 30?", "yesno/zero/after-step", prog("python"), 31)
m.count("How many queries use ILIKE?", "count/word", both(SQL, has("ILIKE")))
m.count(
    "After plot.py ran, how many queries failed?",
    "count/after-event",
    both(SQL, ERROR),
    m.at(has(r"plot\.py")) + 1,
)
m.count(
    "How many calls failed before the first query on ELEV_M?",
    "count/before-event",
    ERROR,
    None,
    m.at(has("ELEV_M")) - 1,
)
m.multi(
    "Give me the count of MAX queries and the count of MIN queries.",
    "multi",
    ("MAX", "count", both(SQL, has(r"MAX\("))),
    ("MIN", "count", both(SQL, has(r"MIN\("))),
)
m.count(
    "How many times was the table METEO.RAW.STATIONS_2021 queried?",
    "count/absent",
    both(SQL, word("METEO.RAW.STATIONS_2021")),
    decline_or_zero=True,
)
m.decline("What was the hottest temperature found?", "content")
m.decline("Why does STATIONS_2020 time out more than STATIONS?", "why")
m.decline("How many fewer MIN queries than MAX queries were there?", "arithmetic")
m.decline("Will it be hotter in Säntis next year?", "outside")

SEARCH, FETCH = has(r"^tavily_search\("), has(r"^fetch_website_content\(")
IMAGES, SAVE, READ = (
    has(r"^fetch_website_content_with_images\("),
    has(r"^file_saver\("),
    has(r"^file_read\("),
)
MARK, CODE, WIKI = has(r"^mark_step\("), has(r"^execute_code\("), has(r"^search_wiki\(")
LIMITED, DOWN, GONE = said("^Error: 429"), said("^Error: 503"), said("^Error: 404")
ANY_ERROR = said("^(Error:|No page found|SyntaxError)")
NAME = part(r"^(\w+)\(")
QUERY_JSON = part(r'("query": "(?:[^"\\]|\\.)*")')
URL = part(r'"website_url": "([^"]*)"')
FNAME = part(r'"file_name": "([^"]*)"')
STATE = part(r'"step_status": "([^"]*)"')


def sent(s: Step) -> str:
    """The search query, with its JSON escapes resolved."""
    return str(json.loads(f"{{{QUERY_JSON(s)}}}")["query"])


def query(text: str) -> Pred:
    return act(rf'tavily_search\(\{{"query": "{re.escape(text)}"\}}\)')


def url(text: str) -> Pred:
    return both(FETCH, has(rf'"website_url": "{re.escape(text)}"'))


def file(text: str) -> Pred:
    return has(rf'"file_name": "{re.escape(text)}"')


WORK = no(has("^FINAL_ANSWER"))
ARMEN, PHARES = "https://en.wikipedia.org/wiki/Ar-Men", "https://phares.test/armen"

t = Ask("lighthouse-9")
t.count("How many tavily_search calls were made?", "count/tool", SEARCH)
t.count(
    "How many calls of fetch_website_content, the variant with images excluded?",
    "count/near-miss",
    FETCH,
)
t.count("How often was fetch_website_content_with_images called?", "count/near-miss", IMAGES)
t.count(
    "How many times was the query Ar-Men lighthouse sent, word for word?",
    "count/quoted",
    query("Ar-Men lighthouse"),
)
t.count(
    'How many searches used precisely "Ar-Men lighthouse height"?',
    "count/quoted",
    query("Ar-Men lighthouse height"),
)
t.count(
    "How many searches were made with the Japanese query 灯台 アルメン 高さ?",
    "count/unicode",
    query("灯台 アルメン 高さ"),
)
t.count(
    "How many times did fetch_website_content go to https://en.wikipedia.org/wiki/Ar-Men exactly?",
    "count/url/near-miss",
    url(ARMEN),
)
t.count(
    "How many requests to https://phares.test/armen were rate limited?",
    "count/error",
    both(url(PHARES), LIMITED),
)
t.count("How many requests went to https://phares.test/armen?", "count/url", url(PHARES))
t.where("On which steps did a 503 Service Unavailable come back?", "list/error", DOWN)
t.count("Number of 404 errors?", "count/error", GONE)
t.where("Which steps show a 429 error?", "list/error", LIMITED)
t.first("When was a file saved first?", "first", SAVE)
t.last("When was code executed last?", "last", CODE)
t.nth("The third mark_step call is at which step?", "nth", MARK, 2)
t.names("What are the distinct search queries sent to Tavily?", "distinct/value", SEARCH, sent)
t.how_many_names(
    "How many different queries were sent to tavily_search?", "distinct/count", SEARCH, sent
)
t.names(
    "Which URLs did fetch_website_content request? Each one only once.", "distinct/url", FETCH, URL
)
t.names("Which files did the agent save?", "distinct/file", SAVE, FNAME)
t.top("Which tool was called the most?", "top/tool", WORK, NAME)
t.top("Which search query was repeated most?", "top/value", SEARCH, sent)
t.table("How many calls did each tool get, the final answer left out?", "table/tool", WORK, NAME)
t.table("How many times was each file read?", "table/file", READ, FNAME)
t.table("Which statuses did mark_step set, and how often?", "table/value", MARK, STATE)
t.count(
    "How many mark_step calls set the status blocked?",
    "count/value",
    both(MARK, has('"step_status": "blocked"')),
)
t.where(
    "List the steps where a plan step was marked completed.",
    "list/value",
    both(MARK, has('"step_status": "completed"')),
)
t.count("How many times was notes.md read?", "count/file/near-miss", both(READ, file("notes.md")))
t.count("How many times was notes2.md read?", "count/file/near-miss", both(READ, file("notes2.md")))
t.yesno("Was Notes_final.md ever saved?", "yesno/zero", both(SAVE, file("Notes_final.md")))
t.yesno(
    "Did a Wikipedia search (search_wiki) come back without a page?",
    "yesno/failure",
    both(WIKI, said("No page found")),
)
t.yesno("Is search_wiki called after step 25?", "yesno/zero/after-step", WIKI, 26)
t.run(
    "What is the longest run of tavily_search calls without anything in between?",
    "runs/tool",
    SEARCH,
)
t.run(
    "What is the longest run of steps that each got a 429 or 404 error?",
    "runs/error",
    either(LIMITED, GONE),
)
t.count(
    "How many searches happened between the first file_saver call and the first mark_step with status blocked?",
    "count/between-events",
    SEARCH,
    t.at(SAVE) + 1,
    t.at(both(MARK, has("blocked"))) - 1,
)
t.count(
    "Before the first mark_step, how many fetch_website_content calls were made?",
    "count/before-event",
    FETCH,
    None,
    t.at(MARK) - 1,
)
t.count(
    "After the last file_saver call, how many times was a file read?",
    "count/after-event",
    READ,
    t.at(SAVE, -1) + 1,
)
t.count(
    "By step 20, how many searches had been done with Tavily?", "count/by-step", SEARCH, None, 20
)
t.count(
    "Between turn 20 and turn 35, how many web pages were fetched with fetch_website_content?",
    "count/between-steps",
    FETCH,
    20,
    35,
)
t.count(
    "How many calls other than tavily_search and fetch_website_content are there before the final answer?",
    "count/exclusion",
    both(WORK, no(either(SEARCH, FETCH))),
)
t.count(
    "How many fetch_website_content calls did not go to wikipedia.org?",
    "count/exclusion",
    both(FETCH, no(has(r"wikipedia\.org"))),
)
t.multi(
    "How many files were saved and how many file reads were there?",
    "multi",
    ("saved", "count", SAVE),
    ("reads", "count", READ),
)
t.multi(
    "Count the 429 errors, the 503 errors and the 404 errors.",
    "multi/three",
    ("429", "count", LIMITED),
    ("503", "count", DOWN),
    ("404", "count", GONE),
)
t.multi(
    "How many code executions were there, and how many of them ended in a SyntaxError?",
    "multi/failure",
    ("executions", "count", CODE),
    ("SyntaxError", "count", both(CODE, said("SyntaxError"))),
)
t.count(
    "How many times was the tool google_search called?",
    "count/absent",
    has(r"^google_search\("),
    decline_or_zero=True,
)
t.count("How many serches mention keepers?", "count/typo", both(SEARCH, has("keepers")))
t.decline("Why was plan step 1 blocked?", "why")
t.decline("In what year was the lighthouse first lit according to step 2?", "content")
t.decline("Is the novel page a reliable source?", "opinion")
t.decline("If phares.test had answered, would the agent have needed Wikipedia?", "what-if")
t.decline("What is the ratio of searches to page fetches in this run?", "arithmetic")
t.decline("How high is the Eiffel Tower?", "outside")

s = Ask("composer-10")
s.count("How many page fetches were attempted?", "count/synonym", FETCH)
s.count("How many searches for exactly Clara Schumann?", "count/near-miss", query("Clara Schumann"))
s.count(
    "How many fetches of https://music.test/clara, not of its op7 subpage?",
    "count/url/near-miss",
    url("https://music.test/clara"),
)
s.count("How many 404s were returned?", "count/error", GONE)
s.count("How many 503 errors occurred up to step 30?", "count/error/up-to", DOWN, None, 30)
s.count("How many replies had a wrong format?", "count/format-error", malformed)
s.where("At which steps was the pdf_reader called?", "list", has(r"^pdf_reader\("))
s.where(
    "At which steps did a pdf_reader call fail?",
    "list/failure",
    both(has(r"^pdf_reader\("), ANY_ERROR),
)
s.first("On which step was the calculator first used?", "first", has(r"^calculator\("))
s.yesno(
    "Did a calculator call end with a division by zero?",
    "yesno/error",
    both(has(r"^calculator\("), said("division by zero")),
)
s.table(
    "How are the tool calls distributed (final answer not counted)?",
    "table/tool",
    both(is_action, WORK),
    NAME,
)
s.run("Largest number of consecutive page fetches?", "runs/tool", FETCH)
s.count(
    "How many searches were there after a.txt had been saved?",
    "count/after-event",
    SEARCH,
    s.at(SAVE) + 1,
)
s.count(
    "How many times was code executed between steps 10 and 30?", "count/between-steps", CODE, 10, 30
)
s.multi(
    "How many searches, and how many of those met a 503?",
    "multi/failure",
    ("searches", "count", SEARCH),
    ("503", "count", both(SEARCH, DOWN)),
)
s.count(
    "How many times was b.txt read?",
    "count/absent",
    both(READ, file("b.txt")),
    decline_or_zero=True,
)
s.decline("What does the score say about Leipzig?", "content")
s.decline("Would a library catalogue have been a better source?", "opinion")
s.decline("Explain why the page on op. 7 could not be found.", "why")

ITEMS = [*o.items, *m.items, *t.items, *s.items]
