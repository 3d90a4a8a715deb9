"""Questions about commit histories.

`python -m benchmarks.commits generate REPO [--id NAME] [--each N] [--seed S] [--wordings FILE]`
`python -m benchmarks.commits score QUESTIONS.jsonl REPO... [--wrong]`

`score` loads the repositories (NAME=PATH gives one another id), answers with the rules compiler and
the computed reader, and prints exact match (MINTEval's) by template.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tallysql
from benchmarks.commits.generate import WORDINGS, generate
from benchmarks.commits.history import History
from tallysql.scoring.exact import exact_match

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Row = dict[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the two commands."""
    options = _parser().parse_args(arguments)
    if options.command == "generate":
        name = options.id or Path(options.repository).resolve().name.removesuffix(".git")
        made = generate(
            History(options.repository), name, options.each, options.seed, options.wordings
        )
        for question in made:
            print(json.dumps(question, ensure_ascii=False))
        return 0
    lines = Path(options.questions).read_text("utf-8").splitlines()
    rows = list(answered([json.loads(line) for line in lines if line], options.repositories))
    print(report(rows))
    if options.wrong:
        print("\n".join(_shown(row) for row in rows if row["outcome"] != "right"))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("generate")
    make.add_argument("repository")
    make.add_argument("--id")
    make.add_argument("--each", type=int, default=8, help="questions a template")
    make.add_argument("--seed", type=int, default=0)
    make.add_argument("--wordings", type=Path, default=WORDINGS, help="a file like wordings.toml")
    score = commands.add_parser("score")
    score.add_argument("questions")
    score.add_argument("repositories", nargs="+", metavar="[NAME=]PATH")
    score.add_argument("--wrong", action="store_true", help="list what is not right")
    return parser


def answered(questions: Iterable[Row], repositories: Iterable[str]) -> Iterable[Row]:
    """Yield each question with its computed answer and outcome: right, wrong or declined."""
    with tallysql.open(":memory:") as memory:
        for repository in repositories:
            name, _, path = repository.rpartition("=")
            memory.load([path], trajectory_id=name or None)
        for question in questions:
            record = memory.ask(question["question"], question["trajectory_id"])
            answer = record["answer"]
            right = answer is not None and exact_match(answer, question["answer"])
            outcome = "right" if right else "declined" if answer is None else "wrong"
            yield question | {"given": answer, "outcome": outcome, "plan": record["plan"]}


def report(rows: Iterable[Row]) -> str:
    """Return a table: questions, right, wrong and declined, by template and in all."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for name in (row["template"], "all"):
            counts[name].update(["n", row["outcome"]])
    lines = [f"{'template':<10}{'n':>6}{'right':>8}{'wrong':>8}{'declined':>10}"]
    ordered = sorted(counts.keys() - {"all"}, key=lambda name: (len(name), name))
    for name in [*ordered, "all"]:
        cells = counts[name]
        lines.append(
            f"{name:<10}{cells['n']:>6}{cells['right']:>8}{cells['wrong']:>8}{cells['declined']:>10}"
        )
    total = counts["all"]
    share = total["right"] / total["n"] if total["n"] else 0.0
    return "\n".join([*lines, f"exact match: {share:.1%}"])


def _shown(row: Row) -> str:
    plan = json.dumps(row["plan"], ensure_ascii=False)[:400]
    told = f"{row['outcome'].upper()} [{row['template']}.{row['wording']}] {row['question']}"
    return f"{told}\n   answer {row['answer'][:150]} | given {str(row['given'])[:150]}\n   {plan}"


if __name__ == "__main__":
    sys.exit(main())
