"""Profiles: named settings of the plan language, not code paths.

See docs/architecture.md, "Profiles"; `principal` and `lite` are the paper's (paper, section 5 and
appendix C).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from tallysql.errors import UnknownName
from tallysql.plan.nodes import By, Field, Match, Op

PAPER_OPS: frozenset[Op] = frozenset({"count", "list", "first", "last", "group", "timeline"})
PAPER_FIELDS: frozenset[Field] = frozenset(
    {"tool", "action", "target", "outcome", "change", "delta"}
)
PAPER_BYS: frozenset[By] = frozenset({"tool", "target", "outcome"})


@dataclass(frozen=True, slots=True)
class Profile:
    """What a plan may say and how its terms match.

    Attributes:
        fields: the fields that `where` may name.
        extensions: whether `not`, anchors, `limit` and terms with their own match are allowed.
        match: how a term without its own match is looked for.
        verified_zero: grounded terms that select no row in scope count as a zero.
        events_only: rows without an act, malformed and copied ones are left out unless named.
    """

    name: str
    fields: frozenset[Field]
    ops: frozenset[Op]
    bys: frozenset[By]
    extensions: bool
    match: Match
    verified_zero: bool
    events_only: bool


PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            name="refined",
            fields=frozenset(get_args(Field)),
            ops=frozenset(get_args(Op)),
            bys=frozenset(get_args(By)),
            extensions=True,
            match="word",
            verified_zero=True,
            events_only=True,
        ),
        Profile(
            name="principal",
            fields=PAPER_FIELDS,
            ops=PAPER_OPS,
            bys=PAPER_BYS,
            extensions=False,
            match="substring",
            verified_zero=False,
            events_only=False,
        ),
        Profile(
            name="lite",
            fields=frozenset({"tool", "action", "delta"}),
            ops=PAPER_OPS,
            bys=frozenset({"tool"}),
            extensions=False,
            match="substring",
            verified_zero=False,
            events_only=True,
        ),
    )
}
REFINED = PROFILES["refined"]


def profile_named(name: str) -> Profile:
    """Return the profile of that name.

    Raises:
        UnknownName: there is none; the hint names near ones.
    """
    if name not in PROFILES:
        raise UnknownName("profile", name, PROFILES)
    return PROFILES[name]
