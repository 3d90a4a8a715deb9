"""Annotation: a model describes every step, a validator decides what of it is kept.

Chunks of a trajectory go to the model without any question. Each chunk that comes back is one
transaction, so that work goes on where it was interrupted; a chunk that fails leaves its rows as
they are. See docs/architecture.md, "Annotation" (paper, section 5 and appendix C).
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from tallysql.errors import InputError, ModelError
from tallysql.ledger.chunks import annotation_schema, chunks_of
from tallysql.ledger.merge import merge
from tallysql.ledger.validate import validate
from tallysql.llm.breaker import GIVE_UP_AFTER, UNREACHABLE
from tallysql.llm.chat import Usage
from tallysql.llm.structured import Unusable
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tallysql.ledger.chunks import Chunk
    from tallysql.ledger.validate import Annotation
    from tallysql.llm.chat import Request
    from tallysql.llm.models import Models
    from tallysql.store import Store

CHUNK_TOKENS = 6000
"""Tokens of log in one prompt; about the paper's, whose calls took 7.6k tokens in all."""


@dataclass(frozen=True, slots=True)
class FailedChunk:
    """A part of a trajectory that stays as the log has it, and why."""

    trajectory_id: str
    first_step: int
    last_step: int
    reason: str
    message: str

    def __str__(self) -> str:
        place = f"trajectory {self.trajectory_id}: steps {self.first_step} to {self.last_step}"
        return f"{place}: {self.message}"


@dataclass(slots=True)
class AnnotationReport:
    """What annotation came to; grows while it runs.

    Attributes:
        trajectories: those whose chunks have all been looked at.
        known, done: chunks annotated before and now; the others are `failed`.
        steps: calls that the chunks done now hold.
        verdicts: annotations by what became of their quotes.
        dropped: rule of the validator → how often it dropped something.
        outcomes: source (mechanical or annotated) → outcome → events; once it has ended.
        stopped: why chunks were left untried, None if none were.
    """

    trajectories: int = 0
    known: int = 0
    done: int = 0
    failed: list[FailedChunk] = field(default_factory=list)
    steps: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    outcomes: dict[str, dict[str, int]] = field(default_factory=dict)
    stopped: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        counted = {"verdicts": dict(self.verdicts), "dropped": dict(self.dropped)}
        failed = [asdict(chunk) for chunk in self.failed]
        plain = {name: getattr(self, name) for name in self.__slots__}
        return plain | counted | {"failed": failed}


@dataclass(frozen=True, slots=True)
class _Work:
    """A chunk, the request that annotates it, and the key under which it is remembered."""

    chunk: Chunk
    request: Request
    key: str


Answer = tuple[list[Any], Usage]


def annotate(
    store: Store,
    models: Models,
    trajectory_ids: Sequence[str],
    *,
    count: Callable[[str], int],
    chunk_tokens: int = CHUNK_TOKENS,
    jobs: int = 1,
    dry_run: bool = False,
    progress: Callable[[AnnotationReport], None] | None = None,
) -> AnnotationReport:
    """Annotate trajectories and merge what passes the validator into the ledger.

    Args:
        store: an open database with ledgers, not read-only.
        models: calls the role `annotate`.
        trajectory_ids: whose steps.
        count: tokens of a text.
        chunk_tokens: most tokens of log in a prompt; a longer step is a chunk of its own.
        jobs: calls at one time.
        dry_run: only make the requests, to models that send nothing.
        progress: called with the report as it stands after each chunk.

    Raises:
        InputError: no model is configured, or the database is read-only.
    """
    if store.read_only and not dry_run:
        raise InputError(f"{store.path}: open for reading only")
    models.require("annotate")
    report = AnnotationReport()
    pending = _pending(store, models, trajectory_ids, count, chunk_tokens, report)
    if dry_run:
        _preview(models, pending)
        return report
    unreachable = 0
    for work, future in _answered(models, pending, jobs):
        error = _keep(store, work, future, report)
        unreachable = unreachable + 1 if error and error.reason in UNREACHABLE else 0
        if progress is not None:
            progress(report)
        if error is not None and unreachable == GIVE_UP_AFTER:
            report.stopped = error.message
            break
    found = query("annotation/outcomes").text
    for source, outcome, events in store.rows(found, {"trajectory_ids": list(trajectory_ids)}):
        report.outcomes.setdefault(source, {})[outcome] = events
    return report


def _preview(models: Models, pending: Iterator[_Work]) -> None:
    """Put the requests to models that send nothing."""
    for work in pending:
        with suppress(ModelError):
            models.complete(work.request)


