"""Questions about files of a commit history: touches, creation, renames, several at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tallysql.compiling.rules.history_cues import STATUSES
from tallysql.compiling.rules.history_events import excluding, of_commits
from tallysql.plan.nodes import Clause, Term

if TYPE_CHECKING:
    from tallysql.compiling.compilation import AnswerForm
    from tallysql.compiling.rules.history_events import Quantity, Question
    from tallysql.compiling.rules.history_subjects import Subject
    from tallysql.plan.nodes import Pick, Where


_APPEARED = frozenset({"appear", "appeared", "appears", "exist", "existed", "exists"})


def about_files(question: Question, files: list[Subject]) -> list[Quantity]:
    """Return what is asked of several files: a count of each, their order, the first or last."""
    asked = question.asked
    names = [file.texts[0] for file in files]
    if asked.any("how_many", "times"):
        return _counts(question, names)
    if asked.any("most"):
        terms = tuple(Term(f"{name}.status → ", "verbatim_prefix") for name in names)
        return question.ask("top", "name", (Clause("change", terms),), "object")
    appeared = asked.kinds >= STATUSES and bool(_APPEARED & set(question.board.canon))
    kinds = frozenset({"added"}) if appeared or not asked.kinds else asked.kinds
    form = _ordered_form(question)
    if form is None or len(kinds) > 1 or asked.any("step", "steps", "hash", "who"):
        return []
    terms = tuple(_status(name, kind) for name in names for kind in kinds)
    return question.ask("distinct", form, (Clause("change", terms),), "object", limit=len(names))


def _ordered_form(question: Question) -> AnswerForm | None:
    asked = question.asked
    if asked.any("order"):
        return "order"
    return "oldest" if asked.any("first") else "newest" if asked.any("last") else None


def _counts(question: Question, names: list[str]) -> list[Quantity]:
    """Count commits a file where each is asked for, together where the question says or."""
    asked = question.asked
    wheres = [touching(question, name) for name in names]
    if asked.any("each", "listed") or "list" in asked.form or asked.counts == len(names):
        return [
            (replace(query, label=name), form)
            for name, where in zip(names, wheres, strict=True)
            for query, form in question.ask("count", "integer", where)
        ]
    if not {"or", "any", "either"} & set(question.board.canon) or asked.counts > 1:
        return []
    terms = tuple(term for where in wheres for term in where[0].terms)
    return question.ask("count", "integer", (Clause(wheres[0][0].field, terms),))


def about_file(question: Question, file: Subject) -> list[Quantity]:
    """Return what is asked of one file."""
    asked = question.asked
    name = file.texts[0]
    told = asked.any("how_many", "times", "step", "steps", "hash", "who", "existed")
    if asked.any("path_of") and not told and (asked.any("moved") or asked.kinds == {"renamed"}):
        back = {"from", "before"} & set(question.board.canon)
        asked = replace(asked, features=asked.features | {"old_path" if back else "new_path"})
    if asked.any("new_path"):
        where: Where = (Clause("change", (Term(f"{name}.path → ", "verbatim_prefix"),)),)
        return question.ask("values", "names", where, "value")
    if asked.any("old_path"):
        where = (Clause("change", (Term(f"path → {name}", "verbatim"),)),)
        return question.ask("values", "names", where, "object")
    of_values = asked.any("values", "value", "changes", "back", "directories")
    if asked.any("moved", "existed", "path_of") or (
        of_values and not asked.any("step", "times", "how_many")
    ):
        return []
    default: Pick | None = "first" if asked.kinds == {"added"} and not asked.any("steps") else None
    found = of_commits(question, touching(question, name), default=default)
    terms = tuple(_status(name, kind) for kind in sorted(_left_out(asked.kinds)))
    return excluding(found, (Clause("change", terms),)) if terms else found


def touching(question: Question, name: str) -> Where:
    """Return the commits that did to a file what the question says; all that touch it if any."""
    kinds = question.asked.kinds or STATUSES
    if kinds >= STATUSES or _left_out(kinds):
        return (Clause("path", (Term(name, "verbatim"),)),)
    return (Clause("change", tuple(_status(name, kind) for kind in sorted(kinds))),)


def _left_out(kinds: frozenset[str]) -> frozenset[str]:
    """Return the kinds to exclude where renames to the path count beside other changes."""
    return STATUSES - kinds if "renamed" in kinds and len(kinds) > 1 else frozenset()


def _status(name: str, kind: str) -> Term:
    return Term(f"{name}.status → {kind}", "verbatim")
