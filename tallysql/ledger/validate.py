"""The validator of annotations: only what a step's own texts bear out reaches the ledger.

See docs/architecture.md, "Annotation" (paper, section 5 and appendix C). It checks occurrence, not
meaning. Rows are judged one by one in Python: each is JSON from a model, of any shape.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Outcome = Literal["success", "failure", "no_effect", "unknown"]
Verdict = Literal["accepted", "recovered", "rejected", "none"]

QUOTE_LEAST = 4
"""Characters that a quote must have, white space normalized."""

RECOVERED_LEAST = 8
"""Letters and digits that a quote must have for the second pass."""

QUOTE_LIMIT = 400
TEXT_LIMIT = 200
LIST_LIMIT = 20
"""Most characters of a quote and of any other text, and most elements of a list."""

CLAIMS = ("success", "failure", "no_effect")


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """One logged call as the annotator sees it; `targets` are those that the log itself gives."""

    step: int
    call: int
    action: str
    observation: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """Code points `start` to `end` - 1 of the observation."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Change:
    """A state change; `verified`: the value occurs in the step's action or observation."""

    object: str
    property: str
    value: str
    verified: bool


@dataclass(frozen=True, slots=True)
class Annotation:
    """What may be believed about one call."""

    step: int
    call: int
    act: str | None = None
    targets: tuple[str, ...] = ()
    outcome: Outcome = "unknown"
    quote: Quote | None = None
    changes: tuple[Change, ...] = ()
    verdict: Verdict = "none"


@dataclass(frozen=True, slots=True)
class Validation:
    """What passed, and how often each rule dropped something.

    The rules: not_an_object, unknown_step, duplicate_step, missing_step, no_quote, short_quote,
    long_quote, wrong_quote, change_without_success, bad_change, unseen_target, too_long, too_many.
    """

    annotations: tuple[Annotation, ...]
    dropped: Counter[str] = field(default_factory=Counter)


def validate(said: Sequence[Any], steps: Sequence[LoggedStep]) -> Validation:
    """Check what a model said of some steps.

    Args:
        said: its entries, JSON of any shape.
        steps: the calls that it was asked about.

    Returns:
        One annotation per call that exactly one entry speaks of; a call that several entries speak
        of has none, since they may contradict each other.
    """
    dropped: Counter[str] = Counter()
    known = {(step.step, step.call): step for step in steps}
    entries: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for entry in said:
        place = _place(entry)
        if place is None:
            dropped["not_an_object"] += 1
        elif place not in known:
            dropped["unknown_step"] += 1
        else:
            entries.setdefault(place, []).append(entry)
    dropped["duplicate_step"] += sum(len(found) for found in entries.values() if len(found) > 1)
    dropped["missing_step"] += len(known) - len(entries)
    annotations = [
        _checked(found[0], known[place], dropped)
        for place, found in sorted(entries.items())
        if len(found) == 1
    ]
    return Validation(tuple(annotations), +dropped)


def find_quote(quote: str, observation: str) -> tuple[Quote | None, Verdict, str | None]:
    """Look for a quote in an observation, in two passes.

    The first pass takes runs of white space for one space. The second one compares only letters
    and digits, whatever their case and whatever stands between them.

    Returns:
        The characters found, the verdict, and the rule that rejected the quote.
    """
    if len(quote) > QUOTE_LIMIT:
        return None, "rejected", "long_quote"
    words = quote.split()
    if not words:
        return None, "rejected", "no_quote"
    if len(" ".join(words)) < QUOTE_LEAST:
        return None, "rejected", "short_quote"
    found = re.search(r"\s+".join(map(re.escape, words)), observation)
    if found is not None:
        return _excerpt(found), "accepted", None
    # Escapes such as \n are the model's spelling of white space, no letters of the log.
    runs = re.findall(r"[^\W_]+", re.sub(r"\\[nrt]", " ", quote))
    if sum(map(len, runs)) >= RECOVERED_LEAST:
        # No part of a longer word: what is missing at an end would be a letter or a digit.
        pattern = r"(?<![^\W_])" + r"[\W_]*".join(runs) + r"(?![^\W_])"
        found = re.search(pattern, observation, re.IGNORECASE)
        if found is not None:
            return _excerpt(found), "recovered", None
    return None, "rejected", "wrong_quote"


