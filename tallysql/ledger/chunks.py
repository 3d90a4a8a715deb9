"""Cuts a trajectory into the parts that an annotator sees, each with its prompt.

See docs/architecture.md, "Annotation".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from tallysql.ledger.validate import LIST_LIMIT, LoggedStep
from tallysql.llm.models import prompt_text
from tallysql.llm.structured import closed
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tallysql.store import Store

FIELD_LIMIT = 2000
"""Characters of an action or an observation that the model sees, two thirds from the beginning."""

CHUNK_STEPS = 60
"""Most calls in a chunk: the answer grows with them."""

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive calls of one trajectory and the prompt that shows them."""

    trajectory_id: str
    steps: tuple[LoggedStep, ...]
    prompt: str


def chunks_of(
    store: Store, trajectory_id: str, count: Callable[[str], int], limit: int
) -> Iterator[Chunk]:
    """Yield a trajectory's chunks in order; the same trajectory always gives the same ones.

    Args:
        store: an open database with ledgers.
        trajectory_id: whose events: rows that are none are not worth a model's time.
        count: tokens of a text.
        limit: most tokens of log in a chunk; a longer step is a chunk of its own.
    """
    taken: list[tuple[LoggedStep, str]] = []
    tokens = 0
    rows = store.rows(query("annotation/steps").text, {"trajectory_id": trajectory_id})
    for step, call, action, observation, targets in rows:
        logged = LoggedStep(step, call, action or "", observation or "", tuple(targets))
        text = _shown(logged)
        more = count(text)
        if taken and (tokens + more > limit or len(taken) == CHUNK_STEPS):
            yield _chunk(trajectory_id, taken)
            taken, tokens = [], 0
        taken.append((logged, text))
        tokens += more
    if taken:
        yield _chunk(trajectory_id, taken)


@cache
def annotation_schema() -> Schema:
    """Return the JSON Schema of an answer, in the subset that constrained decoders know."""
    text: Schema = {"type": "string"}
    outcomes = ["success", "failure", "no_effect", "unknown"]
    change = closed({"object": text, "property": text, "value": text})
    step = closed(
        {
            "step": {"type": "integer"},
            "call": {"type": "integer"},
            "act": text,
            "targets": {"type": "array", "items": text, "maxItems": LIST_LIMIT},
            "outcome": {"type": "string", "enum": outcomes},
            "quote": text,
            "changes": {"type": "array", "items": change, "maxItems": LIST_LIMIT},
        }
    )
    return closed({"steps": {"type": "array", "items": step, "maxItems": CHUNK_STEPS}})


def _chunk(trajectory_id: str, taken: list[tuple[LoggedStep, str]]) -> Chunk:
    prompt = prompt_text("annotate", steps="\n\n".join(text for _, text in taken))
    return Chunk(trajectory_id, tuple(logged for logged, _ in taken), prompt)


def _shown(logged: LoggedStep) -> str:
    call = f", call {logged.call}" if logged.call else ""
    action, observation = _inset(_cut(logged.action)), _inset(_cut(logged.observation))
    return f"[step {logged.step}{call}]\naction: {action}\nobservation: {observation}"


def _inset(text: str) -> str:
    """Indent all lines but the first: what a log quotes of another log heads no step of its own.

    Quotes stay what they are, since white space in them is normalized.
    """
    return "\n  ".join(text.splitlines())


def _cut(text: str) -> str:
    """Keep the beginning and the end, where receipts and exit codes stand."""
    if len(text) <= FIELD_LIMIT:
        return text
    head = FIELD_LIMIT * 2 // 3
    tail = FIELD_LIMIT - head
    return f"{text[:head]}\n[{len(text) - FIELD_LIMIT} characters cut]\n{text[-tail:]}"
