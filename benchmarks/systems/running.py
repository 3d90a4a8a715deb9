"""Let systems answer a run folder's questions: resumable, each record as it comes.

Replies are kept in the folder, so that memories are built anew after an interruption without a
call being repeated; what construction took is noted in `construction/NAME.jsonl`.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tempfile
import threading
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.runs.folder import read_lines, text_hash, write_whole
from benchmarks.runs.systems import models_of
from benchmarks.systems.interface import Bench, CannotRun, Context
from benchmarks.systems.registry import ENTRIES
from tallysql.answering.batch import answer_to_file
from tallysql.answering.records import Answerer
from tallysql.answering.settings import AnswerSettings
from tallysql.api import open_memory
from tallysql.errors import TallyError
from tallysql.llm.chat import Usage
from tallysql.reading.settings import BUDGET

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks.runs.folder import Row, RunFolder
    from benchmarks.systems.interface import System
    from benchmarks.systems.registry import Entry
    from tallysql.answering.questions import Question


def run(folder: RunFolder, names: Iterable[str] | None = None, *, jobs: int = 1) -> None:
    """Let systems answer, those whose answers are complete excepted, and write their table.

    Args:
        folder: a folder with trajectories, questions and a model.
        names: systems of the registry, all if None.
        jobs: questions that wait for the reader at one time.
    """
    chosen = ENTRIES if names is None else {name: ENTRIES[name] for name in names}
    reasons: dict[str, str] = folder.read("not_run.json") or {}
    for name, entry in chosen.items():
        reasons.pop(name, None)
        if folder.answers(name).exists():
            continue
        with _bench(folder) as bench:
            try:
                system = entry.make(bench)
            except CannotRun as error:
                reasons[name] = error.message + (f" ({error.hint})" if error.hint else "")
                print(f"{name}: not run: {reasons[name]}", file=sys.stderr)
                continue
            _answer(folder, bench, name, system, jobs)
    folder.write("not_run.json", reasons)
    _write_table(folder, reasons)


@contextmanager
def _bench(folder: RunFolder) -> Iterator[Bench]:
    models = models_of(folder)
    facts = {row["question_id"]: row for row in read_lines(folder.questions)}
    cases = folder.path / "cases.jsonl"
    if cases.exists():  # the probe's questions, with what their templates were filled with
        facts = {row["question_id"]: row for row in read_lines(cases)}
    with (
        open_memory(folder.database, read_only=True, models=models) as memory,
        tempfile.TemporaryDirectory(prefix="systems-", ignore_cleanup_errors=True) as scratch,
    ):
        budget = folder.config.get("budget") or BUDGET
        yield Bench(memory, models, budget, facts, Path(scratch))


def _answer(folder: RunFolder, bench: Bench, name: str, system: System, jobs: int) -> None:
    answerer = SystemAnswerer(folder, bench, name, system)
    questions = bench.memory.read_questions(folder.questions)
    with folder.timed(name) as cost:
        records = list(answer_to_file(answerer, questions, folder.answers(name), jobs))
        statuses = Counter(record["status"] for record in records)
        cost.update(questions=len(records), statuses=dict(statuses))
        cost["account"] = bench.models.account.lines()
        cost["construction"] = list(answerer.construction.known.values())
    answerer.pack_prompts(records)
    print(f"{name}: {dict(statuses)}", file=sys.stderr)


class SystemAnswerer(Answerer):
    """Answers with a system's contexts and the common reader."""

    def __init__(self, folder: RunFolder, bench: Bench, name: str, system: System) -> None:
        settings = AnswerSettings(system="tm", reader="model", budget=bench.budget)
        super().__init__(bench.memory.store, settings, bench.models)
        self._bench, self._name, self._system = bench, name, system
        self._folder = folder
        self._shown = folder.path / "prompts" / name
        self._shown.mkdir(parents=True, exist_ok=True)
        self.construction = Construction(folder.path / "construction" / f"{name}.jsonl")
        self._failed: dict[str, TallyError] = {}
        self._built: set[str] = set()
        self._one_at_a_time = threading.Lock()

    def blank(self, question: Question) -> Row:
        """Return the record of a question that nothing is known about."""
        return super().blank(question) | {"system": self._name, "profile": None, "compiler": None}

    def answer(self, question: Question) -> Row:
        """Answer one question; a failure becomes a record with status `error`."""
        record = self.blank(question)
        try:
            with self._one_at_a_time:
                self._build(question.trajectory_id)
                context = self._system.context(question)
            text = context.prompt(question.question)
            self._keep(text)
            record = self._told(record, context, text)
            reply = self._bench.models.complete(self._bench.models.request("read", text))
        except TallyError as error:
            hint = f" ({error.hint})" if error.hint else ""
            return record | {"status": "error", "error": error.message + hint}
        record["usage"]["read"] = Usage.of(reply).as_dict() | {"finish": reply.finish}
        return record | {"answer": reply.text, "status": "read"}

    def _build(self, trajectory_id: str) -> None:
        if trajectory_id in self._failed:
            raise self._failed[trajectory_id]
        if trajectory_id in self._built:
            return
        try:
            usage = self._system.build(trajectory_id)
        except TallyError as error:
            self._failed[trajectory_id] = error
            raise
        self._built.add(trajectory_id)
        self.construction.note(trajectory_id, usage)

    def _told(self, record: Row, context: Context, text: str) -> Row:  # type: ignore[override]
        usage = record["usage"] | {
            "context_tokens": context.tokens,
            "attached": bool(context.evidence),
            "prompt": text_hash(text),
        }
        if context.usage.calls:
            usage["compile"] = context.usage.as_dict()
        told = {"evidence": context.evidence, **context.record}
        return record | told | {"usage": usage}

    def _keep(self, text: str) -> None:
        """Keep a prompt under its hash until all answers are there."""
        place = self._shown / text_hash(text)
        if not place.exists():
            write_whole(place, text)

    def pack_prompts(self, records: Iterable[Row]) -> None:
        """Write the prompts beside the answers."""
        with_prompt = (record for record in records if record["usage"].get("prompt"))
        self._folder.write_prompts(self._name, (self._packed(record) for record in with_prompt))
        shutil.rmtree(self._shown)

    def _packed(self, record: Row) -> tuple[str, int, str]:
        usage = record["usage"]
        text = (self._shown / usage["prompt"]).read_text("utf-8")
        return record["question_id"], usage["context_tokens"] or 0, text


