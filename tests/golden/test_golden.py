"""One plan, one statement, one result, one evidence block a case; `--update-golden` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tallysql.engine.evidence import render
from tallysql.engine.execute import execute
from tallysql.plan.nodes import Plan
from tallysql.plan.parse import parse_plan
from tallysql.plan.profiles import profile_named
from tallysql.store import open_store
from tests.hand_made import LEDGERS
from tests.ledgers import insert

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.store import Store

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/plan.json"))


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with open_store() as opened:
        for name, rows in LEDGERS.items():
            insert(opened, name, rows)
        yield opened


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case: Path, store: Store, update_golden: bool) -> None:
    asked = json.loads((case / "plan.json").read_text("utf-8"))
    profile = profile_named(asked["profile"])
    plan = parse_plan(asked["plan"], profile)
    assert isinstance(plan, Plan)
    results = execute(store, asked["trajectory_id"], plan, profile)
    shapes = [result.as_dict() for result in results]
    statements = [shape.pop("sql") + ";\n" for shape in shapes]
    params = [shape.pop("params") for shape in shapes]
    produced = {
        "statement.sql": "\n".join(statements),
        "params.json": _pretty(params),
        "result.json": _pretty(shapes),
        "evidence.txt": render(results) + "\n",
    }
    for name, text in produced.items():
        file = case / name
        if update_golden:
            file.write_text(text, "utf-8")
        assert text == file.read_text("utf-8"), f"{file} differs; look, then --update-golden"


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