def _pending(
    store: Store,
    models: Models,
    trajectory_ids: Sequence[str],
    count: Callable[[str], int],
    chunk_tokens: int,
    report: AnnotationReport,
) -> Iterator[_Work]:
    """Yield the chunks that are not done yet, and count the others."""
    for trajectory_id in trajectory_ids:
        rows = store.rows(query("annotation/done").text, {"trajectory_id": trajectory_id})
        done = {key for (key,) in rows}
        for chunk in chunks_of(store, trajectory_id, count, chunk_tokens):
            request = models.request("annotate", chunk.prompt, schema=annotation_schema())
            # Where the server is does not matter here: the same model said the same.
            key = request.key("")
            if key in done:
                report.known += 1
            else:
                yield _Work(chunk, request, key)
        report.trajectories += 1


def _answered(
    models: Models, pending: Iterator[_Work], jobs: int
) -> Iterator[tuple[_Work, Future[Answer]]]:
    """Yield chunks as their answers come, with `jobs` of them under way."""
    with ThreadPoolExecutor(jobs, "annotate") as pool:
        under_way: dict[Future[Answer], _Work] = {}
        for work in pending:
            future = pool.submit(models.complete_json, work.request, _steps_said)
            under_way[future] = work
            if len(under_way) == jobs:
                yield from _finished(under_way)
        while under_way:
            yield from _finished(under_way)


def _finished(under_way: dict[Future[Answer], _Work]) -> Iterator[tuple[_Work, Future[Answer]]]:
    for future in wait(under_way, return_when=FIRST_COMPLETED).done:
        yield under_way.pop(future), future


def _steps_said(data: Any) -> list[Any]:
    said = data.get("steps") if isinstance(data, dict) else None
    if not isinstance(said, list):
        raise Unusable('it has no list "steps"')
    return said


def _keep(
    store: Store, work: _Work, future: Future[Answer], report: AnnotationReport
) -> ModelError | None:
    """Validate and write one chunk, or remember why it failed; one transaction either way."""
    steps = work.chunk.steps
    try:
        said, usage = future.result()
    except ModelError as error:
        first, last = steps[0].step, steps[-1].step
        failed = FailedChunk(work.chunk.trajectory_id, first, last, error.reason, error.message)
        report.failed.append(failed)
        with store.transaction():
            _remember(store, work, "failed", error.message, Usage(1, *error.tokens))
        return error
    validation = validate(said, steps)
    with store.transaction():
        _insert(store, work, validation.annotations)
        _remember(store, work, "done", None, usage)
        store.run(query("annotation/touch").text, {"trajectory_id": work.chunk.trajectory_id})
        merge(store)
    report.done += 1
    report.steps += len(steps)
    report.verdicts.update(annotation.verdict for annotation in validation.annotations)
    report.dropped.update(validation.dropped)
    return None


def _insert(store: Store, work: _Work, annotations: Sequence[Annotation]) -> None:
    import pyarrow as pa

    place = {"trajectory_id": work.chunk.trajectory_id, "chunk": work.key}
    rows = [asdict(found) | place | {"model": work.request.model} for found in annotations]
    if rows:
        with store.view_of("incoming", pa.Table.from_pylist(rows, schema=_incoming(pa))):
            store.run(query("annotation/insert").text)


def _incoming(pa: Any) -> Any:
    text, whole = pa.string(), pa.int32()
    quote = pa.struct([("text", text), ("start", whole), ("end", whole)])
    change = pa.struct(
        [("object", text), ("property", text), ("value", text), ("verified", pa.bool_())]
    )
    return pa.schema(
        [
            ("trajectory_id", text),
            ("step", pa.int64()),
            ("call", whole),
            ("act", text),
            ("targets", pa.list_(text)),
            ("outcome", text),
            ("quote", quote),
            ("changes", pa.list_(change)),
            ("verdict", text),
            ("model", text),
            ("chunk", text),
        ]
    )


def _remember(store: Store, work: _Work, state: str, reason: str | None, usage: Usage) -> None:
    steps = work.chunk.steps
    place = {"trajectory_id": work.chunk.trajectory_id, "chunk": work.key}
    store.run(query("annotation/forget_chunk").text, place)
    ending = place | {
        "model": work.request.model,
        "first_step": steps[0].step,
        "last_step": steps[-1].step,
        "calls": len(steps),
        "state": state,
        "reason": reason,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
    }
    store.run(query("annotation/insert_chunk").text, ending)
