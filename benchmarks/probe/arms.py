"""What is measured: each arm turns a question into an answer and candidate event sets.

- `rules:PROFILE`: the rules compiler, with the computed reader.
- `counter`: no compiler; events by tool within the stated bound.
- `MODULE:FUNCTION[:PROFILE]`: any compiler, `compile(question, catalog, profile) -> Compilation`.
- `answers:FILE`: answer records that `tallysql answer` wrote for the same question file.
"""

from __future__ import annotations

import importlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tallysql.answering.computed import computed_answer
from tallysql.compiling.rules import Range, compile_question, parse_scope
from tallysql.engine.execute import execute
from tallysql.errors import TallyError
from tallysql.plan.nodes import Declined, Plan, Query, Scope
from tallysql.plan.profiles import REFINED, profile_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.probe.generate import Case
    from tallysql.api import Memory
    from tallysql.compiling.compilation import Compilation
    from tallysql.engine.results import Group, Result
    from tallysql.ledger.catalog import Catalog
    from tallysql.plan.profiles import Profile

Steps = tuple[int, ...]


class Compile(Protocol):
    """A compiler: the rules', or a model's with its client bound to it."""

    def __call__(self, question: str, catalog: Catalog, profile: Profile, /) -> Compilation:
        """Compile a question about one trajectory, or decline it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an arm says to one question.

    Attributes:
        answer: None where the arm has none.
        candidates: the steps of each surviving sub-query and of each of its groups; empty where
            there is no evidence.
    """

    answer: str | None
    candidates: tuple[Steps, ...] = ()


def arm_named(spec: str, memory: Memory) -> Callable[[Case], Evidence]:
    """Return the arm of that name over the loaded trajectories.

    Raises:
        ValueError: no such arm.
        UnknownName: no such profile.
    """
    kind, _, rest = spec.partition(":")
    if kind == "counter" and not rest:
        return lambda case: count_by_tool(case, memory)
    if kind == "rules":
        return compiled(compile_question, profile_named(rest or "refined"), memory)
    if kind == "answers" and rest:
        return recorded(Path(rest))
    function, _, profile = rest.partition(":")
    if not function:
        raise ValueError(f"no arm {spec!r}; rules:PROFILE, counter, MODULE:FUNCTION, answers:FILE")
    compiler = getattr(importlib.import_module(kind), function, None)
    if compiler is None:
        raise ValueError(f"no arm {spec!r}: {kind} has no {function}")
    return compiled(compiler, profile_named(profile or "refined"), memory)


def compiled(compiler: Compile, profile: Profile, memory: Memory) -> Callable[[Case], Evidence]:
    """Return the arm of a compiler: compile, execute, and let the computed reader answer."""

    def ask(case: Case) -> Evidence:
        name = case["trajectory_id"]
        try:
            compilation = compiler(case["question"], memory.catalog(name), profile)
            if isinstance(compilation.plan, Declined):
                return Evidence(None)
            results = execute(memory.store, name, compilation.plan, profile)
        except TallyError:
            return Evidence(None)  # as in an answer record: an error is no evidence
        return Evidence(computed_answer(compilation, results), candidates(results))

    return ask


def candidates(results: Iterable[Result]) -> tuple[Steps, ...]:
    """Return the event sets that the evidence shows: sub-queries and their groups."""
    return tuple(
        steps
        for result in results
        if result.survives
        for steps in (result.steps, *(group.steps for group in result.groups))
    )


def recorded(path: Path) -> Callable[[Case], Evidence]:
    """Return the arm of answers on file; a question without a record has no evidence."""
    records = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    evidence = {record["question_id"]: _from_record(record) for record in records}
    return lambda case: evidence.get(case["question_id"], Evidence(None))


def _from_record(record: dict[str, Any]) -> Evidence:
    shown = [r for r in record["results"] if r["state"] in {"ok", "relaxed", "verified_zero"}]
    sets = [steps for r in shown for steps in (r["steps"], *(g["steps"] for g in r["groups"]))]
    return Evidence(record["answer"], tuple(map(tuple, sets)))


def count_by_tool(case: Case, memory: Memory) -> Evidence:
    """Run the one plan of the fixed counter: group by tool within the bound that is stated.

    It has no compiler, and so no answer form: the form is the case's, and the group is the one
    whose name shares a word with the question.
    """
    name = case["trajectory_id"]
    catalog = memory.catalog(name)
    bounds = parse_scope(case["question"], Range(catalog.first_step or 0, catalog.last_step))
    query = Query("group", scope=Scope(bounds.lo, bounds.hi), by="tool")
    results = execute(memory.store, name, Plan((query,)), REFINED)
    groups = [group for result in results if result.survives for group in result.groups]
    return Evidence(read_off(case, groups), candidates(results))


def read_off(case: Case, groups: Sequence[Group]) -> str | None:
    """Read an answer off a table of tools; None where no tool's name is in the question."""
    if case["op"] == "group":
        return ", ".join(f"{group.key}: {group.count}" for group in groups)
    asked = set(re.findall(r"[a-z]+", case["question"].lower()))
    shared = {group.key: len(asked & set(group.key.lower().split("_"))) for group in groups}
    group = max(groups, key=lambda group: shared[group.key], default=None)
    if group is None or not shared[group.key]:
        return None
    texts = {
        "count": str(group.count),
        "first": str(group.steps[0]),
        "last": str(group.steps[-1]),
        "list": ", ".join(map(str, group.steps)),
    }
    return texts.get(case["op"])
