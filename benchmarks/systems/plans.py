"""The plan that each template of the probe stands for (paper, appendix H: the correct-plan arm).

Written from the templates' definitions; of the question only its bound and its parameter are used.
What a template selects by its own parser, the ledger has as tool, act, path and exit code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Row = Mapping[str, Any]

BASH = {"tool": ["execute_bash"]}
CHANGING = [
    {"term": f"str_replace_editor.{command}", "match": "exact"}
    for command in ("create", "str_replace", "insert")
]
CREATING = CHANGING[:1]


def _exact(term: str) -> list[dict[str, str]]:
    return [{"term": term, "match": "exact"}]


def _first_word(verb: str) -> dict[str, Any]:
    return {"tool": _exact(verb)}


def _go(_: Row) -> dict[str, Any]:
    return _first_word("go")


def _open(_: Row) -> dict[str, Any]:
    return _first_word("open")


def _changing(_: Row) -> dict[str, Any]:
    return {"tool": CHANGING}


def _changing_file(params: Row) -> dict[str, Any]:
    return {"tool": CHANGING, "path": _exact(params["file"])}


Where = Callable[[Row], dict[str, Any]]

PLANS: dict[str, tuple[str, str | None, Where]] = {
    "E1": ("count", None, _go),
    "E2": ("count", None, _go),
    "E3": ("count", None, lambda p: {"action": _exact(f"open {p['receptacle']}")}),
    "E4": ("distinct", "first_target", _go),
    "E5": ("first", None, lambda _: _first_word("take")),
    "E6": ("last", None, _open),
    "E7": ("list", None, lambda p: {"action": _exact(f"go to {p['location']}")}),
    "E8": ("distinct", "first_target", _open),
    "E9": ("top", "first_target", _go),
    "S1": ("count", None, lambda _: BASH),
    "S2": ("count", None, lambda _: BASH),
    "S3": ("count", None, lambda _: {**BASH, "exit_code": ["nonzero"]}),
    "S4": ("count", None, _changing),
    "S5": ("list", None, _changing_file),
    "S6": ("first", None, _changing_file),
    "S7": ("distinct", "path", lambda _: {"tool": CREATING}),
    "XE1": ("group", "tool", lambda _: {}),
    "XE2": ("count", None, _go),
    "XS1": ("group", "act", lambda _: {"tool": ["str_replace_editor"]}),
    "XS2": ("count", None, lambda _: {"tool": CHANGING, "outcome": ["success"]}),
}
"""Template → operation, what it groups by, and the predicate, given the question's parameters."""


def plan_of(facts: Row) -> dict[str, Any] | None:
    """Return the plan of a question in its JSON form, None if no template of the probe made it.

    Args:
        facts: the question's record: template, params, lo and bound.
    """
    known = PLANS.get(str(facts.get("template", "")).removesuffix("m"))
    if known is None or "params" not in facts:
        return None
    op, by, where = known
    query: dict[str, Any] = {
        "label": str(facts["template"]),
        "scope": {"lo": facts.get("lo"), "hi": facts.get("bound")},
        "where": where(facts["params"]),
        "op": op,
    }
    if by is not None:
        query["by"] = by
    return {"applicable": True, "queries": [query]}
