"""Step bounds that a question states: until step 9, the first 20 steps, from turn 3 to turn 8.

See docs/architecture.md, "Plan language", for what each wording means. Bounds are inclusive. The
reading view uses the same parser: bounds do not name steps, "at step 12" does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from tallysql.compiling.rules.lexicon import read_table
from tallysql.compiling.rules.tokens import Board


@dataclass(frozen=True, slots=True)
class Bounds:
    """Step bounds, inclusive, None where open.

    Attributes:
        named: steps that the question names ("at step 12"); bounds do not name steps.
        states: "from step a to step b", which questions about changes read as the difference of
            two states, (a, b].
        split: bounds of two quantities ("before versus after step 9"), in the order asked.
        placed: the bounds that were intersected, each with the token at which it stands.
    """

    lo: int | None = None
    hi: int | None = None
    named: tuple[int, ...] = ()
    states: bool = False
    split: tuple[tuple[int | None, int | None], ...] = ()
    placed: tuple[tuple[int, Bounds], ...] = ()

    def narrow(self, other: Bounds, at: int = 0) -> Bounds:
        """Intersect with further bounds, which stand at token `at`."""
        los = [bound for bound in (self.lo, other.lo) if bound is not None]
        his = [bound for bound in (self.hi, other.hi) if bound is not None]
        return Bounds(
            max(los, default=None),
            min(his, default=None),
            self.named + other.named,
            self.states or other.states,
            self.split or other.split,
            (*self.placed, (at, other)),
        )


@dataclass(frozen=True, slots=True)
class Range:
    """The step numbers of a trajectory, which `the first k steps` counts from."""

    first: int = 0
    last: int | None = None


Reader = Callable[["re.Match[str]", Range], "Bounds | None"]


def _pair(found: re.Match[str], _: Range) -> Bounds:
    a, b = int(found["a"]), int(found["b"])
    out = 1 if found["exc"] else 0
    states = found.group(0).startswith("from") and not found["inc"] and not found["exc"]
    return Bounds(a + out, b - out, states=states)


def _inside(found: re.Match[str], _: Range) -> Bounds:
    return Bounds(int(found["a"]) + 1, int(found["b"]) - 1)


def _until(found: re.Match[str], _: Range) -> Bounds:
    return Bounds(hi=int(found["a"]))


def _before(found: re.Match[str], _: Range) -> Bounds:
    return Bounds(hi=int(found["a"]) - 1)


def _after(found: re.Match[str], _: Range) -> Bounds:
    return Bounds(lo=int(found["a"]) + 1)


def _since(found: re.Match[str], _: Range) -> Bounds:
    return Bounds(lo=int(found["a"]))


def _first(found: re.Match[str], steps: Range) -> Bounds:
    return Bounds(hi=steps.first + int(found["a"]) - 1)


def _last(found: re.Match[str], steps: Range) -> Bounds | None:
    return (
        None
        if steps.last is None
        else Bounds(lo=max(steps.first, steps.last - int(found["a"]) + 1))
    )


def _versus(found: re.Match[str], _: Range) -> Bounds:
    at = int(found["a"])
    sides = {"before": (None, at - 1), "after": (at + 1, None)}
    return Bounds(
        split=tuple(
            sides["before" if found[side] in _EARLIER else "after"] for side in ("one", "two")
        )
    )


_EARLIER = {"before", "prior to", "up to"}
_MEANINGS: dict[str, Reader] = {
    "pair": _pair,
    "inside": _inside,
    "until": _until,
    "before": _before,
    "after": _after,
    "since": _since,
    "first": _first,
    "last": _last,
    "versus": _versus,
}
_FRAGMENT = re.compile(r"\{(?P<name>[a-z]+)\}")


def _compiled(text: str) -> re.Pattern[str]:
    """Compile a pattern of scope.toml, its fragments put in."""
    fragments = read_table("scope.toml")["fragments"]
    while found := _FRAGMENT.search(text):
        text = text.replace(found.group(), fragments[found["name"]])
    return re.compile(text)


@cache
def _readers() -> tuple[tuple[re.Pattern[str], Reader], ...]:
    return tuple(
        (_compiled(bound["pattern"]), _MEANINGS[bound["means"]])
        for bound in read_table("scope.toml")["bound"]
    )


@cache
def scope_pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of scope.toml by its name."""
    return _compiled(read_table("scope.toml")["patterns"][name])


def read_bounds(board: Board, steps: Range) -> Bounds:
    """Read and claim the step bounds of a question; steps that it merely names stay unclaimed."""
    bounds = Bounds()
    if not any(character.isdigit() for character in board.text):
        return bounds  # every bound states a number
    for pattern, reader in _readers():
        while found := board.search(pattern):
            read = reader(found, steps)
            if read is None:
                break
            first, last = board.span(found)
            board.claim(first, last, _told(read))
            bounds = bounds.narrow(read, first)
    return bounds


def read_named(board: Board, bounds: Bounds) -> Bounds:
    """Claim the steps that a question names: a bound with "so far", the only step otherwise."""
    so_far = board.search(scope_pattern("so_far"))
    if so_far:
        board.claim(*board.span(so_far), "scope: up to there")
    while found := board.search(scope_pattern("named")):
        at = int(found["a"])
        read = Bounds(hi=at) if so_far else Bounds(named=(at,))
        first, last = board.span(found)
        board.claim(first, last, _told(read))
        bounds = bounds.narrow(read, first)
    return bounds


def parse_scope(question: str, steps: Range | None = None) -> Bounds:
    """Return the bounds and the named steps of a question, without compiling it.

    Args:
        question: the question as asked.
        steps: the trajectory's step numbers, for "the first k steps"; from 0 if not given.
    """
    board = Board(question)
    bounds = read_named(board, read_bounds(board, steps or Range()))
    others = tuple(int(found["a"]) for found in scope_pattern("decreed").finditer(board.text))
    return replace(bounds, named=tuple(dict.fromkeys(bounds.named + others)))


def _told(bounds: Bounds) -> str:
    if bounds.split:
        return "scope: two ranges, " + " and ".join(_range(lo, hi) for lo, hi in bounds.split)
    if bounds.named:
        return f"scope: step {bounds.named[0]} alone"
    return "scope: " + _range(bounds.lo, bounds.hi)


def _range(lo: int | None, hi: int | None) -> str:
    if lo is None:
        return f"steps up to {hi}"
    return f"steps from {lo}" if hi is None else f"steps {lo} to {hi}"
