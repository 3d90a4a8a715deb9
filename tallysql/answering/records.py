"""Answer records: one question through compile, execute, render and read.

The record's shape is stable; see docs/architecture.md, "Answering".
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tallysql.answering.compilers import Compiled, Task, compile_by
from tallysql.answering.computed import computed_answer
from tallysql.answering.prompt import quoted
from tallysql.answering.questions import Question
from tallysql.answering.readers import read_with_model
from tallysql.answering.settings import AnswerSettings
from tallysql.answering.systems import COMPUTING
from tallysql.answering.trajectories import require_trajectory
from tallysql.compiling.compilation import Compilation, TraceEntry
from tallysql.engine.batch import execute_batch
from tallysql.engine.evidence import render
from tallysql.engine.execute import aggregation_load, execute
from tallysql.engine.fleet import execute_many
from tallysql.engine.paths import path_of_many
from tallysql.errors import ModelError, TallyError
from tallysql.ledger.catalog import load_catalog, load_common_catalog
from tallysql.llm.chat import Usage
from tallysql.llm.models import Models
from tallysql.llm.settings import ModelSettings
from tallysql.plan.nodes import Declined, Plan
from tallysql.plan.parse import plan_to_json
from tallysql.reading.settings import ViewSettings
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tallysql.answering.contexts import Contexts
    from tallysql.answering.resume import Fingerprints
    from tallysql.engine.portable import Engine
    from tallysql.engine.results import Result
    from tallysql.ledger.catalog import Catalog
    from tallysql.reading.view import View
    from tallysql.store import Store

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Findings:
    """What compiling and executing a question came to.

    Attributes:
        failure: why there is no plan although the question may well be applicable.
    """

    compilation: Compilation
    results: tuple[Result, ...] = ()
    usage: Usage = field(default_factory=Usage)
    failure: ModelError | None = None

    @property
    def load(self) -> int | None:
        return aggregation_load(self.results)


class Answerer:
    """Answers questions over one open store; keeps the catalogs that it has read.

    Several threads may call `answer` at once: the database serves one of them at a time, and waits
    for models overlap.

    Args:
        store: an open database with ledgers.
        settings: system, profile, compiler, reader and route.
        models: for compilers and readers that need one; nothing is configured if None.
        engine: runs the plans of many questions at once (`prepare`); they run one by one if None.

    Raises:
        InputError: the settings need a model that is not configured.
    """

    def __init__(
        self,
        store: Store,
        settings: AnswerSettings | None = None,
        models: Models | None = None,
        engine: Engine | None = None,
    ) -> None:
        self._engine = engine
        self._prepared: dict[Question, _Findings] = {}
        self._store = store
        self._settings = settings or AnswerSettings()
        self._models = models or Models(ModelSettings())
        self._catalogs: dict[str, Catalog] = {}
        self._contexts: Contexts | None = None
        self._database = threading.RLock()
        for role in self._settings.roles:
            self._models.require(role)

    def catalog(self, trajectory_id: str) -> Catalog:
        """Return the catalog of one trajectory.

        Raises:
            UnknownName: there is no such trajectory; the hint names near ids.
        """
        with self._database:
            if trajectory_id not in self._catalogs:
                require_trajectory(self._store, trajectory_id)
                self._catalogs[trajectory_id] = load_catalog(self._store, trajectory_id)
            return self._catalogs[trajectory_id]

    def fingerprints(self, questions: Iterable[Question]) -> Fingerprints:
        """Return what tells whether the trajectories asked about are as they were."""
        asked = sorted({question.trajectory_id for question in questions})
        text = query("catalog/fingerprints").text
        with self._database:
            found: dict[str, Any] = dict(self._store.rows(text, {"trajectory_ids": asked}))
        return {trajectory_id: found.get(trajectory_id) for trajectory_id in asked}

    def compile(self, question: str, trajectory_id: str) -> Compilation:
        """Compile one question against the trajectory's catalog.

        Raises:
            ModelError: a model is needed and its call failed.
        """
        return self._compiled(question, trajectory_id)[0]

    def answer(self, question: Question) -> Record:
        """Answer one question; a failure becomes a record with status `error`."""
        found = _Findings(Compilation(Declined("not compiled")))
        try:
            if self._settings.system in COMPUTING:
                found = self._findings(question)
            if self._settings.reader == "model":
                return self._read(question, found)
            if found.failure is not None:
                raise found.failure
            if self._settings.system not in COMPUTING:
                return self._unread(question)
            return self._computed(question, found)
        except TallyError as error:
            hint = f" ({error.hint})" if error.hint else ""
            failed = {"status": "error", "error": error.message + hint}
            return self._told(question, found) | failed

    def prepare(self, questions: Sequence[Question]) -> None:
        """Run the plans of questions in one batch: on an engine for batches, if one was given.

        What cannot be prepared is left to `answer`, which says why.
        """
        self._prepared = {}
        if self._settings.system not in COMPUTING:
            return
        if self._engine is None:
            self._prepare_here(questions)
            return
        from tallysql.engine import portable as elsewhere
        from tallysql.lowering.portable import portable

        asked = []
        for question in questions:
            with suppress(TallyError):
                compilation, usage = self._compiled(question.question, question.trajectory_id)
                plan = compilation.plan
                if isinstance(plan, Plan) and not any(map(portable, plan.queries)):
                    asked.append(
                        (
                            question,
                            compilation,
                            usage,
                            elsewhere.Asked(question.trajectory_id, plan),
                        )
                    )
        batch = [one for *_, one in asked]
        found = elsewhere.execute_batch(self._engine, self._store, batch, self._settings.profile)
        self._prepared = {
            question: _Findings(compilation, results, usage)
            for (question, compilation, usage, _), results in zip(asked, found, strict=True)
        }

    def _prepare_here(self, questions: Sequence[Question]) -> None:
        """Run in the store what needs no model: one statement for all plans of one shape."""
        settings = self._settings
        if settings.system != "counter" and settings.compiler != "rules":
            return
        compiled = []
        for question in questions:
            with suppress(TallyError):
                compilation, usage = self._compiled(question.question, question.trajectory_id)
                if isinstance(compilation.plan, Plan):
                    compiled.append((question, compilation.plan, compilation, usage))
        plans = [(question.trajectory_id, plan) for question, plan, *_ in compiled]
        with self._database, suppress(TallyError):
            found = list(execute_batch(self._store, plans, settings.profile))
            self._prepared = {
                question: _Findings(compilation, results, usage)
                for (question, _, compilation, usage), results in zip(compiled, found, strict=True)
            }

    def answer_each(
        self, question: str, trajectory_ids: Sequence[str], *, every: bool = False
    ) -> Iterator[Record]:
        """Answer one question about each of many trajectories, in the order given.

        What is only computed is compiled once, against what all of them hold, and executed in one
        statement over all of them.

        Args:
            question: in English.
            trajectory_ids: ids that exist.
            every: these are all trajectories of the database.
        """
        settings = self._settings
        alone = settings.reader == "model" or settings.compiler == "vote"
        alone = alone or settings.system not in COMPUTING
        asked = [Question("ask", named, question) for named in trajectory_ids]
        if alone or path_of_many(self._store, len(asked)) == "single":
            yield from map(self.answer, asked)
            return
        with self._database:
            catalog = load_common_catalog(self._store, None if every else trajectory_ids)
        task = Task(question, catalog, settings.profile, self._models, lambda _: ())
        compiler = "counter" if settings.system == "counter" else settings.compiler
        compilation, usage = compile_by(compiler, task)
        if not isinstance(compilation.plan, Plan):
            yield from (self._computed(one, _Findings(compilation, (), usage)) for one in asked)
            return
        found = execute_many(
            self._store, trajectory_ids, compilation.plan, settings.profile, every=every
        )
        for one, (_, results) in zip(asked, found, strict=True):
            yield self._computed(one, _Findings(compilation, results, usage))

    def context(self, question: str, trajectory_id: str) -> View:
        """Return the context that a reader would get; `tallymem` adds evidence to it.

        Raises:
            UnknownName: there is no such trajectory.
        """
        from tallysql.answering.contexts import Contexts

        with self._database:
            require_trajectory(self._store, trajectory_id)
            if self._contexts is None:
                settings = ViewSettings(budget=self._settings.budget)
                self._contexts = Contexts(self._store, settings)
            return self._contexts.of(self._settings.system, question, trajectory_id)

    def _findings(self, question: Question) -> _Findings:
        """Compile and execute; a failed model call leaves a question without evidence."""
        if question in self._prepared:
            return self._prepared[question]
        try:
            compilation, usage = self._compiled(question.question, question.trajectory_id)
        except ModelError as error:
            trace = TraceEntry(question.question, f"not compiled: {error.message}")
            return _Findings(Compilation(Declined("not compiled"), (trace,)), failure=error)
        results: tuple[Result, ...] = ()
        if isinstance(compilation.plan, Plan):
            results = self._execute(compilation.plan, question.trajectory_id)
        return _Findings(compilation, results, usage)

    def _compiled(self, question: str, trajectory_id: str) -> Compiled:
        settings = self._settings
        task = Task(
            question,
            self.catalog(trajectory_id),
            settings.profile,
            self._models,
            lambda plan: self._execute(plan, trajectory_id),
        )
        return compile_by("counter" if settings.system == "counter" else settings.compiler, task)

    def _execute(self, plan: Plan, trajectory_id: str) -> tuple[Result, ...]:
        with self._database:
            return execute(self._store, trajectory_id, plan, self._settings.profile)

    def _unread(self, question: Question) -> Record:
        """Return the record of a system that needs a model to read what it found."""
        view = self.context(question.question, question.trajectory_id)
        record = self.blank(question)
        record["usage"] |= _context_usage(view)
        return record

    def _terms(self) -> dict[str, Any]:
        """Return on what terms contexts are made and models called: nothing where neither is."""
        settings = self._settings
        reads = settings.reader == "model"
        terms: dict[str, Any] = {}
        if reads or settings.system not in COMPUTING:
            terms["budget"] = settings.budget
        if reads:
            terms["route"] = str(settings.route)
        if names := self._model_names():
            terms["models"] = names
        return terms

    def _computed(self, question: Question, found: _Findings) -> Record:
        answer = computed_answer(found.compilation, found.results)
        status = "no_evidence" if answer is None else "computed"
        return self._told(question, found) | {"answer": answer, "status": status}

    def _read(self, question: Question, found: _Findings) -> Record:
        view = self.context(question.question, question.trajectory_id)
        evidence = render(found.results)
        attached = self._settings.route.attaches(evidence, found.load)
        reply = read_with_model(
            question.question, quoted(view), evidence if attached else "", self._models
        )
        record = self._told(question, found)
        read = Usage.of(reply).as_dict() | {"finish": reply.finish}
        usage = record["usage"] | _context_usage(view) | {"attached": attached, "read": read}
        return record | {"answer": reply.text, "status": "read", "usage": usage}

    def _told(self, question: Question, found: _Findings) -> Record:
        """Return the record of a question as far as compiling and executing tell."""
        compilation = found.compilation
        compiled = compilation.trace or self._settings.system in COMPUTING
        compiling = {"compile": found.usage.as_dict()} if found.usage.calls else {}
        return self.blank(question) | {
            "aggregation_load": found.load,
            "plan": plan_to_json(compilation.plan) if compiled else None,
            "results": [result.as_dict() for result in found.results],
            "trace": [{"text": t.text, "became": t.became} for t in compilation.trace],
            "evidence": render(found.results),
            "usage": self._terms() | compiling,
        }

    def blank(self, question: Question) -> Record:
        """Return the record of a question that nothing has been found out about."""
        settings = self._settings
        return {
            "question_id": question.question_id,
            "trajectory_id": question.trajectory_id,
            "question": question.question,
            "answer": None,
            "status": "no_evidence",
            "system": settings.system,
            "profile": settings.profile.name,
            "compiler": settings.compiler,
            "reader": settings.reader,
            "aggregation_load": None,
            "plan": None,
            "results": [],
            "trace": [],
            "evidence": "",
            "usage": self._terms(),
            "error": None,
        }

    def _model_names(self) -> dict[str, str]:
        """Return role → model of the roles that these settings may call."""
        roles = {*self._settings.roles}
        if self._settings.compiler == "auto" and self._models.configured("compile"):
            roles.add("compile")
        return {role: self._models.settings.model_for(role) for role in sorted(roles)}


def _context_usage(view: View) -> dict[str, Any]:
    return {"context_tokens": view.tokens, "tokenizer": view.tokenizer}
