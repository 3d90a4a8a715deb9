"""Anchors: the steps that the question names, and those that support the items nearest to it.

See docs/architecture.md, "Reading view" (paper, equation 3 and appendix C).
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tallysql.reading.question import Asked
    from tallysql.reading.settings import ViewSettings
    from tallysql.store import Store

NO_TERMS = r"[^\x00-\x{10FFFF}]"
"""A pattern that matches nothing."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A step that may be shown.

    Attributes:
        place: position in the trajectory, from 1; distances are differences of places.
        in_scope: within the question's bounds.
        calls: how many calls the step holds.
        score: shared terms, plus the bonuses of a named step and of one that holds a quotation.
    """

    step: int
    place: int
    in_scope: bool
    calls: int
    score: int
    named: bool


@dataclass(frozen=True, slots=True)
class FileItem:
    """A file of the file graph: its score, its linked steps, whether the question names it."""

    path: str
    score: int
    named: bool
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Anchor:
    """An item around which steps are shown; either `step` or `path` is given."""

    step: int | None
    path: str | None
    score: int
    why: str
    steps: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return `{"step" | "path", "score", "why"}`."""
        item = {"step": self.step} if self.path is None else {"path": self.path}
        return item | {"score": self.score, "why": self.why}


def candidates(
    store: Store, trajectory_id: str, asked: Asked, settings: ViewSettings
) -> tuple[Candidate, ...]:
    """Return the steps that may be shown, in order, scored: in scope, named, or all of them."""
    params = {
        "trajectory_id": trajectory_id,
        "lo": asked.lo,
        "hi": asked.hi,
        "named": list(asked.named),
        "beyond_scope": settings.beyond_scope,
        "pattern": terms_pattern(asked.terms),
        "quotes": list(asked.quotes) if settings.quoted_bonus else [],
    }
    named = set(asked.named)
    found: list[Candidate] = []
    rows = store.rows(query("reading/step_scores").text, params)
    for step, place, in_scope, calls, shared, quoted in rows:
        bonus = settings.named_bonus * (step in named) + settings.quoted_bonus * quoted
        found.append(Candidate(step, place, in_scope, calls, shared + bonus, step in named))
    return tuple(found)


def file_items(
    store: Store, trajectory_id: str, asked: Asked, settings: ViewSettings
) -> tuple[FileItem, ...]:
    """Return the files with events in scope, by path, scored."""
    params = {
        "trajectory_id": trajectory_id,
        "lo": asked.lo,
        "hi": asked.hi,
        "pattern": terms_pattern(asked.terms),
        "paths": list(asked.paths),
    }
    return tuple(
        FileItem(path, shared + settings.entity_bonus * named, named, tuple(steps))
        for path, shared, named, steps in store.rows(query("reading/file_scores").text, params)
    )


def terms_pattern(terms: Sequence[str]) -> str:
    r"""Return a regular expression for any of the terms as a whole word.

    RE2's `\b` knows ASCII only (its Unicode classes cost 3 ms to compile for each question), so a
    term that begins or ends with another letter has no bound on that side.
    """
    return "|".join(map(_bounded, terms)) or NO_TERMS


def _bounded(term: str) -> str:
    left, right = (r"\b" if char.isascii() else "" for char in (term[0], term[-1]))
    return f"{left}{term}{right}"


def choose_anchors(
    steps: Sequence[Candidate], files: Sequence[FileItem], settings: ViewSettings
) -> tuple[Anchor, ...]:
    """Return the anchors: named steps, then the highest-ranked items.

    Steps come before files of the same score, and earlier ones first.
    """
    named = [Anchor(c.step, None, c.score, "named", (c.step,)) for c in steps if c.named]
    by_terms = [
        Anchor(c.step, None, c.score, "shared terms", (c.step,))
        for c in steps
        if c.score > 0 and c.in_scope and not c.named
    ]
    by_path = [
        Anchor(None, f.path, f.score, "path in question" if f.named else "shared terms", f.steps)
        for f in files
        if f.score > 0
    ]
    if not named and not any(file.named for file in files):
        return tuple(_best(by_terms, settings.top_steps))
    best = _best([*named, *by_terms, *by_path], settings.top_items)
    return (*named, *(anchor for anchor in best if anchor.why != "named"))


def _best(items: Iterable[Anchor], limit: int) -> list[Anchor]:
    # sorting is stable: items come in the order that decides ties
    return sorted(items, key=lambda item: -item.score)[:limit]


def distances(steps: Sequence[Candidate], anchors: Sequence[Anchor]) -> dict[int, int]:
    """Return step → positions to the nearest anchor; without anchors all are equally far."""
    anchored = {step for anchor in anchors for step in anchor.steps}
    places = [c.place for c in steps if c.step in anchored]
    return {c.step: _nearest(places, c.place) for c in steps}


def _nearest(places: Sequence[int], place: int) -> int:
    i = bisect_left(places, place)
    around = [abs(place - at) for at in places[max(i - 1, 0) : i + 1]]
    return min(around, default=FAR)


FAR = 1 << 40
"""Distance where there is no anchor."""
