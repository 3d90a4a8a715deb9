"""The built wheel, installed elsewhere, answers a question with the SQL that it carries."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*args: str, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        args, cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_wheel_runs_outside_the_checkout(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path / "dist"), str(ROOT)]
    run(*pip, *build, cwd=tmp_path)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    site = tmp_path / "site"
    run(*pip, "install", "--no-deps", "--target", str(site), str(wheel), cwd=tmp_path)
    steps = [
        {"trajectory_id": "t", "step": i, "action": f"open drawer {i}", "observation": "ok"}
        for i in range(3)
    ]
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(s) + "\n" for s in steps))
    tally = [sys.executable, "-m", "tallysql"]
    run(*tally, "load", "runs.jsonl", cwd=tmp_path, PYTHONPATH=str(site))
    asked = run(
        *tally, "ask", "How many open actions?", "--json", cwd=tmp_path, PYTHONPATH=str(site)
    )
    assert json.loads(asked)["answer"] == "3"
    where = "import tallysql, tallysql.sqlfiles as s; print(s.sql_folder('schema'))"
    found = run(sys.executable, "-c", where, cwd=tmp_path, PYTHONPATH=str(site)).strip()
    assert Path(found).is_relative_to(site)
