"""`tallysql view`, as a user runs it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import tallysql
from tallysql.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def database(source: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("view") / "tally.duckdb"
    with tallysql.open(path) as memory:
        memory.load(source)
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    code = stopped.value.code
    captured = capsys.readouterr()
    return int(code or 0), captured.out, captured.err


def test_the_shape_of_the_json(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    question = "What did step 21 show of src/module_1.py?"
    code, out, _ = run(
        capsys, "view", question, "-t", "coding", "--budget", "900", "--db", database
    )
    assert code == 0
    found = json.loads(out)
    assert list(found) == [
        "text", "tokens", "budget", "tokenizer", "spans", "anchors", "omitted", "truncated",
    ]  # fmt: skip
    assert found["tokens"] <= found["budget"] == 900
    assert set(found["spans"][0]) == {"step", "call", "field", "start", "end"}
    assert found["anchors"][0] == {"step": 21, "score": 8, "why": "named"}
    assert {"path": "/repo/src/module_1.py", "score": 15, "why": "path in question"} in found[
        "anchors"
    ]
    assert set(found["omitted"][0]) == {"from", "to", "why"}
    assert set(found["truncated"][0]) == {"step", "call", "field", "from", "to", "length"}


def test_other_systems_and_near_names(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "view", "Which tests passed?", "-t", "coding", "--system", "bm25", "--db", database
    )
    assert code == 0
    assert json.loads(out)["anchors"] == []
    code, _, err = run(capsys, "view", "Why?", "-t", "codin", "--db", database)
    assert code == 2
    assert "did you mean 'coding'?" in err


@pytest.mark.parametrize("budget", ["0", "-5", "many"])
def test_impossible_budgets_are_bad_usage(
    database: str, capsys: pytest.CaptureFixture[str], budget: str
) -> None:
    code, _, err = run(capsys, "view", "Why?", "-t", "one", "--budget", budget, "--db", database)
    assert code == 2
    assert "--budget" in err
