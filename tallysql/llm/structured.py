"""Structured output: find the JSON in an answer, check it, and ask once for a repair."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeVar

from tallysql.errors import ModelError, PlanError
from tallysql.llm.chat import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tallysql.llm.chat import ChatModel, Reply, Request

T = TypeVar("T")

_BEGINNINGS = tuple(map(re.compile, (r"\A\s*\{", r"```\w*\s*\{", r"(?m)^\s*\{", r"\{")))
"""Where the object may begin, the likeliest place first."""

REPAIR = """\
That cannot be used: {problem}
Answer again with the corrected JSON object and nothing else."""


class Unusable(ValueError):
    """An answer that is not the JSON asked for; the message says why, for the model to read."""


Exchange = tuple["Request", "Reply"]


def complete_json(
    chat: ChatModel,
    request: Request,
    read: Callable[[Any], T],
    reject: Callable[[Sequence[Exchange]], None] = lambda _: None,
) -> tuple[T, Usage]:
    """Return what `read` makes of the JSON in the answer, and what it took.

    Args:
        chat: where to send it.
        request: with a schema.
        read: turns the parsed JSON into a value; raises Unusable or PlanError if it cannot.
        reject: gets the requests and replies of a conversation that came to nothing.

    Raises:
        ModelError: a call failed, or the repaired answer is of no use either (reason invalid).
    """
    first = chat.complete(request)
    try:
        return read(parse_json(first.text)), Usage.of(first)
    except (Unusable, PlanError) as error:
        again = request.followed_by(first.text, REPAIR.format(problem=error))
    second = chat.complete(again)
    try:
        return read(parse_json(second.text)), Usage.of(first) + Usage.of(second)
    except (Unusable, PlanError) as error:
        reject([(request, first), (again, second)])
        problem = f"the model's answer cannot be used, nor can its repair: {error}"
        taken = Usage.of(first) + Usage.of(second)
        tokens = (taken.prompt_tokens, taken.completion_tokens)
        raise ModelError(problem[:500], reason="invalid", tokens=tokens) from error


def parse_json(text: str) -> Any:
    """Return the first JSON object of a text; prose and fences around it do not matter.

    Raises:
        Unusable: there is none.
    """
    decoder = json.JSONDecoder(strict=False, parse_constant=_no_constant)
    problem = "no JSON object in it"
    for beginning in _BEGINNINGS:
        found = beginning.search(text)
        if found is None:
            continue
        try:
            return _encodable(decoder.raw_decode(text, found.end() - 1)[0])
        except (ValueError, RecursionError) as error:
            problem = f"no valid JSON: {error}"
    raise Unusable(problem)


def encodable(text: str) -> str:
    """Return a text with U+FFFD for lone surrogates, which JSON can spell and UTF-8 cannot."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {encodable(name): _encodable(inner) for name, inner in value.items()}
    return [_encodable(inner) for inner in value] if isinstance(value, list) else value


def without_nulls(value: Any) -> Any:
    """Return JSON without the properties that are null, at any depth."""
    if isinstance(value, dict):
        return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [without_nulls(inner) for inner in value]
    return value


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that also takes null: constrained decoders want every property present."""
    return {"anyOf": [schema, {"type": "null"}]}


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
