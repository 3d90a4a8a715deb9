"""Step bounds in words, and the inclusive bounds that they mean."""

from __future__ import annotations

import pytest

from tallysql.compiling.rules import Range, parse_scope

STEPS = Range(0, 99)

BOUNDS: list[tuple[str, int | None, int | None]] = [
    ("How many looks up to and including step 36?", None, 36),
    ("Until turn 9, what happened?", None, 9),
    ("By step 20, how many?", None, 20),
    ("no later than step #30", None, 30),
    ("up to but not including step 30", None, 29),
    ("before Turn index 7", None, 6),
    ("prior to timestep 7", None, 6),
    ("after step twelve", 13, None),
    ("later than step 12", 13, None),
    ("past step 12, how many", 13, None),
    ("from step 8 onward", 8, None),
    ("step 8 and later", 8, None),
    ("since step 8", 8, None),
    ("at or after step 8", 8, None),
    ("in the stretch from step 14 to the end", 14, None),
    ("between step 40 and step 110", 40, 110),
    ("between steps 5–10", 5, 10),
    ("between step 3 and 9 (exclusive)", 4, 8),
    ("strictly between step 3 and step 9", 4, 8),
    ("between step 3 and step 9, endpoints excluded", 4, 8),
    ("from step 37 to step 75, both included", 37, 75),
    ("Steps 8 through 20: how many?", 8, 20),
    ("Looking only at steps 20 to 50, how many?", 20, 50),
    ("after step 10 and before step 20", 11, 19),
    ("Of the first fifty moves, how many?", None, 49),
    ("within the first one hundred steps", None, 99),
    ("in the last 20 steps", 80, None),
    ("At step 49, what has it done so far?", None, 49),
    ("How many looks were there?", None, None),
]


@pytest.mark.parametrize(("words", "lo", "hi"), BOUNDS)
def test_bounds(words: str, lo: int | None, hi: int | None) -> None:
    found = parse_scope(words, STEPS)
    assert (found.lo, found.hi) == (lo, hi)


def test_bounds_name_no_step_but_at_step_does() -> None:
    assert parse_scope("until step 9", STEPS).named == ()
    assert parse_scope("What did the traceback at step 41 say?", STEPS).named == (41,)
    assert parse_scope("Compare steps 3 and step 5", STEPS).named == (3, 5)


def test_first_steps_count_from_the_first_step_of_the_log() -> None:
    assert parse_scope("in the first 5 steps", Range(1, 50)).hi == 5


def test_from_step_to_step_compares_states() -> None:
    assert parse_scope("from step 3 to step 9", STEPS).states
    assert not parse_scope("between step 3 and step 9", STEPS).states


def test_two_sides_of_a_step() -> None:
    assert parse_scope("before versus after step 50", STEPS).split == ((None, 49), (51, None))
