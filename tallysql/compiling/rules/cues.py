"""What a question wants done with the events it names: its operation and its answer's form."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallysql.compiling.compilation import Threshold
from tallysql.compiling.rules.lexicon import lexicon, pattern
from tallysql.compiling.rules.refusal import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallysql.compiling.rules.tokens import Board

_AUXILIARIES = frozenset(
    ["did", "does", "do", "was", "were", "is", "are", "has", "have", "had", "any", "can", "could"]
)


_OFTEN = ("once", "twice", "thrice", "times", "time", "occasion", "repeatedly")
_THINGS = frozenset(("anything", "something", "everything", "nothing", "string"))


@dataclass
class Cues:
    """The features of a question: name → the token ranges that carry it."""

    places: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    forms: set[str] = field(default_factory=set)
    threshold: Threshold | None = None

    def __contains__(self, feature: str) -> bool:
        return feature in self.places

    def any(self, *features: str) -> bool:
        """Whether one of the features is there."""
        return any(name in self.places for name in features)

    def within(self, first: int, last: int) -> Cues:
        """Return the features of a token range; the forms are the whole question's."""
        places = {
            name: [p for p in found if first <= p[0] < last] for name, found in self.places.items()
        }
        return Cues(
            {name: found for name, found in places.items() if found},
            self.numbers,
            self.forms,
            self.threshold,
        )

    def add(self, feature: str, first: int, last: int) -> None:
        """Record a feature."""
        self.places.setdefault(feature, []).append((first, last))


def read_forms(board: Board) -> set[str]:
    """Read and claim the stretches that only tell the form of the answer."""
    forms: set[str] = set()
    for stretch, form in lexicon().forms:
        while found := board.search(stretch):
            board.claim(*board.span(found), f"answer form: {form or 'in order'}")
            forms.add(form)
    return forms - {""}


def read_courtesy(board: Board) -> bool:
    """Claim what only makes a question polite; returns whether it asks if something is so."""
    whether = board.search(pattern("whether"))
    if whether:
        board.claim(*board.span(whether, "claim"), "cue: yes or no")
    for stretch in lexicon().courtesies:
        while found := board.search(stretch):
            board.claim(*board.span(found), "ignored: a courtesy")
    return whether is not None


def read_threshold(board: Board) -> Threshold | None:
    """Read and claim how often something has to have happened: at least twice, only once.

    Raises:
        Refused: two such numbers.
    """
    told: Threshold | None = None
    if not any(word in board.text for word in _OFTEN):
        return None  # the patterns below need one of these
    for stretch, how in lexicon().thresholds:
        while found := board.search(stretch):
            if told:
                raise Refused("asks for two numbers of times")
            groups = found.groupdict()
            said = groups.get("n") or groups.get("m") or "once"
            n = {"once": 1, "twice": 2, "thrice": 3, "one": 1}.get(said) or int(said)
            told = _threshold(how, n if groups.get("n") or groups.get("m") else 2)
            board.claim(*board.span(found), f"how often: {told.how.replace('_', ' ')} {told.n}")
    return told


def _threshold(how: str, n: int) -> Threshold:
    if how == "more":
        return Threshold("at_least", n + 1)
    if how == "fewer":
        return Threshold("at_most", n - 1)
    return Threshold(
        "exactly" if how == "exactly" else "at_most" if how == "at_most" else "at_least", n
    )


def read_cues(board: Board, threshold: Threshold | None = None) -> Cues:
    """Read and claim the operation cues of a question."""
    cues = Cues(forms=read_forms(board), threshold=threshold)
    _yes_no(board, cues)
    for cue, feature in lexicon().cues:
        while found := board.search(cue):
            groups = found.groupdict()
            part = next((name for name in ("claim", "claim2", "claim3") if groups.get(name)), 0)
            first, last = board.span(found, part)
            if first == last:
                break
            board.claim(
                first,
                last,
                f"cue: {feature.replace('_', ' ')}"
                if feature != "idle"
                else "ignored: an idle phrase",
            )
            cues.add(feature, first, last)
            for number in ("n", "k", "k2"):
                if groups.get(number):
                    cues.numbers[number[0]] = int(groups[number])
            if feature == "how_many" and re.search(r"\b(?:numbers|counts)\b", found.group()):
                cues.add("separately", first, last)
    _second_counts(cues)
    return cues


