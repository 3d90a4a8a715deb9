"""`tallysql score` on answer files whose truth is known, run as a user runs it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from statsmodels.stats.descriptivestats import sign_test

from tallysql.answering.questions import read_questions
from tallysql.cli import main
from tallysql.scoring.statistics import SEED
from tests.chat_server import Server, answered, completion, refused
from tests.scoring.synthetic import Files, write_files, write_lines

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_httpserver import HTTPServer


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return write_files(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as done:
        main(["score", *map(str, arguments)])
    printed = capsys.readouterr()
    assert isinstance(done.value.code, int)
    return done.value.code, printed.out, printed.err


def scored(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    code, out, err = run(capsys, *arguments, "--resamples", 1000)
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def rows(found: dict[str, Any], by: str) -> dict[str, dict[str, Any]]:
    return {row["group"]: row for row in found["scores"] if row["by"] == by}


def test_scores_are_the_known_ones(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    found = scored(capsys, files.answers, "--reference", files.questions)
    (row,) = rows(found, "all").values()
    assert row["questions"] == len(files.right)
    assert row["mean"] == pytest.approx(np.mean([one for _, one, _ in files.right]))
    assert (row["missing"], row["unanswered"], row["unjudged"]) == (0, 0, 0)


def test_wins_losses_and_their_p(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    found = scored(capsys, files.answers, "--reference", files.questions, "--against", files.others)
    (row,) = rows(found, "all").values()
    assert (row["wins"], row["losses"]) == (files.wins, files.losses)
    assert row["ties"] == len(files.right) - files.wins - files.losses
    _, p = sign_test(np.array([int(one) - int(other) for _, one, other in files.right]))
    assert row["p"] == pytest.approx(p, rel=1e-12)
    assert row["difference"] == pytest.approx((files.wins - files.losses) / len(files.right))


def test_the_interval_of_the_difference_redrawn(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same draws of whole trajectories, made and averaged here."""
    found = scored(capsys, files.answers, "--reference", files.questions, "--against", files.others)
    (row,) = rows(found, "all").values()
    names = sorted({name for name, _, _ in files.right})
    gaps = [[int(a) - int(b) for name, a, b in files.right if name == one] for one in names]
    draws = np.random.default_rng(SEED).integers(0, len(names), size=(1000, len(names)))
    means = [np.mean([gap for at in draw for gap in gaps[at]]) for draw in draws]
    low, high = np.percentile(means, (2.5, 97.5))
    assert row["difference_low"] == pytest.approx(low, abs=1e-12)
    assert row["difference_high"] == pytest.approx(high, abs=1e-12)


