"""Many readers beside a writer: nobody sees a part of a file, and who has to wait is told why."""

from __future__ import annotations

import json
import random
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from benchmarks.torture.runs import DATABASE, FILES, RUNS, STEPS, Folder, torn, write_sources

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.torture.tally import Tally

HELD = re.compile(r"error: tally\.duckdb: another process holds it \(process \d+\) \(.*--wait\)\n")
COUNTED = """
    SELECT file, count(*) AS runs, count(DISTINCT (steps, version)) AS states,
        (SELECT count(*) FROM ledger) = (SELECT count(*) FROM steps) AS has_ledger
    FROM (
        SELECT split_part(trajectory_id, '-', 1) AS file, count(*) AS steps,
            min(split_part(observation, '. ', 2)[:12]) FILTER (step = 0) AS version
        FROM steps GROUP BY trajectory_id
    )
    GROUP BY file
"""


def torture(tally: Tally, folder: Path, *, rounds: int, readers: int = 4) -> None:
    """Load file by file while others read, some of them waiting and some not."""
    place = folder / "readers"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    write_sources(place / "new")
    here, chance = Folder(place), random.Random(1)
    here.run("load", "new/0.jsonl")
    locked = 0
    with ThreadPoolExecutor(readers + 1) as pool:
        for number in range(rounds):
            file = f"new/{number % FILES}.jsonl"
            writing = pool.submit(here.run, "--wait", "120", "load", file, "--replace")
            waits = [chance.random() < 0.5 for _ in range(readers)]
            reading = [
                pool.submit(here.run, *(("--wait", "120") if wait else ()), "sql", COUNTED)
                for wait in waits
            ]
            for wait, done in zip(waits, reading, strict=True):
                code, out, err = done.result()
                locked += code == 2
                tally.tried("reading", lost=_wrong(code, out, err, waited=wait))
            code, _, err = writing.result()
            tally.tried("writing", lost=None if code == 0 else f"ended with {code}: {err}")
            if number % 4 == 3:
                write_sources(place / "new", STEPS - number % 5, f"version {number}")
    tally.tried("at the end", lost=torn(place / DATABASE))
    tally.notes.append(f"{locked} readers were told who holds the database")


def _wrong(code: int, out: str, err: str, *, waited: bool) -> str | None:
    """Return what a reader got that it should not have."""
    if code == 2 and not waited:
        return None if HELD.fullmatch(err) else f"told: {err!r}"
    if code != 0:
        return f"ended with {code}: {err!r}"
    for row in json.loads(out):
        if row["runs"] != RUNS or row["states"] != 1 or not row["has_ledger"]:
            return f"saw a part: {row}"
    return None