def _second_counts(cues: Cues) -> None:
    """`…, and how many times` after a count asks for a second count, not for a table."""
    counts = [place for name in ("how_many", "times") for place in cues.places.get(name, [])]
    pairs = cues.places.get("pair_times", [])
    later = [place for place in pairs if any(count[0] < place[0] for count in counts)]
    if later:
        cues.places["times"] = sorted([*cues.places.get("times", []), *later])
        rest = [place for place in pairs if place not in later]
        del cues.places["pair_times"]
        cues.places |= {"pair_times": rest} if rest else {}


def _yes_no(board: Board, cues: Cues) -> None:
    """A question that opens with an auxiliary, after its scope, wants yes or no."""
    free = [i for i in board.free() if board.tokens[i].kind != "punct"]
    if free and board.canon[free[0]] in _AUXILIARIES:
        cues.add("yes_no", free[0], free[0] + 1)
        board.claim(free[0], free[0] + 1, "cue: yes or no")


@dataclass(frozen=True, slots=True)
class Zone:
    """Tokens first..last-1 name what is to be left out.

    Attributes:
        literal: they are words of the action.
        verb: a verb is denied (did not fail, without opening), which only endings allow.
    """

    first: int
    last: int
    literal: bool = False
    verb: bool = False


def read_negations(board: Board) -> list[Zone]:
    """Return the token ranges of what is to be left out, claiming the words that say so."""
    zones: list[Zone] = []
    while found := board.search(pattern("absent_words")):
        board.claim(*board.span(found, "claim"), "not: what precedes is left out")
        zones.append(Zone(*board.span(found, "what"), literal=True))
    while found := board.search(pattern("left_aside")) or board.search(pattern("not_counted")):
        which = "2" if found.groupdict().get("what2") else ""
        board.claim(*board.span(found, "open" + which), "not: what follows is left out")
        board.claim(*board.span(found, "claim" + which), "not: what precedes is left out")
        zones.append(Zone(*board.span(found, "what" + which)))
    while found := board.search(pattern("non")):
        first, last = board.span(found)
        board.claim(first, last, "not: what follows is left out")
        zones.append(Zone(last, last + 1))
    for opening in (*lexicon().negations, pattern("negated_clause"), pattern("denied")):
        while found := board.search(opening):
            first, last = board.span(found)
            board.claim(first, last, "not: what follows is left out")
            inside = board.canon[last : _stop(board, last)]
            gerund = any(word.endswith("ing") and word not in _THINGS for word in inside)
            denied = opening is pattern("denied") and not _is_copula(board, found, last)
            denied = denied and board.canon[first - 1 : first] not in ([","], ["("])
            denied = denied or (found.group() == "without" and gerund)
            zones.append(Zone(last, _stop(board, last), verb=denied))
    return [zone for zone in zones if zone.first < zone.last]


def _is_copula(board: Board, found: re.Match[str], last: int) -> bool:
    """Whether `were not X` names other events rather than denying an act."""
    if not re.match(r"(?:(?:that|which|who) )?(?:is|are|was|were) not", found.group()):
        return False
    following = board.canon[last : last + 1]
    return bool(following) and not following[0].endswith(("ed", "en", "ing"))


def _stop(board: Board, first: int) -> int:
    """A negation reaches to the end of its clause; a comma that continues a list is not the end."""
    at = board.at(first)
    while stop := pattern("clause_end").search(board.text, at):
        place = next(
            i
            for i in range(first, len(board.tokens) + 1)
            if i == len(board.tokens) or board.at(i) > stop.start()
        )
        if stop.group() == " ," and _continues_list(board, place):
            at = stop.end()
            continue
        if place == first or board.tokens[min(place, len(board.tokens) - 1)].text[:1].isupper():
            at = stop.end()
            continue
        return place
    return len(board.tokens)


def _continues_list(board: Board, comma: int) -> bool:
    rest = board.canon[comma + 1 :]
    ahead = next(
        (n for n, word in enumerate(rest) if word in {",", "how", "which", "what", "?", "count"}),
        len(rest),
    )
    return (
        any(word in {"and", "or"} for word in rest[:ahead])
        and "how" not in rest[:ahead]
        and ahead <= 6
    )


def what_is_asked(words: Iterable[str]) -> bool:
    """Whether the question asks for things by name."""
    return bool(
        {"what", "which", "name", "list", "enumerate", "give", "tell", "show", "identify", "report"}
        & set(words)
    )
