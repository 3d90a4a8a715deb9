"""Other ways to ground and answer the same sub-queries; each returns (rows of each term, steps).

All of them hold the ledger in the form that suits them best before the clock starts: lower-cased,
targets joined, one table or index a trajectory where that helps.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.speed.questions import Asked
    from tallysql.store import Store

Found = tuple[list[int], list[int]]
Answer = "Callable[[Asked], Found]"

ROWS = """
SELECT
    trajectory_id, step, lower(tool) AS tool, lower(act) AS act,
    lower(array_to_string(targets, chr(31))) AS target, outcome
FROM ledger ORDER BY trajectory_id, step, call
"""
CONDITIONS = {
    "tool": "(contains(lower(tool), ?) OR contains(lower(act), ?))",
    "target": "len(list_filter(targets, lambda t: contains(lower(t), ?))) > 0",
    "outcome": "outcome = ?",
}


def values_of(field: str, text: str) -> list[str]:
    """Return the parameters of a field's condition."""
    return [text, text] if field == "tool" else [text]


def naive(store: Store) -> Callable[[Asked], Found]:
    """One statement for each term, one for the operation, planned each time."""
    connection = store._full()  # the same connection, so that neither has a cache of its own

    def answer(asked: Asked) -> Found:
        base = "FROM ledger WHERE trajectory_id = ?"
        counts = []
        for field, text in asked.terms:
            sql = f"SELECT count(*) {base} AND {CONDITIONS[field]}"
            given = [asked.trajectory, *values_of(field, text)]
            counts.append(connection.execute(sql, given).fetchall()[0][0])
        sql = f"SELECT step {base} AND " + " AND ".join(CONDITIONS[f] for f, _ in asked.terms)
        params: list[str | int] = [
            asked.trajectory,
            *(v for f, t in asked.terms for v in values_of(f, t)),
        ]
        if asked.hi is not None:
            sql, params = f"{sql} AND step <= ?", [*params, asked.hi]
        return counts, [s for (s,) in connection.execute(f"{sql} ORDER BY step", params).fetchall()]

    return answer


def matches(row: dict[str, Any], field: str, text: str) -> bool:
    """Whether a term occurs in a lower-cased row."""
    if field == "tool":
        return text in row["tool"] or text in row["act"]
    return text in row["target"] if field == "target" else row["outcome"] == text


def row_matcher(store: Store) -> Callable[[Asked], Found]:
    """Plain Python over lists of dicts."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in store.arrow(ROWS).to_pylist():
        rows[row["trajectory_id"]].append(row)

    def answer(asked: Asked) -> Found:
        log = rows[asked.trajectory]
        marks = [[matches(row, *term) for row in log] for term in asked.terms]
        chosen = zip(log, *marks, strict=True)
        steps = [row["step"] for row, *hit in chosen if all(hit) and _within(row["step"], asked)]
        return [sum(mark) for mark in marks], steps

    return answer


def _within(step: int, asked: Asked) -> bool:
    return asked.hi is None or step <= asked.hi


def bitmask(store: Store) -> Callable[[Asked], Found]:
    """Python integers as bitmaps: one per distinct value of each field, made before."""
    masks: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in store.arrow(ROWS).to_pylist():
        bit, named = 1 << row["step"], row["trajectory_id"]
        for field, value in (("tool", row["tool"]), ("tool", row["act"])):
            masks[named, field][value] |= bit
        masks[named, "target"][row["target"]] |= bit
        masks[named, "outcome"][row["outcome"]] |= bit

    def answer(asked: Asked) -> Found:
        chosen, counts = -1, []
        for field, text in asked.terms:
            mask = 0
            for value, bits in masks[asked.trajectory, field].items():
                if value == text if field == "outcome" else text in value:
                    mask |= bits
            counts.append(mask.bit_count())
            chosen &= mask
        if asked.hi is not None:
            chosen &= (1 << (asked.hi + 1)) - 1
        digits = bin(chosen)[:1:-1]
        return counts, [step for step, digit in enumerate(digits) if digit == "1"]

    return answer


def sqlite(store: Store) -> Callable[[Asked], Found]:
    """SQLite with an index over trajectories: one statement a question."""
    connection = sqlite3.connect(":memory:")
    columns = "trajectory_id, step, tool, act, target, outcome"
    connection.execute(f"CREATE TABLE ledger ({columns})")
    connection.executemany("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?)", store.rows(ROWS))
    connection.execute("CREATE INDEX logs ON ledger (trajectory_id, step)")
    told = {
        "tool": "(instr(tool, ?) > 0 OR instr(act, ?) > 0)",
        "target": "instr(target, ?) > 0",
        "outcome": "outcome = ?",
    }

    def answer(asked: Asked) -> Found:
        marks = ", ".join(told[field] for field, _ in asked.terms)
        params = [v for f, t in asked.terms for v in values_of(f, t)]
        sql = f"SELECT step, {marks} FROM ledger WHERE trajectory_id = ? ORDER BY step"
        rows = connection.execute(sql, [*params, asked.trajectory]).fetchall()
        counts = [sum(column) for column in list(zip(*rows, strict=True))[1:]]
        return counts, [step for step, *hit in rows if all(hit) and _within(step, asked)]

    return answer


def pandas(store: Store) -> Callable[[Asked], Found]:
    """A data frame a trajectory."""
    whole = store.arrow(ROWS).to_pandas()
    frames = dict(iter(whole.groupby("trajectory_id")))

    def answer(asked: Asked) -> Found:
        frame = frames[asked.trajectory]
        marks = [_mark(frame, *term) for term in asked.terms]
        chosen = frame["step"] <= asked.hi if asked.hi is not None else frame["step"] >= 0
        for mark in marks:
            chosen &= mark
        return [int(mark.sum()) for mark in marks], frame["step"][chosen].tolist()

    return answer


def _mark(frame: Any, field: str, text: str) -> Any:
    if field == "outcome":
        return frame["outcome"] == text
    mark = frame[field].str.contains(text, regex=False)
    return mark | frame["act"].str.contains(text, regex=False) if field == "tool" else mark


def polars(store: Store) -> Callable[[Asked], Found]:
    """A data frame a trajectory."""
    import polars as pl

    whole = pl.from_arrow(store.arrow(ROWS))
    assert isinstance(whole, pl.DataFrame)
    frames = {str(key[0]): frame for key, frame in whole.group_by("trajectory_id")}

    def answer(asked: Asked) -> Found:
        return polars_answer(frames[asked.trajectory], asked)

    return answer


def polars_answer(frame: Any, asked: Asked) -> Found:
    """Ground and select in one polars plan."""
    import polars as pl

    def mark(field: str, text: str) -> Any:
        if field == "outcome":
            return pl.col("outcome") == text
        found = pl.col(field).str.contains(text, literal=True)
        act = pl.col("act").str.contains(text, literal=True)
        return found | act if field == "tool" else found

    marks = [mark(*term) for term in asked.terms]
    scope = pl.col("step") <= asked.hi if asked.hi is not None else pl.lit(value=True)
    row = frame.select(
        *(m.sum().alias(str(n)) for n, m in enumerate(marks)),
        pl.col("step").filter(pl.all_horizontal(scope, *marks)).implode().alias("steps"),
    ).row(0)
    return list(row[:-1]), list(row[-1])


CONTENDERS: dict[str, Callable[[Store], Callable[[Asked], Found]]] = {
    "naive SQL": naive,
    "Python row matcher": row_matcher,
    "Python bitmask": bitmask,
    "SQLite": sqlite,
    "pandas": pandas,
    "polars": polars,
}
