"""Every sample is taken for what it is, by its content alone."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tallysql.archive.formats.registry import FORMATS, detected
from tallysql.archive.formats.source import SourceFile
from tallysql.archive.load import load
from tallysql.errors import InputError, NoSteps
from tests.archive.formats.conftest import SAMPLES, Sample

if TYPE_CHECKING:
    from tallysql.store import Store

COUNTS = {
    "atif.json": ("atif", 1, 6),
    "atif_cont.json": ("atif", 1, 2),
    "claude_code.jsonl": ("claude-code", 1, 6),
    "claude_code_agent.jsonl": ("claude-code", 1, 1),
    "claude_code_export.json": ("claude-code", 1, 1),
    "claude_code_talk.jsonl": ("claude-code", 0, 0),
    "codex.jsonl": ("codex", 1, 7),
    "codex_old.jsonl": ("codex", 1, 2),
    "gemini_cli.json": ("gemini-cli", 1, 4),
    "gemini_cli_checkpoint.json": ("gemini-cli", 1, 1),
    "inspect.eval": ("inspect", 2, 8),
    "inspect.json": ("inspect", 2, 8),
    "inspect_none.json": ("inspect", 0, 0),
    "intercode.json": ("intercode", 3, 7),
    "langfuse.json": ("otel", 1, 2),
    "langfuse_models.json": ("otel", 1, 1),
    "mini_swe_agent.traj.json": ("mini-swe-agent", 1, 4),
    "mini_swe_agent_v2.traj.json": ("mini-swe-agent", 1, 1),
    "mint_bench.jsonl": ("mint-bench", 1, 2),
    "mint_bench.txt": ("mint-bench", 1, 3),
    "openai.json": ("openai", 1, 3),
    "openai_functions.jsonl": ("openai", 1, 1),
    "openai_log_1.json": ("openai", 1, 2),
    "openai_log_2.json": ("openai", 1, 3),
    "openai_runs.jsonl": ("openai", 2, 5),
    "openclaw.jsonl": ("openclaw", 2, 3),
    "openhands_export.json": ("openhands", 1, 6),
    "openhands_oldest.jsonl": ("openhands", 1, 3),
    "openhands_output.jsonl": ("openhands", 2, 6),
    "openhands_sdk.jsonl": ("openhands", 1, 5),
    "otel.jsonl": ("otel", 1, 2),
    "otel_talk.json": ("otel", 0, 0),
    "react_alfworld.json": ("react", 1, 4),
    "react_dialogue.json": ("react", 1, 2),
    "react_games.json": ("react", 1, 1),
    "react_log.txt": ("react", 2, 3),
    "react_shop.txt": ("react", 2, 4),
    "react_turns.json": ("react", 1, 2),
    "swe_agent.traj": ("swe-agent", 1, 5),
    "swe_agent_calls.traj": ("swe-agent", 1, 3),
    "swe_agent_demo.traj": ("swe-agent", 1, 2),
    "tau2_results.json": ("openai", 1, 1),
    "tau_results.json": ("openai", 1, 3),
    "webvoyager.json": ("webvoyager", 1, 3),
}


def test_the_table_names_every_sample() -> None:
    assert sorted(COUNTS) == sorted(path.name for path in SAMPLES.iterdir())


@pytest.mark.parametrize("name", COUNTS)
def test_a_sample_is_taken_for_what_it_is(sample: Sample, name: str) -> None:
    expected = COUNTS[name]
    if not expected[2]:
        with pytest.raises(NoSteps) as none:
            sample(name)
        assert none.value.reason in {known.nothing for known in FORMATS}
        return
    report = sample(name)
    assert (report.format, report.trajectories, report.steps) == expected


@pytest.mark.parametrize("name", COUNTS)
def test_only_one_format_claims_a_sample(name: str) -> None:
    path = SAMPLES / name
    claims = [known.name for known in FORMATS if known.detect(SourceFile(path, name))]
    assert claims[0] == COUNTS[name][0]
    allowed = {"openai", "json"}  # the general ones, tried last
    assert set(claims[1:]) <= allowed


@pytest.mark.parametrize(
    "name", ["codex.jsonl", "inspect.eval", "react_log.txt", "webvoyager.json"]
)
def test_names_and_compression_do_not_matter(tmp_path: Path, name: str) -> None:
    path = tmp_path / "some.thing"
    path.write_bytes(gzip.compress((SAMPLES / name).read_bytes()))
    known = detected(SourceFile(path, "some.thing"))
    assert known is not None
    assert known.name == COUNTS[name][0]


def test_a_directory_of_all_formats(store: Store, tmp_path: Path) -> None:
    for name in COUNTS:
        folder = tmp_path / f"of {name}"
        folder.mkdir()
        shutil.copy(SAMPLES / name, folder / name)
    (tmp_path / "notes.md").write_text("# Notes\n")
    report = load(store, [str(tmp_path)])
    states = {Path(file.source).name: file for file in report.files}
    assert states["notes.md"].state == "ignored"
    assert {n for n, f in states.items() if f.state == "empty"} == {
        name for name, counts in COUNTS.items() if not counts[2]
    }
    assert states["otel_talk.json"].reason == "spans without a tool call"
    failed = {name for name, file in states.items() if file.state == "failed"}
    assert not failed
    again = load(store, [str(tmp_path)])
    loaded = {n for n, f in states.items() if f.state == "loaded" and f.clean}
    assert {n for n, f in zip(states, again.files, strict=True) if f.state == "unchanged"} == loaded


def test_a_format_that_finds_no_step_is_refused(store: Store) -> None:
    with pytest.raises(InputError, match="not react: read as that, it holds no step") as refused:
        load(store, [str(SAMPLES / "claude_code.jsonl")], format="react")
    assert "claude-code" in str(refused.value.hint)
    assert store.rows("SELECT count(*) FROM trajectories") == [(0,)]
