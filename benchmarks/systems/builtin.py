"""The systems that tallysql itself has: views, retrieval by words, and computed evidence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from benchmarks.systems.interface import Bench, CannotRun, Context
from benchmarks.systems.plans import plan_of
from tallysql.answering.contexts import Contexts
from tallysql.answering.prompt import quoted
from tallysql.answering.route import parse_route
from tallysql.engine.evidence import render
from tallysql.engine.execute import aggregation_load
from tallysql.llm.chat import Usage
from tallysql.reading.settings import ViewSettings

if TYPE_CHECKING:
    from tallysql.answering.questions import Question
    from tallysql.answering.systems import Choices
    from tallysql.reading.view import View

COMPUTED = ("aggregation_load", "plan", "results", "trace", "evidence")
"""Fields of a computed record that a system's record takes over."""

ENUMERATE = (
    "First list every step that counts towards the answer, one by one, with its number; then count "
    "the list; then give the answer."
)


class Viewed:
    """Contexts that need no model: the reading view, long context, retrieval by words.

    Args:
        system: tm, long-context or bm25.
        settings: of the view.
        request: a remark before the question.
    """

    def __init__(
        self, bench: Bench, system: Any, settings: ViewSettings | None = None, request: str = ""
    ) -> None:
        chosen = replace(settings or ViewSettings(), budget=bench.budget)
        self._contexts = Contexts(bench.memory.store, chosen)
        self._system = system
        self._request = request

    def build(self, trajectory_id: str) -> Usage:
        """Read the index."""
        self._contexts.index(trajectory_id)
        return Usage()

    def context(self, question: Question) -> Context:
        """Return the view."""
        view = self.view(question)
        return Context(quoted(view), request=self._request, tokens=view.tokens)

    def view(self, question: Question) -> View:
        """Return the view with its spans."""
        return self._contexts.of(self._system, question.question, question.trajectory_id)


@dataclass(frozen=True, slots=True)
class Computing:
    """The view, and the evidence of a compiled plan where the router attaches it."""

    bench: Bench
    choices: Choices

    def build(self, trajectory_id: str) -> Usage:
        """Read the catalog; annotation, where there is any, came before."""
        self.bench.memory.catalog(trajectory_id)
        return Usage()

    def context(self, question: Question) -> Context:
        """Compile and execute without a reader; the view is tm's."""
        choices: Choices = {**self.choices, "budget": self.bench.budget}
        route = parse_route(choices.get("route", "load"))
        asked: Choices = {**choices, "reader": "computed"}
        one, name = question.question, question.trajectory_id
        record = self.bench.memory.ask(one, name, **asked)
        view = self.bench.memory.view(one, name, **choices)
        attached = route.attaches(record["evidence"], record["aggregation_load"])
        return Context(
            quoted(view),
            record["evidence"] if attached else "",
            usage=Usage(**record["usage"].get("compile", {})),
            record={key: record[key] for key in COMPUTED},
            tokens=view.tokens,
        )


@dataclass(frozen=True, slots=True)
class CorrectPlan:
    """The view with the evidence of the plan that a probe question's template stands for."""

    bench: Bench

    def build(self, trajectory_id: str) -> Usage:
        """Read the catalog."""
        self.bench.memory.catalog(trajectory_id)
        return Usage()

    def context(self, question: Question) -> Context:
        """Execute the template's plan with parameters that stand in the question.

        Raises:
            CannotRun: the question was not made by a template of the probe.
        """
        facts = self.bench.facts.get(question.question_id, {})
        plan = plan_of(facts)
        if plan is None:
            raise CannotRun("no template of the probe made this question")
        results = self.bench.memory.run(plan, question.trajectory_id)
        evidence = render(results)
        view = self.bench.memory.view(
            question.question, question.trajectory_id, budget=self.bench.budget
        )
        record = {
            "plan": plan,
            "results": [result.as_dict() for result in results],
            "evidence": evidence,
            "aggregation_load": aggregation_load(results),
        }
        return Context(quoted(view), evidence, record=record, tokens=view.tokens)
