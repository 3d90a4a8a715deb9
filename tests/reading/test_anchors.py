"""Which steps anchor a view, and what follows from it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tallysql.answering.contexts import Contexts, asked_of
from tallysql.reading.anchors import (
    FAR,
    Candidate,
    FileItem,
    candidates,
    choose_anchors,
    distances,
    file_items,
)
from tallysql.reading.question import read_question
from tallysql.reading.settings import PAPER, ViewSettings

if TYPE_CHECKING:
    from tallysql.api import Memory

SETTINGS = ViewSettings()


def steps(scores: dict[int, int], named: tuple[int, ...] = ()) -> list[Candidate]:
    return [
        Candidate(step, place, True, 1, score, step in named)
        for place, (step, score) in enumerate(sorted(scores.items()), start=1)
    ]


def anchored(anchors: tuple[object, ...]) -> list[object]:
    return [getattr(a, "path", None) or getattr(a, "step", None) for a in anchors]


def test_terms_leave_out_step_references_stop_words_and_single_letters() -> None:
    asked = read_question("At steps 3, 5 and 7, which x_1 files did the agent edit in Turn 12?")
    assert asked.terms == ("edit", "files", "x_1")


def test_paths_of_a_question() -> None:
    asked = read_question("Was ./src/a_b.py read before `/repo/x.txt`, or setup.py's copy?")
    assert asked.paths == ("/repo/x.txt", "setup.py", "src/a_b.py")


def test_only_the_four_best_steps_where_nothing_is_named() -> None:
    found = steps({1: 2, 2: 5, 3: 0, 4: 5, 5: 1, 6: 2, 7: 1})
    files = [FileItem("/a.py", 4, False, (1,))]
    assert anchored(choose_anchors(found, files, SETTINGS)) == [2, 4, 1, 6]


def test_eight_items_and_the_named_steps_where_something_is_named() -> None:
    found = steps(dict.fromkeys(range(1, 12), 1) | {20: 8, 21: 9}, named=(20, 21))
    files = [FileItem("/a.py", 13, True, (5, 6)), FileItem("/b.py", 1, False, (7,))]
    chosen = choose_anchors(found, files, SETTINGS)
    assert anchored(chosen) == [20, 21, "/a.py", 1, 2, 3, 4, 5]
    assert [a.why for a in chosen[:3]] == ["named", "named", "path in question"]


def test_distances_count_positions_not_numbers() -> None:
    found = steps({3: 0, 4: 0, 8: 1, 9: 0, 40: 0})
    chosen = choose_anchors(found, [], SETTINGS)
    assert distances(found, chosen) == {3: 2, 4: 1, 8: 0, 9: 1, 40: 2}
    assert set(distances(found, ()).values()) == {FAR}


def test_scores_count_whole_words_once(memory: Memory) -> None:
    asked = read_question("part_5 part_57 passed pas LINE", named=(5,))
    scores = {c.step: c.score for c in candidates(memory.store, "coding", asked, SETTINGS)}
    assert scores[5] == 2 + SETTINGS.named_bonus
    assert scores[57] == 2
    assert scores[6] == 1
    assert scores[4] == 1


def test_a_step_that_holds_a_quotation_ranks_above_more_words(memory: Memory) -> None:
    asked = read_question('Where does "n 21: 3" stand: part_5, passed, pytest, tests?')
    for chosen, best in ((SETTINGS, 21), (PAPER, 5)):
        found = candidates(memory.store, "coding", asked, chosen)
        assert choose_anchors(found, (), chosen)[0].step == best


def test_a_named_path_must_agree_with_what_the_question_says_of_it(memory: Memory) -> None:
    named = {
        question: [
            f.path
            for f in file_items(memory.store, "coding", read_question(question), SETTINGS)
            if f.named
        ]
        for question in (
            "src/module_1.py",
            "other/module_1.py",
            "module_1.py",
            "module_1",
            "e_1.py",
        )
    }
    path = "/repo/src/module_1.py"
    assert named == {
        "src/module_1.py": [path], "other/module_1.py": [], "module_1.py": [path],
        "module_1": [], "e_1.py": [],
    }  # fmt: skip


def test_a_named_file_brings_steps_from_far_away(memory: Memory) -> None:
    chosen = ViewSettings(budget=3_000, near_characters=300, far_characters=300)
    question = "At step 30, what was last seen in src/module_1.py?"
    view = Contexts(memory.store, chosen).of("tm", question, "coding")
    linked = {4, 16, 28, 40, 52}
    assert linked <= {e.span.step for e in view.excerpts}
    few = replace(chosen, linked_steps=0, top_items=0, budget=1_000)
    view = Contexts(memory.store, few).of("tm", question, "coding")
    assert not (linked - {28}) & {e.span.step for e in view.excerpts}


def test_bounds_do_not_name_steps_and_contradictory_bounds_bound_nothing(memory: Memory) -> None:
    index = Contexts(memory.store).index("coding")
    assert asked_of("How many tests ran up to step 20?", index).named == ()
    assert asked_of("How many tests ran up to step 20?", index).hi == 20
    asked = asked_of("In steps 4-6 it waited, and in steps 7-8 it ran: why?", index)
    assert (asked.lo, asked.hi) == (None, None)


@pytest.mark.parametrize("counter", [True, False])
def test_the_counter_fires_on_how_many_times_only(memory: Memory, counter: bool) -> None:
    contexts = Contexts(memory.store, ViewSettings(counter=counter))
    times = contexts.of("tm", "How many times was pytest run up to step 10?", "coding").text
    often = contexts.of("tm", "How often was pytest run up to step 10?", "coding").text
    line = "[actions per tool in scope: execute_bash 8, str_replace_editor 3]\n"
    assert (line in times) == counter
    assert "actions per tool" not in often


def test_steps_out_of_scope_only_where_the_settings_allow(memory: Memory) -> None:
    question = "What did the tests print up to step 9?"
    paper = Contexts(memory.store, PAPER).of("tm", question, "coding")
    ours = Contexts(memory.store, ViewSettings()).of("tm", question, "coding")
    assert {e.span.step for e in paper.excerpts} == set(range(10))
    assert [(o.first, o.last, o.why) for o in paper.omitted] == [(10, 59, "out of scope")]
    assert {e.span.step for e in ours.excerpts} == set(range(60))
    assert "[scope: steps 0 to 9 of steps 0 to 59]" in ours.text


def test_caps_near_and_far(memory: Memory) -> None:
    chosen = replace(PAPER, near_characters=500, far_characters=200)
    view = Contexts(memory.store, chosen).of("tm", "What happened at step 28?", "coding")
    kept = {c.step: c.length - c.size for c in view.truncated if c.field == "observation"}
    assert {kept[step] for step in (27, 28, 29) if step in kept} == {500}
    assert kept[56] == 200
    assert "characters 350-" in view.text
    widened = replace(chosen, widen=True, budget=200_000)
    assert (
        not Contexts(memory.store, widened)
        .of("tm", "What happened at step 28?", "coding")
        .truncated
    )
