"""The constants of the reading view (paper, appendix C), each a named setting."""

from __future__ import annotations

from dataclasses import dataclass

from tallysql.errors import InputError

BUDGET = 26_000
"""Tokens of a context, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class ViewSettings:
    """How a view chooses and cuts steps; see docs/architecture.md, "Reading view".

    Attributes:
        budget: tokens of the whole text.
        top_items: highest-ranked items (steps and files) whose steps become anchors.
        top_steps: the same, of steps alone, where the question names neither step nor file.
        window: positions around an anchor within which fields keep the wider cap.
        near_characters: cap of a field within the window.
        far_characters: cap of a field elsewhere.
        named_bonus: score of a step for being named.
        entity_bonus: score of a file for its path standing in the question.
        quoted_bonus: score of a step for holding a text that the question quotes. Not in the paper.
        index_share: largest part of the budget that index records take.
        linked_steps: most steps that the file graph may add for files that the question names.
        linked_share: part of what is left after the named steps and their neighbours that they
            may take.
        counter: whether "how many times" adds the actions per tool.
        tail_share: part of a truncated field that is kept from its end. The paper does not say;
            exit codes and last lines of tracebacks stand there.
        widen: whether named steps are shown whole if half of what is left after them suffices, and
            budget that is left in the end goes to the truncated fields of others, first up to
            the wider cap, then whole. Not in the paper.
        beyond_scope: whether budget that is left when all steps in scope are shown goes to the
            others. Not in the paper, whose view never shows them.
    """

    budget: int = BUDGET
    top_items: int = 8
    top_steps: int = 4
    window: int = 2
    near_characters: int = 4_000
    far_characters: int = 1_200
    named_bonus: int = 8
    entity_bonus: int = 12
    quoted_bonus: int = 8
    index_share: float = 0.30
    linked_steps: int = 8
    linked_share: float = 0.20
    counter: bool = True
    tail_share: float = 0.30
    widen: bool = True
    beyond_scope: bool = True

    def __post_init__(self) -> None:
        shares = (self.index_share, self.linked_share, self.tail_share)
        if self.budget < 1 or not all(0 <= share <= 1 for share in shares):
            raise InputError("a view needs a budget of at least one token, and shares from 0 to 1")
        if not 0 < self.far_characters <= self.near_characters:
            raise InputError("far_characters must be between 1 and near_characters")


PAPER = ViewSettings(quoted_bonus=0, widen=False, beyond_scope=False)
"""The view with nothing that the paper does not say, but for `tail_share`."""
