"""Sessions and runs of coding agents: steps, exit codes, errors and file events of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import pytest

from tallysql.archive.load import load
from tallysql.errors import ConflictError
from tests.archive.formats.conftest import Read, Rows, Sample

if TYPE_CHECKING:
    from pathlib import Path

    from tallysql.store import Store

Files = Callable[[], Rows]


def test_claude_code_pairs_by_id_and_keeps_call_order(sample: Sample, steps: Read) -> None:
    report = sample("claude_code.jsonl")
    assert report.n_skipped == 3
    assert steps("step, call, tool, observation, is_error") == [
        (0, 0, "Read", "     1→BOTTLES = 12", False),
        (0, 1, "Bash", "Exit code 1\n1 failed, 3 passed", True),
        (
            1,
            0,
            "Edit",
            "The file /home/sam/cellar/list.py has been updated. Here's the result",
            False,
        ),
        (2, 0, "Task", "Found it.\n[image]\nDone.", False),
        (
            3,
            0,
            "Edit",
            "<tool_use_error>String to replace not found in file.</tool_use_error>",
            True,
        ),
        (4, 0, "Bash", None, None),
    ]
    first = steps("action, args, source_ref, ts::VARCHAR")[0]
    args = '{"file_path":"/home/sam/cellar/list.py"}'
    assert first == (f"Read: {args}", args, "toolu_1", "2026-03-01 09:00:03")


def test_claude_code_facts(sample: Sample, ledger: Read, files: Files, runs: Read) -> None:
    sample("claude_code.jsonl")
    assert ledger("act, exit_code, outcome, error") == [
        ("Read", None, "success", None),
        ("Bash.pytest", 1, "failure", "1 failed, 3 passed"),
        ("Edit", None, "success", None),
        ("Task", None, "success", None),
        (
            "Edit",
            None,
            "failure",
            "<tool_use_error>String to replace not found in file.</tool_use_error>",
        ),
        ("Bash.git", None, "unknown", None),
    ]
    assert files() == [
        (0, "/home/sam/cellar/list.py", "Read", "read", True),
        (1, "/home/sam/cellar/list.py", "Edit", "write", True),
        (3, "/home/sam/cellar/other.py", "Edit", "write", False),
    ]
    ((name, task, metadata),) = runs("trajectory_id, task, metadata")
    assert (name, task) == ("5f0c-main", "Count the bottles in the cellar list.")
    assert json.loads(metadata)["final_message"] == "There are 13 bottles."


def test_claude_code_sub_agents_are_trajectories(sample: Sample, runs: Read) -> None:
    sample("claude_code.jsonl")
    sample("claude_code_agent.jsonl")
    assert runs("trajectory_id, n_steps") == [("5f0c-main", 6), ("5f0c-main/agent-a1b2c3", 1)]


def test_a_live_claude_code_session_grows(store: Store, tmp_path: Path, steps: Read) -> None:
    def line(kind: str, number: int, content: object) -> str:
        message = {"role": kind, "content": content, "id": f"m{number}"}
        common = {"type": kind, "sessionId": "live", "uuid": f"u{number}"}
        return json.dumps({**common, "message": message}) + "\n"

    path = tmp_path / "live.jsonl"
    use = [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make"}}]
    path.write_text(line("assistant", 1, use))
    load(store, [str(path)])
    assert steps("step, observation") == [(0, None)]
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]
    again = [{"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": "make test"}}]
    path.write_text(path.read_text() + line("user", 2, result) + line("assistant", 3, again))
    assert load(store, [str(path)]).files[0].grown == 1
    assert steps("step, observation") == [(0, "done"), (1, None)]


def session_line(number: int, *blocks: Mapping[str, object], kind: str = "assistant") -> str:
    message = {"role": kind, "content": list(blocks), "id": f"m{number}"}
    when = {"timestamp": f"2026-01-01T00:{number:02}:00Z"}
    own = f"u{number}-{blocks[0]['type']}"
    common = {"type": kind, "sessionId": "s", "uuid": own, **when}
    return json.dumps({**common, "message": message}) + "\n"


def session(*numbers: int) -> str:
    """Write a prompt, and a call with its result for each number."""
    lines = [session_line(numbers[0], {"type": "text", "text": f"p{numbers[0]}"}, kind="user")]
    for number in numbers:
        use = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"n": number}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": f"r{number}"}
        lines.append(session_line(number, use))
        lines.append(session_line(number + 30, result, kind="user"))
    return "".join(lines)


def test_a_claude_code_session_goes_on_in_further_files(
    store: Store, tmp_path: Path, steps: Read, runs: Read
) -> None:
    for name, numbers in {"a": (1, 2), "b": (3, 4), "c": (3, 4, 5), "d": (1, 2)}.items():
        (tmp_path / f"{name}.jsonl").write_text(session(*numbers))
    reports = [load(store, [str(tmp_path / f"{name}.jsonl")]).files[0] for name in "abcd"]
    assert [(report.new, report.grown, report.shorter) for report in reports] == [
        (1, 0, 0), (0, 1, 0), (0, 1, 0), (0, 0, 1),
    ]  # fmt: skip
    assert [report.steps for report in reports] == [2, 2, 1, 0]
    expected = [(number, 0, f"t{number + 1}", f"r{number + 1}") for number in range(5)]
    assert steps("step, call, source_ref, observation") == expected
    assert runs("n_steps, task") == [(5, "p1")]
    whole = runs("content_hash")
    (tmp_path / "whole.jsonl").write_text(session(1, 2, 3, 4, 5))
    assert load(store, [str(tmp_path / "whole.jsonl")]).files[0].unchanged == 1
    assert runs("content_hash") == whole


@pytest.mark.parametrize("numbers", [(1, 2), (3, 5)])
def test_an_earlier_part_is_a_conflict_that_warns(
    store: Store, tmp_path: Path, steps: Read, numbers: tuple[int, ...]
) -> None:
    (tmp_path / "late.jsonl").write_text(session(3, 4))
    load(store, [str(tmp_path / "late.jsonl")])
    (tmp_path / "other.jsonl").write_text(session(*numbers))
    with pytest.raises(ConflictError) as conflict:
        load(store, [str(tmp_path / "other.jsonl")])
    assert "lost" in str(conflict.value.hint)
    assert steps("source_ref") == [("t3",), ("t4",)]


def test_old_claude_code_sidechains_stand_apart(store: Store, tmp_path: Path, runs: Read) -> None:
    def line(own: str, parent: str | None, tool: str) -> str:
        use = {"type": "tool_use", "id": tool, "name": "Bash", "input": {}}
        chain = {
            "uuid": own,
            "parentUuid": parent,
            "isSidechain": parent is not None or own != "m1",
        }
        message = {"role": "assistant", "id": own, "content": [use]}
        return json.dumps({"type": "assistant", "sessionId": "s", **chain, "message": message})

    lines = [
        line("m1", None, "a"),
        line("x1", None, "b"),
        line("y1", None, "c"),
        line("x2", "x1", "d"),
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(lines))
    load(store, [str(path)])
    assert runs("trajectory_id, n_steps") == [
        ("s", 1),
        ("s/sidechain-x1", 2),
        ("s/sidechain-y1", 1),
    ]


def test_codex_outputs_in_every_shape(sample: Sample, steps: Read) -> None:
    sample("codex.jsonl")
    assert steps("step, tool, observation, exit_code") == [
        (0, "shell", "wheel.py\nSPEED = 0\n", 0),
        (
            1, "apply_patch",
            "Success. Updated the following files:\nM src/wheel.py\nA docs/wheel.md\n", 0,
        ),
        (
            2, "exec_command",
            "Chunk ID: 1f\nWall time: 0.4 seconds\nProcess exited with code 2\nOutput:\n"
            "usage: pytest [options]\n", None,
        ),
        (3, "update_plan", "Plan updated", None),
        (4, "view_image", "a wheel\n[image]", None),
        (5, "shell_command", "first", None),
        (6, "shell_command", None, None),
    ]  # fmt: skip
    assert steps("args, args_json")[3] == ('{"plan": [', None), (
        "arguments that do not parse stay raw"
    )


def test_codex_facts(sample: Sample, ledger: Read, files: Files, runs: Read) -> None:
    sample("codex.jsonl")
    assert ledger("act, targets, exit_code, outcome, error")[:3] == [
        ("shell.ls", ["src/wheel.py"], 0, "success", None),
        ("apply_patch", ["src/wheel.py", "docs/wheel.md"], 0, "success", None),
        ("exec_command.pytest", [], 2, "failure", "usage: pytest [options]"),
    ]
    assert files()[:2] == [
        (1, "docs/wheel.md", "apply_patch", "write", True),
        (1, "src/wheel.py", "apply_patch", "write", True),
    ]
    assert runs("trajectory_id, task") == [("0199-roll", "Make the wheel turn.")]


def test_codex_of_2025(sample: Sample, ledger: Read, files: Files, runs: Read) -> None:
    sample("codex_old.jsonl")
    assert ledger("act, exit_code, outcome") == [
        ("shell.ls", 2, "failure"),
        ("shell.apply_patch", None, "failure"),
    ]
    assert files() == [(1, "mill/a.txt", "shell", "write", False)]
    assert runs("trajectory_id, task") == [("roll-2025", "List the mill.")]


def test_gemini_cli(sample: Sample, steps: Read, ledger: Read, files: Files) -> None:
    sample("gemini_cli.json")
    assert steps("step, call, tool, is_error, observation")[0] == (
        0, 0, "read_file", False, "let open = false;",
    )  # fmt: skip
    assert steps("step, call") == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert ledger("act, exit_code, outcome, error") == [
        ("read_file", None, "success", None),
        ("run_shell_command.node", 3, "failure", "Stderr: boom"),
        ("replace", None, "success", None),
        ("write_file", None, "failure", None),
    ]
    assert files() == [
        (0, "gate.js", "read_file", "read", True),
        (1, "gate.js", "replace", "write", True),
        (1, "a.js", "write_file", "write", False),
    ]


def test_a_gemini_checkpoint(sample: Sample, steps: Read) -> None:
    sample("gemini_cli_checkpoint.json")
    assert steps("tool, args, observation, is_error") == [
        ("glob", '{"pattern":"*.js"}', "no such folder", True)
    ]


def test_swe_agent_before_tool_calls(sample: Sample, steps: Read, files: Files, runs: Read) -> None:
    sample("swe_agent.traj")
    rows = steps("step, action, tool, args, observation")
    assert rows[1] == (
        1, "edit 1:1\nimport y\nend_of_edit\n", "edit",
        '{"path":"/repo/setup.py","text":"1:1\\nimport y\\nend_of_edit"}',
        "[File: /repo/setup.py (3 lines total)]\r\n1:import y\r\n",
    )  # fmt: skip
    assert rows[2][2:4] == ("bash", "python setup.py build")
    assert [row[4] for row in rows[3:]] == ["", None]
    assert files() == [
        (0, "setup.py", "open", "read", False),
        (1, "/repo/setup.py", "edit", "write", False),
    ]
    ((name, metadata),) = runs("trajectory_id, metadata")
    assert (name, json.loads(metadata)["exit_status"]) == ("swe_agent", "submitted (exit_cost)")


def test_swe_agent_shell_programs_and_timeouts(sample: Sample, ledger: Read) -> None:
    sample("swe_agent.traj")
    assert ledger("act, outcome, error")[2] == ("bash.python", "failure", "EXECUTION TIMED OUT")


def test_swe_agent_with_tool_calls(sample: Sample, steps: Read, files: Files) -> None:
    sample("swe_agent_calls.traj")
    assert steps("action, tool, args") == [
        ("create new.py", "create", '{"filename": "new.py"}'),
        ("insert 'print(1)'", "insert", '{"path":"/repo/new.py","text":"print(1)"}'),
        ("grep -rn print .", "bash", '{"command": "grep -rn print ."}'),
    ]
    assert [row[:4] for row in files()] == [
        (0, "new.py", "create", "write"),
        (1, "/repo/new.py", "insert", "write"),
    ]


def test_mini_swe_agent(sample: Sample, steps: Read, ledger: Read, runs: Read) -> None:
    sample("mini_swe_agent.traj.json")
    assert steps("tool, action")[0] == ("bash", "cat <<'EOF' > a.py\nprint(1)\nEOF")
    assert steps("tool, observation")[1] == (
        "message", "Please always provide EXACTLY ONE action in triple backticks.",
    )  # fmt: skip
    assert ledger("act, exit_code, outcome, error") == [
        ("bash.cat", 0, "success", None),
        ("message", None, "unknown", None),
        ("bash.pytest", 127, "failure", "bash: python: command not found"),
        ("bash.echo", None, "unknown", None),
    ]
    assert runs("trajectory_id") == [("mill__wheel-7",)]


def test_mini_swe_agent_2(sample: Sample, steps: Read) -> None:
    sample("mini_swe_agent_v2.traj.json")
    assert steps("tool, args, exit_code") == [("bash", '{"command": "ls"}', 1)]


def test_openhands_events(sample: Sample, steps: Read, ledger: Read, runs: Read) -> None:
    sample("openhands_output.jsonl")
    assert steps("step, tool, args, exit_code, is_error")[:6] == [
        (5, "execute_bash", '{"command": "ls boat"}', 2, True),
        (7, None, None, None, True),
        (8, "str_replace_editor", steps("args")[2][0], None, None),
        (10, "run", '{"command":"python serve.py"}', None, None),
        (13, "finish", '{"message": "ok"}', None, None),
        (5, "execute_bash", '{"command": "ls boat"}', 2, True),
    ]
    assert ledger("act, outcome, error")[:4] == [
        ("execute_bash.ls", "failure", "ls: boat: No such file"),
        (None, "failure", "Parameter 'command' is expected to be one of ..."),
        ("str_replace_editor.str_replace", "failure", "No replacement was performed."),
        ("run.python", "unknown", None),
    ]
    assert runs("trajectory_id, task") == [
        ("boat-1", "Mend the boat, please."),
        ("boat-2", "Again."),
    ]


def test_an_openhands_export_counts_messages(sample: Sample, steps: Read, runs: Read) -> None:
    sample("openhands_export.json")
    assert steps("step, tool, action, observation")[-1] == (16, "message", "Anything else?", None)
    assert runs("trajectory_id, task") == [("openhands_export", "Mend the boat.")]


def test_the_oldest_openhands(sample: Sample, steps: Read, runs: Read) -> None:
    sample("openhands_oldest.jsonl")
    assert steps("tool, args, observation, exit_code") == [
        ("run", '{"command":"touch X"}', "\r\nroot@box:/w # ", 0),
        ("run_ipython", '{"code":"print(1)"}', "1\n", None),
        ("finish", '{"outputs":{}}', None, None),
    ]
    assert runs("trajectory_id") == [("ada/boat#5",)]


def test_the_openhands_sdk(sample: Sample, steps: Read, files: Files) -> None:
    sample("openhands_sdk.jsonl")
    assert steps("step, call, tool, observation, exit_code, is_error") == [
        (0, 0, "terminal", "make: *** No rule", 2, False),
        (0, 1, "file_editor", steps("observation")[1][0], None, False),
        (1, 0, "terminal", "lost", None, True),
        (2, 0, "terminal", "Error validating args", None, True),
        (3, 0, "message", None, None, None),
    ]
    assert files() == [(0, "/w/Makefile", "view", "read", True)]
