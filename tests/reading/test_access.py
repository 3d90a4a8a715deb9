"""The parts of benchmarks/access that decide what its tables say."""

from __future__ import annotations

import pytest

from benchmarks.access.deciding import cited_steps, quoting_steps
from benchmarks.access.measure import mean_with_interval

KNOWN = range(30)


@pytest.mark.parametrize(
    ("answer", "steps"),
    [
        ("At step 3 it opened the drawer.", (3,)),
        ("Steps 4, 6 and 9; also Turn 12.", (4, 6, 9, 12)),
        ("turns 2-5 and step #7", (2, 3, 4, 5, 7)),
        ("step 40 does not exist, 12 drawers do", ()),
        ("Between steps 1 and 3", (1, 3)),
        ("from step 10 to step 12", (10, 11, 12)),
        ("steps 0-29", ()),
        ("Step: 8 (go), step 9.", (8, 9)),
        ("It wrote step3_notes.md in turn 16, 5 times", (16,)),
        ("Turn 2, 7 times as often", (2,)),
    ],
)
def test_cited_steps(answer: str, steps: tuple[int, ...]) -> None:
    assert cited_steps(answer, KNOWN) == steps


def test_quotes_that_few_steps_hold() -> None:
    texts = {1: "the rare sentence", 2: "a common sentence"} | dict.fromkeys(
        range(3, 9), "a common sentence"
    )
    assert quoting_steps('Who said "the rare sentence" or "a common sentence"?', texts) == (1,)
    assert quoting_steps("Who said 'short'?", texts) == ()


def test_intervals_contain_the_mean() -> None:
    mean, low, high = mean_with_interval({"a": [1.0, 0.0], "b": [1.0, 1.0], "c": []})
    assert mean == 0.75
    assert low <= mean <= high
