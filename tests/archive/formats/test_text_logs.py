"""Logs in which action and observation are text: InterCode, ReAct, ALFWorld, WebVoyager."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.archive.formats.conftest import Read, Sample


def test_intercode(sample: Sample, steps: Read, ledger: Read, runs: Read) -> None:
    sample("intercode.json")
    assert steps("tool, action, args, observation, is_error") == [
        ("bash", "execute[uname -r]", "uname -r", "5.15\n", False),
        ("bash", "execute[grep x ]", "grep x ", "", True),
        ("submit", "submit", None, "5.15\n", False),
        ("sql", "SELECT 1", "SELECT 1", "[(1,)]", None),
        ("sql", "SELECT nope", "SELECT nope", steps("observation")[4][0], None),
        ("bash", 'cmd /bin/bash -c "cat flag.txt"', "cat flag.txt", "flag{x}", None),
        ("submit", "submit flag{x}", "flag{x}", "1", None),
    ]
    assert ledger("act, outcome")[0] == ("bash.uname", "success")
    assert ledger("act, outcome, error")[4] == (
        "sql", "failure", "Error executing query: Unknown column 'nope'",
    )  # fmt: skip
    assert runs("trajectory_id, task, domain")[1] == ("intercode/1", "Who?", "ic_sql")


def test_react_logs(sample: Sample, steps: Read, ledger: Read, runs: Read) -> None:
    sample("react_log.txt")
    assert steps("trajectory_id, step, action, tool, args, observation") == [
        ("react_log/0", 1, "Search[The Mill]", "Search", "The Mill", steps("observation")[0][0]),
        (
            "react_log/0",
            2,
            "Finish[SUPPORTS]",
            "Finish",
            "SUPPORTS",
            "Episode finished, reward = 1",
        ),
        (
            "react_log/1",
            1,
            "Lookup[built [sic]]",
            "Lookup",
            "built [sic]",
            steps("observation")[2][0],
        ),
    ]
    assert steps("observation")[2] == ("(Result 1 / 1) built in 1801.",)
    assert ledger("act, targets")[0] == ("Search", ["The Mill"])
    assert runs("task") == [("The mill is old.",), ("The mill is new.",)]


def test_react_shop_logs(sample: Sample, steps: Read) -> None:
    sample("react_shop.txt")
    assert steps("trajectory_id, step, action, observation") == [
        ("react_shop/0", 0, "reset", "\nShop \nInstruction: buy a kettle"),
        ("react_shop/0", 1, "think[a kettle is needed]", "OK."),
        ("react_shop/0", 2, "click[Buy Now]", ""),
        ("react_shop/1", 0, "reset", "\nShop "),
    ]


def test_alfworld_scripts(sample: Sample, steps: Read, ledger: Read, runs: Read) -> None:
    sample("react_alfworld.json")
    assert steps("action, observation") == [
        ("think: First a pen.", "OK."),
        ("go to desk 1", "On the desk 1, you see a pen 1."),
        ("think: There it is.", None),
        ("take pen 1 from desk 1", "You pick up the pen 1 from the desk 1."),
    ]
    assert ledger("tool, act, targets")[3] == ("take", "take", ["pen 1", "desk 1"])
    ((name, task),) = runs("trajectory_id, task")
    assert name == "react_alfworld/react_put_0"
    assert task.endswith("put a pen in desk.")


def test_alfworld_turns_end_with_a_verdict(sample: Sample, steps: Read, runs: Read) -> None:
    sample("react_turns.json")
    assert steps("action, observation")[-1] == ("open desk 1", "Nothing happens.\n")
    assert runs("metadata") == [('{"verdict":"Task failed.\\n"}',)]


def test_dialogues_that_reuse_one_call_id(sample: Sample, steps: Read, ledger: Read) -> None:
    sample("react_dialogue.json")
    assert steps("args, observation") == [
        ('{"action":"go to desk 1"}', "On the desk 1, you see a pen 1."),
        ('{"action":"take pen 1 from desk 1"}', "You pick up the pen 1 from the desk 1."),
    ]
    assert ledger("act, targets")[1] == ("take", ["pen 1", "desk 1"])


def test_games_pair_an_action_with_what_came_next(sample: Sample, steps: Read) -> None:
    sample("react_games.json")
    assert steps("trajectory_id, step, action, observation") == [
        (
            "react_games/g1",
            1,
            "go to desk 1",
            "You arrive at loc 4. On the desk 1, you see nothing.",
        )
    ]


def test_webvoyager(sample: Sample, steps: Read, ledger: Read, runs: Read) -> None:
    sample("webvoyager.json")
    assert steps("tool, action, observation") == [
        ("Type", "Type [2]; green tea", 'Observation: [0]: "Tea"\n[image]'),
        ("Scroll", "Scroll WINDOW; down", steps("observation")[1][0]),
        ("ANSWER", "ANSWER; It costs 4.", None),
    ]
    assert ledger("act, targets")[0] == ("type", ["2"])
    assert runs("task") == [("Now given a task: Find tea.",)]


def test_mint_bench(sample: Sample, steps: Read, ledger: Read, runs: Read) -> None:
    sample("mint_bench.txt")
    assert steps("step, call, action, observation") == [
        (0, 0, 'goto("desk 1")', "On the desk 1, you see a pen 1."),
        (0, 1, 'take("pen 1", "desk 1")', "You pick up the pen 1 from the desk 1."),
        (1, 0, 'use("lamp 1")', "You turn on the lamp 1."),
    ]
    assert ledger("act, targets")[1] == ("take", ["pen 1", "desk 1"])
    sample("mint_bench.jsonl")
    first, second = steps("tool, args, observation")[3:]
    assert first[:2] == ("python", 'print(goto("desk 1"))\nprint(take("pen 1", "desk 1"))')
    assert first[2].startswith("Observation:\nOn the desk 1")
    assert second == ("solution", 'put("pen 1")', None)
    assert runs("trajectory_id, domain")[1] == ("mint_bench/put-Pen/trial_1", "alfworld/put")
