"""Sorts of commits: by author, merges, empty ones, ones that touch binary files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tallysql.plan.nodes import Clause, Term

if TYPE_CHECKING:
    from tallysql.compiling.rules.history_events import Question
    from tallysql.compiling.rules.history_subjects import Subject
    from tallysql.plan.nodes import Where

ACTS = {
    "merges": frozenset({"commit.merge", "commit.empty_merge"}),
    "empty": frozenset({"commit.empty", "commit.empty_merge"}),
}
"""Sort of commit → its acts in the ledger."""

EVERY = frozenset({"commit", "commit.merge", "commit.empty", "commit.empty_merge"})

BINARY: Where = (Clause("change", (Term("content → binary", "verbatim"),)),)


def of_sort(question: Question, authors: list[Subject]) -> Question | None:
    """Return the question over the commits of the sort that it names; None if that has no plan."""
    asked = question.asked
    base: Where = tuple(Clause("author", (Term(one.texts[0], "exact"),)) for one in authors)
    exclude: Where = ()
    wanted = [ACTS[sort] for sort in ACTS if asked.any(sort)]
    if asked.any("binary"):
        if wanted or question.narrowed or question.board.subjects.found != authors:
            return None
        return replace(question, base=base + BINARY, over_changes=True)
    if wanted:
        acts = frozenset.intersection(*wanted)
        known = acts & question.acts
        # acts are all recorded: where none is of the sort, leaving out the others shows it
        terms = tuple(Term(act, "exact") for act in sorted(known or EVERY - acts))
        if known:
            base += (Clause("action", terms),)
        else:
            exclude = (Clause("action", terms),)
        kept = asked.kinds if asked.any("merges") and not asked.any("empty") else frozenset()
        asked = replace(asked, kinds=kept, spoken=bool(kept))
        asked.features.add("commits")
    return replace(question, asked=asked, base=base, exclude=exclude)
