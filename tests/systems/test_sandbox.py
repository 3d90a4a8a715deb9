"""Programs that misbehave are stopped, and what runs them goes on."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.systems import sandbox
from benchmarks.systems.sandbox import Limits, run

pytestmark = pytest.mark.skipif(
    sandbox.why_not() is not None, reason=f"no sandbox here: {sandbox.why_not()}"
)

QUICK = Limits(cpu=2, wall=6.0, memory=256 << 20, output=1 << 14)


def test_a_program_gets_its_input_and_prints() -> None:
    program = "import json, sys\nprint(sum(json.load(sys.stdin)))"
    assert run(program, "[1, 2, 39]") == sandbox.Outcome("done", "42\n")


def test_an_error_is_told() -> None:
    found = run("print('so far')\nprint(rows)", "")
    assert found.end == "failed"
    assert found.output == "so far\n"
    assert "NameError: name 'rows' is not defined" in found.error


FORKS = {
    "fork": "import os\nos.fork()",
    "bomb": "import os\nwhile True:\n    os.fork()",
    "spawn": "import subprocess\nsubprocess.run(['/bin/true'])",
    "thread": "import threading\nthreading.Thread(target=print).start()",
}


@pytest.mark.parametrize("program", FORKS.values(), ids=FORKS)
def test_no_second_process_or_thread(program: str) -> None:
    found = run(program, "", QUICK)
    assert found.end == "failed"
    assert "Error" in found.error


def test_a_loop_is_ended_by_cpu_time() -> None:
    started = time.monotonic()
    found = run("print('x', flush=True)\nwhile True: pass", "", Limits(cpu=1, wall=30.0))
    assert found.end == "failed"
    assert found.output == "x\n"
    assert time.monotonic() - started < 20


def test_a_sleep_is_ended_by_the_clock() -> None:
    found = run("import time\ntime.sleep(60)", "", Limits(wall=1.5))
    assert found.end == "timeout"
    assert found.error == "stopped after 1.5 seconds"


def test_memory_is_limited() -> None:
    found = run("held = [bytes(1 << 20) for _ in range(1024)]", "", QUICK)
    assert found.end == "failed"
    assert "MemoryError" in found.error


def test_output_is_limited() -> None:
    found = run("while True: print('y' * 1000, flush=True)", "", QUICK)
    assert found.end == "output"
    assert len(found.output) == QUICK.output


@pytest.mark.parametrize("shown", ["/etc/passwd", "/proc/self/environ", "/var", "/home", "/tmp"])
def test_nothing_outside_is_there(shown: str) -> None:
    assert run(f"import os\nprint(os.path.exists({shown!r}))", "") == sandbox.Outcome(
        "done", "False\n"
    )


def test_this_repository_is_not_there(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", "utf-8")
    for place in (secret, Path(__file__).resolve()):
        found = run(f"print(open({str(place)!r}).read())", "", QUICK)
        assert found.end == "failed"
        assert "FileNotFoundError" in found.error


def test_there_is_no_environment() -> None:
    os.environ["TALLYSQL_TEST_SECRET"] = "secret"
    try:
        found = run("import os\nprint('TALLYSQL_TEST_SECRET' in os.environ)", "")
    finally:
        del os.environ["TALLYSQL_TEST_SECRET"]
    assert found.output == "False\n"


@pytest.mark.parametrize("place", ["/x", "/tmp/x", "/usr/lib/x", "x"])
def test_nothing_can_be_written(place: str) -> None:
    found = run(f"open({place!r}, 'w').write('x')", "", QUICK)
    assert found.end == "failed"
    assert "Read-only" in found.error or "No such file" in found.error


def test_libraries_cannot_be_changed() -> None:
    found = run("import json, os\nos.remove(json.__file__)", "", QUICK)
    assert found.end == "failed"
    assert Path(json.__file__).exists()


def test_no_sockets() -> None:
    """Neither out nor to this machine: the server here hears nothing."""
    heard: list[tuple[socket.socket, object]] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(8)

        def listen() -> None:
            with suppress(OSError):
                heard.append(server.accept())

        listening = threading.Thread(target=listen)
        listening.start()
        port = server.getsockname()[1]
        program = f"import socket\nsocket.create_connection(('127.0.0.1', {port}), timeout=2)"
        found = run(program, "", QUICK)
        assert found.end == "failed"
        assert "PermissionError" in found.error
        assert not heard
        with socket.create_connection(("127.0.0.1", port)):
            listening.join()
    assert len(heard) == 1  # by the test itself: the server did listen
    heard[0][0].close()


def test_other_processes_are_out_of_sight() -> None:
    found = run(f"import os\nos.kill({os.getpid()}, 0)", "", QUICK)
    assert found.end == "failed"
    assert "PermissionError" in found.error or "ProcessLookupError" in found.error


def test_the_run_goes_on() -> None:
    for program in FORKS.values():
        run(program, "", QUICK)
    assert run("print(1)", "").output == "1\n"


def test_where_there_is_no_sandbox_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_bubblewrap", lambda: "/bin/false")
    sandbox.why_not.cache_clear()
    try:
        assert "bubblewrap cannot make one here" in (sandbox.why_not() or "")
    finally:
        monkeypatch.undo()
        sandbox.why_not.cache_clear()
