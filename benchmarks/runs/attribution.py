"""Why answers are wrong, as far as a program can tell (paper, appendix O).

An error without computed evidence has its cause in the record: the compiler declined or failed, or
no sub-query was grounded or matched. With evidence, an answer that says another value than the
evidence contradicts it; else evidence that was cut may be the cause. What is left waits for a label
by hand, of which the first that applies is given.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from benchmarks.probe.metrics import best_candidate
from benchmarks.runs.folder import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.runs.folder import Row, RunFolder
    from tallysql.scoring.references import Reference

CAUSES = (
    "missing",
    "declined",
    "ungrounded",
    "empty",
    "failed",
    "no plan",
    "contradicts evidence",
    "evidence truncated",
    "to label",
)
LABELS = (
    ("reference or judge", "the answer agrees with the log; the reference or the judge is wrong"),
    ("answering", "the evidence states all that is required, or the answer contradicts it"),
    ("partial coverage", "the evidence is right; the error lies in what it does not cover"),
    ("specification", "scope, filter or operation do not express what is asked for"),
    ("ledger", "the plan expresses it, but rows of the ledger are wrong"),
    ("truncation", "a right result was cut by the budget"),
    ("unclear", "none of these can be told"),
)
"""Labels in the order in which they are tried; the first that applies is given."""

SURVIVING = frozenset({"ok", "relaxed", "verified_zero"})
_CUT = re.compile(r"^… \d+ more .+ left out$|… \(\d+ characters left out\)", re.MULTILINE)
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.]*\w)")
_PAIR = re.compile(r"([^,;:]+?)\s*:\s*(\d+)\s*(?=[,;]|$)")


def cause_of(record: Row | None) -> str:
    """Return one of CAUSES for an answer that is not right."""
    if record is None:
        return "missing"
    if not record.get("evidence"):
        return _without_evidence(record)
    surviving = [r for r in record["results"] if r["state"] in SURVIVING]
    if any(contradicts(record.get("answer"), result) for result in surviving):
        return "contradicts evidence"
    if _CUT.search(record["evidence"]):
        return "evidence truncated"
    return "to label"


def _without_evidence(record: Row) -> str:
    plan = record.get("plan")
    if record.get("status") == "error":
        return "failed"
    if plan is None:
        return "no plan"
    if not plan.get("applicable"):
        return "failed" if plan.get("reason") == "not compiled" else "declined"
    states = {result["state"] for result in record["results"]}
    return "ungrounded" if states <= {"ungrounded"} else "empty"


def contradicts(answer: str | None, result: Row) -> bool:
    """Whether an answer states other values than a result: both are read, and compared.

    A count, a first or a last contradicts an answer that has numbers, but not this one; a list one
    that is a list of other steps; a table one that gives a name of its own another count.
    """
    if not answer:
        return False
    op, value = result["op"], result["value"]
    if op in {"count", "first", "last"} and isinstance(value, int):
        numbers = {int(number) for number in _NUMBER.findall(answer)}
        return bool(numbers) and value not in numbers
    if op == "list":
        said = [part.strip() for part in answer.split(",")]
        return all(part.isdigit() for part in said) and list(map(int, said)) != value
    if op in {"group", "top"}:
        counted = {group["key"].lower(): group["count"] for group in result["groups"]}
        stated = {name.strip().lower(): int(count) for name, count in _PAIR.findall(answer)}
        return any(counted[name] != stated[name] for name in counted.keys() & stated.keys())
    return False


def attribute(
    folder: RunFolder, wrong: dict[str, Sequence[str]], references: Sequence[Reference]
) -> Row:
    """Write and return the causes of every system's errors.

    Args:
        folder: with the answers, and the labels given so far.
        wrong: by system, the ids of the questions that it does not answer rightly.
        references: with gold event sets where they are known.

    Returns:
        `{"systems": {name: {errors, causes, labels, defensible}}, "cases": [{system, question_id,
        cause, label}], "count_errors": {name: {…}}}`.
    """
    labels = {(row["system"], row["question_id"]): row for row in read_labels(folder)}
    systems, cases = {}, []
    for name, ids in wrong.items():
        records = {record["question_id"]: record for record in folder.records(name)}
        causes: Counter[str] = Counter()
        given: Counter[str] = Counter()
        defensible = 0
        for question_id in ids:
            cause = cause_of(records.get(question_id))
            label = labels.get((name, question_id), {}) if cause == "to label" else {}
            causes[cause] += 1
            given[label.get("label", "not labelled")] += cause == "to label"
            defensible += bool(label.get("defensible"))
            case = {"system": name, "question_id": question_id, "cause": cause}
            cases.append(case | {"label": label.get("label")})
        systems[name] = {
            "errors": len(ids),
            "causes": {name: causes[name] for name in CAUSES if causes[name]},
            "labels": {name: count for name, count in given.items() if count},
            "defensible": defensible,
        }
    counts = {name: count_errors(references, folder.records(name)) for name in wrong}
    found = {"systems": systems, "cases": cases}
    found["count_errors"] = {name: row for name, row in counts.items() if row is not None}
    folder.write("attribution.json", found)
    return found


def count_errors(references: Iterable[Reference], records: Iterable[Row]) -> Row | None:
    """Split count errors into events that are too many and events that are missed.

    Over questions for a count whose events are known and that have evidence: |S| - |S*| is extra
    minus missed, and both may hide behind an equal count. S is the candidate nearest to S*.
    """
    golds = {
        reference.question.question_id: frozenset(reference.facts["gold_steps"])
        for reference in references
        if reference.facts.get("gold_steps") is not None and reference.facts.get("op") == "count"
    }
    errors = []
    for record in records:
        gold = golds.get(record["question_id"])
        found = best_candidate(gold, candidates(record)) if gold is not None else None
        if gold is not None and found is not None:
            errors.append((len(found - gold), len(gold - found)))
    if not errors:
        return None
    return {
        "counts": len(errors),
        "exact": sum(extra == missed == 0 for extra, missed in errors),
        "cancelling": sum(extra == missed > 0 for extra, missed in errors),
        "extra": sum(extra for extra, _ in errors),
        "missed": sum(missed for _, missed in errors),
    }


def candidates(record: Row) -> list[tuple[int, ...]]:
    """Return the event sets that a record's evidence shows: sub-queries and their groups."""
    return [
        tuple(steps)
        for result in record.get("results") or ()
        if result["state"] in SURVIVING
        for steps in (result["steps"], *(group["steps"] for group in result["groups"]))
    ]


def read_labels(folder: RunFolder) -> list[Row]:
    """Return the labels that were given by hand: system, question_id, label, defensible, note.

    Raises:
        ValueError: a label that does not exist.
    """
    place = folder.path / "labels.jsonl"
    rows = read_lines(place) if place.exists() else []
    known = {name for name, _ in LABELS}
    for number, row in enumerate(rows, start=1):
        if row.get("label") not in known:
            raise ValueError(f"{place}: record {number}: field label: {row.get('label')!r}")
    return rows


def by_question(cases: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Return question id → system → case."""
    found: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for case in cases:
        found[case["question_id"]][case["system"]] = case
    return found
