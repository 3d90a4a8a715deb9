"""From mentions to a predicate: which of them join, which qualify, what they select."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tallysql.compiling.rules.clauses import single_tool, sort_of_element, spill, words_of_texts
from tallysql.compiling.rules.refusal import Refused
from tallysql.compiling.rules.shells import name_shell_files
from tallysql.compiling.rules.tokens import lemmas
from tallysql.compiling.rules.vocabulary import kind_acts
from tallysql.plan.nodes import Clause, Query, Term, Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.compiling.rules.vocabulary import Vocabulary
    from tallysql.plan.nodes import Field

_JOINS = frozenset(
    (
        ",",
        "and",
        "or",
        "/",
        "&",
        "nor",
        "the",
        "a",
        "an",
        "any",
        "(",
        "vs",
        "versus",
        "plus",
        "as",
        "well",
        "both",
        "either",
        "of",
        "on",
        "in",
        "to",
        "times",
        "s",
    )
)
_COMPASS = frozenset(("north", "south", "east", "west", "up", "down", "left", "right"))
_GENERAL = frozenset(("open", "go", "visit", "enter", "access", "look", "type"))
_SEPARATING = frozenset(("and", "&", "vs", "versus", "plus"))
_FIELDS: tuple[Field, ...] = (
    "tool",
    "target",
    "path",
    "action",
    "outcome",
    "exit_code",
    "error",
    "change",
    "delta",
    "author",
    "observation",
)
TWO_TARGETS = frozenset(("take", "move", "put", "place", "insert", "pick up", "drop"))
_ONE_TARGET = frozenset(
    ("go to", "go", "goto", "walk to", "open", "close", "examine", "look at", "click", "navigate")
)


def group(board: Board, mentions: Sequence[Mention]) -> list[list[Mention]]:
    """Join mentions of one field that only `and`, `or` and commas separate."""
    groups: list[list[Mention]] = []
    for mention in mentions:
        if mention.role not in {"act", "condition"}:
            continue
        previous = groups[-1] if groups else None
        if (
            previous
            and _field(previous[-1]) == _field(mention)
            and previous[-1].first != mention.first
            and _joined(board, mentions, previous[-1], mention)
        ):
            previous.append(mention)
        else:
            groups.append([mention])
    return groups


def _field(mention: Mention) -> str:
    return mention.role if mention.role == "act" else str(mention.field)


def _joined(board: Board, mentions: Sequence[Mention], left: Mention, right: Mention) -> bool:
    passed = {"generic", "noun"} if left.weak or right.weak else {"generic", "noun", "absent"}
    clear = {
        i
        for m in mentions
        if m.weak or (m.role in passed and not (m.role == "absent" and m.last == right.first))
        for i in range(m.first, m.last)
    }
    between = [board.canon[i] for i in range(left.last, right.first) if i not in clear]
    return (
        bool({",", "and", "or", "/", "&", "vs", "versus", "nor"} & set(between))
        and set(between) <= _JOINS
    )


def separated(board: Board, found: Sequence[Mention]) -> bool:
    """Whether `and` (not `or`) joins the mentions of a group."""
    between = {board.canon[i] for i in range(found[0].last, found[-1].first)}
    return bool(between & _SEPARATING) and "or" not in between


def where_of(
    board: Board, mentions: Sequence[Mention], vocabulary: Vocabulary
) -> tuple[Where, Where, frozenset[str] | None]:
    """Turn mentions into a predicate, what its kinds rule out, and the acts it names.

    Raises:
        Refused: conditions that the plan language cannot join.
    """
    mentions = _speaks_of(board, mentions)
    groups = group(board, mentions)
    _present(board, mentions)
    _mixed(board, mentions)
    acts = acts_of(groups, vocabulary)
    clauses: dict[str, list[tuple[Term, ...]]] = defaultdict(list)
    single_tool(mentions, acts, vocabulary)
    if acts is not None:
        clauses["tool"].append(tool_terms(acts, vocabulary))
    for found in groups:
        if found[0].role == "condition" and found[0].field:
            terms = tuple(dict.fromkeys(term for mention in found for term in mention.terms))
            if terms not in clauses[str(found[0].field)]:
                clauses[str(found[0].field)].append(terms)
    sort_of_element(mentions, clauses)
    words_of_texts(mentions, clauses, acts)
    name_shell_files(mentions, clauses, acts, vocabulary)
    if acts and len(clauses.get("target", [])) > 1 and {act.lower() for act in acts} <= _ONE_TARGET:
        raise Refused("names two targets of an act that has one")
    spill(clauses)
    unless = [
        Clause(f, tuple(Term(t) for t in terms))
        for m in mentions
        if m.kind
        for f, terms in m.kind.unless.items()
    ]
    where = tuple(Clause(f, clauses[f][0]) for f in _FIELDS if clauses.get(f))
    return where, tuple(dict.fromkeys(unless)), acts


def narrowed(mentions: Sequence[Mention], vocabulary: Vocabulary) -> list[Mention]:
    """Let a value's name choose among the acts of a kind: `objects interacted with`."""
    nouns = {
        form
        for m in mentions
        if m.noun
        for word in m.spoken.lower().split()
        for form in lemmas(word)
    }
    out: list[Mention] = []
    for mention in mentions:
        for name, acts in (
            mention.kind.narrow if mention.kind and mention.role == "act" else {}
        ).items():
            if lemmas(name) & nouns or (name == "containers" and "receptacle" in nouns):
                out.append(replace(mention, acts=kind_acts(vocabulary, acts)))
                break
        else:
            out.append(mention)
    return out


