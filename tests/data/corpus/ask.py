"""Turn a hand-written wording and a predicate over raw strings into a question with its gold."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from logs import Log, Step, build

Pred = Callable[[Step], bool]
Key = Callable[[Step], str]
Part = tuple[str, str, Pred] | tuple[str, str, Pred, int | None, int | None]

LOGS = build()
BAD_FORMAT = re.compile(r"The previous prediction you issued was|Attempt to perfom ")


def act(shape: str) -> Pred:
    """The whole action has this shape (case-insensitive)."""
    rule = re.compile(shape, re.IGNORECASE | re.DOTALL)
    return lambda s: rule.fullmatch(s.action) is not None


def has(shape: str) -> Pred:
    """The action contains this shape (case-insensitive)."""
    rule = re.compile(shape, re.IGNORECASE | re.DOTALL)
    return lambda s: rule.search(s.action) is not None


def said(shape: str) -> Pred:
    """The observation contains this shape (case-sensitive)."""
    rule = re.compile(shape, re.DOTALL)
    return lambda s: rule.search(s.observation) is not None


def both(*preds: Pred) -> Pred:
    return lambda s: all(p(s) for p in preds)


def either(*preds: Pred) -> Pred:
    return lambda s: any(p(s) for p in preds)


def no(pred: Pred) -> Pred:
    return lambda s: not pred(s)


def is_action(s: Step) -> bool:
    """A row that is neither an empty prompt row nor a malformed reply."""
    return s.action not in ("", "—") and not BAD_FORMAT.match(s.action)


def malformed(s: Step) -> bool:
    return BAD_FORMAT.match(s.action) is not None


def part(shape: str) -> Key:
    """The first group of this shape in the action, as a key."""
    rule = re.compile(shape, re.IGNORECASE | re.DOTALL)

    def key(s: Step) -> str:
        hit = rule.search(s.action)
        assert hit, s.action
        return hit.group(1)

    return key


class Ask:
    """Questions over one log."""

    def __init__(self, trajectory_id: str, series: str = "") -> None:
        self.series = series
        self.log: Log = LOGS[trajectory_id]
        self.items: list[dict[str, Any]] = []

    def at(self, pred: Pred, which: int = 0) -> int:
        """The step number of an event named in a question."""
        return [s.step for s in self.log.steps if pred(s)][which]

    def events(self, pred: Pred, lo: int | None = None, hi: int | None = None) -> list[Step]:
        return [
            s
            for s in self.log.steps
            if (lo is None or s.step >= lo) and (hi is None or s.step <= hi) and pred(s)
        ]

    def add(
        self,
        question: str,
        tag: str,
        form: str,
        answer: str | None,
        steps: list[Step] | None,
        **flags: bool,
    ) -> None:
        self.items.append(
            {
                "question_id": f"{self.log.trajectory_id}-{self.series}{len(self.items) + 1:02d}",
                "trajectory_id": self.log.trajectory_id,
                "question": question,
                "answer": answer,
                "format": form,
                "steps": None if steps is None else [s.step for s in steps],
                "pattern": tag,
                "decline": form == "decline",
                **flags,
            }
        )

    def count(
        self,
        question: str,
        tag: str,
        pred: Pred,
        lo: int | None = None,
        hi: int | None = None,
        **flags: bool,
    ) -> None:
        found = self.events(pred, lo, hi)
        self.add(question, tag, "int", str(len(found)), found, **flags)

    def nth(
        self,
        question: str,
        tag: str,
        pred: Pred,
        which: int,
        lo: int | None = None,
        hi: int | None = None,
    ) -> None:
        found = self.events(pred, lo, hi)
        self.add(question, tag, "step", str(found[which].step), found)

    def first(
        self, question: str, tag: str, pred: Pred, lo: int | None = None, hi: int | None = None
    ) -> None:
        self.nth(question, tag, pred, 0, lo, hi)

    def last(
        self, question: str, tag: str, pred: Pred, lo: int | None = None, hi: int | None = None
    ) -> None:
        self.nth(question, tag, pred, -1, lo, hi)

    def where(
        self,
        question: str,
        tag: str,
        pred: Pred,
        lo: int | None = None,
        hi: int | None = None,
        **flags: bool,
    ) -> None:
        found = self.events(pred, lo, hi)
        answer = ", ".join(str(s.step) for s in found) or "none"
        self.add(question, tag, "list", answer, found, **flags)

    def names(
        self,
        question: str,
        tag: str,
        pred: Pred,
        key: Key,
        lo: int | None = None,
        hi: int | None = None,
    ) -> None:
        """Distinct values in order of first mention."""
        found = self.events(pred, lo, hi)
        values: dict[str, str] = {}
        for s in found:
            values.setdefault(key(s).lower(), key(s))
        self.add(question, tag, "list", ", ".join(values.values()) or "none", found)

    def how_many_names(
        self,
        question: str,
        tag: str,
        pred: Pred,
        key: Key,
        lo: int | None = None,
        hi: int | None = None,
    ) -> None:
        """How many distinct values."""
        found = self.events(pred, lo, hi)
        self.add(question, tag, "int", str(len({key(s).lower() for s in found})), found)

    def tally(
        self, pred: Pred, key: Key, lo: int | None = None, hi: int | None = None
    ) -> list[tuple[str, int]]:
        found = self.events(pred, lo, hi)
        spelling: dict[str, str] = {}
        for s in found:
            spelling.setdefault(key(s).lower(), key(s))
        counts = Counter(key(s).lower() for s in found)
        return [(spelling[k], n) for k, n in counts.most_common()]

    def table(
        self,
        question: str,
        tag: str,
        pred: Pred,
        key: Key,
        lo: int | None = None,
        hi: int | None = None,
    ) -> None:
        rows = self.tally(pred, key, lo, hi)
        answer = ", ".join(f"{k}: {n}" for k, n in rows)
        self.add(question, tag, "pairs", answer, self.events(pred, lo, hi))

    def top(
        self,
        question: str,
        tag: str,
        pred: Pred,
        key: Key,
        lo: int | None = None,
        hi: int | None = None,
    ) -> None:
        rows = self.tally(pred, key, lo, hi)
        assert len(rows) > 1 and rows[0][1] > rows[1][1], (question, rows)
        self.add(question, tag, "name", rows[0][0], self.events(pred, lo, hi))

    def least(self, question: str, tag: str, pred: Pred, key: Key) -> None:
        rows = self.tally(pred, key)
        assert len(rows) > 1 and rows[-1][1] < rows[-2][1], (question, rows)
        self.add(question, tag, "name", rows[-1][0], self.events(pred))

    def yesno(
        self,
        question: str,
        tag: str,
        pred: Pred,
        lo: int | None = None,
        hi: int | None = None,
        **flags: bool,
    ) -> None:
        found = self.events(pred, lo, hi)
        self.add(question, tag, "yesno", "yes" if found else "no", found, **flags)

    def value(
        self,
        question: str,
        tag: str,
        pred: Pred,
        key: Key,
        which: int,
        lo: int | None = None,
        hi: int | None = None,
    ) -> None:
        """The value at one of the matching events."""
        found = self.events(pred, lo, hi)
        self.add(question, tag, "name", key(found[which]), found)

    def longest(self, pred: Pred) -> int:
        flags = [pred(s) for s in self.log.steps]
        return max((len(list(g)) for hit, g in itertools.groupby(flags) if hit), default=0)

    def run(self, question: str, tag: str, pred: Pred) -> None:
        """The longest run of consecutive steps."""
        self.add(question, tag, "int", str(self.longest(pred)), self.events(pred))

    def pairs(
        self,
        question: str,
        tag: str,
        pred: Pred,
        key: Key,
        lo: int | None = None,
        hi: int | None = None,
    ) -> None:
        """A history: step, value."""
        found = self.events(pred, lo, hi)
        self.add(question, tag, "pairs", ", ".join(f"{s.step}: {key(s)}" for s in found), found)

    def multi(self, question: str, tag: str, *parts: Part) -> None:
        """Two to four quantities in the order asked."""
        answers, steps = [], {}
        for label, kind, pred, *bounds in parts:
            lo, hi = bounds or (None, None)
            found = self.events(pred, lo, hi)
            value = {
                "count": str(len(found)),
                "first": str(found[0].step) if found else "none",
                "last": str(found[-1].step) if found else "none",
                "run": str(self.longest(pred)),
                "list": " ".join(str(s.step) for s in found),
            }[kind]
            answers.append(f"{label}: {value}")
            steps.update({s.step: s for s in found})
        self.add(question, tag, "pairs", ", ".join(answers), [steps[k] for k in sorted(steps)])

    def decline(self, question: str, tag: str) -> None:
        self.add(question, f"decline/{tag}", "decline", None, None)
