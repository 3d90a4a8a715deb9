"""What a page holds of each question, compressed in pieces that it unpacks when they are opened.

A piece is gzip in base64: text in a page that no markup can come out of, and about a tenth of the
size. The page opens with the list alone; a question's piece is unpacked when it is opened.
"""

from __future__ import annotations

import base64
import gzip
import json
from typing import TYPE_CHECKING, Any

from benchmarks.runs.attribution import by_question
from tallysql.scoring.load import load_bin

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.runs.folder import Row, RunFolder
    from tallysql.scoring.references import Reference

PIECE = 40
"""Questions in one piece."""

SHOWN = 6_000
"""Characters of a prompt that the page holds; the rest is in the folder, under its hash."""

STEPS_SHOWN = 400
KEPT = ("plan", "evidence", "usage", "trace", "error", "status", "answer", "aggregation_load")
RESULT = ("state", "reason", "op", "value", "matched", "sql", "params")

Details = "Mapping[tuple[str, str], list[Row]]"


def packed(content: Any) -> str:
    """Return content as gzip in base64, the same bytes for the same content."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    raw = text.encode("utf-8", "replace")
    return base64.b64encode(gzip.compress(raw, 6, mtime=0)).decode("ascii")


def listed(
    references: Sequence[Reference],
    scores: Mapping[tuple[str, str], float | None],
    systems: Sequence[str],
    loads: Mapping[str, Any],
    causes: Mapping[tuple[str, str], str],
) -> list[Row]:
    """Return what the list shows of each question: ids, text, groups, and who is right.

    `scores` are those of the deciding metric by system and question; `marks` has a letter a system:
    1 right, 0 wrong, - not defined, ? unjudged.
    """
    rows = []
    for reference in references:
        question = reference.question
        marks = "".join(_mark(scores, name, question.question_id) for name in systems)
        rows.append(
            {
                "id": question.question_id,
                "trajectory": question.trajectory_id,
                "question": question.question,
                "domain": str(reference.facts.get("domain") or reference.facts.get("op") or ""),
                "template": str(
                    reference.facts.get("template") or reference.facts.get("family") or ""
                ),
                "load": load_bin(loads.get(question.question_id)),
                "marks": marks,
                "causes": [causes.get((name, question.question_id), "") for name in systems],
            }
        )
    return rows


def _mark(scores: Mapping[tuple[str, str], float | None], name: str, question_id: str) -> str:
    if (name, question_id) not in scores:
        return "-"
    score = scores[name, question_id]
    return "?" if score is None else "1" if score == 1 else "0"


def pieces(
    folder: RunFolder, references: Sequence[Reference], systems: Sequence[str], details: Any
) -> Iterator[str]:
    """Yield the packed pieces, in the order of the questions."""
    records = {
        name: {record["question_id"]: record for record in folder.records(name)} for name in systems
    }
    # Prompts are the bulk of a run: a page holds those of one system's context.
    prompts = {name: _prompts(folder, name) for name in systems if folder.prompts(name).exists()}
    if not prompts and folder.prompts("tm").exists():
        prompts = {"tm": _prompts(folder, "tm")}
    cases = by_question((folder.read("attribution.json") or {}).get("cases", ()))
    for start in range(0, len(references), PIECE):
        rows = []
        for reference in references[start : start + PIECE]:
            question_id = reference.question.question_id
            answers = {name: _answer(records[name].get(question_id)) for name in systems}
            rows.append(
                {
                    "reference": reference.answer,
                    "facts": _facts(reference),
                    "answers": answers,
                    "scores": {name: details.get((name, question_id), []) for name in systems},
                    "causes": cases.get(question_id, {}),
                    "prompts": {
                        name: found[question_id]
                        for name, found in prompts.items()
                        if question_id in found
                    },
                }
            )
        yield packed(rows)


def _facts(reference: Reference) -> Row:
    """Return the short facts of a question; its task may be long and is left to the folder."""
    return {
        name: value
        for name, value in reference.facts.items()
        if name not in {"answer", "reference", "question", "task"} and value is not None
    }


def _answer(record: Row | None) -> Row | None:
    if record is None:
        return None
    kept = {name: record.get(name) for name in KEPT}
    kept["results"] = [_result(result) for result in record.get("results") or ()]
    return kept


def _result(result: Row) -> Row:
    """Return a result with its first steps and groups; how many are left out is said."""
    kept = {name: result.get(name) for name in RESULT}
    steps, value = result["steps"], kept["value"]
    kept["steps"], kept["more"] = steps[:STEPS_SHOWN], max(0, len(steps) - STEPS_SHOWN)
    if isinstance(value, list):
        kept["value"], kept["values_more"] = value[:40], max(0, len(value) - 40)
    return kept


def _prompts(folder: RunFolder, name: str) -> dict[str, Row]:
    return {
        question_id: {
            "hash": row["hash"],
            "tokens": row["tokens"],
            "characters": len(row["text"]),
            "text": cut(row["text"]),
        }
        for question_id, row in folder.read_prompts(name).items()
    }


def cut(text: str, room: int = SHOWN) -> str:
    """Return the beginning and the end of a text, and between them how much is left out."""
    if len(text) <= room:
        return text
    head, tail = room * 7 // 10, room * 3 // 10
    return f"{text[:head]}\n[… {len(text) - head - tail} characters left out …]\n{text[-tail:]}"
