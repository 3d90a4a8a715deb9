"""What is measured: each section yields rows of (name, seconds, of how many)."""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.speed.contenders import CONTENDERS, ROWS, polars_answer
from benchmarks.speed.questions import Asked, questions
from tallysql.engine.batch import execute_batch
from tallysql.engine.execute import execute
from tallysql.engine.fleet import execute_many
from tallysql.lowering.partition import over_many
from tallysql.lowering.survey import lower_survey
from tallysql.plan.nodes import Plan
from tallysql.plan.parse import parse_plan
from tallysql.plan.profiles import REFINED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.speed.contenders import Found
    from tallysql.store import Store

Timing = tuple[str, float]
"""Name and CPU seconds a question (or a run), the median of several."""

RUNS = 5
READ = """
SELECT trajectory_id, step, tool, act, targets, outcome, error, exit_code, is_copied FROM ledger
"""
ONE_SCAN = "SELECT count(*) FROM ledger WHERE contains(lower(raw), $term)"


def plan_of(asked: Asked) -> Plan:
    """Return the checked plan of a question."""
    plan = parse_plan(asked.plan(), REFINED)
    assert isinstance(plan, Plan)
    return plan


def timed(run: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median CPU seconds of several runs, after one that is not counted."""
    run()
    taken = []
    for _ in range(runs):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return median(taken)


def single(store: Store, trajectories: int, steps: int, number: int = 150) -> Iterator[Timing]:
    """One question after the other; every contender gives the same answers."""
    asked = questions(number, trajectories, steps)
    plans = [(one.trajectory, plan_of(one)) for one in asked]

    def ours() -> list[Found]:
        found = (execute(store, named, plan, REFINED)[0] for named, plan in plans)
        return [([term.rows for term in one.grounding], list(one.steps)) for one in found]

    def surveys() -> None:
        for named, plan in plans:
            statement = lower_survey(plan.queries[0], REFINED, named, {})
            store.quick_rows(statement.sql, statement.params)

    expected = ours()
    yield "tallysql", timed(ours) / number
    yield "tallysql, statement alone", timed(surveys) / number
    for name, make in CONTENDERS.items():
        answer = make(store)
        for one, (counts, found) in zip(asked, expected, strict=True):
            told = answer(one)
            grounded = all(told[0])
            assert told[0] == counts, (name, one, told, counts)
            assert not grounded or told[1] == found, (name, one, told, found)
        yield name, timed(lambda answer=answer: [answer(one) for one in asked]) / number  # type: ignore[misc]


def batch(store: Store, trajectories: int, steps: int, number: int) -> Iterator[Timing]:
    """Many questions at once, from plans to results; the others give steps and counts alone."""
    asked = questions(number, trajectories, steps)
    plans = [(one.trajectory, plan_of(one)) for one in asked]
    yield (
        "tallysql, one by one",
        timed(lambda: [execute(store, *one, REFINED) for one in plans[:300]], 3) / 300,
    )
    run = timed(lambda: list(execute_batch(store, plans, REFINED)), 3)
    yield f"tallysql, {number} at once", run / number
    for name in ("Python row matcher", "Python bitmask"):
        answer = CONTENDERS[name](store)
        yield name, timed(lambda answer=answer: [answer(one) for one in asked], 3) / number  # type: ignore[misc]


def fleet(store: Store, trajectories: int, steps: int) -> Iterator[Timing]:
    """One plan over all trajectories."""
    ids = [f"run-{number:06d}" for number in range(trajectories)]
    asked = Asked("", "count", (("outcome", "failure"), ("tool", "pytest")), None)
    plan = plan_of(asked)
    many = over_many(lower_survey(plan.queries[0], REFINED, "", {}), None).statement
    yield "reading the columns", timed(lambda: store.arrow(READ))
    yield "tallysql, the statement", timed(lambda: store.arrow(many.sql, many.params))
    yield (
        "tallysql, all results",
        timed(lambda: list(execute_many(store, ids, plan, REFINED, every=True)), 3),
    )
    some = ids[:: max(1, trajectories // 100)]
    loop = timed(lambda: [execute(store, named, plan, REFINED) for named in some], 3)
    yield "tallysql, one by one", loop * trajectories / len(some)


def large(store: Store, rows: int) -> Iterator[Timing]:
    """A plan of several terms over one long trajectory."""
    import polars as pl

    terms = (("outcome", "failure"), ("target", "cabinet 9"), ("tool", "open"))
    asked = Asked("run-000000", "count", terms, rows // 2)
    plan = plan_of(asked)
    frame = pl.from_arrow(store.arrow(ROWS))
    yield "one scan for a text", timed(lambda: store.rows(ONE_SCAN, {"term": "cabinet 9"}))
    yield "tallysql", timed(lambda: execute(store, "run-000000", plan, REFINED))
    yield "polars", timed(lambda: polars_answer(frame, asked))


def startup(path: str) -> Iterator[Timing]:
    """Whole processes, interpreter included."""
    for name, given in (
        ("--help", ["--help"]),
        ("ask", ["ask", "How many go actions?", "-t", "run-000007", "--db", path]),
    ):
        command = [sys.executable, "-m", "tallysql", *given]
        taken = []
        for _ in range(RUNS):
            start = _of_children()
            subprocess.run(command, check=True, capture_output=True)
            taken.append(_of_children() - start)
        yield name, median(taken)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def described(found: dict[str, list[Timing]]) -> dict[str, Any]:
    """Return sections as {section: {name: {seconds, ratio}}}; the ratio is to the first row."""
    return {
        section: {
            name: {"seconds": seconds, "ratio": seconds / timings[0][1]}
            for name, seconds in timings
        }
        for section, timings in found.items()
    }
