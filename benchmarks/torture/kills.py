"""SIGKILL at random moments of commands that write.

Afterwards the database opens, is sound and holds whole source files only; what the command writes
is there whole, as it was before, or not at all; and the same command completes.
"""

from __future__ import annotations

import gzip
import json
import random
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

import tallysql
from benchmarks.interruptions.server import ScriptedServer
from benchmarks.torture.runs import (
    DATABASE,
    FILES,
    RUNS,
    STEPS,
    Folder,
    copied,
    problems,
    torn,
    write_sources,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.torture.tally import Tally

KEPT = Path(__file__).parents[2] / "tests" / "data" / "schema" / "version-1.duckdb.gz"
ALL_STEPS = FILES * RUNS * STEPS
STARTING = 0.15
"""Seconds in which an interpreter starts and nothing of interest can be killed."""


@dataclass(frozen=True)
class Scenario:
    """A command and what has to hold of its folder at any time."""

    name: str
    command: tuple[str, ...]
    prepare: Callable[[Path], None]
    torn: Callable[[Path], str | None]


def scenarios() -> list[Scenario]:
    """Return all commands that write something that lasts."""
    answers = ("answer", "questions.jsonl", "-o", "out.jsonl")
    export = ("export", "steps", "-o")
    return [
        Scenario("load", ("load", "new"), lambda _: None, _database),
        Scenario("append", ("load", "new"), _half, _database),
        Scenario("replace", ("load", "new", "--replace"), _other, _database),
        Scenario("annotate", ("annotate", "--jobs", "4"), _whole, _database),
        Scenario("migrate", ("info",), _older, _migrated),
        Scenario("answer", answers, _asked, _answers),
        Scenario("export", (*export, "out.parquet"), _exported, _parquet),
        Scenario(
            "export by folder", (*export, "out", "--partition-by", "trajectory_id"), _whole, _parts
        ),
    ]


def torture(tally: Tally, folder: Path, *, kills: int, jobs: int = 2) -> None:
    """Kill each command so many times, at moments spread over the time that it takes."""
    server = ScriptedServer(latency=0.02)
    environment = {"OPENAI_BASE_URL": server.url, "TALLYSQL_MODEL": "scripted"}
    try:
        for scenario in scenarios():
            _torture_one(tally, folder, scenario, environment, kills, jobs)
    finally:
        server.shutdown()


def _torture_one(
    tally: Tally,
    folder: Path,
    scenario: Scenario,
    environment: dict[str, str],
    kills: int,
    jobs: int,
) -> None:
    start = folder / "start"
    if not start.exists():
        start.mkdir()
        write_sources(start / "new")
    pristine = folder / scenario.name.replace(" ", "-")
    copied(start, pristine)
    scenario.prepare(pristine)
    longest = _duration(scenario, copied(pristine, folder / "timed"), environment)
    moments = random.Random(scenario.name)
    waits = [moments.uniform(STARTING, max(longest, STARTING)) for _ in range(kills)]

    def attempt(number: int) -> None:
        place = copied(pristine, folder / f"{pristine.name}-{number}")
        reason = _kill_once(scenario, Folder(place, **environment), waits[number])
        tally.tried(f"{scenario.name} killed after {waits[number]:.3f} s", lost=reason)
        if reason is None:  # the folder of a failure stays, to be looked at
            shutil.rmtree(place)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(attempt, range(kills)))


def _duration(scenario: Scenario, place: Path, environment: dict[str, str]) -> float:
    started = time.monotonic()
    code, _, err = Folder(place, **environment).run(*scenario.command)
    if code != 0:
        raise RuntimeError(f"{scenario.name} fails even when left alone: {err}")
    return time.monotonic() - started


def _kill_once(scenario: Scenario, folder: Folder, wait: float) -> str | None:
    folder.run_killed(wait, *scenario.command)
    database = folder.path / DATABASE
    reason = problems(database) or scenario.torn(folder.path)
    if reason:
        return reason
    code, _, err = folder.run(*scenario.command)
    if code != 0:
        return f"the same command then ended with {code}: {err[-300:]}"
    return problems(database) or scenario.torn(folder.path) or _incomplete(scenario, folder.path)


def _incomplete(scenario: Scenario, place: Path) -> str | None:
    """Return what the completed command left out, None if nothing."""
    if scenario.name in {"answer", "export", "export by folder"}:
        name = {"answer": "out.jsonl", "export": "out.parquet"}.get(scenario.name, "out")
        return None if (place / name).exists() else f"no {name}"
    return None


def _whole(place: Path) -> None:
    _loaded(place, "new")


def _half(place: Path) -> None:
    write_sources(place / "half", STEPS // 2)
    _loaded(place, "half")


def _other(place: Path) -> None:
    write_sources(place / "other", STEPS - 7, "other")
    _loaded(place, "other")


def _older(place: Path) -> None:
    (place / DATABASE).write_bytes(gzip.decompress(KEPT.read_bytes()))


def _asked(place: Path) -> None:
    _whole(place)
    asked = [
        {"question": f"How many times was box {n % 7} opened?", "trajectory_id": f"{n % FILES}-0"}
        for n in range(60)
    ]
    (place / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)))


def _exported(place: Path) -> None:
    _whole(place)
    (place / "out.parquet").write_text("what was there before")


def _loaded(place: Path, source: str) -> None:
    code, _, err = Folder(place).run("load", source)
    if code != 0:
        raise RuntimeError(f"{source} does not load: {err}")


def _database(place: Path) -> str | None:
    return torn(place / DATABASE)


def _migrated(place: Path) -> str | None:
    with tallysql.open(place / DATABASE, read_only=True) as memory:
        found = memory.store.row("SELECT count(*), (SELECT count(*) FROM ledger) FROM steps")
    return None if found == (9, 9) else f"{found} steps and rows of the ledger, 9 expected"


def _answers(place: Path) -> str | None:
    out = place / "out.jsonl"
    if not out.exists():
        return None
    lines = out.read_text().splitlines()
    records = [json.loads(line) for line in lines]
    wrong = [record for record in records if record["status"] != "computed"]
    return f"{len(records)} answers, {len(wrong)} failed" if len(records) != 60 or wrong else None


def _parquet(place: Path) -> str | None:
    out = place / "out.parquet"
    if out.read_bytes() == b"what was there before":
        return None
    rows = pq.read_metadata(out).num_rows
    return None if rows == ALL_STEPS else f"{rows} rows exported, {ALL_STEPS} expected"


def _parts(place: Path) -> str | None:
    out = place / "out"
    if not out.exists():
        return None
    rows = sum(pq.read_metadata(file).num_rows for file in out.rglob("*.parquet"))
    return None if rows == ALL_STEPS else f"{rows} rows exported, {ALL_STEPS} expected"
