"""`python -m benchmarks.speed`: times side by side in one run; docs/speed.md tells how to read it.

CPU seconds, medians; what counts are the ratios of one run, which other work on the machine
changes far less than the seconds.
"""

from __future__ import annotations

import json
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from benchmarks.speed.sections import batch, described, fleet, large, single, startup
from tallysql.store import Store, open_store

SIZES = {"S": (208, 150, 100_000), "M": (5_000, 500, 1_000_000), "L": (10_000, 150, 10_000_000)}
"""Trajectories, steps of each, and rows of the one long trajectory."""

QUESTIONS = (1_000, 4_000)
"""Sizes of a batch: the cost of a question falls with their number."""

LEDGER = Path(__file__).with_name("ledger.sql")
SLACK = 1.5
"""A ratio may be so many times worse than the stored one before it counts as a regression."""


def make(path: str, trajectories: int, steps: int) -> Store:
    """Make a database of made-up ledgers."""
    store = open_store(path)
    store.run(LEDGER.read_text("utf-8"), {"trajectories": trajectories, "steps": steps})
    store.run("CHECKPOINT")
    return store


def measure(size: str) -> dict[str, Any]:
    """Run all sections at a size."""
    trajectories, steps, rows = SIZES[size]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/logs.duckdb"
        with make(path, trajectories, steps) as store:
            found["single"] = list(single(store, trajectories, steps))
            for number in QUESTIONS:
                name = f"batch of {number}"
                found[name] = list(batch(store, trajectories, steps, number))
            found["fleet"] = list(fleet(store, trajectories, steps))
            store.run(
                "INSERT INTO trajectories BY NAME SELECT trajectory_id, count(*) AS n_steps, "
                "'' AS content_hash, CAST(now() AS TIMESTAMP) AS loaded_at FROM ledger GROUP BY ALL"
            )
        found["startup"] = list(startup(path))
        with make(f"{folder}/long.duckdb", 1, rows) as store:
            found["large"] = list(large(store, rows))
    machine = {
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("duckdb", "pandas", "polars", "sqlglot")},
    }
    return {"size": size, "machine": machine, "sections": described(found)}


def regressions(found: dict[str, Any], stored: dict[str, Any]) -> list[str]:
    """Name what is slower, as a ratio to its section's first row, than in a stored run."""
    return [
        f"{section}: {name}: {timing['ratio']:.2f} where it was {before['ratio']:.2f}"
        for section, timings in found["sections"].items()
        for name, timing in timings.items()
        if name.startswith("tallysql")
        and (before := stored["sections"].get(section, {}).get(name))
        and timing["ratio"] > SLACK * before["ratio"]
    ]


@click.command()
@click.option("--size", type=click.Choice(list(SIZES)), default="S", show_default=True)
@click.option("--json", "out", type=click.Path(), help="Also write the figures there.")
@click.option("--baseline", type=click.Path(exists=True), help="Compare with a run kept by --json.")
@click.pass_context
def main(context: click.Context, size: str, out: str | None, baseline: str | None) -> None:
    """Measure the engine beside other ways to do the same."""
    found = measure(size)
    for section, timings in found["sections"].items():
        click.echo(f"\n{section}")
        for name, timing in timings.items():
            click.echo(f"  {name:28}{timing['seconds'] * 1000:12.3f} ms{timing['ratio']:10.2f}")
    if out is not None:
        Path(out).write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    if baseline is not None:
        slower = regressions(found, json.loads(Path(baseline).read_text("utf-8")))
        for line in slower:
            click.echo(f"slower: {line}", err=True)
        context.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
