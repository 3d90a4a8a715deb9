"""The bundled questions with their reference answers: `python -m benchmarks.bundle.questions`.

Each question names how its answer is computed from the raw strings of the run: the events it is
about, the scope, and the form of the answer. Declined ones have no answer by design: they ask for
causes, counterfactuals, opinions or content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.bundle import files
from benchmarks.bundle.ask_coding import CODING_QUESTIONS
from benchmarks.bundle.ask_history import HISTORY_QUESTIONS
from benchmarks.bundle.ask_worlds import WORLD_QUESTIONS

if TYPE_CHECKING:
    from benchmarks.bundle.asked import Asked

AMA_PAIRS = 4


def main() -> None:
    """Write questions.jsonl, and the first ones about the AMA-shaped run into that run's file."""
    runs = {run.trajectory_id: run for run in files.read_runs()}
    asked = [*WORLD_QUESTIONS, *CODING_QUESTIONS, *HISTORY_QUESTIONS]
    records = [
        _record(f"q{number:02d}", question, runs[question.trajectory_id].steps)
        for number, question in enumerate(asked, start=1)
    ]
    files.write_lines(files.QUESTIONS, records)
    own = [r for r in records if r["trajectory_id"] == files.AMA_RUN and r["answer"] is not None]
    pairs = [{"question": r["question"], "answer": r["answer"]} for r in own[:AMA_PAIRS]]
    files.write_ama(files.CODING_AMA, runs[files.AMA_RUN], pairs)


def _record(question_id: str, asked: Asked, steps: list[dict[str, Any]]) -> dict[str, Any]:
    answer, matched = asked.answer(steps)
    return {
        "question_id": question_id,
        "trajectory_id": asked.trajectory_id,
        "question": asked.question,
        "form": asked.form,
        "answer": answer,
        "steps": matched,
    }


if __name__ == "__main__":
    main()
