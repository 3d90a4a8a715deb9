"""Chat messages, evaluation logs, traces: calls, results and what has neither."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

import pytest

from tallysql.archive.load import load
from tallysql.errors import InputError
from tests.archive.formats.conftest import SAMPLES, Read, Sample

if TYPE_CHECKING:
    from pathlib import Path

    from tallysql.store import Store


def test_chat_calls(sample: Sample, steps: Read, ledger: Read, runs: Read) -> None:
    sample("openai.json")
    assert steps("step, call, action, args, observation") == [
        (0, 0, 'find_item: {"query": "tea"}', '{"query": "tea"}', "[]"),
        (0, 1, 'get_user: {"user_id": "u_7"}', '{"user_id": "u_7"}', "{}"),
        (1, 0, 'pay: {"amount": ', '{"amount": ', "Error: payment method not found"),
    ]
    assert ledger("targets, outcome, error")[1:] == [
        (["u_7"], "unknown", None),
        ([], "failure", "Error: payment method not found"),
    ]
    ((name, task, metadata),) = runs("trajectory_id, task, metadata")
    assert (name, task, json.loads(metadata)) == ("openai", "Buy tea.", {"final_message": "Sorry."})


def test_a_chat_without_calls_is_read_by_turns(sample: Sample, steps: Read) -> None:
    sample("openai_runs.jsonl")
    assert steps("trajectory_id, tool, action, observation")[3:] == [
        ("run-2", "message", "Go north.", "You see a gate."),
        ("run-2", "message", "Open it.", None),
    ]


def test_calls_that_are_written_out(sample: Sample, steps: Read, ledger: Read) -> None:
    sample("openai_functions.jsonl")
    assert steps("action, tool, args") == [
        ('execute_bash: {"command":"ls -la"}', "execute_bash", '{"command":"ls -la"}')
    ]
    assert ledger("act, exit_code") == [("execute_bash.ls", 0)]


def test_request_logs_of_one_run_are_one_trajectory(sample: Sample, steps: Read) -> None:
    assert sample("openai_log_1.json").new == 1
    assert sample("openai_log_2.json").grown == 1
    assert steps("tool, observation") == [("find_item", "[]"), ("get_user", "{}"), ("pay", None)]


def test_logs_of_models_without_native_calls(store: Store, tmp_path: Path, steps: Read) -> None:
    asked = [{"role": "user", "content": "Look."}]
    call = {"id": "x", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    answer = {"role": "assistant", "content": "I look.", "tool_calls": [call]}
    written = "I look.\n\n<function=bash>\n<parameter=command>ls</parameter>\n</function>"
    second = [
        *asked,
        {"role": "assistant", "content": written},
        {"role": "user", "content": "a.py"},
    ]
    done = {"role": "assistant", "content": "Done."}
    for number, (messages, said) in enumerate([(asked, answer), (second, done)]):
        log = {
            "messages": messages,
            "raw_messages": [],
            "response": {"choices": [{"message": said}]},
        }
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(log))
        load(store, [str(path)])
    assert steps("tool, args, observation") == [("bash", '{"command":"ls"}', "a.py")]


def test_runs_that_called_nothing_are_left_out_and_counted(sample: Sample, runs: Read) -> None:
    report = sample("tau_results.json")
    assert report.warnings == ["trajectories without steps are left out: 1"]
    assert runs("trajectory_id, n_steps") == [("tau_results/0/0", 3)]
    assert json.loads(runs("metadata")[0][0])["reward"] == 1.0


def test_tau2(sample: Sample, steps: Read) -> None:
    sample("tau2_results.json")
    assert steps("trajectory_id, tool, args, observation, is_error") == [
        ("tau2_results/3/0", "brew", '{"cups":2}', "hot", False)
    ]


@pytest.mark.parametrize("name", ["inspect.json", "inspect.eval"])
def test_inspect(sample: Sample, steps: Read, runs: Read, name: str) -> None:
    sample(name)
    assert steps("step, call, tool, args, observation, is_error")[:4] == [
        (0, 0, "bash", '{"cmd":"ls /"}', "bin\netc", False),
        (0, 1, "python", '{"code":"1/0"}', "ZeroDivisionError", True),
        (1, 0, "message", None, None, None),
        (2, 0, "submit", '{"answer":"42"}', "ok", False),
    ]
    assert steps("action, ts::VARCHAR")[2] == ("It is 42.\n[image]", None)
    assert steps("ts::VARCHAR")[0] == ("2026-05-01 08:00:00",)
    assert runs("trajectory_id, task")[0] == ("guess_Ev1/1/1", "Guess.")


def test_a_damaged_inspect_sample_is_named(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(SAMPLES / "inspect.eval") as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"{" if name == "samples/2_epoch_1.json" else old.read(name))
    report = load(store, [str(path)]).files[0]
    assert (report.trajectories, report.n_skipped) == (1, 1)
    assert report.skipped[0].record == "samples/2_epoch_1.json"
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(InputError):
        load(store, [str(path)])


def test_atif(sample: Sample, steps: Read, runs: Read) -> None:
    sample("atif.json")
    assert steps("step, call, tool, observation") == [
        (2, 0, "bash_command", "root@box:/# touch f\nroot@box:/# ls\nf\n"),
        (2, 1, "bash_command", None),
        (3, 0, "view", ""),
        (3, 1, "view", "g\n[image]"),
        (5, 0, "execute_bash", "/\n[The command completed with exit code 0.]"),
        (6, 0, "message", None),
    ]
    assert steps("ts::VARCHAR, source_ref")[0] == ("2026-06-24 14:39:44.732", "a")
    assert runs("trajectory_id, task") == [("sess-1", "Make a file.")]


def test_an_atif_continuation_marks_what_it_repeats(sample: Sample, steps: Read) -> None:
    sample("atif.json")
    sample("atif_cont.json")
    rows = steps("trajectory_id, step, tool, is_copied")
    assert rows[-2:] == [
        ("sess-1/cont-1", 1, "message", True),
        ("sess-1/cont-1", 2, "mark_task_complete", False),
    ]


def test_otlp_lines(sample: Sample, steps: Read) -> None:
    sample("otel.jsonl")
    assert steps("trajectory_id, tool, args, observation, is_error, source_ref") == [
        ("t1", "boil", '{"litres": 1}', "hot", False, "k1"),
        ("t1", "pour", '{"cups": 2}', "spilled", True, "k2"),
    ]
    assert steps("ts::VARCHAR")[0] == ("2026-01-01 00:00:00",)


def test_langfuse(sample: Sample, steps: Read) -> None:
    sample("langfuse.json")
    sample("langfuse_models.json")
    assert steps("trajectory_id, tool, args, observation, is_error") == [
        ("lf1", "boil", '{"litres":1}', "hot", False),
        ("lf1", "pour", '{"cups":2}', "spilled", True),
        ("lf2", "boil", '{"litres":1}', "hot", None),
    ]


def test_openclaw_telemetry_pairs_by_session_and_order(sample: Sample, steps: Read) -> None:
    sample("openclaw.jsonl")
    assert steps("trajectory_id, tool, args, observation, is_error") == [
        ("agent:a", "exec", '{"command":"ls"}', None, False),
        ("agent:a", "exec", '{"command":"pwd"}', None, True),
        ("agent:b", "exec", '{"command":"id"}', None, None),
    ]
