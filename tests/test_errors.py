"""Suggestions for names that do not exist."""

from __future__ import annotations

import pytest

from tallysql.errors import PlanError, nearest

NUMBERS = [str(number) for number in range(208)]


@pytest.mark.parametrize(
    ("name", "valid", "first"),
    [
        ("3o", NUMBERS, "30"),
        ("3O", NUMBERS, "30"),
        ("l5", NUMBERS, "15"),
        ("run-l", ["rules", "run-1", "run-11"], "run-1"),
        ("refind", ["principal", "refined", "lite"], "refined"),
        ("at_leest", ["at_most", "at_least"], "at_least"),
    ],
)
def test_the_nearest_name_is_first(name: str, valid: list[str], first: str) -> None:
    assert nearest(name, valid)[0] == first


def test_what_looks_like_nothing_has_no_suggestion() -> None:
    assert nearest("zzz", ["steps", "ledger"]) == []


def test_a_plan_error_names_its_file() -> None:
    assert PlanError([("$", "no"), ("$.x", "bad")], file="p.json").message == (
        "p.json: $: no; $.x: bad"
    )
