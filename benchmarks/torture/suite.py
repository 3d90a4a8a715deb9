"""The project's own tests of trust, and its fuzzing, with many more examples than usual."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from benchmarks.torture.tally import Tally

ROOT = Path(__file__).parents[2]


def tests(tally: Tally, folder: Path, *files: str, examples: int | None = None) -> None:
    """Run tests and count each; a failure is something that got in."""
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *files]
    environment = os.environ | ({} if examples is None else {"EXAMPLES": str(examples)})
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment
    )
    if not report.exists():
        tally.tried(" ".join(files), let_in=done.stdout[-500:] + done.stderr[-500:])
        return
    for case in ElementTree.parse(report).iter("testcase"):
        problem = case.find("failure") if case.find("error") is None else case.find("error")
        if case.find("skipped") is None:
            what = f"{case.get('classname')}.{case.get('name')}"
            tally.tried(what, let_in=None if problem is None else str(problem.get("message"))[:200])


def damaged_files(tally: Tally, *, cases: int) -> None:
    """Load samples of all formats with bytes, values and lines damaged at random."""
    command = [sys.executable, "-m", "benchmarks.mutate", "--cases", str(cases), "--seed", "7"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ.copy()
    )
    failures = [line for line in done.stdout.splitlines() if line.startswith("case ")]
    tally.attempts += cases
    tally.lost += failures or ([done.stderr[-300:]] if done.returncode else [])
