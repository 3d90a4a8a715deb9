"""The questions of a run: with references, and with what the breakdowns need to know of them."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.runs.embodied import rule_made
from benchmarks.runs.folder import write_whole
from tallysql.answering.questions import question_records
from tallysql.scoring.dimensions import family_of, history_tokens
from tallysql.scoring.references import references_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks.runs.folder import Row, RunFolder
    from tallysql.scoring.references import Reference

LEFT_OUT = frozenset({"trajectory", "trajectory_id", "episode_id", "question", "question_id"})
"""Fields of a question's record that are told elsewhere, or are too large."""


def write_questions(folder: RunFolder, source: str, tokens: dict[str, int] | None = None) -> None:
    """Write a question file's questions into the folder, once.

    A question that is asked twice gets an id of its own; the trajectory is left out, its number of
    tokens stays.

    Args:
        folder: where to.
        source: a question file, or AMA-Bench's own.
        tokens: of each trajectory, where the file does not hold them.
    """
    if folder.questions.exists():
        return
    references = references_from(question_records(source), source)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(references, tokens or {}))
    write_whole(folder.questions, "".join(lines))


def _rows(references: Iterable[Reference], tokens: dict[str, int]) -> Iterator[Row]:
    seen: Counter[str] = Counter()
    for reference in references:
        question = reference.question
        seen[question.question_id] += 1
        again = f"-{seen[question.question_id]}" if seen[question.question_id] > 1 else ""
        facts = {key: value for key, value in reference.facts.items() if key not in LEFT_OUT}
        made = rule_made(question.question, reference.answer or "")
        yield {
            "question_id": question.question_id + again,
            "trajectory_id": question.trajectory_id,
            "question": question.question,
            **facts,
            "family": family_of(question.question),
            "history_tokens": history_tokens(reference) or tokens.get(question.trajectory_id),
            **({"template": made[0], "rule_made": made[1]} if made is not None else {}),
        }
