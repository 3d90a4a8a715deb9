"""The compilers by name, all with one signature; see docs/architecture.md, "Model path"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tallysql.answering.counter import count_by_tool
from tallysql.compiling.compilation import Compilation, TraceEntry
from tallysql.compiling.rules import compile_question
from tallysql.llm.chat import Usage
from tallysql.plan.nodes import Declined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tallysql.engine.results import Result
    from tallysql.ledger.catalog import Catalog
    from tallysql.llm.models import Models
    from tallysql.plan.nodes import Plan
    from tallysql.plan.profiles import Profile


@dataclass(frozen=True, slots=True)
class Task:
    """One question to compile.

    Attributes:
        execute: runs a plan over the question's ledger; voting compares outputs.
    """

    question: str
    catalog: Catalog
    profile: Profile
    models: Models
    execute: Callable[[Plan], Sequence[Result]]


Compiled = tuple[Compilation, Usage]


def compile_by(compiler: str, task: Task) -> Compiled:
    """Compile a question with the compiler (or the counter) of that name.

    Raises:
        ModelError: a model is needed and its call failed.
    """
    return _COMPILERS[compiler](task)


def _count(task: Task) -> Compiled:
    return count_by_tool(task.question, task.catalog), Usage()


def _rules(task: Task) -> Compiled:
    return compile_question(task.question, task.catalog, task.profile), Usage()


def _model(task: Task) -> Compiled:
    from tallysql.compiling.model import compile_with_model

    return compile_with_model(task.question, task.catalog, task.profile, task.models)


def _vote(task: Task) -> Compiled:
    from tallysql.compiling.vote import compile_by_vote

    return compile_by_vote(task.question, task.catalog, task.profile, task.models, task.execute)


def _auto(task: Task) -> Compiled:
    """Rules first; the model where they decline and one is configured."""
    ruled, _ = _rules(task)
    if not isinstance(ruled.plan, Declined) or not task.models.configured("compile"):
        return ruled, Usage()
    compilation, usage = _model(task)
    declined = TraceEntry(task.question, f"declined by the rules: {ruled.plan.reason}")
    return replace(compilation, trace=(declined, *compilation.trace)), usage


_COMPILERS: dict[str, Callable[[Task], Compiled]] = {
    "counter": _count,
    "rules": _rules,
    "model": _model,
    "vote": _vote,
    "auto": _auto,
}
