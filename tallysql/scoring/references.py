"""What answers are compared with: questions with their reference answers, and their records.

See docs/evaluation.md.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tallysql.answering.questions import Question

Record = dict[str, Any]
ANSWER_KEYS = ("reference", "answer")
"""Where a question's record holds its reference answer, the first that is there."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One question with its reference answer.

    Attributes:
        answer: None where the right answer is none: the question is to be declined.
        facts: the question's record, and what surrounds it in AMA-Bench's file: domain, type,
            task_type, task, and where known format, template, gold_steps, load.
    """

    question: Question
    answer: str | None
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """A reference and the answer record for it; None if there is none: it is missing."""

    reference: Reference
    record: Record | None

    @property
    def answer(self) -> str | None:
        """The answer; None if the record is missing or has none."""
        said = self.record.get("answer") if self.record is not None else None
        return None if said is None else _text(said)


def references_from(
    rows: Iterable[tuple[Question, Mapping[str, Any]]], name: str
) -> list[Reference]:
    """Turn questions and their records into references.

    Args:
        rows: as `tallysql.answering.questions.question_records` yields them.
        name: of the file, for errors.

    Raises:
        InputError: a question without a reference answer that is not marked `decline`.
    """
    references = []
    for number, (question, record) in enumerate(rows, start=1):
        said = next((record[key] for key in ANSWER_KEYS if record.get(key) is not None), None)
        if said is None and not record.get("decline"):
            where = f"{number} (question {question.question_id})"
            raise InputError.at(name, "no reference answer", record=where, field="answer")
        answer = None if record.get("decline") else _text(said)
        references.append(Reference(question, answer, record))
    return references


def pair_up(
    references: Sequence[Reference], records: Iterable[Record], name: str
) -> tuple[list[Pair], int]:
    """Give each reference its answer record, by question id.

    A question that is asked twice has one id twice: the n-th record answers the n-th of them.

    Returns:
        a pair for each reference in order, and the number of records that answer none of them.

    Raises:
        InputError: a record without a question id.
    """
    found: dict[tuple[str, int], Record] = {}
    seen: Counter[str] = Counter()
    for number, record in enumerate(records, start=1):
        question_id = record.get("question_id")
        if question_id is None:
            raise InputError.at(name, "missing", record=number, field="question_id")
        found[str(question_id), seen[str(question_id)]] = record
        seen[str(question_id)] += 1
    asked: Counter[str] = Counter()
    pairs = []
    for reference in references:
        question_id = reference.question.question_id
        pairs.append(Pair(reference, found.pop((question_id, asked[question_id]), None)))
        asked[question_id] += 1
    return pairs, len(found)


def _text(said: Any) -> str:
    if isinstance(said, bool):
        return "yes" if said else "no"
    return ", ".join(map(str, said)) if isinstance(said, list) else str(said)