def test_groups_hold_every_question_once(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    by = "domain,type,load,half,domain*type"
    found = scored(capsys, files.answers, "--reference", files.questions, "--by", by)
    for name in by.split(","):
        assert sum(row["questions"] for row in rows(found, name).values()) == len(files.right)
    web = [one for name, one, _ in files.right if int(name[1:]) % 2 == 0]
    assert rows(found, "domain")["web"]["mean"] == pytest.approx(np.mean(web))
    assert list(rows(found, "load")) == ["1-5", "6-15", "16-40", "41-100", ">100", "undefined"]
    crossed = {f"{a} * {b}" for a in ("software", "web") for b in "AB"}
    assert set(rows(found, "domain*type")) == crossed


def test_nothing_is_dropped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    questions: list[dict[str, Any]] = [
        {"question_id": f"q{at}", "trajectory_id": "t", "question": "?", "answer": "7"}
        for at in range(4)
    ]
    answers: list[dict[str, Any]] = [
        {"question_id": "q0", "answer": "7"},
        {"question_id": "q1", "answer": None, "status": "no_evidence"},
        {"question_id": "q2", "answer": "8"},
        {"question_id": "q9", "answer": "7"},
    ]
    details = tmp_path / "details.jsonl"
    found = scored(
        capsys,
        write_lines(tmp_path / "a.jsonl", answers),
        "--reference",
        write_lines(tmp_path / "q.jsonl", questions),
        "--details",
        details,
    )
    (row,) = rows(found, "all").values()
    assert (row["questions"], row["mean"]) == (4, 0.25)
    assert (row["missing"], row["unanswered"], found["without_question"]) == (1, 1, 1)
    lines = [json.loads(line) for line in details.read_text("utf-8").splitlines()]
    assert [line["status"] for line in lines] == [None, "no_evidence", None, "missing"]
    assert [line["scores"]["exact"] for line in lines] == [1.0, 0.0, 0.0, 0.0]


def test_a_question_asked_twice_is_scored_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """AMA-Bench has such questions; without ids of their own they share one."""
    episode: dict[str, Any] = {
        "episode_id": 5,
        "trajectory": [{"turn_idx": 0, "action": "look", "observation": "a"}],
        "qa_pairs": [{"question": "How many?", "answer": a} for a in ("1", "2")],
    }
    questions = write_lines(tmp_path / "ama.jsonl", [episode])
    ids = [question.question_id for question in read_questions(questions)]
    answers: list[dict[str, Any]] = [
        {"question_id": one, "answer": a} for one, a in zip(ids, "12", strict=True)
    ]
    found = scored(
        capsys,
        write_lines(tmp_path / "a.jsonl", answers),
        "--reference",
        questions,
    )
    (row,) = rows(found, "all").values()
    assert (row["questions"], row["mean"]) == (2, 1.0)


def test_loads_may_come_from_another_file(
    tmp_path: Path, files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = [
        json.loads(line) | {"aggregation_load": None}
        for line in files.others.read_text().splitlines()
    ]
    others = write_lines(tmp_path / "bare.jsonl", bare)
    arguments = (others, "--reference", files.questions, "--by", "load")
    assert list(rows(scored(capsys, *arguments), "load")) == ["undefined"]
    found = scored(capsys, *arguments, "--loads", files.answers)
    assert len(rows(found, "load")) == 6


def test_groups_compared(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    found = scored(capsys, files.answers, "--reference", files.questions, "--between", "domain")
    (row,) = found["permutations"]
    assert (row["one"], row["other"]) == ("software", "web")
    assert row["difference"] == pytest.approx(row["means"][0] - row["means"][1])
    assert 0 < row["p"] <= 1


def test_a_table_and_rows(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (files.answers, "--reference", files.questions, "--by", "domain")
    code, out, err = run(capsys, *arguments, "--output-format", "table", "--against", files.others)
    assert code == 0
    assert f"+{files.wins}/-{files.losses}" in out
    assert "resample trajectories" in err
    code, out, _ = run(capsys, *arguments, "--output-format", "csv")
    assert (code, out.splitlines()[0].split(",")[:4]) == (0, ["metric", "by", "group", "questions"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--by", "domian"), "did you mean 'domain'"),
        (("--reference", "nowhere.jsonl"), "nowhere.jsonl: no such file"),
        (("--metric", "judge"), "no model named to judge with"),
        (("--against", "nowhere.jsonl"), "nowhere.jsonl: no such file"),
    ],
)
def test_what_cannot_be_scored(
    arguments: tuple[str, ...],
    message: str,
    files: Files,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TALLYSQL_MODEL", raising=False)
    code, out, err = run(capsys, files.answers, "--reference", files.questions, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_references_without_an_answer_are_named(
    files: Files, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bad = write_lines(tmp_path / "b.jsonl", [{"trajectory_id": "t", "question": "?"}])
    code, _, err = run(capsys, files.answers, "--reference", bad)
    assert code == 2
    assert "record 1" in err
    assert "field answer: no reference answer" in err


def verdicts(body: dict[str, Any]) -> Any:
    """Play two judges: the first says yes to 7, the second always; a 9 leaves both silent."""
    prompt = body["messages"][0]["content"]
    answer = prompt.split("Answer: ")[-1].split("\n")[0]
    said = "yes" if answer == "7" or body["model"] == "kind" else "no"
    return answered(completion("perhaps" if answer == "9" else said))


def judged_files(tmp_path: Path) -> tuple[Path, Path]:
    episode = {"trajectory_id": "ep 3", "task": "find mugs", "task_type": "alfworld"}
    questions: list[dict[str, Any]] = [
        {"question_id": f"q{at}", "question": "How many?", "answer": "7"} | episode
        for at in range(5)
    ]
    said = ("7", "8", "9", None, "7")
    answers = [{"question_id": f"q{at}", "answer": text} for at, text in enumerate(said)]
    return (
        write_lines(tmp_path / "a.jsonl", answers),
        write_lines(tmp_path / "q.jsonl", questions),
    )


def test_two_judges(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], httpserver: HTTPServer
) -> None:
    server = Server(httpserver)
    server.play(verdicts)
    answers, questions = judged_files(tmp_path)
    arguments = (answers, "--reference", questions, "--metric", "judge", "--base-url", server.url)
    models = ("--judge-model", "strict", "--second-judge", "kind", "--jobs", 3)
    code, out, err = run(capsys, *arguments, *models)
    assert code == 0
    found = json.loads(out)
    means = {row["metric"]: row for row in found["scores"] if row["by"] == "all"}
    assert means["judge"]["mean"] == pytest.approx(2 / 5)
    assert means["judge-2"]["mean"] == pytest.approx(3 / 5)
    assert (means["judge"]["unjudged"], means["judge"]["unanswered"]) == (1, 1)
    assert found["agreement"]["n"] == 3
    assert found["agreement"]["share"] == pytest.approx(2 / 3)
    assert "judge" in err
    sent = server.bodies[0]
    assert sent["temperature"] == 0
    shown = sent["messages"][0]["content"]
    assert all(text in shown for text in ("alfworld", "ep 3", "find mugs", "How many?"))
    asked = len(server.bodies)
    assert asked == 6  # the two equal answers are one request, the open one is none
    run(capsys, *arguments, *models)
    assert len(server.bodies) == asked  # replies are kept


def test_a_judge_that_fails_is_named_and_the_rest_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], httpserver: HTTPServer
) -> None:
    server = Server(httpserver)
    server.play(refused(400, "no"), verdicts)
    answers, questions = judged_files(tmp_path)
    code, out, err = run(
        capsys, answers, "--reference", questions, "--metric", "judge", "--model", "m",
        "--base-url", server.url,
    )  # fmt: skip
    assert code == 1
    assert "question q0" in err
    (row,) = rows(json.loads(out), "all").values()
    assert (row["questions"], row["unjudged"]) == (5, 2)


def test_another_wording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], httpserver: HTTPServer
) -> None:
    server = Server(httpserver)
    server.play(answered(completion("YES")))
    answers, questions = judged_files(tmp_path)
    wording = tmp_path / "judge.txt"
    model = ("--model", "m", "--base-url", server.url, "--judge-prompt", wording)
    arguments = (answers, "--reference", questions, "--metric", "judge", *model)
    wording.write_text("$question | $reference | $prediction | costs $$5")
    assert run(capsys, *arguments)[0] == 0
    assert server.bodies[0]["messages"][0]["content"] == "How many? | 7 | 7 | costs $5"
    wording.write_text("$question $gold")
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert "no template for a judge" in err
