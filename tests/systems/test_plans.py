"""Plans written from the probe's templates select the events that the templates select."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tallysql
from benchmarks.probe.events import read_episodes
from benchmarks.probe.generate import generate
from benchmarks.probe.templates import TEMPLATES
from benchmarks.systems.plans import PLANS, plan_of
from tests.ama_miniature import MINIATURE, write

if TYPE_CHECKING:
    from pathlib import Path


def test_every_template_has_a_plan() -> None:
    assert {template.name.removesuffix("m") for template in TEMPLATES} == set(PLANS)


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[dict[str, Any], Any]]:
    data: Path = write(tmp_path_factory.mktemp("plans") / "miniature.jsonl", MINIATURE)
    cases = list(generate(read_episodes(data)))
    with tallysql.open() as memory:
        memory.load(data)
        return [(case, memory.run(plan_of(case) or {}, case["trajectory_id"])[0]) for case in cases]


def test_they_select_the_events_of_the_template(checked: list[tuple[dict[str, Any], Any]]) -> None:
    assert {case["template"] for case, _ in checked} >= {"E1", "E9", "S3", "S4", "S5", "S7", "XS2"}
    for case, result in checked:
        told = (case["template"], case["bound"], result.state)
        assert (told, list(result.steps)) == (told, case["gold_steps"] or [])


def test_they_compute_what_is_asked(checked: list[tuple[dict[str, Any], Any]]) -> None:
    for case, result in checked:
        if case["op"] == "count":
            assert str(result.as_dict()["value"]) == case["answer"], case
        if case["template"] == "E4":
            assert str(len(result.as_dict()["value"])) == case["answer"], case


def test_other_questions_have_none() -> None:
    assert plan_of({"template": "until_step", "question": "What?"}) is None
    assert plan_of({}) is None
