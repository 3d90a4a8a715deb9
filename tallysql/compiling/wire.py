"""The JSON Schema of plans as constrained decoders take it.

Servers that constrain their output know less of JSON Schema than the published schema of plans
uses: no conditions, no patterns, every property required. So the form is loose and full of nulls;
what comes back is stripped of them and then parsed as any plan is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, get_args

from tallysql.llm.structured import closed, nullable
from tallysql.plan.nodes import MAX_QUERIES, By, Field, Match
from tallysql.plan.schema import MEANING

if TYPE_CHECKING:
    from tallysql.plan.profiles import Profile

Schema = dict[str, Any]

TERMS = 12
"""Most terms of a field: constrained models that lose the thread would else list for ever."""

_STRING: Schema = {"type": "string"}
_INTEGER: Schema = {"type": "integer"}


@cache
def wire_schema(profile: Profile) -> Schema:
    """Return the schema of a plan or a decline in a profile."""
    queries = {"type": "array", "items": _query(profile), "maxItems": MAX_QUERIES}
    return closed(
        {
            "applicable": {"type": "boolean"},
            "reason": nullable(_STRING),
            "queries": nullable(queries),
        }
    )


def _query(profile: Profile) -> Schema:
    properties: Schema = {
        "label": nullable(_STRING),
        "scope": nullable(_scope(profile)),
        "where": nullable(_where(profile)),
        "op": {"type": "string", "enum": [op for op in MEANING if op in profile.ops]},
        "by": nullable(
            {"type": "string", "enum": [by for by in get_args(By) if by in profile.bys]}
        ),
    }
    if profile.extensions:
        properties |= {"not": nullable(_where(profile)), "limit": nullable(_INTEGER)}
    return closed(properties)


def _scope(profile: Profile) -> Schema:
    properties: Schema = {"lo": nullable(_INTEGER), "hi": nullable(_INTEGER)}
    if profile.extensions:
        picks = {"anyOf": [{"type": "string", "enum": ["first", "last"]}, _INTEGER]}
        anchor = nullable(closed({"where": _where(profile), "pick": picks}))
        properties |= {"after": anchor, "before": anchor}
    return closed(properties)


def _where(profile: Profile) -> Schema:
    terms = nullable({"type": "array", "items": _term(profile), "maxItems": TERMS})
    return closed({name: terms for name in get_args(Field) if name in profile.fields})


def _term(profile: Profile) -> Schema:
    if not profile.extensions:
        return _STRING
    match = {"type": "string", "enum": list(get_args(Match))}
    return {"anyOf": [_STRING, closed({"term": _STRING, "match": match})]}
