"""The JSON Schema of the plan language, generated from the nodes (docs/architecture.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from tallysql.plan.nodes import MAX_QUERIES, By, Field, Match

if TYPE_CHECKING:
    from tallysql.plan.nodes import Op
    from tallysql.plan.profiles import Profile

Schema = dict[str, Any]

EXIT_CODE = r"^(0|-?[1-9][0-9]{0,17}|nonzero|none)$"
BY_REQUIRED: frozenset[Op] = frozenset({"group", "distinct", "top", "values"})
BY_ALLOWED: frozenset[Op] = BY_REQUIRED | {"runs"}
LIMIT_ALLOWED: frozenset[Op] = BY_ALLOWED | {"list", "timeline"}
MAX_STEP = 2**63 - 1
MAX_TERMS = 1000
"""Most terms that one plan may hold; every one of them is looked for in every row."""

_POSITION = {"type": "integer", "minimum": 1, "maximum": MAX_STEP}
_EITHER_END = _POSITION | {"minimum": -MAX_STEP, "not": {"const": 0}}

MEANING: dict[Op, str] = {
    "count": "number of selected events",
    "list": "steps of the selected events",
    "first": "first selected step",
    "last": "last selected step",
    "group": "events and steps per value of `by`, most frequent first",
    "timeline": "one row per selected event",
    "distinct": "values of `by`, each once, in order of first mention",
    "top": "most frequent value of `by`, ties shown",
    "values": "values of `by` in order, a value again only after a different one; `pick` takes one",
    "runs": "maximal runs of consecutive events with an equal value of `by` (default act)",
}


def by_allowed(profile: Profile) -> frozenset[Op]:
    """Return the operations that may have a `by`; counting values is an extension."""
    return BY_ALLOWED | {"count"} if profile.extensions else BY_ALLOWED


def plan_schema(profile: Profile) -> Schema:
    """Return the JSON Schema (draft 2020-12) of the plans that a profile accepts."""
    definitions: Schema = {
        "query": _query(profile),
        "scope": _scope(profile),
        "where": _where(profile),
        "term": _term(profile, {"type": "string", "pattern": r"\S"}),
    }
    if "exit_code" in profile.fields:
        definitions["exitCodeTerm"] = {"type": "string", "pattern": EXIT_CODE}
    if profile.extensions:
        definitions["anchor"] = _anchor()
        definitions["pick"] = {"anyOf": [{"enum": ["first", "last"]}, _POSITION]}
        definitions["valuePick"] = {"anyOf": [{"enum": ["first", "last"]}, _EITHER_END]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"tallysql plan, profile {profile.name}",
        "type": "object",
        "required": ["applicable"],
        "properties": {"applicable": {"type": "boolean"}},
        "if": {"properties": {"applicable": {"const": False}}, "required": ["applicable"]},
        "then": _closed(
            {"applicable": {}, "reason": {"type": "string", "pattern": r"\S"}}, ["reason"]
        ),
        "else": _closed({"applicable": {}, "queries": _queries()}, ["queries"]),
        "$defs": definitions,
    }


def _queries() -> Schema:
    items = {"$ref": "#/$defs/query"}
    return {"type": "array", "minItems": 1, "maxItems": MAX_QUERIES, "items": items}


def _query(profile: Profile) -> Schema:
    ops = _ordered(MEANING, profile.ops)
    meanings = "; ".join(f"{op}: {MEANING[op]}" for op in ops)
    properties: Schema = {
        "label": {"type": ["string", "null"]},
        "scope": {"$ref": "#/$defs/scope"},
        "where": {"$ref": "#/$defs/where"},
        "op": {"enum": ops, "description": meanings},
        "by": {"enum": [*_bys(profile), None]},
    }
    if profile.extensions:
        properties["not"] = {"$ref": "#/$defs/where"}
        properties["limit"] = _POSITION | {"type": ["integer", "null"]}
        properties["pick"] = {"anyOf": [{"$ref": "#/$defs/valuePick"}, {"type": "null"}]}
    return _closed(properties, ["op"]) | {
        "allOf": [
            {
                "if": _op_among(BY_REQUIRED & profile.ops),
                "then": {"required": ["by"], "properties": {"by": {"type": "string"}}},
            },
            {
                "if": _op_among(profile.ops - by_allowed(profile)),
                "then": {"properties": {"by": {"type": "null"}}},
            },
            {
                "if": _op_among(profile.ops - LIMIT_ALLOWED),
                "then": {"properties": {"limit": {"type": "null"}}},
            },
            {
                "if": _op_among(profile.ops - {"values"}),
                "then": {"properties": {"pick": {"type": "null"}}},
            },
        ]
    }


def _scope(profile: Profile) -> Schema:
    bound = {"type": ["integer", "null"], "minimum": -MAX_STEP, "maximum": MAX_STEP}
    properties: Schema = {"lo": bound, "hi": bound}
    if profile.extensions:
        anchor = {"$ref": "#/$defs/anchor"}
        properties |= {"after": anchor, "before": anchor}
    return _closed(properties, [])


def _anchor() -> Schema:
    """The pick is optional; an anchor without a clause would name no event."""
    where = {"$ref": "#/$defs/where", "minProperties": 1}
    return _closed({"where": where, "pick": {"$ref": "#/$defs/pick"}}, ["where"])


def _where(profile: Profile) -> Schema:
    terms = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/term"}}
    properties: Schema = dict.fromkeys(_ordered(get_args(Field), profile.fields), terms)
    if "exit_code" in properties:
        properties["exit_code"] = terms | {"items": {"$ref": "#/$defs/exitCodeTerm"}}
    return _closed(properties, [])


def _term(profile: Profile, text: Schema) -> Schema:
    if not profile.extensions:
        return text
    # One schema for both forms, so that a violation is named without "none of the alternatives".
    structured = _closed({"term": text, "match": {"enum": list(get_args(Match))}}, ["term"])
    return structured | text | {"type": ["string", "object"]}


def _closed(properties: Schema, required: list[str] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


def _op_among(ops: frozenset[Op]) -> Schema:
    return {"properties": {"op": {"enum": _ordered(MEANING, ops)}}, "required": ["op"]}


def _bys(profile: Profile) -> list[By]:
    return _ordered(get_args(By), profile.bys)


def _ordered(names: Any, kept: Any) -> list[Any]:
    return [name for name in names if name in kept]
