"""The linker: from the words of a question to the vocabulary of the log.

Each stretch of words that names something becomes a Mention; words that say nothing of the events
are claimed with the reason; what is left over is not understood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules import codes, names, parts, texts, values
from tallysql.compiling.rules.reading_pass import Pass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.compiling.rules.vocabulary import Vocabulary

READINGS = (
    texts.read_quoted,
    texts.read_worded,
    texts.read_cause,
    texts.read_punctuation,
    parts.read_name_part,
    parts.read_status,
    parts.read_query_verb,
    names.read_slashed,
    values.read_file,
    parts.read_told_error,
    values.read_file_sort,
    names.read_name,
    values.read_code,
    texts.read_error,
    values.read_begun,
    values.read_fixture,
    values.read_element,
    values.read_noun,
    names.read_generic,
    names.read_ignored,
    values.read_partial,
    texts.read_contained,
    parts.read_instrument,
    names.read_absent,
    texts.read_verbatim,
)
"""Ways to read the token at hand, in order: the first that claims something decides."""


def link(
    board: Board,
    vocabulary: Vocabulary,
    first: int,
    last: int,
    given: Sequence[Mention] = (),
    *,
    left_out: bool = False,
) -> list[Mention]:
    """Link the unclaimed tokens first..last-1, claiming each that says something.

    Mentions of the range that were read before are given.
    """
    at = Pass(board, vocabulary)
    at.mentions += [m for m in given if first <= m.first < last]
    codes.read_exit_codes(at, first, last)
    if left_out:
        codes.read_left_out(at, first, last)
    i = first
    while i < last:
        i += _read(at, i, _free_until(board, i, last)) if board.became[i] is None else 1
    return sorted(at.mentions, key=lambda mention: mention.first)


def _read(at: Pass, i: int, last: int) -> int:
    for reading in READINGS:
        if length := reading(at, i, last):
            return length
    return 1


def _free_until(board: Board, i: int, last: int) -> int:
    while i < last and board.became[i] is None:
        i += 1
    return i
