"""Let systems answer the questions of a run folder that has a model, and report.

python -m benchmarks.systems FOLDER [--systems NAME,NAME] [--jobs N] [--list]

Interrupted, it goes on where it stopped. See docs/evaluation.md, "Systems".
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from benchmarks.report.pages import write_report
from benchmarks.runs.folder import RunFolder
from benchmarks.runs.scores import score_folder
from benchmarks.systems.registry import ENTRIES
from benchmarks.systems.running import run
from tallysql.errors import InputError, TallyError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; 0 done, 1 some judgement failed, 2 bad usage or no such run."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m benchmarks.systems", description=__doc__, formatter_class=style
    )
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--systems", help="names by comma, all if left out")
    parser.add_argument("--jobs", type=int, default=1, help="model calls at one time")
    parser.add_argument("--list", action="store_true", help="print all names and end")
    options = parser.parse_args(arguments)
    if options.list:
        print("".join(f"{name}\t{entry.what}\n" for name, entry in ENTRIES.items()), end="")
        return 0
    if options.folder is None:
        parser.error("name a run folder")
    try:
        names = _named(options.systems)
        folder = RunFolder(options.folder)
        if not folder.config.get("model"):
            raise InputError(f"{folder.path}: a run without a model", "make one with --model NAME")
        run(folder, names, jobs=options.jobs)
        found = score_folder(folder, jobs=options.jobs)
        print(write_report(folder))
    except (TallyError, OSError) as error:
        hint = getattr(error, "hint", None)
        print(f"error: {error}{f' ({hint})' if hint else ''}", file=sys.stderr)
        return 2
    for line in found["failures"]:
        print(f"error: {line}", file=sys.stderr)
    return 1 if found["failures"] else 0


def _named(text: str | None) -> list[str] | None:
    names = text.split(",") if text else None
    for name in names or ():
        if name not in ENTRIES:
            raise UnknownName("system", name, ENTRIES)
    return names


if __name__ == "__main__":
    sys.exit(main())
