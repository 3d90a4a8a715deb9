"""The systems that come with tallysql, run over a folder's questions.

Each is a choice of `tallysql answer`'s options under a name. Further systems live elsewhere and
write answer files of their own.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import tallysql
from tallysql.answering.prompt import prompt, quoted
from tallysql.llm.models import Models
from tallysql.llm.settings import ModelSettings, read_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from benchmarks.runs.folder import Row, RunFolder
    from tallysql.answering.systems import Choices
    from tallysql.api import Memory

BY_RULES: Mapping[str, Choices] = {
    "rules-refined": {},
    "rules-principal": {"profile": "principal"},
    "rules-lite": {"profile": "lite"},
    "counter": {"system": "counter"},
}
"""No model: the rules compiler or none, and the computed reader."""

BY_MODEL: Mapping[str, Choices] = {
    "tm": {"system": "tm", "reader": "model"},
    "long-context": {"system": "long-context", "reader": "model"},
    "bm25": {"system": "bm25", "reader": "model"},
    "counter-read": {"system": "counter", "reader": "model", "route": "always"},
    "tallymem": {"compiler": "auto", "reader": "model"},
    "tallymem-unrouted": {"compiler": "auto", "reader": "model", "route": "always"},
    "tallymem-principal": {"compiler": "model", "reader": "model", "profile": "principal"},
}
"""A model reads; the same prompt is asked once, whichever systems need it."""

CONTEXTS = ("tm", "long-context", "bm25")
"""Systems whose context is the prompt's only part beside the question."""


def models_of(folder: RunFolder) -> Models:
    """Return the models of a run, their replies kept in its folder; none if it names no model."""
    names = ("model", "judge_model")
    options = {name: folder.config[name] for name in names if folder.config.get(name)}
    settings = read_settings(options) if options else ModelSettings()
    return Models(settings, folder.path / "replies.calls")


def load(folder: RunFolder, sources: Iterable[str]) -> None:
    """Archive the trajectories, once; what is damaged is named on stderr."""
    if folder.has("loaded.json"):
        return
    for place in (folder.database, Path(f"{folder.database}.wal")):
        place.unlink(missing_ok=True)  # what an interrupted load left
    with tallysql.open(folder.database) as memory:
        report = memory.load(list(sources))
        found = {"trajectories": len(memory.trajectories()), "clean": report.clean}
    folder.write("loaded.json", found)


def answer(folder: RunFolder, systems: Mapping[str, Choices], *, jobs: int = 1) -> None:
    """Let each system answer every question; what is complete is not asked again."""
    budget = folder.config.get("budget")
    for name, choices in systems.items():
        if folder.answers(name).exists():
            continue
        models = models_of(folder)
        with (
            tallysql.open(folder.database, read_only=True, models=models) as memory,
            folder.timed(name) as cost,
        ):
            chosen: Choices = {**choices, **({"budget": budget} if budget else {})}
            out = folder.answers(name)
            statuses = Counter(
                record["status"]
                for record in memory.answer(folder.questions, out, jobs=jobs, **chosen)
            )
            cost.update(questions=statuses.total(), statuses=dict(statuses))
            cost["account"] = models.account.lines()
        print(f"{name}: {dict(statuses)}", file=sys.stderr)


def write_prompts(folder: RunFolder, names: Iterable[str]) -> None:
    """Write what a reader is asked for each question: context, evidence where it goes along."""
    for name in names:
        if folder.prompts(name).exists():
            continue
        with tallysql.open(folder.database, read_only=True) as memory:
            folder.write_prompts(name, _prompts(folder, memory, name))


def _prompts(folder: RunFolder, memory: Memory, name: str) -> Iterator[tuple[str, int, str]]:
    """Yield question id, tokens of the context, and prompt; of contexts alone before any answer."""
    choices = BY_MODEL[name]
    context: Choices = {"system": choices.get("system", "tallymem")}
    if folder.config.get("budget"):
        context["budget"] = folder.config["budget"]
    records: dict[str, Row] = {}
    if folder.answers(name).exists():
        records = {record["question_id"]: record for record in folder.records(name)}
    for question in memory.read_questions(folder.questions):
        view = memory.view(question.question, question.trajectory_id, **context)
        record = records.get(question.question_id, {})
        evidence = record.get("evidence", "") if record.get("usage", {}).get("attached") else ""
        text = prompt(question.question, quoted(view), evidence)
        yield question.question_id, view.tokens, text
