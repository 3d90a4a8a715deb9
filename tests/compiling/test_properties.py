"""Whatever is asked: a valid plan or a decline, in bounded time, always the same."""

from __future__ import annotations

import time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tallysql.compiling.rules import compile_question
from tallysql.plan.nodes import Declined
from tallysql.plan.parse import check_plan
from tallysql.plan.profiles import PROFILES
from tests.compiling.catalogs import EDITOR, GAME, RESEARCH, SESSION, WEB, WORLD
from tests.compiling.test_rules import PLANS

CATALOGS = st.sampled_from([WORLD, EDITOR, SESSION, WEB, RESEARCH, GAME])
WORDS = sorted({word for _, question, _ in PLANS for word in question.split()})
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=25).map(" ".join)
SECONDS = 1.0


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(question=st.one_of(SENTENCES, st.text(max_size=300)), catalog=CATALOGS)
def test_any_text_gives_a_valid_plan_or_a_decline(question: str, catalog: object) -> None:
    for profile in PROFILES.values():
        started = time.perf_counter()
        found = compile_question(question, catalog, profile)  # type: ignore[arg-type]
        assert time.perf_counter() - started < SECONDS
        if isinstance(found.plan, Declined):
            assert found.plan.reason
            assert found.forms == ()
        else:
            assert not check_plan(found.plan, profile)
            assert len(found.forms) == len(found.plan.queries)
        assert found == compile_question(question, catalog, profile)  # type: ignore[arg-type]


def test_long_questions_take_bounded_time() -> None:
    for question in (
        "after " * 400,
        "a" * 2000,
        "(" * 2000,
        "1 and " * 400,
        "not " * 500,
        "'" * 1999,
    ):
        started = time.perf_counter()
        compile_question(question, WORLD)
        assert time.perf_counter() - started < SECONDS