class Construction:
    """What building the memory of each trajectory took, on file."""

    def __init__(self, place: Path) -> None:
        self._place = place
        place.parent.mkdir(parents=True, exist_ok=True)
        self.known: dict[str, Row] = {}
        for line in place.read_text("utf-8").splitlines() if place.exists() else ():
            if line.endswith("}"):  # a line that a kill cut short is made again
                row = json.loads(line)
                self.known[row["trajectory_id"]] = row

    def note(self, trajectory_id: str, usage: Usage) -> None:
        """Add a trajectory, unless it is known."""
        if trajectory_id in self.known:
            return
        self.known[trajectory_id] = {"trajectory_id": trajectory_id, **usage.as_dict()}
        lines = (json.dumps(row) + "\n" for row in self.known.values())
        write_whole(self._place, "".join(lines))


def _write_table(folder: RunFolder, reasons: dict[str, str]) -> None:
    rows = [_table_row(folder, name, entry, reasons) for name, entry in ENTRIES.items()]
    columns = ["system", "what it is", "state", "construction calls", "construction tokens"]
    columns += ["calls before reading", "their tokens"]
    note = (
        "Of construction the median over trajectories, of calls before reading the mean over "
        "questions; the reader's own call is the same for all and is not among them."
    )
    folder.write_table("systems", "Systems", columns, rows, note)


def _table_row(folder: RunFolder, name: str, entry: Entry, reasons: dict[str, str]) -> list[Any]:
    if not folder.answers(name).exists():
        state = reasons.get(name) or "not asked for"
        return [name, entry.what, f"not run: {state}", "", "", "", ""]
    records = folder.records(name)
    answered = sum(record["status"] == "read" for record in records)
    built = (folder.read(f"costs/{name}.json") or {}).get("construction", [])
    before = [record["usage"].get("compile", {}) for record in records]
    return [
        name,
        entry.what,
        f"{answered} of {len(records)} answered",
        statistics.median([row["calls"] for row in built] or [0]),
        statistics.median([_tokens(row) for row in built] or [0]),
        round(statistics.fmean([row.get("calls", 0) for row in before] or [0]), 2),
        round(statistics.fmean([_tokens(row) for row in before] or [0])),
    ]


def _tokens(row: Row) -> int:
    return int(row.get("prompt_tokens", 0)) + int(row.get("completion_tokens", 0))
