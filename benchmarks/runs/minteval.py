"""MINTEval's commit histories: questions over repositories, scored by exact match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.runs import systems
from benchmarks.runs.questions import write_questions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.runs.folder import RunFolder

BY = ("template", "type", "load", "reference-load", "family")
CROSSES = ("fits*load",)
METRICS = ("exact",)


def run(folder: RunFolder, questions: str, sources: Sequence[str], *, jobs: int) -> None:
    """Fill the folder.

    Args:
        folder: of the run.
        questions: question, trajectory_id (the repository's name) and answer.
        sources: git repositories or MINTEval's records.
        jobs: questions that wait for models at one time.
    """
    systems.load(folder, sources)
    write_questions(folder, questions)
    systems.answer(folder, systems.BY_RULES, jobs=jobs)
    if folder.config["model"]:
        systems.answer(folder, systems.BY_MODEL, jobs=jobs)
        systems.write_prompts(folder, systems.BY_MODEL)
