"""Yes-or-no questions about a commit history: whether a file ever changed in some way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.history_cues import STATUSES
from tallysql.plan.nodes import Clause, Term

if TYPE_CHECKING:
    from tallysql.compiling.rules.history_events import Quantity, Question
    from tallysql.plan.nodes import Where

_UNDERSTOOD = frozenset({"yes_no", "files", "commits", "in_place", "idle"})
_QUALIFYING = frozenset(
    {"and", "not", "never", "neither", "nor", "no", "only", "always", "but", "after", "again"}
)


def whether(question: Question) -> list[Quantity]:
    """Return whether the one file that is named changed as asked; none if more is asked."""
    asked, board = question.asked, question.board
    found = board.subjects.found
    told = zip(board.canon, board.became, strict=True)
    words = {word for word, became in told if became != "answer form"}
    if asked.features - _UNDERSTOOD or not asked.spoken or _QUALIFYING & words:
        return []
    if len({*found}) != 1 or found[0].sort != "file" or len(found[0].texts) > 1:
        return []
    if len(asked.kinds) > 1 and not asked.kinds >= STATUSES and "or" not in board.canon:
        return []
    return question.ask("count", "yes_no", _changed(found[0].texts[0], asked.kinds))


def _changed(name: str, kinds: frozenset[str]) -> Where:
    """Return the changes of a file of one of the kinds."""
    if kinds >= STATUSES:
        return (Clause("path", (Term(name, "verbatim"),)),)
    terms = tuple(Term(f"{name}.status → {kind}", "verbatim") for kind in sorted(kinds))
    return (Clause("change", terms),)
