"""AMA-Bench: every system over its questions, and access to the steps that decide them."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from benchmarks.access.__main__ import CAP, COMPARED, KINDS, field_lengths, read_cases, score
from benchmarks.access.measure import mean_with_interval
from benchmarks.runs import systems
from benchmarks.runs.probe import measure_arms
from benchmarks.runs.questions import write_questions
from benchmarks.systems.embedding import Embedding
from benchmarks.systems.interface import Bench, CannotRun
from benchmarks.systems.running import run as run_systems
from tallysql.answering.contexts import Contexts
from tallysql.api import open_memory
from tallysql.reading.settings import BUDGET

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks.access.__main__ import Viewing
    from benchmarks.runs.folder import RunFolder
    from tallysql.answering.systems import Choices
    from tallysql.api import Memory

BY = ("domain", "type", "load", "reference-load", "family", "template", "half")
CROSSES = ("fits*load", "fits*load-level", "aggregation")
METRICS = ("ama", "ama-f1")


def run(folder: RunFolder, data: str, *, jobs: int) -> None:
    """Fill the folder: questions, answers, prompts, the tables of access and of the probe."""
    systems.load(folder, [data])
    write_questions(folder, data)
    chosen: Mapping[str, Choices] = systems.BY_RULES
    if folder.config["model"]:
        chosen = {**systems.BY_RULES, **systems.BY_MODEL}
    systems.answer(folder, chosen, jobs=jobs)
    if folder.config["model"]:
        run_systems(folder, jobs=jobs)
    if not folder.has("tables/access.json"):
        _access(folder, data)
    if not folder.has("tables/probe.json"):
        measure_arms(folder, data)
    asked = systems.BY_MODEL if folder.config["model"] else ("tm",)
    systems.write_prompts(folder, asked)


def _access(folder: RunFolder, data: str) -> None:
    """Write how often contexts hold the steps that decide an answer, and their mean tokens."""
    budget = folder.config.get("budget") or BUDGET
    rows = []
    with open_memory(folder.database, read_only=True) as memory:
        cases = list(read_cases(memory, data))
        lengths = field_lengths(memory)
        for name, contexts, system in _compared(folder, memory, budget):
            scores, tokens = score(contexts, system, cases, lengths)
            for kind in KINDS:
                cells = [_told(scores[kind, cap]) for cap in (None, CAP)]
                questions = sum(bool(getattr(case, kind)) for case in cases)
                rows.append([name, kind, questions, *cells, round(tokens)])
    columns = ["system", "steps", "questions", "shown whole %", f"to {CAP} characters %", "tokens"]
    note = (
        f"Questions whose deciding steps are all in a context of {budget} tokens: steps that the "
        "question names, that hold what it quotes, or that the reference cites. 95 % intervals "
        "resample trajectories, 2,000 times."
    )
    folder.write_table("access", "Access to deciding steps", columns, rows, note)


def _compared(folder: RunFolder, memory: Memory, budget: int) -> Iterator[tuple[str, Viewing, str]]:
    """Yield what is compared; embeddings where their packages are there."""
    for name, system, settings in COMPARED:
        yield name, Contexts(memory.store, replace(settings, budget=budget)), system
    try:
        nearest = Embedding(Bench(memory, systems.models_of(folder), budget))
    except CannotRun as error:
        print(f"embedding: not run: {error} ({error.hint})", file=sys.stderr)
        return
    yield "embedding", nearest, "embedding"


def _told(values: Any) -> str:
    mean, low, high = (100 * value for value in mean_with_interval(values))
    return f"{mean:.1f} [{low:.1f}, {high:.1f}]"
