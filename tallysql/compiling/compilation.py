"""What a compiler returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tallysql.plan.nodes import Declined, Plan

AnswerForm = Literal[
    "integer",
    "step",
    "steps",
    "names",
    "name",
    "pairs",
    "yes_no",
    "timeline",
    "changes",
    "order",
    "oldest",
    "newest",
    "earliest",
    "latest",
    "since",
    "least",
]
"""The form in which a question wants its answer; the computed reader follows it.

`changes` counts the changes in a succession of values. `order`, `oldest` and `newest` are of as
many names as the query's limit; where fewer were found there is no answer. `earliest` and `latest`
are the values of the first and of the last event, `since` is the step at which the value of a
succession began. `least` is the least
frequent of the values grouped by.
"""


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """A stretch of the question and what it became, or why it was ignored."""

    text: str
    became: str


@dataclass(frozen=True, slots=True)
class Compilation:
    """A plan or a decline, with the trace that explains it.

    Attributes:
        forms: one answer form per sub-query; empty for a decline.
        bare: several quantities are answered without labels, separated by commas.
    """

    plan: Plan | Declined
    trace: tuple[TraceEntry, ...] = ()
    forms: tuple[AnswerForm, ...] = ()
    bare: bool = False
