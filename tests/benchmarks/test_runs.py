"""Run folders: whole runs over a small benchmark file, resumed, extended and read back."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

from benchmarks.report import __main__ as report
from benchmarks.report.packed import cut, packed
from benchmarks.runs.__main__ import main
from benchmarks.runs.embodied import FAMILIES, rule_made
from benchmarks.runs.folder import RunFolder, text_hash
from benchmarks.runs.systems import BY_RULES
from tests.chat_server import Server, answered, completion
from tests.run_folders import HOSTILE, make_run, write_ama

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("TALLYSQL_SHARED") or ROOT.parent / "shared")
CASES = SHARED / "cases" / "ama_embodied.dev.jsonl"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("ama"))


def embedded(page: str, name: str) -> Any:
    found = re.search(rf'<script type="text/plain" id="{name}">([^<]*)</script>', page)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_a_run_without_a_model_has_everything(made: Path) -> None:
    folder = RunFolder(made)
    assert folder.systems() == sorted(BY_RULES)
    assert all(len(folder.records(name)) == 8 for name in BY_RULES)
    titles = {table["title"] for table in folder.tables()}
    assert titles == {"Access to deciding steps", "The controlled probe"}
    (probed,) = [t for t in folder.tables() if t["title"] == "The controlled probe"]
    assert {row[0].removeprefix("rules:") for row in probed["rows"]} == {
        *("refined", "principal", "lite", "counter")
    }
    prompts = folder.read_prompts("tm")
    assert len(prompts) == 8
    assert all(row["hash"] == text_hash(row["text"]) for row in prompts.values())
    versions = folder.read("versions.json")
    assert versions["duckdb"][0].isdigit()
    rows = pq.read_table(made / "scores.parquet").to_pylist()
    assert {row["system"] for row in rows} == set(BY_RULES)


def test_known_scores(made: Path) -> None:
    """The two questions made by rule are answered by the rules compiler; one gold is wrong."""
    found = RunFolder(made).read("scores.json")
    rows = {(row["system"], row["metric"]): row for row in found["rows"] if row["by"] == "all"}
    assert rows["rules-refined", "rule-made"]["questions"] == 2
    assert rows["rules-refined", "rule-made"]["mean"] == 1.0
    assert rows["rules-refined", "ama"]["questions"] == 8
    details = pq.read_table(made / "details.parquet").to_pylist()
    twice = [
        row
        for row in details
        if row["system"] == "rules-refined" and row["metric"] == "ama" and row["answer"] == "2"
    ]
    assert sorted(row["score"] for row in twice if row["reference"] in {"2", "3"}) == [0.0, 1.0]


def test_a_run_resumes_and_is_the_same(made: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(made, copy)
    before = {place: place.stat().st_mtime_ns for place in (copy / "answers").iterdir()}
    (copy / "answers" / "counter.jsonl").unlink()
    (copy / "scores.json").unlink()
    shutil.copy(made.parent / "data.jsonl", tmp_path / "data.jsonl")
    make_run(tmp_path)
    after = {place: place.stat().st_mtime_ns for place in (copy / "answers").iterdir()}
    changed = {place.name for place in before if before[place] != after[place]}
    assert changed == {"counter.jsonl"}
    assert (copy / "scores.json").read_bytes() == (made / "scores.json").read_bytes()
    assert (copy / "answers" / "counter.jsonl").read_bytes() == (
        made / "answers" / "counter.jsonl"
    ).read_bytes()


def test_a_folder_of_another_run_is_refused(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data.jsonl"
    write_ama(data)
    data.write_text(data.read_text("utf-8") + "\n", "utf-8")
    assert main(["ama", str(data), "-o", str(made)]) == 2
    assert "holds a run with another data" in capsys.readouterr().err
    assert main(["ama", str(tmp_path / "none"), "-o", str(tmp_path / "x")]) == 2
    assert "none: No such file" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
    assert report.main([str(tmp_path)]) == 2
    assert "no run folder" in capsys.readouterr().err


def test_another_system_takes_part(made: Path, tmp_path: Path) -> None:
    """A file of answers is all that a system needs to be scored and shown."""
    copy = tmp_path / "run"
    shutil.copytree(made, copy)
    folder = RunFolder(copy)
    records = [
        {**one, "system": "mine", "answer": "7", "evidence": "", "plan": None, "results": []}
        for one in folder.records("counter")
    ]
    lines = "".join(json.dumps(one) + "\n" for one in records)
    folder.answers("mine").write_text(lines, "utf-8")
    assert report.main([str(copy)]) == 0
    assert folder.read("attribution.json")["systems"]["mine"]["causes"] == {"no plan": 2}
    page = (copy / "report.html").read_text("utf-8")
    assert "mine" in embedded(page, "index")["systems"]
    assert embedded(page, "piece-0")[0]["answers"]["mine"]["answer"] == "7"


def test_the_page_escapes_and_loads_nothing(made: Path) -> None:
    page = (made / "report.html").read_text("utf-8")
    assert HOSTILE not in page
    assert "<img" not in page
    scripts = re.findall(r"<script[^>]*>", page)
    assert len(scripts) == 3  # the index, one piece, and the page's own
    assert not re.findall(r"""(?:src|href)=["'](?!#)""", page)
    index = embedded(page, "index")
    assert any(HOSTILE in row["question"] for row in index["questions"])
    labels = (made / "labels.html").read_text("utf-8")
    assert HOSTILE not in labels


