"""The controlled probe of the paper's appendix H, over any AMA-format trajectories.

python -m benchmarks.probe generate TRAJECTORIES -o QUESTIONS.jsonl
python -m benchmarks.probe score QUESTIONS.jsonl --trajectories TRAJECTORIES [--arm ARM ...]
                                 [--json OUT] [--wrong OUT]
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tallysql
from benchmarks.probe import arms
from benchmarks.probe.events import read_episodes
from benchmarks.probe.generate import generate, lines
from benchmarks.probe.intervals import RESAMPLES
from benchmarks.probe.metrics import judge
from benchmarks.probe.report import report, show
from benchmarks.probe.templates import TEMPLATES
from tallysql.errors import TallyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.probe.metrics import Verdict

DEFAULT_ARMS = ("rules:refined", "rules:principal", "rules:lite", "counter")


def main(arguments: Sequence[str] | None = None) -> int:
    """Generate or score; 0 done, 2 bad usage or unreadable input."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except (TallyError, OSError, ValueError, ImportError) as error:
        hint = " (pip install 'tallysql[bench]')" if isinstance(error, ImportError) else ""
        print(f"error: {error}{hint}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m benchmarks.probe", description=__doc__, formatter_class=style
    )
    commands = parser.add_subparsers(required=True)
    make = commands.add_parser("generate", help="write questions with their golds")
    make.add_argument("trajectories", help="AMA-format JSON or JSON lines, .gz or not")
    make.add_argument("-o", "--out", default="-", help="JSON lines; - is standard output")
    make.add_argument("--paper", action="store_true", help="only the paper's sixteen templates")
    make.set_defaults(run=_generate)
    score = commands.add_parser(
        "score", help="measure arms", description=arms.__doc__, formatter_class=style
    )
    score.add_argument("questions")
    score.add_argument(
        "--trajectories", required=True, help="a source that tallysql loads, or a .duckdb"
    )
    score.add_argument(
        "--arm", action="append", help=f"repeatable; default: {' '.join(DEFAULT_ARMS)}"
    )
    score.add_argument(
        "--json", metavar="OUT", help="also write all measures there; - is stdout, alone"
    )
    score.add_argument(
        "--wrong", metavar="OUT", help="write what is not right and exact, as JSON lines"
    )
    score.add_argument("--resamples", type=int, default=RESAMPLES)
    score.set_defaults(run=_score)
    return parser


def _generate(options: argparse.Namespace) -> None:
    chosen = [template for template in TEMPLATES if template.of_the_paper or not options.paper]
    written = list(lines(generate(read_episodes(options.trajectories), chosen)))
    if not written:
        raise ValueError(f"{options.trajectories}: no embodied or software trajectory")
    _write(options.out, "".join(written))


def _score(options: argparse.Namespace) -> None:
    text = Path(options.questions).read_text("utf-8")
    cases = [json.loads(line) for line in text.split("\n") if line]
    database = options.trajectories.endswith(".duckdb")
    place = options.trajectories if database else ":memory:"
    verdicts: dict[str, list[Verdict]] = {}
    with tallysql.open(place, read_only=database) as memory:
        if not database:
            memory.load([options.trajectories])
        for spec in options.arm or DEFAULT_ARMS:
            arm = arms.arm_named(spec, memory)
            verdicts[spec] = [judge(case, arm(case)) for case in cases]
    found = report(verdicts, resamples=options.resamples)
    if options.wrong:
        _write(options.wrong, "".join(_faults(verdicts)))
    if options.json:
        _write(options.json, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    if options.json != "-":
        from rich.console import Console

        show(found, Console(width=None if sys.stdout.isatty() else 140))


def _faults(verdicts: dict[str, list[Verdict]]) -> list[str]:
    """Return a JSON line for each answer that is not right from exactly S*, its gold beside it."""
    rows: list[dict[str, Any]] = [
        {"arm": arm, **asdict(verdict)}
        for arm, found in verdicts.items()
        for verdict in found
        if not verdict.right or verdict.exact == 0
    ]
    return [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]


def _write(place: str, text: str) -> None:
    if place == "-":
        sys.stdout.write(text)
    else:
        Path(place).write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
