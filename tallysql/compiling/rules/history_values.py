"""Questions about the values that a variable in a file took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.history_events import of_commits
from tallysql.plan.nodes import Clause, Term

if TYPE_CHECKING:
    from tallysql.compiling.rules.history_events import Quantity, Question
    from tallysql.compiling.rules.history_subjects import Subject
    from tallysql.plan.nodes import Pick, Where


def about_variable(
    question: Question, variables: list[Subject], files: list[Subject]
) -> list[Quantity]:
    """Return what is asked of one variable: its values, how they changed, who set it and when."""
    asked = question.asked
    values = question.board.subjects.of("value")
    if len(variables) > 1 or len(files) > 1 or len(values) > 1:
        return []
    where = _assigning(variables[0], files, values)
    if asked.any("files", "directories", "most", "each"):
        return _files_assigning(question, where) if not files else []
    value_asked = asked.any("values", "value", "changes", "how_many", "times")
    if values or asked.any("step", "steps", "hash", "who"):
        return of_commits(question, where, default="first")
    if asked.any("which_commit") and not value_asked:
        return of_commits(question, where, default="first")
    return _of_values(question, where)


def _assigning(variable: Subject, files: list[Subject], values: list[Subject]) -> Where:
    """Return the changes that assign a variable, in the named file, the named value."""
    lead = f"{files[0].texts[0]}." if files else ""
    text = f"{lead}{variable.texts[0]} → "
    term = Term(text + values[0].texts[0], "verbatim") if values else Term(text, "verbatim_prefix")
    return (Clause("change", (term,)),)


def _files_assigning(question: Question, where: Where) -> list[Quantity]:
    if question.asked.any("files") and not question.asked.any("how_many", "times", "most", "each"):
        return question.ask("distinct", "names", where, "object")
    return []


def _of_values(question: Question, where: Where) -> list[Quantity]:
    asked = question.asked
    counted = asked.any("how_many", "times")
    if asked.back:
        return question.ask("values", "name", where, "value", pick=-(asked.back + 1))
    if asked.any("changes", "not_first") or (
        counted and asked.spoken and not asked.any("values", "distinct")
    ):
        return question.ask("values", "changes", where, "value")
    if counted:
        distinct = asked.any("distinct", "values")
        return question.ask(
            "distinct" if distinct else "count", "integer", where, "value" if distinct else None
        )
    if asked.any("values", "succession") or "list" in asked.form:
        each_once = asked.any("distinct") and not asked.any("succession")
        return question.ask("distinct" if each_once else "values", "names", where, "value")
    edge: Pick = "first" if asked.any("first") else "last"
    return question.ask("values", "name", where, "value", pick=asked.nth or edge)
