"""Token rules, loads, families and dimensions on texts whose outcome is known."""

from __future__ import annotations

from typing import Any

import pytest

from tallysql.answering.questions import Question
from tallysql.errors import UnknownName
from tallysql.scoring import ama, exact
from tallysql.scoring.dimensions import aggregates, dimension, families, family_of
from tallysql.scoring.load import BIN_NAMES, load_bin, reference_load
from tallysql.scoring.metrics import METRICS
from tallysql.scoring.references import Pair, Reference


@pytest.mark.parametrize(
    ("answer", "reference", "same"),
    [
        ("1.2.0", "120", False),  # a full stop parts words here, and joins them in MINTEval
        ("1.2.0", "1 2 0", True),
        ("cat and hat", "cat hat", False),  # `and` counts here
        ("The cat, the hat", "cat hat", True),
        ("YES!", "yes", True),
        ("src/a.py", "src a py", True),  # the article in a path is an article
        ("src/a.py", "src py", True),
        ("snake_case", "snake case", False),  # an underscore is part of a word
        ("don't", "don t", True),
        ("", "the", True),
    ],
)
def test_ama_exact_match(answer: str, reference: str, same: bool) -> None:
    assert ama.exact_match(answer, reference) is same


def test_the_two_rules_differ() -> None:
    assert exact.exact_match("1.2.0", "120") is True
    assert ama.exact_match("1.2.0", "120") is False


@pytest.mark.parametrize(
    ("answer", "reference", "score"),
    [
        ("go to drawer 1", "go to drawer 1", 1.0),
        ("drawer 1", "go to drawer 1", 2 * 2 / 6),
        ("one one one", "one", 2 * 1 / 4),  # repeated words are no more than once in the other
        ("", "", 1.0),
        ("the", "", 1.0),
        ("", "drawer", 0.0),
        ("left", "right", 0.0),
    ],
)
def test_ama_f1(answer: str, reference: str, score: float) -> None:
    assert ama.f1(answer, reference) == pytest.approx(score)


@pytest.mark.parametrize(
    ("reference", "load"),
    [
        ("'look' (55 times), 'go to toilet 1' (27 times)", 82),
        ("At step 3, a was added. At step 5, it was removed.", 2),
        ("Steps 3, 5-7 and 9", 5),
        ("steps 3 to 5, step 4", 3),
        ("opened 2 times at steps 4, 9, 12", 3),
        ("clicked 3x", 3),
        ("turn 11", 1),
        ("The wall blocks it.", None),
        ("step 9-2", None),
        ("version 12", None),
    ],
)
def test_the_load_that_a_reference_lets_expect(reference: str, load: int | None) -> None:
    assert reference_load(reference) == load


def test_bins_of_loads() -> None:
    loads = (0, 1, 5, 6, 15, 16, 40, 41, 100, 101, None)
    assert [load_bin(load) for load in loads] == [
        *("0", "1-5", "1-5", "6-15", "6-15", "16-40", "16-40", "41-100", "41-100"),
        *(">100", "undefined"),
    ]
    assert set(map(load_bin, loads)) == set(BIN_NAMES)


@pytest.mark.parametrize(
    ("question", "family"),
    [
        ("Until step 9, what has the agent done and how frequently?", "frequencies"),
        ("How many times was the button clicked?", "count"),
        ("How often was it opened up to step 4?", "count"),
        ("Which actions were performed between step 3 and step 9?", "actions between steps"),
        ("Before step 9, which actions were performed on mug 1?", "actions on an object"),
        ("From step 1 to 8, what were the environment changes?", "changes"),
        ("At which step was the door first opened?", "first or last"),
        ("List every file that was edited.", "list"),
        ("Why did it fail twice?", "reason"),
        ("How many tests would have failed?", "hypothetical"),
        ("If the agent had gone left, how many coins would it have?", "hypothetical"),
        ("What did the page say?", "other"),
        ("", "other"),
    ],
)
def test_families(question: str, family: str) -> None:
    assert family_of(question) == family


def test_every_family_can_be_reached() -> None:
    names = [name for name, _, _ in families()]
    assert len(names) == len(set(names))
    assert {counts for _, counts, _ in families()} == {True, False}


def pair(answer: Any = "1", reference: Any = "1", **facts: Any) -> Pair:
    record = {"answer": answer, **facts.pop("record", {})}
    question = Question("q", facts.pop("trajectory_id", "t"), facts.pop("question", "How many?"))
    return Pair(Reference(question, reference, facts), record)


def test_dimensions_and_their_crosses() -> None:
    whole = pair(domain="web", record={"aggregation_load": 7}, load=101, total_tokens=26_001)
    assert dimension("domain")(whole) == "web"
    assert dimension("type")(whole) == "none"
    assert dimension("reference-load")(whole) == ">100"
    assert dimension("load-level")(whole) == "low"
    assert dimension("fits*load")(whole) == "does not fit * 6-15"
    assert dimension("fits")(pair(total_tokens=26_000)) == "fits"
    assert dimension("fits")(pair()) == "unknown"
    assert aggregates(pair(question="How many were opened?")) == "aggregation"
    assert aggregates(pair(question="Why?")) == "other"
    with pytest.raises(UnknownName, match="domian"):
        dimension("load*domian")


def test_a_history_is_counted_where_it_is_there() -> None:
    long = [{"action": "look", "observation": "word " * 30_000}]
    assert dimension("fits")(pair(trajectory=long)) == "does not fit"
    assert dimension("fits")(pair(trajectory=long[:0])) == "fits"


def test_halves_hold_whole_trajectories_and_are_about_equal() -> None:
    halves = [dimension("half")(pair(trajectory_id=f"t{at}")) for at in range(400)]
    assert 150 < halves.count("A") < 250
    assert set(halves) == {"A", "B"}
    assert halves == [dimension("half")(pair(trajectory_id=f"t{at}")) for at in range(400)]


@pytest.mark.parametrize(
    ("form", "answer", "reference", "score"),
    [
        ("int", "37 times, at 5 steps", "37", 1.0),  # the leading integer wins
        ("int", "It was opened 7 times by step 9.", "7", 1.0),  # else the first
        ("int", "at step 9, 7 times", "7", 0.0),
        ("step", "Step 12", "12", 1.0),
        ("list", "3, 5", "3, 5", 1.0),
        ("list", "5, 3", "3, 5", 0.0),  # order counts
        ("list", "none", "none", 1.0),
        ("name", "`Setup.py`.", "setup.py", 1.0),
        ("pairs", "b: 2, a: 1", "a: 1, b: 2", 1.0),
        ("text", "7", "7", None),  # no such form: not defined
    ],
)
def test_deterministic_extraction(
    form: str, answer: str, reference: str, score: float | None
) -> None:
    assert METRICS["extract"](pair(answer, reference, format=form)) == score


@pytest.mark.parametrize("name", ["exact", "ama", "ama-f1"])
def test_no_answer_is_right_where_none_is(name: str) -> None:
    metric = METRICS[name]
    assert metric(pair(None, None)) == 1.0
    assert metric(pair("7", None)) == 0.0
    assert metric(pair(None, "7")) == 0.0
    assert metric(Pair(pair(None, None).reference, None)) == 0.0  # missing is not declined
    assert metric(pair([3, 5], "3 5")) == 1.0
    assert metric(pair(True, "yes")) == 1.0
