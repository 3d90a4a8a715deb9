"""Self-consistency: several plans of one question, and the executed outputs that they agree on.

The greedy plan and four samples at temperature 0.7; a sub-query stays if at least three plans have
one with an identical executed output (paper, appendix C).
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from tallysql.compiling.compilation import Compilation, TraceEntry
from tallysql.compiling.model import compilation_of, compile_with_model
from tallysql.errors import ModelError
from tallysql.llm.chat import Usage
from tallysql.plan.nodes import MAX_QUERIES, Declined, Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tallysql.engine.results import Result
    from tallysql.ledger.catalog import Catalog
    from tallysql.llm.models import Models
    from tallysql.plan.nodes import Query
    from tallysql.plan.profiles import Profile

TEMPERATURES = (0.0, 0.7, 0.7, 0.7, 0.7)
QUORUM = 3


def compile_by_vote(
    question: str,
    catalog: Catalog,
    profile: Profile,
    models: Models,
    execute: Callable[[Plan], Sequence[Result]],
) -> tuple[Compilation, Usage]:
    """Compile a question five times and keep what a majority of executed outputs supports.

    Args:
        question: as asked.
        catalog: the vocabulary of the trajectory's ledger.
        profile: what plans may say.
        models: calls the role `compile`.
        execute: runs a plan over the ledger; results in the order of its sub-queries.

    Raises:
        ModelError: so many calls failed that no quorum is left; the last failure.
    """
    plans, usage, failure = _plans(question, catalog, profile, models)
    if len(plans) < QUORUM:
        assert failure is not None
        raise failure
    kept, votes = _supported([execute(plan) for plan in plans if isinstance(plan, Plan)])
    declines = [plan for plan in plans if isinstance(plan, Declined)]
    tally = f"{len(plans)} of {len(TEMPERATURES)} plans, {len(declines)} declined"
    if not kept:
        reason = declines[0].reason if len(declines) >= QUORUM else f"no quorum: {tally}"
        return compilation_of(Declined(reason), TraceEntry(question, tally)), usage
    became = f"{tally}; kept outputs have {', '.join(map(str, votes))} votes"
    return compilation_of(Plan(tuple(kept)), TraceEntry(question, became)), usage


def _plans(
    question: str, catalog: Catalog, profile: Profile, models: Models
) -> tuple[list[Plan | Declined], Usage, ModelError | None]:
    plans: list[Plan | Declined] = []
    usage, failure = Usage(), None
    for sample, temperature in enumerate(TEMPERATURES):
        try:
            compilation, used = compile_with_model(
                question, catalog, profile, models, temperature=temperature, sample=sample
            )
        except ModelError as error:
            failure = error
        else:
            plans.append(compilation.plan)
            usage += used
    return plans, usage, failure


def _supported(executed: Sequence[Sequence[Result]]) -> tuple[list[Query], list[int]]:
    """Return the sub-queries whose output has a quorum, in order of first appearance."""
    first: dict[str, Query] = {}
    votes: Counter[str] = Counter()
    for results in executed:
        outputs = {_output(result): result.query for result in results if result.survives}
        votes.update(outputs.keys())
        first = outputs | first
    kept = [output for output in first if votes[output] >= QUORUM][:MAX_QUERIES]
    return [first[output] for output in kept], [votes[output] for output in kept]


def _output(result: Result) -> str:
    """Return an executed output in a form that can be compared: operation, value and steps."""
    return json.dumps([result.op, result.value, result.steps], sort_keys=True, default=str)
