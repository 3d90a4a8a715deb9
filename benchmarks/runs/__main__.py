"""Run a benchmark into a folder, score it, and write the report.

python -m benchmarks.runs ama DATA -o FOLDER [--model NAME] [--second-judge NAME]
python -m benchmarks.runs probe DATA -o FOLDER [--model NAME]
python -m benchmarks.runs minteval QUESTIONS SOURCE... -o FOLDER [--model NAME]

DATA is a file in AMA-Bench's format. Without --model everything runs that needs none. A run that
was interrupted goes on where it stopped; servers and keys are set as for tallysql (docs/models.md).
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from benchmarks.report.pages import write_report
from benchmarks.runs import ama, minteval, probe
from benchmarks.runs.folder import RunFolder, data_named
from benchmarks.runs.scores import score_folder
from tallysql.errors import TallyError
from tallysql.scoring.statistics import RESAMPLES

if TYPE_CHECKING:
    from collections.abc import Sequence

BENCHMARKS: dict[str, Any] = {"ama": ama, "probe": probe, "minteval": minteval}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; 0 done, 1 some judgement failed, 2 bad usage or unreadable input."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except (TallyError, OSError, ImportError) as error:
        hint = getattr(error, "hint", None)
        if isinstance(error, ImportError):
            hint = "pip install 'tallysql[bench]'"
        print(f"error: {error}{f' ({hint})' if hint else ''}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    benchmark = BENCHMARKS[options.benchmark]
    metrics = [*(["judge"] if options.model or options.judge_model else []), *benchmark.METRICS]
    config = {
        "benchmark": options.benchmark,
        "data": data_named(options.data),
        "model": options.model,
        "judge_model": options.judge_model,
        "second_judge": options.second_judge,
        "budget": options.budget,
        "metrics": metrics,
        "by": [*benchmark.BY, *benchmark.CROSSES],
        "resamples": options.resamples,
    }
    folder = RunFolder(options.out, config)
    sources = [options.sources] if options.benchmark == "minteval" else []
    benchmark.run(folder, options.data, *sources, jobs=options.jobs)
    found = score_folder(folder, jobs=options.jobs)
    print(write_report(folder))
    for line in found["failures"]:
        print(f"error: {line}", file=sys.stderr)
    return 1 if found["failures"] else 0


def _parser() -> argparse.ArgumentParser:
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m benchmarks.runs", description=__doc__, formatter_class=style
    )
    parser.add_argument("benchmark", choices=BENCHMARKS)
    parser.add_argument("data", help="AMA-Bench's file; for minteval the questions")
    parser.add_argument("sources", nargs="*", help="minteval: repositories or records")
    parser.add_argument("-o", "--out", required=True, help="the run's folder")
    parser.add_argument("--model", help="to compile, read and judge with; without it none is asked")
    parser.add_argument(
        "--judge-model",
        help="another one to judge with, or the only one: then nothing else is asked of a model",
    )
    parser.add_argument("--second-judge", help="a second model to judge with")
    parser.add_argument("--budget", type=int, help="tokens of a context")
    parser.add_argument("--jobs", type=int, default=1, help="model calls at one time")
    parser.add_argument("--resamples", type=int, default=RESAMPLES)
    return parser


if __name__ == "__main__":
    sys.exit(main())
