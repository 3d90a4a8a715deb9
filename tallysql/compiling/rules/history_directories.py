"""Questions about a directory of a commit history: its commits, and the files below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.history_events import of_commits, of_paths
from tallysql.plan.nodes import Clause, Term

if TYPE_CHECKING:
    from tallysql.compiling.rules.history_events import Quantity, Question
    from tallysql.compiling.rules.history_subjects import Subject
    from tallysql.plan.nodes import Where

_WAYS = frozenset({"to", "into", "from", "out"})


def about_directory(question: Question, directory: Subject) -> list[Quantity]:
    """Return what is asked of the commits that touch a directory, or of its files.

    Files that were renamed into a directory or out of it are told apart by no single change.
    """
    asked, lead = question.asked, directory.texts[0]
    if question.narrowed:
        if "renamed" in asked.kinds and _WAYS & set(question.board.canon):
            return []
        terms = tuple(Term(f"{kind.text}: {lead}", "verbatim_prefix") for kind in question.kinds())
        where: Where = (Clause("change", terms),)
    else:
        where = (Clause("path", (Term(lead, "verbatim_prefix"),)),)
    if asked.any("count_files") or (asked.any("most") and asked.any("files")):
        return of_paths(question, where)
    if asked.any("most", "each"):
        return []
    if (
        asked.any("files")
        and not question.of_events
        and not (asked.any("times") and not question.narrowed)
    ):
        return of_paths(question, where) if asked.spoken else []
    return of_commits(question, where)
