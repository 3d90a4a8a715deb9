"""Answer records: one question through compile, execute, render and read.

The record's shape is stable; see docs/architecture.md, "Answering".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tallysql.answering.computed import computed_answer
from tallysql.answering.contexts import Contexts
from tallysql.answering.counter import count_by_tool
from tallysql.answering.systems import COMPUTING
from tallysql.compiling.rules import compile_question
from tallysql.engine.evidence import render
from tallysql.engine.execute import aggregation_load, execute
from tallysql.errors import TallyError, UnknownName
from tallysql.ledger.catalog import load_catalog
from tallysql.plan.nodes import Declined
from tallysql.plan.parse import plan_to_json
from tallysql.plan.profiles import REFINED, Profile
from tallysql.reading.settings import BUDGET, ViewSettings
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallysql.answering.questions import Question
    from tallysql.answering.resume import Fingerprints
    from tallysql.answering.systems import System
    from tallysql.compiling.compilation import Compilation
    from tallysql.engine.results import Result
    from tallysql.ledger.catalog import Catalog
    from tallysql.reading.view import View
    from tallysql.store import Store

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How questions are answered: the same names as the command line's options."""

    system: System = "tallymem"
    budget: int = BUDGET
    profile: Profile = REFINED
    compiler: Literal["rules"] = "rules"
    reader: Literal["computed"] = "computed"


class Answerer:
    """Answers questions over one open store; keeps the catalogs that it has read.

    Args:
        store: an open database with ledgers.
        settings: system, profile, compiler and reader.
    """

    def __init__(self, store: Store, settings: AnswerSettings | None = None) -> None:
        self._store = store
        self._settings = settings or AnswerSettings()
        self._catalogs: dict[str, Catalog] = {}
        self._contexts: Contexts | None = None

    def catalog(self, trajectory_id: str) -> Catalog:
        """Return the catalog of one trajectory.

        Raises:
            UnknownName: there is no such trajectory; the hint names near ids.
        """
        if trajectory_id not in self._catalogs:
            require_trajectory(self._store, trajectory_id)
            self._catalogs[trajectory_id] = load_catalog(self._store, trajectory_id)
        return self._catalogs[trajectory_id]

    def fingerprints(self, questions: Iterable[Question]) -> Fingerprints:
        """Return what tells whether the trajectories asked about are as they were."""
        asked = sorted({question.trajectory_id for question in questions})
        text = query("catalog/fingerprints").text
        found: dict[str, str] = dict(self._store.rows(text, {"trajectory_ids": asked}))
        return {trajectory_id: found.get(trajectory_id) for trajectory_id in asked}

    def compile(self, question: str, trajectory_id: str) -> Compilation:
        """Compile one question against the trajectory's catalog."""
        if self._settings.system == "counter":
            return count_by_tool(question, self.catalog(trajectory_id))
        return compile_question(question, self.catalog(trajectory_id), self._settings.profile)

    def answer(self, question: Question) -> Record:
        """Answer one question; a failure becomes a record with status `error`."""
        try:
            if self._settings.system not in COMPUTING:
                return self._unread(question)
            compilation = self.compile(question.question, question.trajectory_id)
            results = self._results(compilation, question.trajectory_id)
            return self._record(question, compilation, results)
        except TallyError as error:
            hint = f" ({error.hint})" if error.hint else ""
            return self.blank(question) | {"status": "error", "error": error.message + hint}

    def context(self, question: str, trajectory_id: str) -> View:
        """Return the context that a reader would get; `tallymem` adds evidence to it.

        Raises:
            UnknownName: there is no such trajectory.
        """
        require_trajectory(self._store, trajectory_id)
        if self._contexts is None:
            settings = ViewSettings(budget=self._settings.budget)
            self._contexts = Contexts(self._store, settings)
        return self._contexts.of(self._settings.system, question, trajectory_id)

    def _unread(self, question: Question) -> Record:
        """Return the record of a system that needs a model to read what it found."""
        view = self.context(question.question, question.trajectory_id)
        record = self.blank(question)
        record["usage"] |= {"context_tokens": view.tokens, "tokenizer": view.tokenizer}
        return record

    def _limits(self) -> dict[str, int]:
        """Return what bounds the use of tokens: nothing where no context is made."""
        return {} if self._settings.system in COMPUTING else {"budget": self._settings.budget}

    def _results(self, compilation: Compilation, trajectory_id: str) -> tuple[Result, ...]:
        if isinstance(compilation.plan, Declined):
            return ()
        return execute(self._store, trajectory_id, compilation.plan, self._settings.profile)

    def _record(
        self, question: Question, compilation: Compilation, results: tuple[Result, ...]
    ) -> Record:
        answer = computed_answer(compilation, results)
        return self.blank(question) | {
            "answer": answer,
            "status": "no_evidence" if answer is None else "computed",
            "aggregation_load": aggregation_load(results),
            "plan": plan_to_json(compilation.plan),
            "results": [result.as_dict() for result in results],
            "trace": [{"text": t.text, "became": t.became} for t in compilation.trace],
            "evidence": render(results),
        }

    def blank(self, question: Question) -> Record:
        """Return the record of a question that nothing has been found out about."""
        return {
            "question_id": question.question_id,
            "trajectory_id": question.trajectory_id,
            "question": question.question,
            "answer": None,
            "status": "no_evidence",
            "system": self._settings.system,
            "profile": self._settings.profile.name,
            "compiler": self._settings.compiler,
            "reader": self._settings.reader,
            "aggregation_load": None,
            "plan": None,
            "results": [],
            "trace": [],
            "evidence": "",
            "usage": self._limits(),
            "error": None,
        }


def trajectory_ids(store: Store) -> list[str]:
    """Return all trajectory ids, sorted."""
    return [found for (found,) in store.rows(query("catalog/trajectory_ids").text)]


def require_trajectory(store: Store, trajectory_id: str) -> None:
    """Check that a trajectory exists.

    Raises:
        UnknownName: there is none of that id; the hint names near ids.
    """
    ids = trajectory_ids(store)
    if trajectory_id not in ids:
        raise UnknownName("trajectory", trajectory_id, ids)
