"""What to do with the selected events, and how to answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tallysql.compiling.compilation import AnswerForm
    from tallysql.compiling.rules.cues import Cues
    from tallysql.plan.nodes import By, Op, Pick

Edge = Literal["first", "last"]
EDGES: tuple[Edge, ...] = ("first", "last")


@dataclass(frozen=True, slots=True)
class Operation:
    """What to do with the selected events, and how to answer."""

    op: Op
    form: AnswerForm
    by: By | None = None
    limit: int | None = None
    pick: Pick | None = None


def told_by_steps(cues: Cues) -> bool:
    """Whether steps are asked for, or yes or no."""
    return cues.any("step", "steps", "pair_steps", "yes_no") or bool({"step", "steps"} & cues.forms)
