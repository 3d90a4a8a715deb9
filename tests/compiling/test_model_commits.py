"""The model compiler's prompt for commit histories, sent to a server on loopback."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

import tallysql
from tallysql.compiling.model import compile_prompt
from tallysql.ledger.catalog import load_catalog
from tallysql.llm.models import Models
from tallysql.plan.profiles import PROFILES
from tallysql.store import open_store
from tests.chat_server import Server, answered, completion, settings
from tests.hand_made import KITCHEN
from tests.histories import lived_in
from tests.ledgers import insert

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_httpserver import HTTPServer

    from tallysql import Memory

PLAN: dict[str, Any] = {
    "applicable": True,
    "queries": [
        {
            "op": "count",
            "where": {"path": [{"term": "setup.py", "match": "verbatim"}]},
            "scope": {"hi": 1},
        }
    ],
}
UNCHANGED = {
    "refined": "b0d4be6ebcf132a81de2c58b2b725dcc1ad6ad40176ca1b34dc00d8012deea5a",
    "principal": "16d1e16286297bda32c9bba05793edbe5124b0ec00d6f21de61fe5ea344f0c89",
    "lite": "ce1bbc0b86d137d5401f628c239bee2ef8167ed39fe227e7865a7403e57bd93f",
}
"""SHA-256 of the prompts of a text world: answers are cached by their bytes."""


@pytest.fixture
def server(httpserver: HTTPServer) -> Server:
    found = Server(httpserver)
    found.play(answered(completion(json.dumps(PLAN))))
    return found


@pytest.fixture
def memory(server: Server, tmp_path: Path) -> Iterator[Memory]:
    with tallysql.open(models=Models(settings(server))) as opened:
        opened.load([lived_in(tmp_path / "garden").path])
        yield opened


def test_histories_have_a_prompt_of_their_own(memory: Memory, server: Server) -> None:
    record = memory.ask(
        "How often was the build script touched early on?", "garden", compiler="model"
    )
    assert record["answer"] == "2"
    prompt = server.bodies[0]["messages"][0]["content"]
    lines = prompt.splitlines()
    assert "steps: 0 to 9, 10 commits" in lines
    assert "actions (commits): commit (8), commit.empty (1), commit.merge (1)" in lines
    assert "authors (commits): Ada Lovelace (9), Grace Hopper (1)" in lines
    assert any(line.startswith("directories (files below): src/ (2)") for line in lines)
    (files,) = [line for line in lines if line.startswith("most touched files (commits): ")]
    assert "setup.py (3)" in files
    (variables,) = [line for line in lines if line.startswith("assigned variables")]
    assert "VERSION (2)" in variables
    assert "status" not in variables
    assert "FILE.NAME → VALUE" in prompt
    assert "$" not in prompt


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_prompts_of_other_trajectories_stay_as_they_are(profile: Any) -> None:
    with open_store() as store:
        insert(store, "t", KITCHEN)
        catalog = load_catalog(store, "t")
    prompt = compile_prompt("How often was drawer 1 opened up to step 4?", catalog, profile)
    assert hashlib.sha256(prompt.encode()).hexdigest() == UNCHANGED[profile.name]
