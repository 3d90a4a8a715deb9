"""Compilers, router, model reader and judge together, with recorded answers."""

from __future__ import annotations

import hashlib
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

import tallysql
from tallysql.answering.route import Route, parse_route
from tallysql.errors import InputError, ModelError
from tallysql.llm.models import Models
from tallysql.llm.replay import ReplayChat
from tallysql.llm.settings import ModelSettings
from tallysql.scoring.judge import Prediction, judge, verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tallysql.api import Memory
    from tallysql.llm.chat import Request

RULED = "How many times was drawer 1 opened?"
DECLINED = "Why did the agent open drawer 1?"
GROUP = {"op": "group", "by": "tool"}


STEPS = [
    ("look", "You see drawer 1."),
    ("go to drawer 1", "You arrive at drawer 1."),
    ("open drawer 1", "You open the drawer 1."),
    ("go to drawer 10", "You arrive at drawer 10."),
    ("open drawer 10", "The drawer is stuck."),
    ("close drawer 1", "You close the drawer 1."),
    ("open drawer 1", "You open the drawer 1."),
]


def loaded(folder: Path, models: Models) -> Memory:
    """Open a memory that holds the steps as trajectory t."""
    source = folder / "runs.jsonl"
    rows = [
        {"trajectory_id": "t", "step": step, "action": action, "observation": observation}
        for step, (action, observation) in enumerate(STEPS)
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    memory = tallysql.open(models=models)
    memory.load(source)
    return memory


class Script:
    """Answers by stage; a reader's answer is the hash of its prompt, so that it shows reuse."""

    def __init__(self) -> None:
        self.plan: dict[str, Any] = {"applicable": True, "queries": [GROUP]}
        self.failing: dict[str, str] = {}

    def __call__(self, request: Request) -> str:
        prompt = request.messages[0].content
        for words, reason in self.failing.items():
            if words in prompt:
                raise ModelError(f"failed on purpose: {words}", reason=reason)
        if request.stage == "compile":
            return json.dumps(self.plan)
        return hashlib.sha256(prompt.encode()).hexdigest()[:8]


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def chat(script: Script) -> ReplayChat:
    return ReplayChat(script)


@pytest.fixture
def memory(chat: ReplayChat, tmp_path: Path) -> Iterator[Memory]:
    settings = ModelSettings(model="m", base_url="http://here/v1")
    with loaded(tmp_path, Models(settings, chat=chat)) as opened:
        yield opened


def stages(chat: ReplayChat) -> list[str]:
    return [request.stage for request in chat.requests]


class TestCompilers:
    def test_auto_asks_no_model_where_the_rules_know(self, memory: Memory, chat: Any) -> None:
        record = memory.ask(RULED, "t", compiler="auto")
        assert (record["answer"], stages(chat)) == ("2", [])
        assert record["usage"] == {"models": {"compile": "m"}}

    def test_auto_asks_one_where_they_decline(self, memory: Memory, chat: Any) -> None:
        record = memory.ask(DECLINED, "t", compiler="auto")
        assert record["status"] == "computed"
        assert record["plan"]["queries"][0]["op"] == "group"
        assert record["trace"][0]["became"].startswith("declined by the rules")
        assert record["usage"]["compile"]["calls"] == 1
        assert record["usage"].get("models", {}) == {"compile": "m"}

    def test_auto_declines_without_a_model(self, tmp_path: Path) -> None:
        with loaded(tmp_path, Models(ModelSettings())) as memory:
            record = memory.ask(DECLINED, "t", compiler="auto")
            assert (record["status"], record["usage"].get("models", {})) == ("no_evidence", {})

    @pytest.mark.parametrize("choices", [{"compiler": "model"}, {"reader": "model"}])
    def test_other_settings_need_one(self, tmp_path: Path, choices: Any) -> None:
        memory = loaded(tmp_path, Models(ModelSettings()))
        with memory, pytest.raises(InputError, match="no model named"):
            memory.ask(RULED, "t", **choices)

    def test_vote_executes(self, memory: Memory, chat: Any) -> None:
        record = memory.ask(DECLINED, "t", compiler="vote")
        assert stages(chat) == ["compile"] * 5
        assert "kept outputs have 5 votes" in record["trace"][0]["became"]
        assert record["usage"]["compile"]["calls"] == 5

    def test_a_failed_call_is_an_error_of_its_question(
        self, memory: Memory, script: Script
    ) -> None:
        script.failing["Why did"] = "timeout"
        record = memory.ask(DECLINED, "t", compiler="model")
        assert (record["status"], record["answer"]) == ("error", None)
        assert record["error"] == "failed on purpose: Why did"


class TestReader:
    def test_it_reads_the_view(self, memory: Memory, chat: ReplayChat) -> None:
        record = memory.ask(DECLINED, "t", reader="model")
        assert record["status"] == "read"
        assert record["usage"]["read"]["finish"] == "stop"
        assert record["usage"]["context_tokens"] > 0
        assert "You see drawer 1." in chat.requests[0].messages[0].content

    @pytest.mark.parametrize(
        ("route", "attached"),
        [("load", False), ("load:1", True), ("always", True), ("never", False)],
    )
    def test_the_router_attaches_evidence(
        self, memory: Memory, chat: ReplayChat, route: str, attached: bool
    ) -> None:
        record = memory.ask(RULED, "t", reader="model", route=route)
        assert record["usage"]["attached"] is attached
        assert (record["evidence"] in chat.requests[0].messages[0].content) is attached
        assert record["aggregation_load"] == 2

    def test_without_evidence_the_answer_is_that_of_tm(
        self, memory: Memory, chat: ReplayChat
    ) -> None:
        settings: dict[str, Any] = {"reader": "model", "route": "always"}
        (tm,) = memory.answer(
            [{"question": DECLINED, "trajectory_id": "t"}], system="tm", **settings
        )
        record = memory.ask(DECLINED, "t", **settings)
        assert record["answer"] == tm["answer"]
        assert len(chat.requests) == 1
        assert memory.models.account.as_dict()["read"]["hits"] == 1
        assert memory.ask(RULED, "t", **settings)["answer"] != tm["answer"]

    def test_a_failed_compilation_leaves_the_view(self, memory: Memory, script: Script) -> None:
        script.failing["Turn a question"] = "timeout"
        record = memory.ask(DECLINED, "t", compiler="model", reader="model")
        assert (record["status"], record["usage"]["attached"], record["error"]) == (
            "read",
            False,
            None,
        )
        assert record["trace"][0]["became"].startswith("not compiled: failed on purpose")

    def test_a_failed_reading_keeps_what_was_computed(self, memory: Memory, script: Script) -> None:
        script.failing["Below is what is known"] = "empty"
        record = memory.ask(RULED, "t", reader="model")
        assert (record["status"], record["answer"]) == ("error", None)
        assert record["results"][0]["value"] == 2

    @pytest.mark.parametrize("system", ["tm", "long-context", "counter"])
    def test_every_system_can_be_read(self, memory: Memory, system: Any) -> None:
        record = memory.ask(DECLINED, "t", system=system, reader="model")
        assert record["status"] == "read"


class TestBatch:
    questions = tuple(
        {
            "question": f"Why did the agent do number {n}?",
            "trajectory_id": "t",
            "question_id": str(n),
        }
        for n in range(12)
    )

    def test_records_come_in_order(self, memory: Memory) -> None:
        records = list(memory.answer(self.questions, reader="model", jobs=4))
        assert [record["question_id"] for record in records] == [str(n) for n in range(12)]
        assert {record["status"] for record in records} == {"read"}

    def test_jobs_overlap(self, memory: Memory, script: Script, chat: ReplayChat) -> None:
        meeting = threading.Barrier(3, timeout=20)
        answer = script.__call__

        def wait(request: Request) -> str:
            meeting.wait()
            return answer(request)

        chat._answer = wait
        records = list(memory.answer(self.questions, reader="model", jobs=3))
        assert {record["status"] for record in records} == {"read"}

    def test_a_failing_question_is_recorded_and_the_rest_goes_on(
        self, memory: Memory, script: Script, tmp_path: Path
    ) -> None:
        script.failing["number 5"] = "rate_limit"
        out = tmp_path / "out.jsonl"
        list(memory.answer(self.questions, out, reader="model", jobs=4))
        records = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        assert [r["question_id"] for r in records if r["status"] == "error"] == ["5"]
        assert len(records) == 12
        account = memory.models.account.as_dict()["read"]
        assert (account["calls"], account["failures"]) == (11, {"rate_limit": 1})

    def test_an_interrupted_run_goes_on(
        self, memory: Memory, chat: ReplayChat, tmp_path: Path
    ) -> None:
        out = tmp_path / "out.jsonl"
        running = memory.answer(self.questions, out, reader="model")
        first = [next(running) for _ in range(4)]
        running.close()  # type: ignore[attr-defined]
        with (tmp_path / "out.jsonl.partial").open("ab") as stream:
            stream.write(b'{"question_id": "4", "cut')
        records = list(memory.answer(self.questions, out, reader="model"))
        assert records[:4] == first
        assert len(chat.requests) == 12
        assert len(out.read_text("utf-8").splitlines()) == 12

    def test_other_models_begin_anew(self, memory: Memory, tmp_path: Path) -> None:
        out = tmp_path / "out.jsonl"
        running = memory.answer(self.questions, out, reader="model")
        next(running)
        running.close()  # type: ignore[attr-defined]
        other = ModelSettings(model="other", base_url="http://here/v1")
        again = loaded(tmp_path, Models(other, chat=ReplayChat(lambda _: "x")))
        records = list(again.answer(self.questions, out, reader="model"))
        assert {record["answer"] for record in records} == {"x"}

    def test_two_runs_do_not_write_one_file(self, memory: Memory, tmp_path: Path) -> None:
        out = tmp_path / "out.jsonl"
        running = memory.answer(self.questions, out)
        next(running)
        with pytest.raises(InputError, match="another process is writing it"):
            next(memory.answer(self.questions, out))


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("always", Route("always")),
        ("never", Route("never")),
        ("load", Route("load", 15)),
        ("load:40", Route("load", 40)),
    ],
)
def test_routes_are_read(text: str, route: Route) -> None:
    assert parse_route(text) == route
    assert parse_route(str(route)) == route


