"""How one bundled question's reference answer is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from benchmarks.bundle.facts import Step, ranked

if TYPE_CHECKING:
    from collections.abc import Callable

Form = Literal[
    "integer", "first", "last", "steps", "names", "top", "pairs", "yes_no", "integers", "declined"
]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and its events.

    Attributes:
        form: how the answer is made from the events.
        events: one test per quantity asked for.
        lo, hi: inclusive bounds of the scope.
        after, before: the first event that satisfies this bounds the scope, itself excluded.
        value: what is named or counted by, for names, top and pairs.
    """

    trajectory_id: str
    question: str
    form: Form
    events: tuple[Callable[[Step], bool], ...] = ()
    lo: int | None = None
    hi: int | None = None
    after: Callable[[Step], bool] | None = None
    before: Callable[[Step], bool] | None = None
    value: Callable[[Step], str] | None = None

    def answer(self, steps: list[Step]) -> tuple[str | None, list[int]]:
        """Return the answer and the steps of all events it counts; None for a declined one."""
        if self.form == "declined":
            return None, []
        scope = self._scope(steps)
        found = [[s for s in scope if test(s)] for test in self.events]
        matched = sorted({s["step"] for events in found for s in events})
        return self._text(found), matched

    def _scope(self, steps: list[Step]) -> list[Step]:
        lo, hi = -1 if self.lo is None else self.lo, len(steps) if self.hi is None else self.hi
        if self.after is not None:
            lo = max(lo, 1 + next(s["step"] for s in steps if self.after(s)))
        if self.before is not None:
            hi = min(hi, next(s["step"] for s in steps if self.before(s)) - 1)
        return [s for s in steps if lo <= s["step"] <= hi]

    def _text(self, found: list[list[Step]]) -> str:
        events = found[0]
        makers: dict[str, Callable[[], str]] = {
            "integer": lambda: str(len(events)),
            "integers": lambda: ", ".join(str(len(each)) for each in found),
            "first": lambda: str(events[0]["step"]),
            "last": lambda: str(events[-1]["step"]),
            "steps": lambda: ", ".join(str(s["step"]) for s in events) or "none",
            "yes_no": lambda: "yes" if events else "no",
            "names": lambda: ", ".join(dict.fromkeys(self._values(events))),
            "pairs": lambda: ", ".join(f"{v}: {n}" for v, n in ranked(self._values(events))),
            "top": lambda: self._top(events),
        }
        return makers[self.form]()

    def _top(self, events: list[Step]) -> str:
        counted = ranked(self._values(events))
        return ", ".join(value for value, count in counted if count == counted[0][1])

    def _values(self, events: list[Step]) -> list[str]:
        assert self.value is not None
        return [self.value(event) for event in events]


def asked(trajectory_id: str, question: str, form: Form, *events: Any, **more: Any) -> Asked:
    """Short for making a question."""
    return Asked(trajectory_id, question, form, events, **more)
