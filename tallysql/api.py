"""The Python API: everything that the command line does, as methods of a Memory.

>>> import tallysql
>>> with tallysql.open("tally.duckdb") as memory:  # doctest: +SKIP
...     memory.load(["runs.jsonl"])
...     memory.ask("How many times was drawer 1 opened?", "run-1")["answer"]
"""

from __future__ import annotations

import time
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Self, Unpack

from tallysql.errors import InputError, LockedError, StoreError
from tallysql.plan.profiles import profile_named
from tallysql.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from duckdb import DuckDBPyRelation

    from tallysql.answering.questions import Question
    from tallysql.answering.records import Answerer, Record
    from tallysql.answering.settings import AnswerSettings
    from tallysql.answering.systems import Choices
    from tallysql.archive.formats.commits import HistorySettings
    from tallysql.archive.load import LoadReport
    from tallysql.compiling.compilation import Compilation
    from tallysql.engine.portable import Engine
    from tallysql.engine.results import Result
    from tallysql.ledger.annotate import AnnotationReport
    from tallysql.ledger.catalog import Catalog
    from tallysql.ledger.check import Problem
    from tallysql.llm.models import Models
    from tallysql.reading.view import View


class Memory:
    """An open database of trajectories and their ledgers; close it, or use it in a with block."""

    def __init__(self, store: Store, models: Models | None = None) -> None:
        self.store = store
        self._models = models
        self._answerers: dict[AnswerSettings, Answerer] = {}
        self._load_failed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database and the file of kept replies.

        A database that was made for a load that then stored nothing is removed.
        """
        if self._load_failed and not self.trajectories():
            self.store.discard()
        else:
            self.store.close()
        if self._models is not None:
            self._models.close()

    @property
    def models(self) -> Models:
        """The models that compilers, readers and annotation call, and what they have cost.

        By default as the environment and the settings file say (docs/models.md), with replies kept
        in a file beside the database.
        """
        if self._models is None:
            from tallysql.llm.models import Models, calls_file
            from tallysql.llm.settings import read_settings

            self._models = Models(read_settings(), calls_file(self.store.path))
        return self._models

    def load(
        self,
        sources: Sequence[str | Path] | str | Path,
        *,
        format: str = "auto",
        trajectory_id: str | None = None,
        replace: bool = False,
        strict: bool = False,
        redact: bool = False,
        history: HistorySettings | None = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> LoadReport:
        """Archive sources and build their ledger; a file is loaded whole or not at all.

        Args:
            sources: files or directories, in any known format.
            format: a name from `tallysql formats`, or "auto" to tell by content.
            trajectory_id: the id to use, for a source of one trajectory.
            replace: other content under a known id replaces it instead of being an error.
            strict: refuse a file with a damaged record instead of skipping the record.
            redact: replace home directories, e-mail addresses and secrets before storing.
            history: which commits of git repositories, by default those of the branch that is
                checked out, along first parents.
            progress: called with (file, bytes read, bytes in all).

        Raises:
            InputError: a source that cannot be used; names file, record and field.
            ConflictError: other content under a known id.
        """
        from tallysql.archive.load import load
        from tallysql.ledger.merge import build

        self._answerers.clear()
        listed = [sources] if isinstance(sources, str) or hasattr(sources, "parts") else sources
        self._load_failed = True
        report = load(
            self.store,
            [str(source) for source in listed],
            format=format,
            trajectory_id=trajectory_id,
            replace=replace,
            strict=strict,
            redact=redact,
            history=history,
            build=build,
            progress=progress,
        )
        self._load_failed = False
        return report

    def check(self) -> Iterator[Problem]:
        """Yield what is wrong with the database, nothing if it is sound; it is only read.

        Counts, hashes, spans and keys are checked, and ledger and file events compared with what
        the archived steps and the annotations give anew (docs/trust.md, "Checking a database").
        """
        from tallysql.ledger.check import check

        return check(self.store)

    def trajectories(self) -> list[str]:
        """Return the ids of all trajectories, sorted."""
        from tallysql.answering.trajectories import trajectory_ids

        return trajectory_ids(self.store)

    def catalog(self, trajectory_id: str) -> Catalog:
        """Return the vocabulary of one trajectory's ledger."""
        return self._answerer().catalog(trajectory_id)

    def plan(self, question: str, trajectory_id: str, **choices: Unpack[Choices]) -> Compilation:
        """Compile a question; the plan is a Plan or a Declined, the trace explains it.

        Raises:
            ModelError: the compiler needs a model and the call failed.
        """
        return self._answerer(**choices).compile(question, trajectory_id)

    def run(
        self, plan: Mapping[str, Any], trajectory_id: str, *, profile: str = "refined"
    ) -> tuple[Result, ...]:
        """Execute a plan given in its JSON form; one Result per sub-query.

        Raises:
            PlanError: the plan breaks the schema or the profile; all violations are named.
            UnknownName: there is no such trajectory.
        """
        from tallysql.answering.trajectories import require_trajectory
        from tallysql.engine.execute import execute
        from tallysql.plan.nodes import Declined
        from tallysql.plan.parse import parse_plan

        settings = profile_named(profile)
        parsed = parse_plan(plan, settings)
        require_trajectory(self.store, trajectory_id)
        if isinstance(parsed, Declined):
            return ()
        return execute(self.store, trajectory_id, parsed, settings)

    def sql_for(
        self,
        plan: Mapping[str, Any],
        trajectory_id: str,
        dialect: str,
        *,
        profile: str = "refined",
    ) -> list[str]:
        """Return a plan's SQL in another dialect, one statement a sub-query.

        Args:
            plan: in its JSON form.
            trajectory_id: whose ledger.
            dialect: one of `tallysql.lowering.dialects.DIALECTS`.
            profile: the settings that the plan is checked against.

        Raises:
            PlanError: the plan breaks the schema or the profile.
            InputError: the dialect would answer it wrongly.
        """
        from tallysql.engine.portable import dialect_sql
        from tallysql.plan.nodes import Declined
        from tallysql.plan.parse import parse_plan

        settings = profile_named(profile)
        parsed = parse_plan(plan, settings)
        if isinstance(parsed, Declined):
            return []
        return dialect_sql(self.store, trajectory_id, parsed, settings, dialect)

    def ask(
        self, question: str, trajectory_id: str | None = None, **choices: Unpack[Choices]
    ) -> Record:
        """Answer one question; returns an answer record (docs/architecture.md, "Answering").

        Args:
            question: in English.
            trajectory_id: may be left out where the database holds only one.
            choices: profile, compiler, reader and so on; see `tallysql.answering.systems.Choices`.

        Raises:
            UnknownName: there is no such trajectory.
            InputError: no trajectory was named and there are several, or no model is configured.
        """
        from tallysql.answering.questions import Question

        named = trajectory_id if trajectory_id is not None else self.only_trajectory()
        answerer = self._answerer(**choices)
        answerer.catalog(named)
        return answerer.answer(Question("ask", named, question))

    def ask_each(
        self,
        question: str,
        *,
        like: str | None = None,
        where: str | None = None,
        **choices: Unpack[Choices],
    ) -> Iterator[Record]:
        """Answer one question about each of many trajectories, in the order of their ids.

        Args:
            question: in English; of many trajectories it is compiled once, against what all of
                them hold.
            like: only trajectories whose id matches this glob pattern.
            where: only those that satisfy this SQL condition over the columns of `trajectories`.
            choices: see `ask`.

        Raises:
            InputError: no trajectory is chosen, or `where` is no condition.
        """
        from tallysql.answering.chosen import chosen_trajectories

        answerer = self._answerer(**choices)
        chosen = chosen_trajectories(self.store, like=like, where=where)
        return answerer.answer_each(question, chosen, every=like is None and where is None)

    def answer(
        self,
        questions: str | Path | Iterable[Mapping[str, Any]],
        out: str | Path | None = None,
        *,
        jobs: int = 1,
        engine: Engine | None = None,
        **choices: Unpack[Choices],
    ) -> Iterator[Record]:
        """Answer many questions in order, yielding one record each.

        Args:
            questions: a question file, or mappings with `question` and `trajectory_id`.
            out: also write the records there as JSONL; resumes an interrupted run.
            jobs: questions that wait for models at one time.
            engine: where the plans of many questions run as one batch, such as a
                `tallysql.engine.spark.SparkEngine`; here and one by one if None.
            choices: system, compiler, reader and so on; see `tallysql.answering.systems.Choices`.

        Raises:
            InputError: the questions cannot be read, `out` cannot be written, or no model is
                configured.
        """
        from tallysql.answering.batch import answer_all, answer_to_file
        from tallysql.answering.resume import check_out

        if out is not None:
            read = [questions] if isinstance(questions, (str, PurePath)) else []
            check_out(out, [self.store.path, *read])
        listed = self.read_questions(questions)
        answerer = self._answerer(engine=engine, **choices)
        if out is None:
            return answer_all(answerer, listed, jobs)
        return answer_to_file(answerer, listed, out, jobs)

    def annotate(
        self,
        trajectory_ids: Sequence[str] | None = None,
        *,
        chunk_tokens: int | None = None,
        jobs: int = 1,
        dry_run: bool = False,
        progress: Callable[[AnnotationReport], None] | None = None,
    ) -> AnnotationReport:
        """Let a model describe the steps; what it says is validated before it reaches the ledger.

        Args:
            trajectory_ids: which trajectories, all if None.
            chunk_tokens: size of the parts of a log that are sent; the annotator's own if None.
            jobs: parts that wait for the model at one time.
            dry_run: make the requests, to models that send nothing, and write nothing.
            progress: called with the report as it stands after each part.

        Raises:
            UnknownName: there is no such trajectory.
            InputError: no model is configured.
        """
        from tallysql.answering.trajectories import require_trajectory
        from tallysql.ledger.annotate import CHUNK_TOKENS, annotate
        from tallysql.reading.tokens import tokenizer_named

        for named in trajectory_ids or ():
            require_trajectory(self.store, named)
        self._answerers.clear()
        return annotate(
            self.store,
            self.models,
            self.trajectories() if trajectory_ids is None else trajectory_ids,
            count=tokenizer_named().count,
            chunk_tokens=chunk_tokens or CHUNK_TOKENS,
            jobs=jobs,
            dry_run=dry_run,
            progress=progress,
        )

    @staticmethod
    def read_questions(questions: str | Path | Iterable[Mapping[str, Any]]) -> list[Question]:
        """Return the questions of a file or of mappings, in order."""
        from tallysql.answering.questions import questions_from, read_questions

        if isinstance(questions, str) or hasattr(questions, "parts"):
            return read_questions(questions)  # type: ignore[arg-type]
        return questions_from(questions)

    def sql(self, statement: str, params: Mapping[str, Any] | None = None) -> DuckDBPyRelation:
        """Return the result of one statement that only reads as a lazy DuckDB relation.

        Raises:
            StoreError: DuckDB refused it, or it would change something.
        """
        return self.store.read(statement, params)

    def view(
        self, question: str, trajectory_id: str | None = None, **choices: Unpack[Choices]
    ) -> View:
        """Return the context that a system gives a reader for a question.

        Args:
            question: in English.
            trajectory_id: may be left out where the database holds only one.
            choices: `system`: `tm` (the reading view), `long-context` or `bm25`, the others use
                the view; `budget`: tokens, never exceeded.

        Raises:
            UnknownName: there is no such trajectory.
            InputError: no trajectory was named and there are several, or a package is missing.
        """
        named = trajectory_id if trajectory_id is not None else self.only_trajectory()
        return self._answerer(**choices).context(question, named)

    def _answerer(self, engine: Engine | None = None, **choices: Unpack[Choices]) -> Answerer:
        from tallysql.answering.records import Answerer
        from tallysql.answering.settings import AnswerSettings

        settings = AnswerSettings.of(**choices)
        # The settings of models are read only where one may be called.
        models = self.models if settings.roles or settings.compiler == "auto" else None
        if engine is not None:
            return Answerer(self.store, settings, models, engine)
        if settings not in self._answerers:
            self._answerers[settings] = Answerer(self.store, settings, models)
        return self._answerers[settings]

    def only_trajectory(self) -> str:
        """Return the id of the only trajectory.

        Raises:
            InputError: there are none or several.
        """
        ids = self.trajectories()
        if len(ids) != 1:
            raise InputError(
                f"{self.store.path}: holds {len(ids)} trajectories, name one",
                f"such as -t {ids[0]}" if ids else "load some with: tallysql load SOURCE",
            )
        return ids[0]


def _rebuild(store: Store) -> None:
    from tallysql.ledger.rebuild import rebuild

    rebuild(store)


def open_memory(
    path: str | Path = ":memory:",
    *,
    read_only: bool = False,
    wait: float | None = None,
    models: Models | None = None,
) -> Memory:
    """Open a database, making it if it is new.

    Args:
        path: a DuckDB file, ":memory:", or a folder that `export all` wrote, which is only read.
        read_only: several processes may read at once; a writer excludes all others.
        wait: seconds to wait for another process that holds it.
        models: which models to call; as the environment and the settings file say if None.

    Raises:
        LockedError: another process still holds it.
        StoreError: the file cannot be used.

    A database of an older release is brought up to date: its ledger is made anew.
    """
    if str(path) != ":memory:" and Path(path).is_dir():
        if not read_only:
            raise StoreError(f"{path}: a folder of Parquet can only be read")
        from tallysql.folder import open_folder

        return Memory(open_folder(path), models)
    deadline = time.monotonic() + (wait or 0)
    while True:
        try:
            return Memory(open_store(path, read_only=read_only, rebuild=_rebuild), models)
        except LockedError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.05)
