"""The share of questions without an aggregation that the rules compiler wrongly takes on.

python -m benchmarks.labels AMA_FILE [--profile P] [--json]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tallysql
from tallysql.answering.computed import computed_answer
from tallysql.engine.execute import execute
from tallysql.errors import TallyError
from tallysql.plan.nodes import Declined
from tallysql.plan.parse import plan_to_json
from tallysql.plan.profiles import profile_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tallysql.answering.questions import Question
    from tallysql.api import Memory

LABELS = Path(__file__).with_name("applicable.jsonl")
ANSWERABLE = frozenset({"aggregation", "lookup"})
"""Labels of questions that a compiler may take on."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What the compiler made of one labelled question.

    Attributes:
        plan: its JSON form; `applicable` tells whether the question was taken on.
        answer: the computed answer; None where it was not, or no sub-query survives.
    """

    id: str
    label: str
    trajectory_id: str
    question: str
    plan: dict[str, Any]
    answer: str | None
    trace: tuple[tuple[str, str], ...]

    @property
    def applicable(self) -> bool:
        """Whether the compiler took the question on."""
        return bool(self.plan["applicable"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print shares and lists; the exit code is 0 whatever they show, 2 for unreadable input."""
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "python -m benchmarks.labels", description=__doc__, formatter_class=style
    )
    parser.add_argument("ama_file", help="AMA-Bench's own file: trajectories with their qa_pairs")
    parser.add_argument("--profile", default="refined")
    parser.add_argument("--json", action="store_true", help="print what was taken on as JSON lines")
    options = parser.parse_args(arguments)
    try:
        taken = measure(options.ama_file, read_labels(), options.profile)
    except TallyError as error:
        print(f"error: {error.message}", file=sys.stderr)
        return 2
    if options.json:
        lines = [json.dumps(asdict(one), ensure_ascii=False) for one in taken if one.applicable]
        print("\n".join(lines))
    else:
        print("\n".join([*table(taken), "", *listing(taken)]))
    return 0


def read_labels(path: Path = LABELS) -> dict[str, str]:
    """Return id → label."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {row["id"]: row["label"] for row in rows}


def id_of(trajectory_id: str, question: str) -> str:
    """Return the id under which a question's label is stored."""
    return hashlib.sha256(f"{trajectory_id}\n{question}".encode()).hexdigest()[:12]


def measure(ama_file: str, labels: dict[str, str], profile: str = "refined") -> list[Taken]:
    """Compile, and where that gives a plan execute, every labelled question of the file.

    A question that occurs twice in a trajectory counts once.
    """
    with tallysql.open(":memory:") as memory:
        questions = {
            id_of(question.trajectory_id, question.question): question
            for question in memory.read_questions(ama_file)
        }
        memory.load([ama_file])
        return [
            take(memory, questions[name], name, label, profile)
            for name, label in labels.items()
            if name in questions
        ]


def take(memory: Memory, question: Question, name: str, label: str, profile: str) -> Taken:
    """Compile one question; execute what it is compiled to."""
    trajectory_id = question.trajectory_id
    compilation = memory.plan(question.question, trajectory_id, profile=profile)
    answer = None
    if not isinstance(compilation.plan, Declined):
        results = execute(memory.store, trajectory_id, compilation.plan, profile_named(profile))
        answer = computed_answer(compilation, results)
    return Taken(
        name,
        label,
        trajectory_id,
        question.question,
        plan_to_json(compilation.plan),
        answer,
        tuple((entry.text, entry.became) for entry in compilation.trace),
    )


def falsely(taken: Iterable[Taken]) -> list[Taken]:
    """Return the questions that ask for no aggregation and were taken on all the same."""
    return [one for one in taken if one.applicable and one.label not in ANSWERABLE]


def table(taken: Sequence[Taken]) -> list[str]:
    """Return the counts by label and the share of false "applicable"."""
    groups: dict[str, list[Taken]] = defaultdict(list)
    for one in taken:
        groups[one.label].append(one)
    lines = [f"{'label':<14}{'questions':>10}{'taken on':>10}{'answered':>10}"]
    for label, found in sorted(
        groups.items(), key=lambda item: (item[0] not in ANSWERABLE, item[0])
    ):
        applicable = sum(one.applicable for one in found)
        answered = sum(one.answer is not None for one in found)
        lines.append(f"{label:<14}{len(found):>10}{applicable:>10}{answered:>10}")
    others = sum(one.label not in ANSWERABLE for one in taken)
    false = len(falsely(taken))
    share = f" = {100 * false / others:.1f} %" if others else ""
    return [*lines, f'false "applicable": {false} of {others}{share}']


def listing(taken: Iterable[Taken]) -> list[str]:
    """Return what was falsely taken on: question, plan, answer, trace."""
    lines = []
    for one in falsely(taken):
        trace = " | ".join(f"{text} -> {became}" for text, became in one.trace)
        lines += [
            f"{one.id} [{one.label}] {one.trajectory_id}: {one.question}",
            f"  plan    {json.dumps(one.plan, ensure_ascii=False)}",
            f"  answer  {one.answer}",
            f"  trace   {trace}",
        ]
    return lines


if __name__ == "__main__":
    sys.exit(main())