def _excerpt(found: re.Match[str]) -> Quote:
    return Quote(found[0], found.start(), found.end())


def _place(entry: Any) -> tuple[int, int] | None:
    if not isinstance(entry, dict):
        return None
    step, call = entry.get("step"), entry.get("call")
    call = 0 if call is None else call
    whole = all(isinstance(n, int) and not isinstance(n, bool) for n in (step, call))
    return (step, call) if whole else None  # type: ignore[return-value]


def _checked(entry: dict[str, Any], step: LoggedStep, dropped: Counter[str]) -> Annotation:
    outcome: Outcome = entry["outcome"] if entry.get("outcome") in CLAIMS else "unknown"
    quote: Quote | None = None
    verdict: Verdict = "none"
    if outcome != "unknown":
        said = entry.get("quote")
        quote, verdict, rule = find_quote(said if isinstance(said, str) else "", step.observation)
        if rule is not None:
            dropped[rule] += 1
            outcome = "unknown"
    changes = tuple(_changes(entry.get("changes"), step, dropped))
    if outcome != "success":
        dropped["change_without_success"] += len(changes)
        changes = ()
    return Annotation(
        step.step,
        step.call,
        act=next(_texts([entry.get("act")], dropped), None),
        targets=_targets(entry.get("targets"), step, dropped),
        outcome=outcome,
        quote=quote,
        changes=changes,
        verdict=verdict,
    )


def _listed(value: Any, dropped: Counter[str]) -> list[Any]:
    if not isinstance(value, list):
        return []
    dropped["too_many"] += max(0, len(value) - LIST_LIMIT)
    return value[:LIST_LIMIT]


def _texts(values: Sequence[Any], dropped: Counter[str]) -> Iterator[str]:
    """Yield texts that are neither empty nor too long; numbers and flags as JSON spells them."""
    for value in values:
        text = json.dumps(value) if isinstance(value, (bool, int, float)) else value
        if not isinstance(text, str) or not text.strip():
            continue
        if len(text) > TEXT_LIMIT:
            dropped["too_long"] += 1
        else:
            yield " ".join(text.split())


def _changes(value: Any, step: LoggedStep, dropped: Counter[str]) -> Iterator[Change]:
    seen = (step.action + "\n" + step.observation).lower()
    for change in _listed(value, dropped):
        said = change if isinstance(change, dict) else {}
        parts = list(_texts([said.get(n) for n in ("object", "property", "value")], dropped))
        if len(parts) == 3:
            yield Change(parts[0], parts[1], parts[2], parts[2].lower() in seen)
        else:
            dropped["bad_change"] += 1


_CUT = re.compile(r"\s*(…|\.\.\.+)$")


def _targets(value: Any, step: LoggedStep, dropped: Counter[str]) -> tuple[str, ...]:
    """Return the targets, each once; a list or an element that was cut short is restored.

    A list is restored from the log's own targets if what is left of it agrees with their beginning;
    an element that ends in dots from the action, if what is left of it occurs there. What occurs
    neither in the action nor in the observation, whatever its case, is no target.
    """
    said = list(dict.fromkeys(_texts(_listed(value, dropped), dropped)))
    kept = [target for target in said if _CUT.sub("", target)]
    own = [target.lower() for target in step.targets]
    if kept and len(kept) < len(own) and [target.lower() for target in kept] == own[: len(kept)]:
        return step.targets
    restored = dict.fromkeys(_restored(target, step.action) for target in kept)
    seen = " ".join(f"{step.action} {step.observation}".lower().split())
    found = tuple(target for target in restored if target.lower() in seen)
    dropped["unseen_target"] += len(restored) - len(found)
    return found


def _restored(target: str, action: str) -> str:
    prefix = _CUT.sub("", target)
    if prefix == target or len(prefix) < QUOTE_LEAST:
        return target
    found = re.search(re.escape(prefix) + r"""[^\s"'`,;(){}\[\]]*""", action)
    return found[0] if found else target
