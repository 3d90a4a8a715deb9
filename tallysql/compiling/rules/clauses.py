"""Clauses of a predicate that need each other: elements, words of queries, a second target."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tallysql.compiling.rules.mentions import words_of
from tallysql.compiling.rules.refusal import Refused
from tallysql.plan.nodes import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.vocabulary import Vocabulary


_LONG = 8


_NAMED = frozenset(("target", "path", "action"))


def sort_of_element(
    mentions: Sequence[Mention], clauses: dict[str, list[tuple[Term, ...]]]
) -> None:
    """A sort of element is a condition only where no label is named."""
    found = [m for m in mentions if m.role == "element"]
    if found and not clauses.get("target"):
        clauses["action"].append(tuple(dict.fromkeys(t for m in found for t in m.terms)))


def words_of_texts(
    mentions: Sequence[Mention],
    clauses: dict[str, list[tuple[Term, ...]]],
    acts: frozenset[str] | None,
) -> None:
    """A table is no target of the queries that name it, but words of theirs.

    Raises:
        Refused: a short name, which longer names may begin with.
    """
    textual = any(m.kind and m.kind.texts and acts and acts <= m.acts for m in mentions)
    held = [m for m in mentions if m.role == "condition" and m.field in _NAMED and not m.kind]
    short = next((m.spoken for m in held if textual and _short_name(m.spoken)), None)
    if short:
        raise Refused(f"{short!r} may be part of longer names in the queries")
    spoken = [m for m in held if m.field != "action"]
    if not textual or not spoken:
        return
    clauses.pop("target", None)
    clauses.pop("path", None)
    clauses["action"].append(tuple(Term(m.spoken, "substring") for m in spoken))


def _short_name(text: str) -> bool:
    """Whether a name in capitals, and no word of the language, may begin a longer one."""
    return bool(re.fullmatch(rf"[A-Z0-9]{{1,{_LONG - 1}}}", text)) and (
        text.lower() not in words_of("sql")
    )


def spill(clauses: dict[str, list[tuple[Term, ...]]]) -> None:
    """A field holds one disjunction: a second target is looked for in the action's words."""
    for name, found in list(clauses.items()):
        if name == "target" and len(found) == 2 and not clauses.get("action"):
            clauses["action"].append(tuple(Term(term.text) for term in found.pop()))
    for name, found in clauses.items():
        if len(found) > 1:
            words = " and ".join(repr(terms[0].text) for terms in found)
            raise Refused(f"two conditions on one {name}: {words}")


def single_tool(
    mentions: Sequence[Mention], acts: frozenset[str] | None, vocabulary: Vocabulary
) -> None:
    """Refuse a kind that means one tool where several of the log's could be meant.

    Raises:
        Refused: naming them: searches of tavily_search or search_wiki.
    """
    for m in mentions:
        if m.kind and m.kind.single and acts and acts <= m.acts:
            tools = sorted(vocabulary.tools_of(acts))
            if len(tools) > 1:
                raise Refused(f"{m.spoken!r} may be {' or '.join(tools)}")
