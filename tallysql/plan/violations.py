"""Says in words what breaks the JSON Schema of plans; the schema itself is in `schema`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tallysql.errors import nearest
from tallysql.plan.profiles import PAPER_BYS, PAPER_FIELDS, PAPER_OPS, PROFILES, REFINED
from tallysql.plan.schema import plan_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jsonschema import ValidationError

    from tallysql.plan.profiles import Profile

NAMES = {bool: "true or false", int: "a number", float: "a number", str: "a text"}
NAMES |= {list: "a list", dict: "an object", type(None): "null"}
TYPES = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


def schema_violations(data: object, profile: Profile) -> list[tuple[str, str]]:
    """Return (JSON path, problem) of everything that the schema forbids, and of broken texts."""
    from jsonschema import Draft202012Validator

    if broken := list(_lone_surrogates(data)):
        return broken
    validator = _strict(Draft202012Validator)(plan_schema(profile))
    errors = sorted(validator.iter_errors(data), key=lambda error: list(map(str, error.path)))
    found = ((path, text) for error in errors for path, text in _told(error, profile))
    return list(dict.fromkeys(found))


def _lone_surrogates(data: object) -> Iterator[tuple[str, str]]:
    """Yield the place of each text that no UTF-8 can hold; without recursion, however deep."""
    waiting = [("$", data)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [(f"{path}.{name}", item) for name, item in reversed(value.items())]
            waiting += [(path, name) for name in value]
        elif isinstance(value, list):
            waiting += [(f"{path}[{i}]", value[i]) for i in reversed(range(len(value)))]
        elif isinstance(value, str) and (found := _SURROGATE.search(value)):
            shown = path.encode("utf-8", "backslashreplace").decode()
            yield shown, f"holds a lone surrogate (\\u{ord(found[0]):04x}), which is no text"


_SURROGATE = re.compile("[\ud800-\udfff]")


def _strict(base: Any) -> Any:
    """Refuse 3.0 and true as integers; the draft lets 3.0 pass."""
    from jsonschema import validators

    def is_integer(_: object, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    return validators.extend(base, type_checker=base.TYPE_CHECKER.redefine("integer", is_integer))


def _told(error: ValidationError, profile: Profile) -> Iterator[tuple[str, str]]:
    path = error.json_path
    if error.validator == "additionalProperties":
        known = list(error.schema["properties"])
        for name in error.instance:
            if name not in known:
                yield f"{path}.{name}", _unknown_name(str(name), known, profile)
        return
    tell = TOLD.get(str(error.validator))
    told = tell(error) if tell else error.message
    yield path, _refusal(error, profile) or told


def _refusal(error: ValidationError, profile: Profile) -> str | None:
    """Say what only the profile refuses; None if it is wrong in any."""
    if profile.extensions:
        return None
    value = error.instance
    if error.validator == "type" and isinstance(value, dict) and "term" in value:
        return f"a term with its own match is an extension, refused in profile {profile.name}"
    if error.validator == "enum" and isinstance(value, str):
        name = str(error.path[-1]) if error.path else ""
        known, paper = _NAMES.get(name, (frozenset(), frozenset()))
        if value in paper:
            return f"{value!r} is refused in profile {profile.name}"
        if value in known:
            return f"{value!r} is an extension, refused in profile {profile.name}"
    return None


_NAMES: dict[str, tuple[frozenset[Any], frozenset[Any]]] = {
    "op": (REFINED.ops, PAPER_OPS),
    "by": (REFINED.bys, PAPER_BYS),
}
"""Key of a sub-query → its names, and those of them that are the paper's."""


def _unknown_name(name: str, known: list[str], profile: Profile) -> str:
    if not profile.extensions and set(known) <= PAPER_FIELDS and name in PAPER_FIELDS:
        return f"is not a field of profile {profile.name}; valid: {', '.join(known)}"
    if not profile.extensions and name in _extension_names():
        return f"is an extension, refused in profile {profile.name}"
    return f"unknown field{_suggestion(name, known)}"


def _extension_names() -> set[str]:
    return set(_property_names(REFINED)) - set(_property_names(PROFILES["principal"]))


def _property_names(profile: Profile) -> Iterable[str]:
    for definition in plan_schema(profile)["$defs"].values():
        yield from definition.get("properties", {})


def _enum(error: ValidationError) -> str:
    valid = [value for value in error.validator_value if value is not None]
    if not isinstance(error.instance, str):
        return f"must be one of {', '.join(valid)}, not {_named(error.instance)}"
    return f"unknown name {error.instance!r}{_suggestion(error.instance, valid)}"


def _suggestion(name: str, valid: list[str]) -> str:
    near = nearest(name, valid)
    if near:
        return f"; did you mean {', '.join(near)}?"
    return f"; valid: {', '.join(valid)}"


def _type(error: ValidationError) -> str:
    wanted = error.validator_value
    names = [wanted] if isinstance(wanted, str) else wanted
    if "allOf" in error.absolute_schema_path:
        return _unfit_for_operation(error)
    return f"must be {' or '.join(TYPES[name] for name in names)}, not {_named(error.instance)}"


def _unfit_for_operation(error: ValidationError) -> str:
    """Tell of `by` and `limit`, where the operation decides whether they may stand."""
    if error.validator_value == "null":
        return "means nothing for this operation"
    return "must be named for this operation"


def _required(error: ValidationError) -> str:
    missing = [name for name in error.validator_value if name not in error.instance]
    if "allOf" in error.absolute_schema_path:
        return f"{error.instance['op']} needs `by`"
    return f"lacks {', '.join(f'`{name}`' for name in missing)}"


def _pattern(error: ValidationError) -> str:
    if error.validator_value == r"\S":
        return "is empty"
    return f"{error.instance!r} is no exit code: a number, nonzero or none"


def _items(error: ValidationError) -> str:
    bound = error.schema.get("maxItems")
    if bound is None:
        return "has no term"
    return f"holds {len(error.instance)}, must be 1 to {bound}"


def _named(value: object) -> str:
    text = repr(value)
    kind = NAMES.get(type(value), type(value).__name__)
    return kind if isinstance(value, (list, dict, type(None))) else f"{kind} ({text[:40]})"


TOLD: dict[str, Callable[[ValidationError], str]] = {
    "enum": _enum,
    "type": _type,
    "required": _required,
    "pattern": _pattern,
    "minItems": _items,
    "maxItems": _items,
    "minProperties": lambda _: "names no event",
    "anyOf": lambda error: f"must be first, last or a number from 1, not {_named(error.instance)}",
    "minimum": lambda error: f"{error.instance} is less than {error.validator_value}",
    "maximum": lambda error: f"{error.instance} is more than {error.validator_value}",
}
