"""Access metrics of the systems on an AMA-format file, without a model.

`python -m benchmarks.access FILE [--budgets 2000,8000,26000] [--limit N] [--latency]`

Deciding steps are those that the question names, those that hold what it quotes, and those that
the reference answer cites. A step is covered if the context shows it whole, or "to the cap": the
first and last 4,000 characters of each field.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import orjson

import tallysql
from benchmarks.access.deciding import cited_steps, quoting_steps
from benchmarks.access.latency import compared, concatenated, medians, milliseconds
from benchmarks.access.measure import Case, covered, mean_with_interval
from tallysql.answering.contexts import Contexts, asked_of
from tallysql.answering.questions import read_questions
from tallysql.reading.bm25 import Bm25
from tallysql.reading.settings import PAPER, ViewSettings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.access.measure import Lengths
    from tallysql.answering.systems import System
    from tallysql.api import Memory
    from tallysql.reading.view import View

COMPARED: tuple[tuple[str, System, ViewSettings], ...] = (
    ("tm", "tm", ViewSettings()),
    ("tm, as in the paper", "tm", PAPER),
    ("bm25", "bm25", ViewSettings()),
    ("long-context", "long-context", ViewSettings()),
)
CAP = ViewSettings().near_characters
LATENCY_QUESTIONS = 200


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file")
    parser.add_argument("--budgets", default="2000,8000,26000")
    parser.add_argument("--limit", type=int, help="at most so many questions, drawn at random")
    parser.add_argument("--latency", action="store_true", help="measure times instead")
    chosen = parser.parse_args(arguments)
    with tallysql.open() as memory:
        load = milliseconds(lambda: memory.load(chosen.file))
        if chosen.latency:
            print(f"load, ledger included: {load:.0f} ms")
            print_latency(memory, chosen.file)
        else:
            cases = list(read_cases(memory, chosen.file))
            if chosen.limit:
                cases = sorted(
                    random.Random(1).sample(cases, min(chosen.limit, len(cases))),
                    key=lambda case: case.trajectory_id,
                )
            print_coverage(memory, cases, [int(budget) for budget in chosen.budgets.split(",")])
    return 0


def read_cases(memory: Memory, file: str) -> Iterator[Case]:
    """Yield the questions of the file that have deciding steps."""
    contexts = Contexts(memory.store)
    texts = step_texts(memory)
    answers = reference_answers(file)
    for question in read_questions(file):
        index = contexts.index(question.trajectory_id)
        known = index.records.keys()
        named = tuple(step for step in asked_of(question.question, index).named if step in known)
        quoted = quoting_steps(question.question, texts[question.trajectory_id])
        answer = answers.get((question.trajectory_id, question.question), "")
        case = Case(
            question.trajectory_id, question.question, named, quoted, cited_steps(answer, known)
        )
        if case.named or case.quoted or case.cited:
            yield case


def reference_answers(file: str) -> dict[tuple[str, str], str]:
    """Return (trajectory, question) → reference answer."""
    import gzip
    from pathlib import Path

    content = Path(file).read_bytes()
    text = gzip.decompress(content) if file.endswith(".gz") else content
    answers: dict[tuple[str, str], str] = {}
    for line in text.splitlines():
        episode = orjson.loads(line)
        for pair in episode["qa_pairs"]:
            answers[str(episode["episode_id"]), pair["question"]] = str(pair["answer"])
    return answers


def step_texts(memory: Memory) -> dict[str, dict[int, str]]:
    """Return trajectory → step → its texts, for looking up quotes."""
    texts: defaultdict[str, dict[int, str]] = defaultdict(dict)
    rows = memory.sql("SELECT trajectory_id, step, concat_ws('\n', action, observation) FROM steps")
    for trajectory_id, step, text in rows.fetchall():
        texts[trajectory_id][step] = texts[trajectory_id].get(step, "") + text
    return texts


def field_lengths(memory: Memory) -> dict[str, Lengths]:
    """Return the number of characters of every field."""
    lengths: defaultdict[str, Lengths] = defaultdict(lambda: defaultdict(dict))
    rows = memory.sql(
        "SELECT trajectory_id, step, call, coalesce(length(action), 0), "
        "coalesce(length(observation), 0) FROM steps"
    )
    for trajectory_id, step, call, action, observation in rows.fetchall():
        fields = {(call, "action"): action, (call, "observation"): observation}
        lengths[trajectory_id][step] |= fields
    return lengths


def print_coverage(memory: Memory, cases: Sequence[Case], budgets: Sequence[int]) -> None:
    """Print coverage of named, quoted and cited steps per system and budget."""
    lengths = field_lengths(memory)
    counts = {kind: sum(bool(getattr(case, kind)) for case in cases) for kind in KINDS}
    print(f"{len(cases)} questions with deciding steps: {counts}; {CAP} characters is the cap")
    print("| budget | system | steps | questions covered, whole | to the cap | tokens |")
    print("|---|---|---|---|---|---|")
    for budget in budgets:
        for name, system, settings in COMPARED:
            contexts = Contexts(memory.store, replace(settings, budget=budget))
            scores, tokens = score(contexts, system, cases, lengths)
            for kind in KINDS:
                whole, capped = (_told(scores[kind, cap]) for cap in (None, CAP))
                print(f"| {budget} | {name} | {kind} | {whole} | {capped} | {tokens:.0f} |")


KINDS = ("named", "quoted", "cited")
Scores = dict[tuple[str, int | None], dict[str, list[float]]]


class Viewing(Protocol):
    """Gives contexts by the name of a system, with their spans."""

    def of(self, system: Any, question: str, trajectory_id: str, /) -> View:
        """Return the context for a question."""


def score(
    contexts: Viewing, system: str, cases: Sequence[Case], lengths: dict[str, Lengths]
) -> tuple[Scores, float]:
    """Return 1 or 0 per question by (kind, cap) and trajectory, and the mean context tokens."""
    scores: Scores = {(kind, cap): defaultdict(list) for kind in KINDS for cap in (None, CAP)}
    tokens = 0
    same: dict[str, View] = {}
    for case in cases:
        key = case.trajectory_id if system == "long-context" else case.question
        if key not in same:
            same = {key: contexts.of(system, case.question, case.trajectory_id)}
        view = same[key]
        tokens += view.tokens
        for (kind, cap), by_trajectory in scores.items():
            steps = getattr(case, kind)
            if steps:
                found = covered(view, steps, lengths[case.trajectory_id], cap)
                by_trajectory[case.trajectory_id].append(float(all(found)))
    return scores, tokens / max(len(cases), 1)


def _told(values: dict[str, list[float]]) -> str:
    mean, low, high = (100 * value for value in mean_with_interval(values))
    return f"{mean:.1f} [{low:.1f}, {high:.1f}]"


def print_latency(memory: Memory, file: str) -> None:
    """Print times of a view and of BM25 on trajectories of about 150 and of 5,000 steps."""
    questions = [(q.trajectory_id, q.question) for q in read_questions(file)]
    usual = {
        found
        for (found,) in memory.sql(
            "SELECT trajectory_id FROM trajectories WHERE n_steps BETWEEN 130 AND 170"
        ).fetchall()
    }
    drawn = [question for question in questions if question[0] in usual][:LATENCY_QUESTIONS]
    _print_times(memory, "150 steps", drawn)
    sampled = random.Random(1).sample(questions, min(40, len(questions)))
    with concatenated(memory, 5_000) as longer:
        _print_times(longer, "5,000 steps", [("long", question) for _, question in sampled])


def _print_times(memory: Memory, name: str, drawn: Sequence[tuple[str, str]]) -> None:
    contexts = Contexts(memory.store)
    first = drawn[0][0]
    index = milliseconds(lambda: contexts.index(first))
    documents = milliseconds(lambda: Bm25(memory.store, contexts.index(first)))
    rows = list(compared(memory, drawn, ViewSettings().budget))
    view, ranking, context = medians(rows)
    slow = sorted(row[0] for row in rows)[int(0.95 * len(rows))]
    print(
        f"{name}: view p50 {view:.1f} ms, p95 {slow:.1f} ms; BM25 ranking {ranking:.2f} ms "
        f"(ratio {view / ranking:.1f}), BM25 context {context:.1f} ms; {len(rows)} questions; "
        f"first use: index {index:.1f} ms, BM25 documents {documents:.1f} ms"
    )


if __name__ == "__main__":
    sys.exit(main())
