"""Plans, forms and traces do not depend on the order of sets, which the hash seed decides."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
COMPILE = """
import json
from pathlib import Path
import tallysql
from tallysql.compiling.rules import compile_question
from tallysql.plan.profiles import REFINED

corpus = Path("tests/data/corpus")
with tallysql.open(":memory:") as memory:
    memory.load([corpus / "trajectories.jsonl"])
    catalogs = {name: memory.catalog(name) for name in NAMES}
for line in (corpus / "questions.jsonl").read_text("utf-8").splitlines():
    case = json.loads(line)
    if case["trajectory_id"] in catalogs:
        print(compile_question(case["question"], catalogs[case["trajectory_id"]], REFINED))
"""
NAMES = ("kitchen-1", "cli-tool-3", "shop-5", "lighthouse-9")


def compiled(seed: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", COMPILE.replace("NAMES", repr(NAMES))],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_two_hash_seeds_compile_alike() -> None:
    one, other = compiled("1"), compiled("2")
    assert len(one.splitlines()) > 200
    assert one.splitlines() == other.splitlines()
