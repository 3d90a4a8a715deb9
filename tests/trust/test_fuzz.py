"""Any file, plan and question: a result or one of tallysql's own errors, in bounds.

EXAMPLES sets how many of each; compilers, executor and formats have fuzz tests of their own.
"""

from __future__ import annotations

import json
import os
import time
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tallysql
from tallysql.compiling.rules import compile_question
from tallysql.errors import PlanError, TallyError
from tallysql.plan.parse import parse_plan, plan_to_json
from tallysql.plan.profiles import PROFILES
from tests.compiling.catalogs import EDITOR, SESSION, WORLD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql import Memory

EXAMPLES = int(os.environ.get("EXAMPLES", "8"))
fuzzed = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
)
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
HOSTILE = st.sampled_from(
    [
        "'",
        '"',
        "%",
        "_",
        "\\",
        "$x",
        "{}",
        ";--",
        "\x00",
        "\x1b[2J",
        "\u202e",
        "😀",
        "(a+)+$",
        "[",
        "*",
    ]
)
TEXTS = st.one_of(ANY_TEXT, HOSTILE, st.lists(HOSTILE, min_size=2, max_size=6).map("".join))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)
PLAN_KEYS = st.sampled_from(
    ["applicable", "queries", "reason", "op", "by", "where", "not", "scope", "lo", "hi", "limit",
     "target", "tool", "term", "match", "after", "pick", "label"]
)  # fmt: skip
PLAN_VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [True, False, None, 1, -1, 2**70, "count", "group", "target", "first", "exact", [], {}, ["x"]]
)
PLANS = st.recursive(
    st.one_of(PLAN_VALUES, TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(PLAN_KEYS, inner, max_size=6)
    ),
    max_leaves=25,
)
numbers = count()


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with tallysql.open() as opened:
        yield opened


@fuzzed
@given(document=st.one_of(PLANS, JSON))
def test_any_json_is_a_plan_or_a_named_violation(document: Any) -> None:
    for profile in PROFILES.values():
        try:
            plan = parse_plan(document, profile)
        except PlanError as error:
            assert error.violations
            continue
        assert parse_plan(plan_to_json(plan), profile) == plan


@fuzzed
@given(content=st.one_of(st.binary(max_size=300), JSON.map(json.dumps).map(str.encode)))
def test_any_file_loads_or_is_refused(
    memory: Memory, tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    before = memory.trajectories()
    path = tmp_path_factory.mktemp("any") / "x.jsonl"
    path.write_bytes(content)
    try:
        memory.load(path, trajectory_id=f"file {next(numbers)}")
    except TallyError as error:
        assert "\n" not in error.message
        assert memory.trajectories() == before


@fuzzed
@given(
    piece=st.one_of(
        TEXTS, st.sampled_from(["step 1 and ", "not ", "between ", "up to ", "'", "1-"])
    ),
    times=st.integers(1, 3000),
)
def test_a_question_takes_bounded_time(piece: str, times: int) -> None:
    question = (piece * times)[:20_000]
    for catalog in (WORLD, EDITOR, SESSION):
        started = time.process_time()
        compile_question(question, catalog)
        assert time.process_time() - started < 5
