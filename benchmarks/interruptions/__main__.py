"""Kill `annotate` and `answer` at random moments; let a third of all calls fail.

    python -m benchmarks.interruptions SOURCE [--kills 20] [--questions 300] [--jobs 4]

SOURCE is a file that holds trajectories and questions, such as AMA-Bench's. Prints one JSON object;
exits with 1 if a run breaks a promise: a call repeated beyond those in flight at a kill, a record
or an annotation written twice or not at all, a damaged database, or counts that do not add up.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import tallysql
from benchmarks.interruptions.server import ScriptedServer
from tallysql.answering.questions import read_questions

ANNOTATE = ("annotate", "--json")
ANSWER = ("answer", "questions.jsonl", "-o", "out.jsonl", "--compiler", "auto", "--reader", "model")
CHECK = """
SELECT
    (SELECT count(*) FROM annotations)
        - (SELECT count(*) FROM (SELECT DISTINCT trajectory_id, step, call FROM annotations)),
    (SELECT count(*) FROM steps),
    (SELECT count(*) FROM ledger),
    (SELECT count(*) FROM annotations)
"""
"""Calls annotated more than once, logged calls, ledger rows, annotations."""


class Run:
    """One folder with a database and questions, and the commands that run in it."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.folder = folder
        self.jobs = jobs
        self.broken: list[str] = []

    def start(self, server: ScriptedServer, *arguments: str) -> subprocess.Popen[str]:
        environment = os.environ | {"OPENAI_BASE_URL": server.url, "TALLYSQL_MODEL": "scripted"}
        command = [sys.executable, "-m", "tallysql", *arguments, "--jobs", str(self.jobs)]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment | {"PYTHONPATH": str(Path.cwd())},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, server: ScriptedServer, *arguments: str) -> tuple[int, str, str]:
        process = self.start(server, *arguments)
        out, err = process.communicate()
        return process.returncode, out, err

    def promise(self, kept: bool, what: str) -> None:
        if not kept:
            self.broken.append(what)


def killed(run: Run, command: tuple[str, ...], kills: int, longest: float) -> dict[str, Any]:
    """Kill a command at random moments after its first call, finish it, and run it once more."""
    server, moments = ScriptedServer(latency=0.2), random.Random(1)
    in_flight = done_early = 0
    for _ in range(kills):
        before = sum(server.seen.values())
        process = run.start(server, *command)
        while sum(server.seen.values()) == before and process.poll() is None:
            time.sleep(0.01)
        time.sleep(moments.uniform(0, longest))
        done_early += process.poll() is not None
        process.kill()
        process.communicate()
        in_flight += run.jobs
        time.sleep(0.1)
    code, out, err = run.finish(server, *command)
    run.promise(code == 0, f"{command[0]} ended with {code}: {err[-500:]}")
    run.promise(server.repeated <= in_flight, f"{server.repeated} calls repeated")
    calls = len(server.seen)
    again = run.finish(server, *command)
    second = sum(server.seen.values()) - calls - server.repeated
    run.promise(again[0] == 0 and second == 0, f"the second run made {second} calls: {again[2]}")
    return {
        "kills": kills,
        "finished_before_the_kill": done_early,
        "distinct_calls": calls,
        "repeated_calls": server.repeated,
        "calls_of_a_second_run": second,
        "summary": out.strip()[:1500] or err.strip().splitlines()[-3:],
    }


def check_database(run: Run) -> dict[str, int]:
    with tallysql.open(run.folder / "tally.duckdb", read_only=True) as memory:
        twice, steps, rows, annotated = memory.store.row(CHECK) or (0, 0, 0, 0)
    run.promise(twice == 0, f"{twice} calls annotated twice")
    run.promise(steps == rows, f"{steps} steps, {rows} ledger rows")
    return {"steps": steps, "annotations": annotated}


def check_records(run: Run, wanted: list[str]) -> list[dict[str, Any]]:
    lines = (run.folder / "out.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    run.promise([r["question_id"] for r in records] == wanted, "records are not the questions")
    return records


def faulty(run: Run, wanted: list[str]) -> dict[str, Any]:
    """Answer everything anew while 30 % of the calls fail in one way or another."""
    server = ScriptedServer(latency=0.0, fault_rate=0.3)
    (run.folder / "tallysql.toml").write_text("timeout = 2\nretries = 2\n")
    command = (*ANSWER, "--calls", "faulty.calls")
    code, _, err = run.finish(server, *command)
    records = check_records(run, wanted)
    errors = sum(record["status"] == "error" for record in records)
    run.promise(code == (1 if errors else 0), f"exit code {code} with {errors} errors")
    summary = [line for line in err.splitlines() if not line.startswith("error:")]
    for line in summary:
        if ": " in line and " requests, " in line:
            requests, calls, hits, failed = (
                int(part.split()[0]) for part in line.split(": ", 1)[1].split(", ")[:4]
            )
            run.promise(requests == calls + hits + failed, f"counts do not add up: {line}")
    code, out, _ = run.finish(server, *ANNOTATE, "--calls", "faulty.calls", "--model", "other")
    report = json.loads(out)
    usage = report.pop("usage")["annotate"]
    total = usage["calls"] + usage["hits"] + usage["failed"]
    run.promise(usage["requests"] == total, f"counts do not add up: {usage}")
    return {
        "http_requests": sum(server.seen.values()),
        "faults": dict(server.faults),
        "records": len(records),
        "errors": errors,
        "summary": summary,
        "annotate": {"done": report["done"], "failed": len(report["failed"]), "usage": usage},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=4)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        run = Run(Path(name), chosen.jobs)
        questions = read_questions(chosen.source)[: chosen.questions]
        with tallysql.open(run.folder / "tally.duckdb") as memory:
            memory.load([chosen.source])
        lines = [
            {"question_id": str(n), "trajectory_id": q.trajectory_id, "question": q.question}
            for n, q in enumerate(questions)
        ]
        (run.folder / "questions.jsonl").write_text("\n".join(map(json.dumps, lines)))
        wanted = [str(line["question_id"]) for line in lines]
        found: dict[str, Any] = {"annotate": killed(run, ANNOTATE, chosen.kills, 1.5)}
        found["database"] = check_database(run)
        found["answer"] = killed(run, ANSWER, chosen.kills, 1.5)
        check_records(run, wanted)
        found["faults"] = faulty(run, wanted)
    print(json.dumps(found | {"broken_promises": run.broken}, indent=2, ensure_ascii=False))
    sys.exit(1 if run.broken else 0)


if __name__ == "__main__":
    main()
