"""Do to a database what should not harm it, and print what came of that.

    python -m benchmarks.torture [--quick] [PART ...]

Exits with 1 if anything was lost or let in; each such attempt is named.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.torture import injection, kills, limits, readers, scale, suite
from benchmarks.torture.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable

    Part = Callable[[Tally, Path, bool], None]

FUZZED = ("tests/trust/test_fuzz.py",)
TRUST = (
    "tests/trust/test_terminal.py",
    "tests/trust/test_prompts.py",
    "tests/trust/test_damage.py",
)

PARTS: dict[str, Part] = {
    "kills": lambda t, f, quick: kills.torture(t, f, kills=3 if quick else 30),
    "full disk": lambda t, f, quick: limits.disk(t, f, sizes=2 if quick else 12),
    "little memory": lambda t, f, quick: limits.memory(t, f, sizes=2 if quick else 12),
    "readers and a writer": lambda t, f, quick: readers.torture(t, f, rounds=3 if quick else 25),
    "scale and names": lambda t, f, quick: scale.torture(t, f, quick=quick),
    "statements": lambda t, f, quick: injection.torture(t, f, seconds=1 if quick else 3),
    "terminal, prompts, damage": lambda t, f, _: suite.tests(t, f, *TRUST),
    "fuzzing": lambda t, f, quick: suite.tests(t, f, *FUZZED, examples=8 if quick else 200),
    "damaged files": lambda t, _, quick: suite.damaged_files(t, cases=300 if quick else 6000),
}


def main() -> None:
    """Run the parts that are named, all if none is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--quick", action="store_true", help="a few attempts of each kind")
    chosen = parser.parse_args()
    tallies = []
    for name in chosen.parts or PARTS:
        tally, started = Tally(name), time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            PARTS[name](tally, Path(folder), chosen.quick)
        tally.seconds = time.monotonic() - started
        print(f"{name}: {tally.attempts} attempts, {tally.seconds:.0f} s", file=sys.stderr)
        tallies.append(tally)
    _show(tallies)
    sys.exit(1 if any(tally.lost or tally.let_in for tally in tallies) else 0)


def _show(tallies: list[Tally]) -> None:
    for tally in tallies:
        for kind, found in (("lost", tally.lost), ("let in", tally.let_in)):
            for what in found:
                print(f"{tally.part}: {kind}: {what}")
        for note in dict.fromkeys(tally.notes):
            print(f"{tally.part}: {note}")
    table = Table("part", "attempts", "survived", "lost", "let in", "seconds", box=None)
    for tally in tallies:
        numbers = (tally.attempts, tally.survived, len(tally.lost), len(tally.let_in))
        table.add_row(tally.part, *map(str, numbers), f"{tally.seconds:.0f}")
    totals = [sum(found) for found in zip(*map(_numbers, tallies), strict=True)]
    table.add_row("all", *map(str, totals[:4]), f"{totals[4]:.0f}")
    Console(width=100).print(table)


def _numbers(tally: Tally) -> tuple[float, ...]:
    counts = (tally.attempts, tally.survived, len(tally.lost), len(tally.let_in))
    return (*counts, tally.seconds)


if __name__ == "__main__":
    main()
