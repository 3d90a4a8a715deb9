"""Readings of exit codes: which ones, other than zero, below zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.lexicon import pattern
from tallysql.compiling.rules.reading_pass import Pass
from tallysql.compiling.rules.tokens import lemmas
from tallysql.plan.nodes import Term

if TYPE_CHECKING:
    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.compiling.rules.vocabulary import Vocabulary


def read_nonzero_codes(board: Board, vocabulary: Vocabulary) -> list[Mention]:
    """Read exit codes other than zero, before `not` and `other than` leave anything out."""
    at = Pass(board, vocabulary)
    if not any(word in board.text for word in ("0", "zero", "code", "status")):
        return []
    for name in ("nonzero_code", "code_not_zero", "not_exited_zero"):
        while found := board.search(pattern(name)):
            at.condition(*board.span(found), "exit_code", [Term("nonzero")])
    return at.mentions


def read_left_out(at: Pass, first: int, last: int) -> None:
    """Read bare numbers that are left out as exit codes, where those are asked for."""
    said = at.board.spoken
    if "exit" not in said or not said & {"code", "status"}:
        return
    for i in at.board.free(first, last):
        if at.board.tokens[i].kind == "number":
            at.condition(i, i + 1, "exit_code", [Term(at.board.canon[i])])


def read_exit_codes(at: Pass, first: int, last: int) -> None:
    """Read every exit code of the range before its numbers mean anything else."""
    while found := at.board.search(pattern("exit_code"), first, last):
        at.condition(*at.board.span(found), "exit_code", [Term(found["code"])])
        _further_codes(at, at.board.span(found)[1], last)
    while found := at.board.search(pattern("negative_code"), first, last):
        below = [code for code in sorted(at.vocabulary.catalog.exit_codes) if code < 0]
        if not below:
            break
        at.condition(*at.board.span(found), "exit_code", [Term(str(code)) for code in below])
    if any("exit" in lemmas(word) for word in at.board.canon):
        while found := at.board.search(pattern("other_code"), first, last):
            at.condition(*at.board.span(found), "exit_code", [Term("nonzero")])


def _further_codes(at: Pass, i: int, last: int) -> None:
    """Read the codes that continue a list: exited with 2 or 137."""
    while i + 1 < last and at.board.canon[i] in {"or", "and", ","}:
        i += 1 + (at.board.canon[i] == "," and at.board.canon[i + 1] in {"or", "and"})
        if at.board.tokens[i].kind != "number" or at.board.became[i] is not None:
            return
        at.condition(i, i + 1, "exit_code", [Term(at.board.canon[i])])
        i += 1
