"""Questions about the values that a variable in a file took."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tallysql.compiling.rules.history_events import of_commits
from tallysql.plan.nodes import Clause, Term

if TYPE_CHECKING:
    from tallysql.compiling.rules.history_events import Quantity, Question
    from tallysql.compiling.rules.history_subjects import Subject
    from tallysql.plan.nodes import Where


def about_variable(
    question: Question, variables: list[Subject], files: list[Subject]
) -> list[Quantity]:
    """Return what is asked of one variable: its values, how they changed, who set it and when."""
    asked = question.asked
    values = question.board.subjects.of("value")
    if len(variables) > 1 or len(files) > 1 or len(values) > 1 or question.over_changes:
        return []
    where = _assigning(variables[0], files, values)
    if asked.any("files", "directories", "most", "each"):
        return _files_assigning(question, where) if not files else []
    value_asked = asked.any("values", "value", "changes", "how_many", "times")
    of_commits_asked = asked.any("step", "steps", "hash", "who") or (
        asked.any("which_commit") and not value_asked
    )
    if values or of_commits_asked:
        return _commits_assigning(question, where, given=bool(values))
    # a value holds whoever set it, so that of one author's commits no values can be told
    sorted_out = question.base or question.exclude
    unsaid = "did" in question.board.canon and not asked.features - _SAYING_NOTHING
    told = not (sorted_out or unsaid or _told_in_part(question))
    return _of_values(question, where) if told else []


_SAYING_NOTHING = frozenset({"wrote", "files", "idle", "plain", "commits"})


def _commits_assigning(question: Question, where: Where, *, given: bool) -> list[Quantity]:
    """Return what is asked of the commits that set a variable, to one value if it is given."""
    asked = question.asked
    if asked.any("step") and asked.any("last") and asked.spoken and not given:
        # it changed where the value that it still has began, not where it was last written
        return question.ask("values", "since", where, "value", pick="last")
    return of_commits(question, where, default="first")


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
    if asked.nth or asked.any("first"):
        return question.ask("values", "name", where, "value", pick=asked.nth or "first")
    held = replace(question, scope=replace(question.scope, lo=None))
    return held.ask("values", "name", where, "value", pick="last")


def _told_in_part(question: Question) -> bool:
    """Whether what was set before the scope decides too: a value holds until the next one.

    At a step the value is the latest up to it; from a step on, only what is set then is told.
    """
    asked, scope = question.asked, question.scope
    if scope.lo is None:
        return False
    listed = asked.any("values", "succession", "changes", "not_first", "how_many", "times")
    chosen = asked.back or asked.nth or asked.any("first")
    if scope.lo == scope.hi:
        return bool(listed or chosen)
    return (
        bool(asked.back)
        or not (asked.any("first", "values") or asked.nth)
        or (asked.any("changes", "not_first", "how_many", "times"))
    )
