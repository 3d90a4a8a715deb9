"""Step bounds that a question states: until step 9, the first 20 steps, from turn 3 to turn 8.

See docs/architecture.md, "Plan language", for what each wording means. Bounds are inclusive. The
reading view uses the same parser: bounds do not name steps, "at step 12" does.
"""

# ruff: noqa: E501 (a wording reads best on one line)
from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from tallysql.compiling.rules.tokens import Board

UNIT = r"(?:the )?(?:steps?|turns?|timesteps?|time steps?|iterations?)(?: (?:number|numbers|index|idx|id|no|nr))?(?: \.| #)? "
_S = f"(?:{UNIT})"
_A, _B = r"#?(?P<a>\d+)\b(?! times)", r"#?(?P<b>\d+)\b(?! times)"
_INC = r"both (?:ends |steps |of them )?(?:included|inclusive)|inclusive(?:ly)?|(?:ends )?included|including both(?: ends)?"
_EXC = (
    r"(?:both )?(?:ends |end ?points |end points )?(?:exclusive(?:ly)?|excluded)|both (?:ends )?(?:exclusive|excluded)|"
    r"(?:excluding|not counting|not including|without) (?:the |both |either |those )*"
    r"(?:end ?points?|ends|end|bounds|2|either|both|steps)(?: themselves| steps)?"
)
_ENDS = rf"(?: ,| \()?(?: (?:(?P<inc>{_INC})|(?P<exc>{_EXC}))\b)?(?: \))?"
_LAST = r"(?:the )?(?:very )?(?:end|finish|close|last(?: step| turn)?)(?: of (?:the |this )?(?:run|trajectory|episode|log|session|history|game))?"
_ON = (
    r"(?:onwards?|on out|on|forward|and (?:later|after|onwards?|on|beyond|up)|or later|and everything after(?: it| that)?|"
    rf"(?:up )?(?:to|until|till|through(?: to)?) {_LAST})"
)
_ASIDE = (
    r"(?:\b(?:(?:looking|considering|counting|restricted|limited|restricting (?:this|yourself)|focusing) )?(?:only |just )?"
    r"(?:at |to |on |in |within |during |over |for |across |inside |among )?"
    r"(?:the )?(?:(?:stretch|window|range|interval|span|period|part|section) )?(?:of )?)"
)
_EVENTS = r"(?:steps?|turns?|timesteps?|moves?|actions?|events?|entries|calls?)"


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
_SIDE = r"before|prior to|up to|after|past|following"
_READERS: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(pattern), reader)
    for pattern, reader in (
        (r"\b(?:after|following) the (?:step|turn) (?P<a>\d+) (?:[a-z]+ ){1,4}(?=,)", _after),
        (r"\bbefore the (?:step|turn) (?P<a>\d+) (?:[a-z]+ ){1,4}(?=,)", _before),
        (rf"\b(?P<one>{_SIDE}) (?:and|versus|vs(?: \.)?|or|against|compared (?:to|with)|as opposed to|rather than) (?P<two>{_SIDE}) {_S}{_A}", _versus),
        (rf"\b(?:up to|until|till|through) ,?(?: ?but)? ?(?:not including|excluding|exclusive of|without) {_S}{_A}", _before),
        (rf"\b(?:up to|until|till) {_S}{_A} (?:\( )?,? ?(?:exclusive|not included|excluded|not counting it|but not including it)\b(?: \))?", _before),
        (rf"\bstrictly between {_S}{_A} and {_S}?{_B}", _inside),
        (rf"{_ASIDE}\bbetween {_S}{_A} and {_S}?{_B}{_ENDS}", _pair),
        (rf"{_ASIDE}\bbetween {_A} and {_S}{_B}{_ENDS}", _pair),
        (rf"{_ASIDE}\[ {_A} (?:-|,|to) {_B} \](?P<inc>)(?P<exc>(?!))?", _pair),
        (rf"\bin the (?:range|interval|window) {_S}?{_A} (?:-|to|through|until) {_S}?{_B}{_ENDS}", _pair),
        (rf"\bfrom the (?:very )?(?:start|beginning|outset|first step)(?: on)? (?:up )?(?:to|until|till|through) {_S}{_A}", _until),
        (rf"\b(?:in |at |on )?{UNIT}(?:with (?:a )?|whose )?(?:numbers?|index(?:es)?|indices)? ?(?:is |are )?(?:greater|larger|higher|bigger) than {_A}", _after),
        (rf"\b(?:in |at |on )?{UNIT}(?:numbers? )?(?:above|over) {_A}", _after),
        (rf"\b(?:in |at |on )?{UNIT}(?:with (?:a )?|whose )?(?:numbers?|index(?:es)?|indices)? ?(?:is |are )?(?:below|under|less than|smaller than|lower than) {_A}", _before),
        (rf"\bfrom {_S}{_A} (?:up )?(?:to|through|thru|until|till|-|up until|through to|and up to) (?:and including )?{_S}?{_B}{_ENDS}", _pair),
        (rf"\bfrom {_A} (?:up )?(?:to|through|thru|until|till|-) {_S}{_B}{_ENDS}", _pair),
        (rf"{_ASIDE}{_S}{_A} (?:up )?(?:to|through|thru|until|till|-|up until|through to) (?:and including )?{_S}?{_B}{_ENDS}", _pair),
        (rf"{_ASIDE}\b(?:from|since|starting(?: right)? (?:at|from|with|on)|beginning (?:at|with|from|on)|as from) {_S}?{_A} {_ON}(?= |$)", _since),
        (rf"{_ASIDE}\b(?:from|since|starting(?: right)? (?:at|from|with|on)|beginning (?:at|with|from|on)|as from) {_S}{_A}", _since),
        (rf"\b(?:at or after|on or after|not before|not earlier than|no earlier than|no sooner than) {_S}{_A}", _since),
        (rf"\b(?:in |at )?{_S}{_A} {_ON}(?= |$)", _since),
        (rf"\b(?:strictly |any time |anytime |some time )?(?:(?<!or )before|prior to|(?<!no )(?<!not )earlier than|preceding|ahead of|in advance of|sooner than) (?:reaching |getting to )?{_S}{_A}(?: (?:is|was) reached)?", _before),
        (rf"\b(?:starting |beginning )?(?:strictly |any time |anytime |right )?(?:(?<!or )after|following|(?<!no )(?<!not )later than|past|beyond|subsequent to) {_S}{_A}(?: only)?", _after),
        (rf"\b(?:(?:in the time |in the period )?(?:up to and including|up (?:to|until|till|through)(?: and including)?|until|till|through|thru|by|no later than|not later than|at or before|on or before|as of|to|not after|ending (?:at|with|on|in)))(?: the end of)? {_S}{_A}(?: at the latest|(?: ,| \()? (?:inclusive|included)(?: \))?)?", _until),
        (rf"\bwhen {_S}{_A} (?:is|was) (?:over|done|finished|complete|completed)\b", _until),
        (rf"\b(?:of|in|within|during|over|for|among|across|throughout|inside|at|to|from)(?: only)? (?:the |its |their )?(?:very )?(?:first|opening|initial) {_A} {_EVENTS}\b", _first),
        (rf"\b(?:of|in|within|during|over|for|among|across|throughout|inside|at|to|from)(?: only)? (?:the |its |their )?(?:very )?(?:last|final|closing) {_A} {_EVENTS}\b", _last),
        (rf"\b(?:in |within |during )?(?:the )?first {_A} (?:steps|turns|timesteps) (?:only )?(?=[,:;.?])", _first),
    )
)  # fmt: skip
_SO_FAR = re.compile(
    r"\b(?:(?:up )?(?:until|till|to|by) (?:then|that point|this point|now)|so far|thus far|by then)\b"
)
_NAMED = re.compile(rf"\b(?:at|in|on|during|as of) (?:exactly )?{_S}{_A}")
_DECREED = re.compile(rf"\b{_S}(?P<a>\d+)\b")


def read_bounds(board: Board, steps: Range) -> Bounds:
    """Read and claim the step bounds of a question; steps that it merely names stay unclaimed."""
    bounds = Bounds()
    for pattern, reader in _READERS:
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
    so_far = board.search(_SO_FAR)
    if so_far:
        board.claim(*board.span(so_far), "scope: up to there")
    while found := board.search(_NAMED):
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
    others = tuple(int(found["a"]) for found in _DECREED.finditer(board.text))
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