def test_pieces() -> None:
    text = "a" * 10_000
    shown = cut(text, 100)
    assert shown == f"{'a' * 70}\n[… 9900 characters left out …]\n{'a' * 30}"
    assert cut("short") == "short"
    assert packed({"a": "\ud800"}) == packed({"a": "?"})
    assert packed([text]) == packed([text])


def test_the_probe_as_a_run(tmp_path: Path) -> None:
    folder = RunFolder(make_run(tmp_path, "probe"))
    found = folder.read("scores.json")
    assert found["metric"] == "extract"
    (row,) = [r for r in found["rows"] if r["by"] == "all" and r["system"] == "rules-refined"]
    assert row["mean"] == 1.0
    assert folder.read("attribution.json")["count_errors"]["rules-refined"]["missed"] == 0
    assert "fits * low" in {r["group"] for r in found["rows"] if r["by"] == "fits*load-level"}


def test_minteval_as_a_run(tmp_path: Path) -> None:
    bundled = Path("tests/data/bundled")
    questions = tmp_path / "questions.jsonl"
    lines = (bundled / "questions.jsonl").read_text("utf-8").splitlines()
    every = [json.loads(line) for line in lines]
    rows = [row for row in every if row["trajectory_id"] == "tallysql" and row["answer"]]
    questions.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert rows
    out = tmp_path / "run"
    sources = [str(questions), str(bundled / "history.parquet")]
    assert main(["minteval", *sources, "-o", str(out), "--resamples", "200"]) == 0
    found = RunFolder(out).read("scores.json")
    (row,) = [r for r in found["rows"] if r["by"] == "all" and r["system"] == "rules-refined"]
    assert (row["metric"], row["questions"]) == ("exact", len(rows))
    assert row["mean"] > 0


def test_a_run_with_a_model(
    tmp_path: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every built-in system reads, everything is judged, equal prompts are asked once."""
    server = Server(httpserver)

    def play(body: dict[str, Any]) -> Any:
        prompt = body["messages"][0]["content"]
        if "Is the answer correct?" in prompt:
            return answered(completion("yes" if "Answer: 2" in prompt else "no"))
        plan = '{"applicable": false, "reason": "asks why"}'
        return answered(completion(plan if "response_format" in body else "2"))

    server.play(play)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    run = make_run(tmp_path, "ama", "--model", "smol")
    folder = RunFolder(run)
    assert {"tm", "long-context", "bm25", "tallymem", "tallymem-unrouted"} <= set(folder.systems())
    assert folder.read("scores.json")["metric"] == "judge"
    # Votes alone ask for several samples of one prompt.
    greedy = [body for body in server.bodies if not body["temperature"]]
    sent = [json.dumps(body["messages"]) for body in greedy]
    assert len(sent) == len(set(sent))
    prompts = folder.read_prompts("tm")
    assert all(any(json.dumps(p["text"]) in s for s in sent) for p in prompts.values())
    assert "too small to measure anything" in (run / "report.html").read_text("utf-8")
    asked = len(server.bodies)
    make_run(tmp_path, "ama", "--model", "smol")
    assert len(server.bodies) == asked


def test_families_are_told_by_their_text() -> None:
    question = "Before step 9, which actions were performed on mug 1 and at which steps?"
    reference = "Before step 9, actions performed on mug 1: step 3: take mug 1 from shelf 1."
    assert rule_made(question, reference) == ("actions_on_object", [[3, "take mug 1 from shelf 1"]])
    assert rule_made(question, "nothing that can be read") is None
    assert rule_made("How many?", reference) is None
    assert len(FAMILIES) == 6


@pytest.mark.shared
@pytest.mark.skipif(not CASES.exists(), reason="needs the shared cases")
def test_references_are_read_as_the_shared_cases_have_them() -> None:
    rows = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    for row in rows:
        assert rule_made(row["question"], row["reference"]) == (row["family"], row["gold"])
