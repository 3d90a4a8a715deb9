"""What every view keeps to, whatever the question and the budget."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tallysql.answering.contexts import Contexts, asked_of
from tallysql.archive.spans import Archive
from tallysql.reading.page import Page
from tallysql.reading.settings import PAPER, ViewSettings
from tallysql.reading.tokens import tokenizer_named

if TYPE_CHECKING:
    from pathlib import Path

    from tallysql.answering.systems import System
    from tallysql.api import Memory
    from tallysql.reading.tokens import TokenizerName
    from tallysql.reading.view import View

QUESTIONS = (
    "What did the tests print at step 21?",
    "How many times was pytest run up to step 30, and what did step 14 and step 56 show?",
    "What was wrong in src/module_1.py between step 10 and step 20?",
    "Which file was read first?",
    "What happened at step 8 and at step 40?",
    "In steps 4-6 it waited, and in steps 7-8 it ran: why?",
    'Where did "run 21: 3 passed" appear?',
    "",
)
SYSTEMS: tuple[System, ...] = ("tm", "long-context", "bm25")
FULL = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def check(memory: Memory, view: View, trajectory_id: str, tokenizer: TokenizerName) -> None:
    archive = Archive(memory.store, trajectory_id)
    places = []
    for excerpt in view.excerpts:
        span = excerpt.span
        shown = view.text[excerpt.at : excerpt.at + span.end - span.start]
        assert shown == archive.excerpt(span)
        assert shown
        places.append((span.step, span.call, span.field, span.start))
    assert places == sorted(places)
    assert all(a.at + a.span.end - a.span.start <= b.at for a, b in pairwise(view.excerpts))
    assert view.tokens == tokenizer_named(tokenizer).count(view.text) <= view.budget


@pytest.mark.parametrize("tokenizer", ["qwen3", "estimate"])
@FULL
@given(
    system=st.sampled_from(SYSTEMS),
    question=st.sampled_from(QUESTIONS),
    trajectory_id=st.sampled_from(["coding", "calls", "one"]),
    budget=st.one_of(st.integers(1, 400), st.integers(400, 20_000)),
    paper=st.booleans(),
)
def test_excerpts_are_verbatim_in_order_and_within_the_budget(
    memory: Memory,
    tokenizer: TokenizerName,
    system: System,
    question: str,
    trajectory_id: str,
    budget: int,
    paper: bool,
) -> None:
    chosen = ViewSettings(budget=budget)
    if paper:
        chosen = replace(PAPER, budget=budget)
    contexts = Contexts(memory.store, chosen, tokenizer_named(tokenizer))
    view = contexts.of(system, question, trajectory_id)
    check(memory, view, trajectory_id, tokenizer)
    shown = {excerpt.span.step for excerpt in view.excerpts}
    left_out = {
        step
        for step in contexts.index(trajectory_id).records
        if any(omission.first <= step <= omission.last for omission in view.omitted)
    }
    assert not shown & left_out
    if view.text:
        headed = {
            step for step in contexts.index(trajectory_id).records if f"[step {step}]" in view.text
        }
        assert shown <= headed
    for cut in view.truncated:
        assert cut.step in shown | headed
        assert 0 <= cut.start < cut.end <= cut.length


@FULL
@given(question=st.sampled_from(QUESTIONS), budget=st.integers(50, 6_000))
def test_named_steps_come_first(memory: Memory, question: str, budget: int) -> None:
    contexts = Contexts(memory.store, ViewSettings(budget=budget))
    index = contexts.index("coding")
    named = [step for step in asked_of(question, index).named if step in index.records]
    tried: list[int] = []

    def show(page: Page, step: int, cap: int, allowance: int | None = None) -> int | None:
        tried.append(step)
        return original(page, step, cap, allowance)

    original = Page.show
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Page, "show", show)
        view = contexts.of("tm", question, "coding")
    assert list(dict.fromkeys(tried))[: len(named)] == named
    if named and budget >= 3_000:
        assert named[0] in {excerpt.span.step for excerpt in view.excerpts}


def test_a_view_does_not_depend_on_earlier_questions(memory: Memory) -> None:
    used = Contexts(memory.store, ViewSettings(budget=3_000))
    for _ in range(2):
        for question in QUESTIONS:
            fresh = Contexts(memory.store, ViewSettings(budget=3_000))
            assert used.of("tm", question, "coding") == fresh.of("tm", question, "coding")


PRINT = """
import hashlib, sys, tallysql
from tests.reading.test_view import QUESTIONS, SYSTEMS
with tallysql.open() as memory:
    memory.load(sys.argv[1])
    for system in SYSTEMS:
        for question in QUESTIONS:
            view = memory.view(question, "coding", system=system, budget=2_000)
            print(hashlib.sha256(repr(view.as_dict()).encode()).hexdigest())
"""


def test_two_processes_give_the_same_bytes(memory: Memory, source: Path) -> None:
    done = [
        subprocess.run(
            [sys.executable, "-c", PRINT, str(source)],
            capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert done[0] == done[1]
    here = [
        sha256(
            repr(memory.view(q, "coding", system=s, budget=2_000).as_dict()).encode()
        ).hexdigest()
        for s in SYSTEMS
        for q in QUESTIONS
    ]
    assert done[0].split() == here
