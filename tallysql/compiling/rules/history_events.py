"""What a question asks of the commits that it selects: how many, which, when, by whom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tallysql.compiling.rules.history_cues import STATUSES
from tallysql.plan.nodes import Query, Term

if TYPE_CHECKING:
    from tallysql.compiling.compilation import AnswerForm
    from tallysql.compiling.rules.history_cues import Asked
    from tallysql.compiling.rules.history_subjects import TaggedBoard
    from tallysql.plan.nodes import By, Op, Pick, Scope, Where

    Quantity = tuple[Query, AnswerForm]


@dataclass(frozen=True, slots=True)
class Question:
    """A question that is understood whole: its board, its wording, its scope.

    Attributes:
        acts: the acts that the log holds.
        base, exclude: what holds of all commits that are meant, and of none.
        over_changes: the base selects by changes, whose files are meant.
    """

    board: TaggedBoard
    asked: Asked
    scope: Scope
    acts: frozenset[str] = frozenset()
    base: Where = ()
    exclude: Where = ()
    over_changes: bool = False

    @property
    def narrowed(self) -> bool:
        """Whether only some kinds of change are meant."""
        return bool(self.asked.kinds) and not self.asked.kinds >= STATUSES

    @property
    def of_events(self) -> bool:
        """Whether it asks for commits, even if it speaks of files."""
        asked = self.asked
        if asked.any("count_files"):
            return False
        counted = asked.any("how_many") and asked.any("commits")
        return counted or asked.any("step", "steps", "hash", "who", "which_commit")

    def kinds(self) -> tuple[Term, ...]:
        """Return a term for each kind of change that is meant; none if any is."""
        kinds = sorted(self.asked.kinds) if self.narrowed else ()
        return tuple(Term(f"status → {kind}", "verbatim") for kind in kinds)

    def ask(
        self,
        op: Op,
        form: AnswerForm,
        where: Where,
        by: By | None = None,
        *,
        pick: Pick | None = None,
        limit: int | None = None,
    ) -> list[Quantity]:
        """Return one sub-query with its answer form."""
        found = Query(
            op, self.base + where, self.scope, self.exclude, by=by, limit=limit, pick=pick
        )
        return [(found, form)]


def of_commits(question: Question, where: Where, default: Pick | None = None) -> list[Quantity]:
    """Return what is asked of the selected commits; none if it cannot be told.

    Args:
        question: the question.
        where: which commits.
        default: the one that is meant where the question says neither first nor last.
    """
    asked = question.asked
    people = asked.any("who", "authors")
    counted = asked.any("how_many", "times", "changes")
    if (asked.any("first") and asked.any("last")) or (people and asked.any("each") and not counted):
        return []
    edge: Pick | None = "first" if asked.any("first") else "last" if asked.any("last") else default
    pick = asked.nth or edge
    if counted:
        return _counted(question, where)
    if asked.any("most"):
        return question.ask("top", "name", where, "author") if people else []
    if asked.any("hash") or (
        asked.any("which_commit") and not (people or asked.any("step", "steps"))
    ):
        return _valued(question, where, "commit", pick)
    if asked.any("step", "steps"):
        return _steps(question, where, edge)
    return _valued(question, where, "author", pick) if people else []


def per_author(question: Question, where: Where) -> list[Quantity]:
    """Return a table of the commits of each author; none if something else is asked of each."""
    asked = question.asked
    other = ("files", "directories", "first", "last", "nth", "step", "steps", "hash", "most")
    if asked.any(*other) or not asked.any("how_many", "times") or asked.counts > 1:
        return []
    return question.ask("group", "pairs", where, "author")


def _counted(question: Question, where: Where) -> list[Quantity]:
    asked = question.asked
    events = asked.any("times", "commits")
    if asked.any("who", "authors") and asked.any("each"):
        return per_author(question, where)
    if asked.any("count_people"):
        return question.ask("distinct", "integer", where, "author") if asked.counts == 1 else []
    if asked.any("first", "last", "most", "files", "directories") and not events:
        return []
    if events and asked.any("who", "authors") and not question.board.subjects.of("author"):
        return []  # authors of so many commits, or a table of them
    if asked.any("who", "authors") and not events:
        return question.ask("distinct", "integer", where, "author")
    return question.ask("count", "integer", where)


def _steps(question: Question, where: Where, edge: Pick | None) -> list[Quantity]:
    if question.asked.nth:
        return question.ask("list", "step", where, limit=question.asked.nth)
    if edge is None:
        return question.ask("list", "steps", where)
    return question.ask("first" if edge == "first" else "last", "step", where)


def _valued(question: Question, where: Where, by: By, pick: Pick | None) -> list[Quantity]:
    if pick is None:
        return question.ask("distinct", "names", where, by)
    return question.ask("values", "name", where, by, pick=pick)


def of_paths(question: Question, where: Where) -> list[Quantity]:
    """Return what is asked of the files of the selected commits.

    Where the commits are selected by a kind of change, the files are those that changed so.
    """
    asked = question.asked
    narrowed = question.over_changes or any(clause.field == "change" for clause in where)
    by: By = "object" if narrowed else "path"
    if asked.any("most"):
        return question.ask("top", "name", where, by)
    if asked.any("times") and not narrowed:
        return []
    if asked.any("how_many", "times"):
        each_once = asked.any("count_files", "distinct") and not asked.any("times", "per_commit")
        distinct = not narrowed or each_once
        return question.ask("distinct" if distinct else "count", "integer", where, by)
    edges = [edge for edge in ("first", "last") if asked.any(edge)]
    several = "files" in question.board.canon
    if not edges or (several and edges == ["first"] and asked.kinds == {"added"}):
        return question.ask("distinct", "names", where, by)  # first added is added
    if len(edges) > 1 or asked.nth or not narrowed or several:
        return []
    return question.ask("distinct", "earliest" if edges == ["first"] else "latest", where, by)


def excluding(found: list[Quantity], excluded: Where) -> list[Quantity]:
    """Leave events out of all sub-queries."""
    return [(replace(query, exclude=excluded), form) for query, form in found if not query.exclude]