@pytest.mark.parametrize("text", ["", "load:", "load:-1", "sometimes", "load:1.5"])
def test_other_routes_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="no such route"):
        parse_route(text)


@pytest.mark.parametrize(
    ("evidence", "load", "attached"),
    [("found", 16, True), ("found", 15, False), ("found", None, False), ("", 100, False)],
)
def test_the_threshold_is_exclusive(evidence: str, load: int | None, attached: bool) -> None:
    assert Route().attaches(evidence, load) is attached


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", True),
        ("No.", False),
        ("It is not wrong.\n**YES**", True),
        ("yes, at first; but no", False),
        ("Yesterday I know nothing", None),
        ("correct", None),
        ("", None),
    ],
)
def test_verdicts_are_whole_words(text: str, expected: bool | None) -> None:
    assert verdict(text) is expected


def test_the_judge_sees_question_reference_and_answer() -> None:
    chat = ReplayChat(["<think>no</think> yes"])
    judging = Models(ModelSettings(model="m", base_url="http://here/v1"), chat=chat)
    found = judge(Prediction("How many?", "4", "four"), judging)
    assert (found.correct, found.usage.calls) == (True, 1)
    prompt = chat.requests[0].messages[0].content
    assert all(text in prompt for text in ("How many?", "answer: 4", "Answer: four"))
