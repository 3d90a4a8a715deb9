"""Score a run folder anew and write its report, with whatever answers lie in it.

`python -m benchmarks.report FOLDER [--jobs N]`
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from benchmarks.report.pages import write_report
from benchmarks.runs.folder import RunFolder
from benchmarks.runs.scores import score_folder
from tallysql.errors import TallyError

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the report; 0 done, 1 some judgement failed, 2 no such run."""
    parser = argparse.ArgumentParser("python -m benchmarks.report", description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--jobs", type=int, default=1, help="verdicts to wait for at one time")
    options = parser.parse_args(arguments)
    try:
        folder = RunFolder(options.folder)
        found = score_folder(folder, jobs=options.jobs)
        print(write_report(folder))
    except (TallyError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for line in found["failures"]:
        print(f"error: {line}", file=sys.stderr)
    return 1 if found["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
