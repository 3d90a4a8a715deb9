"""Checks between the stages: nothing left over, nothing said twice, nothing said beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.lexicon import lexicon
from tallysql.compiling.rules.refusal import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.quantities import Segment
    from tallysql.compiling.rules.tokens import Board
    from tallysql.compiling.rules.vocabulary import Vocabulary

_RESTRICTING = frozenset(
    ("count", "counting", "only", "just", "consider", "considering", "include", "including",
     "exclude", "excluding", "ignore", "ignoring", "use", "take", "look", "restrict", "successful",
     "failed", "with", "tell", "give", "list", "name", "and", "if", "the", "(", "by", "i", "how",
     "what", "which", "at", "on", "in", "when", "answer", "report", "state")
)  # fmt: skip


def check_answerable(board: Board, vocabulary: Vocabulary) -> None:
    """Refuse what no plan over events answers: reasons, advice, arithmetic.

    Raises:
        Refused: naming the words that ask for it.
    """
    for pattern, reason in lexicon().decline:
        for found in pattern.finditer(board.text):
            first, last = board.span(found)
            if first == last or any(_literal(board, i) for i in range(first, last)):
                continue
            if not vocabulary.match(board.canon, first, last) or last - first > 1:
                words = board.question[board.tokens[first].start : board.tokens[last - 1].end]
                board.claim(first, last, f"declined: {reason}")
                raise Refused(f"{reason}: {words!r}")


def _literal(board: Board, i: int) -> bool:
    """Whether a token is the log's word rather than the question's: DESCRIBE TABLE."""
    token = board.tokens[i]
    shouted = token.text.isupper() and len(token.text) > 2
    return token.kind in {"code", "quoted"} or (shouted and not board.question.isupper())


def check_placed(board: Board) -> None:
    """Refuse words that nothing placed.

    Raises:
        Refused: naming them.
    """
    left = board.free()
    if left:
        words = ", ".join(repr(board.tokens[i].text) for i in left[:8])
        raise Refused(f"cannot place {words}")


def check_sentences(board: Board, mentions: Sequence[Mention]) -> None:
    """Refuse a statement behind the question that names events: no rows count as success.

    Raises:
        Refused: such a sentence does not only restrict what is asked.
    """
    marks = [i for i, word in enumerate(board.canon) if word == "?"]
    if len(marks) != 1 or marks[0] + 1 >= len(board.canon):
        return
    later = any(m.first > marks[0] and m.role in {"act", "condition"} for m in mentions)
    if later and board.canon[marks[0] + 1] not in _RESTRICTING:
        raise Refused("adds a sentence that says more")


def check_restated(board: Board, mentions: Sequence[Mention]) -> None:
    """Refuse conditions that are put another way: about X, i.e. with Y in it.

    Raises:
        Refused: which of the two is meant cannot be told.
    """
    at = next((i for i, word in enumerate(board.canon) if word in {"i.e", "i.e.", "meaning"}), None)
    held = [m for m in mentions if m.role == "condition" and m.field in {"target", "action"}]
    if at is not None and any(m.first < at for m in held) and any(m.first > at for m in held):
        raise Refused("puts a condition in two ways")


def check_both(board: Board, mentions: Sequence[Mention], total: bool) -> None:
    """Refuse what has to be two things at once: files both viewed and edited.

    Raises:
        Refused: no predicate says so.
    """
    if "both" not in board.canon:
        return
    at = board.canon.index("both")
    acts = [m for m in mentions if m.first > at and m.role == "act" and not m.noun]
    words = [m for m in mentions if m.first > at and m.role == "condition" and m.field == "action"]
    for found in (acts if not total else [], words):
        if len(found) > 1 and "and" in board.canon[found[0].last : found[-1].first]:
            raise Refused("asks for what is two things at once: 'both'")


def check_adds(
    segment: Segment, mentions: Sequence[Mention], placed: Sequence[tuple[int, object]]
) -> None:
    """Refuse a further quantity that has neither events nor a scope of its own.

    Raises:
        Refused: it repeats the first.
    """
    named = any(m.role in {"act", "condition", "element"} for m in mentions)
    if not named and not any(segment.first <= at < segment.last for at, _ in placed):
        raise Refused("a quantity names nothing of its own")


def check_left_out(negated: Sequence[Mention], acts: frozenset[str] | None) -> None:
    """Refuse another act that is denied: opened but not closed.

    Raises:
        Refused: no predicate says so.
    """
    if acts and any(
        m.role == "act" and not m.acts & acts and m.spoken.lower().endswith(("ed", "en", "ing"))
        for m in negated
    ):
        raise Refused("leaves out an act that it does not ask for")
