"""Sizes and shapes at the edge: what is sound loads and answers, the rest is refused in bounds."""

from __future__ import annotations

import gzip
import json
import resource
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.torture.runs import DATABASE, Folder, limited, problems

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.torture.tally import Tally

ROW: dict[str, Any] = {"trajectory_id": "a", "step": 0, "action": "open box 1", "observation": "y"}
NAMES = (
    "'; DROP TABLE steps; --", '"; DROP TABLE steps; --', "$trajectory_id", "$1", "?", ":x", "{}",
    "{0.__class__}", "%s", "100%", "a_b", "a\\b", "\\", "*", "[a]", "a?b", "😀", "\u202eabc",
    "line\nbreak", "tab\tid", "\x1b[31mred", "<script>alert(1)</script>", "[bold]x[/bold]", " ",
    "null", "../../etc/passwd", "a" * 5000, "e\u0301", "\ufeff", "İ", "ß", "nul\x00id", "'", '"',
    "`", "--", "/*", "NaN", "1e999", "-1",
)  # fmt: skip
MEMORY = 8 << 30
"""Bytes of address space that a command may take at these sizes."""


def torture(tally: Tally, folder: Path, *, quick: bool) -> None:
    """Load each case, ask about it and check the database."""
    _names(tally, folder)
    _bombs(tally, folder, 1 if quick else 20)
    _long(tally, folder, 2_000 if quick else 100_000)
    _many(tally, folder, 2_000 if quick else 1_000_000)


def _names(tally: Tally, folder: Path) -> None:
    """Use every name as an id, a target, a tool, a task and a question's word."""
    here = _place(folder, "names")
    lines = []
    for name in NAMES:
        lines += [
            ROW | {"trajectory_id": name, "task": name, "domain": name},
            ROW | {"trajectory_id": name, "step": 1, "action": f"open {name}", "observation": name},
            ROW
            | {"trajectory_id": name, "step": 2, "tool": name, "args": json.dumps({name: name})},
        ]
    file = here.path / "line\nbreak 'quoted' 😀.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    tally.tried("a file of hostile names", lost=_failed(here, "load", file.name))
    for name in NAMES:
        if "\x00" in name:  # no command line can hold it
            continue
        counted = f"How many open actions?|{name}"
        for args in (
            ("ask", f'How many times was "{name}" opened?', "-t", name),
            ("view", f"What about {name}?", "-t", name),
            ("query", "timeline", "-p", f"trajectory_id={name}"),
        ):
            tally.tried(f"{args[0]} {name[:20]!r}", lost=_failed(here, *args))
        code, out, err = here.run("ask", "How many open actions?", "-t", name, "--json")
        found = json.loads(out)["answer"] if code == 0 else err
        reason = None if found in {"2", "3"} else f"answered {found!r}"
        tally.tried(f"count {counted[:40]!r}", lost=reason)
    tally.tried("hostile names, checked", lost=problems(here.path / DATABASE))


def _bombs(tally: Tally, folder: Path, times: int) -> None:
    """Load what unpacks to gigabytes; it is refused, in bounded memory, and leaves nothing."""
    here = _place(folder, "bombs")
    megabyte, line = b"y" * (1 << 20), json.dumps(ROW).encode()
    head, _, tail = line.partition(b'"y"')
    parts: dict[str, Iterator[bytes]] = {
        "zeros": (bytes(1 << 20) for _ in range(300 * times)),
        "one line": (
            part
            for parts in ([head + b'"'], [megabyte] * 300 * times, [b'"' + tail])
            for part in parts
        ),
        "many lines": ((line + b"\n") * 10_000 for _ in range(400 * times)),
    }
    for name, made in parts.items():
        with gzip.open(here.path / f"{name}.jsonl.gz", "wb", compresslevel=9) as file:
            for part in made:
                file.write(part)
        code, _, err = _run(here, "load", f"{name}.jsonl.gz")
        refused = code == 2 and err.count("\n") == 1 and "no log of its size" in err
        left = (here.path / DATABASE).exists()
        tally.tried(
            f"bomb, {name}", let_in=None if refused and not left else f"{code}: {err[:200]}"
        )


def _long(tally: Tally, folder: Path, steps: int) -> None:
    """Load one trajectory of so many steps."""
    here = _place(folder, "long")
    with (here.path / "long.jsonl").open("w") as file:
        for step in range(steps):
            file.write(json.dumps(ROW | {"step": step, "action": f"open box {step % 50}"}) + "\n")
    what = f"{steps} steps"
    tally.tried(f"{what}, loaded", lost=_failed(here, "load", "long.jsonl"))
    _, out, _ = _run(here, "ask", "How many times was box 7 opened?", "--json")
    answer = json.loads(out or '{"answer": null}')["answer"]
    right = str(len(range(7, steps, 50)))
    tally.tried(f"{what}, counted", lost=None if answer == right else f"{answer}, not {right}")
    tally.tried(f"{what}, viewed", lost=_failed(here, "view", "What about box 7 at step 99?"))
    tally.tried(f"{what}, checked", lost=problems(here.path / DATABASE))


def _many(tally: Tally, folder: Path, runs: int) -> None:
    """Load so many trajectories of one step."""
    here = _place(folder, "many")
    ids = pa.array([f"run-{run}" for run in range(runs)])
    columns = {
        "trajectory_id": ids,
        "step": pa.array([0] * runs),
        "action": pa.array([f"open box {run % 50}" for run in range(runs)]),
        "observation": pa.array(["You open it."] * runs),
    }
    pq.write_table(pa.table(columns), here.path / "many.parquet")
    what = f"{runs} trajectories"
    tally.tried(f"{what}, loaded", lost=_failed(here, "load", "many.parquet"))
    code, out, err = _run(here, "ask", "How many open actions?", "-t", f"run-{runs - 1}", "--json")
    answer = json.loads(out)["answer"] if code == 0 else err
    tally.tried(f"{what}, one asked", lost=None if answer == "1" else str(answer))
    tally.tried(f"{what}, near name", lost=_failed(here, "ask", "x", "-t", "run-x", code=2))
    tally.tried(f"{what}, told", lost=_failed(here, "info"))


def _place(folder: Path, name: str) -> Folder:
    place = folder / name
    place.mkdir()
    return Folder(place)


def _run(here: Folder, *args: str) -> tuple[int, str, str]:
    return here.run(*args, limits=limited(resource.RLIMIT_AS, MEMORY), timeout=900)


def _failed(here: Folder, *args: str, code: int = 0) -> str | None:
    """Return how a command ended if not as it should."""
    found, _, err = _run(here, *args)
    return None if found == code and "Traceback" not in err else f"ended with {found}: {err[-200:]}"
