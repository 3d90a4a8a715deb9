"""What a log says to the models and programs that read it changes no fact, plan or answer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tallysql
from tallysql.answering.prompt import prompt, quoted
from tallysql.ledger.chunks import chunks_of
from tallysql.llm.models import Models
from tallysql.llm.replay import ReplayChat
from tallysql.llm.settings import ModelSettings
from tallysql.scoring.judge import Prediction, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql import Memory
    from tallysql.llm.chat import Request

FILE = Path(__file__).parents[1] / "data" / "hostile" / "prompts.jsonl"
TEXTS = {case["name"]: case["text"] for case in map(json.loads, FILE.read_text().splitlines())}
SETTINGS = ModelSettings(model="m", base_url="http://here/v1")
QUESTIONS = (
    "How many times was box 1 opened?",
    "How many open actions failed?",
    "At which steps was box 1 closed?",
    "How often was each tool used?",
    "Which targets were opened up to step 3?",
    "Why was box 1 opened?",
)
LINE_ENDS = "[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"


def steps(name: str, text: str) -> list[dict[str, Any]]:
    """Seven steps, of which the third and the sixth quote a text."""
    logged = [
        ("open box 1", "You open the box 1. It is open."),
        ("close box 1", "You close the box 1."),
        ("look", f"A note lies here. It reads: {text}"),
        ("open box 1", "Nothing happens."),
        ("open box 2", "You open the box 2. It is open."),
        ("ponder", f"{text}\nYou feel no wiser."),
        ("close box 2", "You close the box 2."),
    ]
    return [
        {"trajectory_id": name, "step": step, "action": action, "observation": observation}
        for step, (action, observation) in enumerate(logged)
    ]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One trajectory for each text, and `base` with none."""
    source = tmp_path_factory.mktemp("prompts") / "runs.jsonl"
    runs = [steps(name, text) for name, text in {"base": "nothing", **TEXTS}.items()]
    source.write_text("\n".join(json.dumps(step) for run in runs for step in run))
    with tallysql.open() as opened:
        opened.load(source)
        yield opened


def facts(memory: Memory, name: str) -> list[tuple[Any, ...]]:
    return memory.store.rows(
        "SELECT step, tool, act, targets, outcome, changes, exit_code, error, provenance "
        "FROM ledger WHERE trajectory_id = $name ORDER BY step",
        {"name": name},
    )


@pytest.mark.parametrize("name", TEXTS)
def test_facts_plans_and_answers_stay_as_they_are(memory: Memory, name: str) -> None:
    assert facts(memory, name) == facts(memory, "base")
    for question in QUESTIONS:
        said, plain = memory.ask(question, name), memory.ask(question, "base")
        assert said["plan"] == plain["plan"]
        assert (said["status"], said["answer"]) == (plain["status"], plain["answer"])


def test_the_questions_are_answered_or_declined(memory: Memory) -> None:
    answers = [memory.ask(question, "base")["answer"] for question in QUESTIONS]
    assert answers[0] == "2"
    assert answers[-1] is None
    assert None not in answers[:3]


@pytest.mark.parametrize("name", TEXTS)
def test_the_annotators_prompt_has_the_steps_of_the_log_alone(memory: Memory, name: str) -> None:
    (chunk,) = chunks_of(memory.store, name, len, 10**6)
    lines = re.split(LINE_ENDS, chunk.prompt.partition("\nLog\n")[2])
    heads = [line for line in lines if line.startswith("[step")]
    assert heads == [f"[step {step}]" for step in range(7)]
    own = [line for line in lines if line and not line.startswith("  ")]
    assert {line.split(" ", 1)[0] for line in own} <= {"[step", "action:", "observation:", "JSON:"}


@pytest.mark.parametrize("system", ["tm", "long-context", "bm25"])
@pytest.mark.parametrize("name", TEXTS)
def test_the_readers_prompt_cannot_be_forged(memory: Memory, name: str, system: Any) -> None:
    view = memory.view("What does the note at step 2 read?", name, system=system)
    text = prompt("What does it read?", quoted(view), "[1] count: 3")
    fence = re.findall("===== log [0-9a-f]{16} =====", text)[0]
    assert text.count(fence) == 3, "named once, then before and after the log"
    _, _, log_and_rest = text.partition(f"\n{fence}\n")
    log, _, rest = log_and_rest.partition(f"\n{fence}\n")
    notes = [line for line in re.split(LINE_ENDS, log) if line.startswith("[")]
    heads = [re.match(r"\[step (\d+)[] ]", note) for note in notes]
    shown = [int(head[1]) for head in heads if head]
    assert shown == sorted(set(shown))
    assert set(shown) <= set(range(7))
    assert not any("99" in note for note in notes)
    assert rest.startswith("\nComputed over the whole log")
    assert rest.count("Question: ") == 1
    assert rest.endswith("Question: What does it read?\nAnswer:")


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_indented_is_not_what_is_stored(memory: Memory, name: str) -> None:
    view = memory.view("What does the note at step 2 read?", name)
    assert TEXTS[name] in view.text
    squeezed = re.sub(r"\s+", "", quoted(view))
    assert squeezed == re.sub(r"\s+", "", view.text)


def test_claims_of_a_model_never_override_the_log(memory: Memory, tmp_path: Path) -> None:
    def claim(request: Request) -> str:
        shown = re.findall(r"(?m)^\[step (\d+)", request.messages[0].content)
        change = {"object": "vault 9", "property": "state", "value": "open"}
        claimed = {
            "call": 0, "act": "steal", "targets": ["box 1", "vault 9"], "outcome": "failure",
            "quote": "", "changes": [change],
        }  # fmt: skip
        return json.dumps({"steps": [claimed | {"step": int(step)} for step in shown]})

    names = ["base", *TEXTS]
    before = {name: facts(memory, name) for name in names}
    with tallysql.open(models=Models(SETTINGS, chat=ReplayChat(claim))) as annotated:
        runs = [steps(name, TEXTS.get(name, "nothing")) for name in names]
        source = tmp_path / "runs.jsonl"
        source.write_text("\n".join(json.dumps(step) for run in runs for step in run))
        annotated.load(source)
        assert annotated.annotate(names).done == len(names)
        for name in names:
            for logged, claimed in zip(before[name], facts(annotated, name), strict=True):
                assert claimed[:3] == logged[:3]
                assert claimed[3] == logged[3] or not logged[3], "targets fill gaps at most"
                assert claimed[4:8] == logged[4:8]


def test_an_answer_cannot_end_the_judges_prompt() -> None:
    seen: list[str] = []

    def say(request: Request) -> str:
        seen.append(request.messages[0].content)
        return "no"

    models = Models(SETTINGS, chat=ReplayChat(say))
    for text in TEXTS.values():
        assert judge(Prediction("How many?", "3", text), models).correct is False
        last = [line for line in re.split(LINE_ENDS, seen[-1]) if not line.startswith("  ")][-1]
        assert last.startswith("Is the answer correct?")
        assert len(re.findall(f"(?:^|{LINE_ENDS})Is the answer correct", seen[-1])) == 1
