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
    "nth",
]
"""The form in which a question wants its answer; the computed reader follows it.

`changes` counts the changes in a succession of values. `order`, `oldest` and `newest` are of as
many names as the query's limit; where fewer were found there is no answer. `earliest` and `latest`
are the values of the first and of the last event, `since` is the step at which the value of a
succession began. `least` is the least frequent of the values grouped by. `nth` is the value of the
n-th event, n being the query's limit.
"""


@dataclass(frozen=True, slots=True)
class Threshold:
    """How often something has to have happened: at least, at most or exactly n times.

    Yes or no tells whether the events are so many; names and numbers are those of the values
    grouped by that have so many events.
    """

    how: Literal["at_least", "at_most", "exactly"]
    n: int

    def holds(self, count: int) -> bool:
        """Whether so many are as many as asked for."""
        if self.how == "exactly":
            return count == self.n
        return count >= self.n if self.how == "at_least" else count <= self.n


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
        threshold: how many events or values the answer asks for, None if it asks for no number.
    """

    plan: Plan | Declined
    trace: tuple[TraceEntry, ...] = ()
    forms: tuple[AnswerForm, ...] = ()
    bare: bool = False
    threshold: Threshold | None = None