def _speaks_of(board: Board, mentions: Sequence[Mention]) -> list[Mention]:
    """Drop acts that are loose words: those that need a file beside them, ordinary verbs alone."""
    conditions = [
        m for m in mentions if m.role == "condition" and m.field in {"target", "path", "action"}
    ]
    listed = {id(m) for found in group(board, mentions) if len(found) > 1 for m in found}
    strict = [m for m in mentions if m.role == "act" and not m.weak]
    kept = []
    for mention in mentions:
        if mention.role == "act" and mention.weak:
            files = [m for m in conditions if m.spellings]
            files += [m for m in mentions if m.noun == "path" and _asked(board, m)]
            if mention.kind and mention.kind.needs and not files:
                continue
            if (
                mention.kind is None
                and id(mention) not in listed
                and (strict or (not conditions and _vague(board, mention, mentions)))
            ):
                continue
        kept.append(mention)
    return kept


def _asked(board: Board, noun: Mention) -> bool:
    """Whether a noun is asked for: which files, the distinct files."""
    before = board.became[noun.first - 1] if noun.first else None
    return board.canon[noun.first - 1] in {"which", "what"} or bool(before and "cue: " in before)


def _vague(board: Board, verb: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether an ordinary verb has a general object: which tools were used, make an action."""
    return any(
        not {".", "?", "!", ";"}
        & set(board.canon[min(verb.last, m.last) : max(verb.first, m.first)])
        for m in mentions
        if m.role == "generic" or m.noun == "tool"
    )


def acts_of(groups: Iterable[Sequence[Mention]], vocabulary: Vocabulary) -> frozenset[str] | None:
    """Intersect the acts that the groups name; None if none is named.

    Raises:
        Refused: two strict kinds have no act in common.
    """
    sets = [
        (
            frozenset().union(*(m.acts for m in g)),
            all(m.weak for m in g),
            all(m.loose for m in g),
            g,
        )
        for g in groups
        if g[0].role == "act"
    ]
    acts: frozenset[str] | None = None
    said = ""
    for found, weak, _loose, mentions in sorted(sets, key=lambda entry: (entry[1], entry[2])):
        words = mentions[0].spoken
        if acts is None:
            acts, said = found, words
        elif len(mentions) == 1 and weak and found < acts and _told_apart(groups, acts):
            continue  # touched by the editor (view or change): the list says what is meant
        elif acts & found and not (acts != found and said.endswith("ed") and words.endswith("ed")):
            acts &= found
        elif not weak or any(m.kind and m.kind.firm for m in mentions):
            raise Refused(f"no event is both {said!r} and {words!r}")
    _ = vocabulary
    return acts


def _told_apart(groups: Iterable[Sequence[Mention]], acts: frozenset[str]) -> bool:
    """Whether one list of kinds names all of the acts."""
    return any(
        len(found) > 1 and acts <= frozenset().union(*(m.acts for m in found))
        for found in groups
        if found[0].role == "act"
    )


def tool_terms(acts: frozenset[str], vocabulary: Vocabulary) -> tuple[Term, ...]:
    """Name acts by as few terms as possible: a tool where all of its acts are meant."""
    terms: list[str] = []
    for tool in sorted(vocabulary.tools_of(acts), key=list(vocabulary.tool_of.values()).index):
        owned = vocabulary.acts_of(tool)
        order = list(vocabulary.tool_of)
        terms.extend([tool] if owned <= acts else sorted(owned & acts, key=order.index))
    return tuple(Term(text, "exact") for text in terms)


def _present(board: Board, mentions: Sequence[Mention]) -> None:
    """A kind that the log lacks may stand in a list beside one that it holds."""
    acts = [m for m in mentions if m.role == "act"]
    ignored = [
        i for i, became in enumerate(board.became) if became and became.startswith("ignored")
    ]
    for lost in (m for m in mentions if m.role == "absent"):
        pairs = [
            (min(lost, m, key=lambda x: x.first), max(lost, m, key=lambda x: x.first)) for m in acts
        ]
        others = [m for m in mentions if m.role == "absent"]
        motion = bool(
            lemmas(lost.spoken.lower().split()[0])
            & {"go", "head", "travel", "walk", "get", "return", "switch"}
        )
        if any(_describes(board, lost, m, ignored) for m in acts):
            continue
        if motion and any(
            all(i in ignored for i in range(lost.last, m.first))
            for m in (*acts, *_directions(mentions))
            if m.first >= lost.last
        ):
            continue  # a verb before the name of the act: went west
        if not any(
            _joined(board, [*mentions, *(replace(o, role="generic") for o in others)], a, b)
            for a, b in pairs
        ):
            raise Refused(f"the log holds no event of the kind {lost.spoken!r}")


def _directions(mentions: Sequence[Mention]) -> list[Mention]:
    """Return directions that the log names as targets: Move North."""
    return [m for m in mentions if m.field == "target" and lemmas(m.spoken.lower()) & _COMPASS]


def _describes(board: Board, lost: Mention, act: Mention, ignored: Sequence[int]) -> bool:
    """Whether a general verb describes an act named beside it: opened with goto, clicks went to."""
    if act.weak or not lemmas(lost.spoken.lower().split()[0]) & _GENERAL:
        return False
    before = [
        word for word in board.canon[max(0, act.first - 2) : act.first] if word not in {"a", "the"}
    ]
    instrument = bool(before) and before[-1] in {"with", "by", "via", "using", "through"}
    between = range(act.last, lost.first)
    subject = act.last <= lost.first and all(
        i in ignored or board.became[i] == "any event" for i in between
    )
    return instrument or subject


def _mixed(board: Board, mentions: Sequence[Mention]) -> None:
    """What `or` joins across fields is no conjunction: moved east or west."""
    for left, right in pairwise(m for m in mentions if m.kind and m.role == "condition"):
        between = set(board.canon[left.last : right.first])
        apart = left.kind is not right.kind and bool({"or", "versus", "vs"} & between)
        versus = "or" not in between
        if apart and left.kind and (versus or left.kind.unless or len(left.kind.where) > 1):
            raise Refused(f"joins {left.spoken!r} and {right.spoken!r}, two kinds of event")
    for left, right in pairwise(m for m in mentions if m.role in {"act", "condition"}):
        if left.role == "act" and right.field == "target" and _joined(board, mentions, left, right):
            raise Refused(f"joins {left.spoken!r} and {right.spoken!r}, an act and a target")


def labelled(query: Query, mentions: Sequence[Mention]) -> Query:
    """Label a sub-query by the words that named its events."""
    words = " ".join(
        m.spoken for m in mentions if m.role in {"act", "condition"} and not m.negated and m.spoken
    )
    return replace(query, label=words[:80] or None)
