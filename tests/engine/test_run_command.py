"""`tallysql run` on a database file, as a program."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tallysql.store import open_store
from tests.hand_made import KITCHEN
from tests.ledgers import insert

if TYPE_CHECKING:
    from pathlib import Path

PLAN = {"applicable": True, "queries": [{"op": "count", "where": {"target": ["drawer 1"]}}]}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "kitchen.duckdb"
    with open_store(path) as store:
        insert(store, "kitchen", KITCHEN)
        store.run(
            "INSERT INTO trajectories BY NAME SELECT 'kitchen' AS trajectory_id, 10 AS n_steps,"
            " 'x' AS content_hash, TIMESTAMP '2020-01-01' AS loaded_at"
        )
    return path


def run(database: Path, plan: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tallysql", "run", "-", "--db", str(database), *options]
    return subprocess.run(command, input=plan, capture_output=True, text=True, check=False)


def test_json_when_piped(database: Path) -> None:
    done = run(database, json.dumps(PLAN))
    assert done.returncode == 0, done.stderr
    shape: dict[str, Any] = json.loads(done.stdout)
    assert shape["aggregation_load"] == 3
    assert shape["results"][0]["value"] == 3
    with open_store(database, read_only=True) as store:
        (result,) = shape["results"]
        assert store.rows(result["sql"], result["params"]) == [(3,)]


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("{", "not JSON"),
        ("[]", "$: must be an object"),
        (json.dumps({"applicable": True, "queries": [{"op": "cuont"}]}), "did you mean count?"),
    ],
)
def test_a_bad_plan_is_one_line_and_exit_code_2(database: Path, plan: str, said: str) -> None:
    done = run(database, plan, "-t", "kitchen")
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.startswith("error: <stdin>: ")
    assert len(done.stderr.splitlines()) == 1
