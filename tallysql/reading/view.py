"""The reading view: the steps that a question needs, verbatim, in order, within a token budget.

See docs/architecture.md, "Reading view" (paper, section 3 and appendix C).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tallysql.reading.anchors import Anchor
    from tallysql.reading.excerpts import Cut, Excerpt


@dataclass(frozen=True, slots=True)
class Omission:
    """A run of steps, first to last, whose text is not shown."""

    first: int
    last: int
    why: str

    def as_dict(self) -> dict[str, Any]:
        """Return `{"from", "to", "why"}`."""
        return {"from": self.first, "to": self.last, "why": self.why}


@dataclass(frozen=True, slots=True)
class View:
    """A context for a reader.

    Attributes:
        text: what the reader gets.
        tokens: its length, never more than `budget`, counted by `tokenizer`.
        excerpts: the verbatim pieces, in the order of the text.
        anchors: why these steps; empty for systems without anchors.
        omitted: runs of steps whose text is not in the view.
        truncated: characters left out of the steps that are.
    """

    text: str
    tokens: int
    budget: int
    tokenizer: str
    excerpts: tuple[Excerpt, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    omitted: tuple[Omission, ...] = ()
    truncated: tuple[Cut, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON shape that `tallysql view --json` prints."""
        return {
            "text": self.text,
            "tokens": self.tokens,
            "budget": self.budget,
            "tokenizer": self.tokenizer,
            "spans": [_span(excerpt) for excerpt in self.excerpts],
            "anchors": [anchor.as_dict() for anchor in self.anchors],
            "omitted": [omission.as_dict() for omission in self.omitted],
            "truncated": [cut.as_dict() for cut in self.truncated],
        }


def _span(excerpt: Excerpt) -> dict[str, Any]:
    span = excerpt.span
    place = {"step": span.step, "call": span.call, "field": span.field}
    return place | {"start": span.start, "end": span.end}
