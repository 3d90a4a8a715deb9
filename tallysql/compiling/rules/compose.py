"""From mentions and cues to sub-queries: which events, which operation, which answer form."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tallysql.compiling.rules.lexicon import lexicon
from tallysql.compiling.rules.tokens import lemmas
from tallysql.compiling.rules.vocabulary import kind_acts
from tallysql.plan.nodes import By, Clause, Query, Term, Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tallysql.compiling.compilation import AnswerForm
    from tallysql.compiling.rules.cues import Cues
    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.tokens import Board
    from tallysql.compiling.rules.vocabulary import Vocabulary

_JOINS = frozenset((",", "and", "or", "/", "&", "nor", "the", "a", "an", "any", "(", "vs", "versus", "plus", "as", "well", "both", "either", "of", "on", "in", "to", "times", "s"))
_SEPARATING = frozenset(("and", "&", "vs", "versus", "plus"))
_FIELDS = ("tool", "target", "path", "action", "outcome", "exit_code", "error", "change", "delta", "author", "observation")
_TYPED: Any = "typed"
TWO_TARGETS = frozenset(("take", "move", "put", "place", "insert", "pick up", "drop"))
_ONE_TARGET = frozenset(("go to", "go", "goto", "walk to", "open", "close", "examine", "look at", "click", "navigate"))
_FIELDS_OF_PAGES = frozenset(("field", "fields", "box", "boxes", "element", "elements", "textbox", "textboxes", "label", "labels"))


class Unplaced(Exception):
    """The mentions do not add up to a predicate; the message names the words."""


@dataclass(frozen=True, slots=True)
class Part:
    """One sub-query in the making."""

    where: Where
    exclude: Where
    label: str | None
    acts: frozenset[str]


def group(board: Board, mentions: Sequence[Mention]) -> list[list[Mention]]:
    """Join mentions of one field that only `and`, `or` and commas separate."""
    groups: list[list[Mention]] = []
    for mention in mentions:
        if mention.role not in {"act", "condition"}:
            continue
        previous = groups[-1] if groups else None
        if previous and _field(previous[-1]) == _field(mention) and previous[-1].first != mention.first and _joined(board, mentions, previous[-1], mention):
            previous.append(mention)
        else:
            groups.append([mention])
    return groups


def _field(mention: Mention) -> str:
    return mention.role if mention.role == "act" else str(mention.field)


def _joined(board: Board, mentions: Sequence[Mention], left: Mention, right: Mention) -> bool:
    clear = {i for m in mentions if m.role in {"generic", "noun"} or m.weak for i in range(m.first, m.last)}
    between = [board.canon[i] for i in range(left.last, right.first) if i not in clear]
    return bool({",", "and", "or", "/", "&", "vs", "versus", "nor"} & set(between)) and set(between) <= _JOINS


def separated(board: Board, found: Sequence[Mention]) -> bool:
    """Whether `and` (not `or`) joins the mentions of a group."""
    between = {board.canon[i] for i in range(found[0].last, found[-1].first)}
    return bool(between & _SEPARATING) and "or" not in between


def _speaks_of(board: Board, mentions: Sequence[Mention]) -> list[Mention]:
    """Drop acts that are loose words: those that need a file beside them, ordinary verbs alone."""
    conditions = [m for m in mentions if m.role == "condition" and m.field in {"target", "path", "action"}]
    vague = any(m.role == "generic" or m.noun == "tool" for m in mentions)
    listed = {id(m) for found in group(board, mentions) if len(found) > 1 for m in found}
    strict = [m for m in mentions if m.role == "act" and not m.weak]
    kept = []
    for mention in mentions:
        if mention.role == "act" and mention.weak:
            files = [m for m in conditions if m.noun == "path"]
            if mention.kind and mention.kind.needs and (strict or not files):
                continue
            if mention.kind is None and id(mention) not in listed and (strict or (not conditions and vague)):
                continue
        kept.append(mention)
    return kept


def acts_of(groups: Iterable[Sequence[Mention]], vocabulary: Vocabulary) -> frozenset[str] | None:
    """Intersect the acts that the groups name; None if none is named.

    Raises:
        Unplaced: two strict kinds have no act in common.
    """
    sets = [(frozenset().union(*(m.acts for m in g)), all(m.weak for m in g), all(m.loose for m in g), g) for g in groups if g[0].role == "act"]
    acts: frozenset[str] | None = None
    said = ""
    for found, weak, loose, mentions in sorted(sets, key=lambda entry: (entry[1], entry[2])):
        words = mentions[0].spoken
        if acts is None:
            acts, said = found, words
        elif acts & found and not (acts != found and said.endswith("ed") and words.endswith("ed")):
            acts &= found
        elif not weak:
            raise Unplaced(f"no event is both {said!r} and {words!r}")
    _ = vocabulary
    return acts


def tool_terms(acts: frozenset[str], vocabulary: Vocabulary) -> tuple[Term, ...]:
    """Name acts by as few terms as possible: a tool where all of its acts are meant."""
    terms: list[str] = []
    for tool in sorted(vocabulary.tools_of(acts), key=list(vocabulary.tool_of.values()).index):
        owned = vocabulary.acts_of(tool)
        order = list(vocabulary.tool_of)
        terms.extend([tool] if owned <= acts else sorted(owned & acts, key=order.index))
    return tuple(Term(text, "exact") for text in terms)


def where_of(board: Board, mentions: Sequence[Mention], vocabulary: Vocabulary) -> tuple[Where, Where, frozenset[str] | None]:
    """Turn mentions into a predicate, what its kinds rule out, and the acts it names.

    Raises:
        Unplaced: conditions that the plan language cannot join.
    """
    mentions = _speaks_of(board, mentions)
    groups = group(board, mentions)
    _present(board, mentions)
    acts = acts_of(groups, vocabulary)
    clauses: dict[str, list[tuple[Term, ...]]] = defaultdict(list)
    if acts is not None:
        clauses["tool"].append(tool_terms(acts, vocabulary))
    for found in groups:
        if found[0].role == "condition" and found[0].field:
            terms = tuple(dict.fromkeys(term for mention in found for term in mention.terms))
            if terms not in clauses[str(found[0].field)]:
                clauses[str(found[0].field)].append(terms)
    _elements(mentions, clauses)
    _shell_files(mentions, clauses, acts, vocabulary)
    if acts and len(clauses.get("target", [])) > 1 and {act.lower() for act in acts} <= _ONE_TARGET:
        raise Unplaced("names two targets of an act that has one")
    _spill(clauses)
    unless = [Clause(f, tuple(Term(t) for t in terms)) for m in mentions if m.kind for f, terms in m.kind.unless.items()]  # type: ignore[arg-type]
    where = tuple(Clause(f, clauses[f][0]) for f in _FIELDS if clauses.get(f))  # type: ignore[arg-type]
    return where, tuple(dict.fromkeys(unless)), acts


def _present(board: Board, mentions: Sequence[Mention]) -> None:
    """A kind that the log lacks may stand in a list beside one that it holds."""
    acts = [m for m in mentions if m.role == "act"]
    ignored = [i for i, became in enumerate(board.became) if became and became.startswith("ignored")]
    for lost in (m for m in mentions if m.role == "absent"):
        pairs = [(min(lost, m, key=lambda x: x.first), max(lost, m, key=lambda x: x.first)) for m in acts]
        others = [m for m in mentions if m.role == "absent"]
        motion = bool(lemmas(lost.spoken.lower().split()[0]) & {"go", "head", "travel", "walk", "get", "return", "switch"})
        if motion and any(all(i in ignored for i in range(lost.last, m.first)) for m in acts if m.first >= lost.last):
            continue  # a verb before the name of the act: went west
        if not any(_joined(board, [*mentions, *(replace(o, role="generic") for o in others)], a, b) for a, b in pairs):
            raise Unplaced(f"the log holds no event of the kind {lost.spoken!r}")


def _elements(mentions: Sequence[Mention], clauses: dict[str, list[tuple[Term, ...]]]) -> None:
    """A sort of element is a condition only where no label is named."""
    found = [m for m in mentions if m.role == "element"]
    if found and not clauses.get("target"):
        clauses["action"].append(tuple(dict.fromkeys(t for m in found for t in m.terms)))


def _spelled(mentions: Sequence[Mention], vocabulary: Vocabulary) -> tuple[Term, ...]:
    terms = (term for mention in mentions for term in mention.spellings)
    return tuple(dict.fromkeys(term for term in terms if term.text in vocabulary.catalog.targets))


def _shell_files(mentions: Sequence[Mention], clauses: dict[str, list[tuple[Term, ...]]], acts: frozenset[str] | None, vocabulary: Vocabulary) -> None:
    """Shell commands name files among their targets, not in a path argument."""
    if clauses.get("path") and acts and only_shell(acts, vocabulary):
        clauses["target"] = [_spelled(mentions, vocabulary) or clauses["path"][0], *clauses.get("target", [])]
        del clauses["path"]
    elif clauses.get("path") and acts is None and (spelled := _spelled(mentions, vocabulary)):
        clauses["target"] = [spelled, *clauses.get("target", [])]
        del clauses["path"]


def only_shell(acts: frozenset[str], vocabulary: Vocabulary) -> bool:
    """Whether acts are shell commands, all of them."""
    return vocabulary.tools_of(acts) <= vocabulary.tools_of(kind_acts(vocabulary, _shells()))


def _shells() -> tuple[str, ...]:
    from tallysql.compiling.rules.lexicon import kinds

    return next(kind.acts for kind in kinds() if kind.name == "shell command")


def _spill(clauses: dict[str, list[tuple[Term, ...]]]) -> None:
    """A field holds one disjunction: a second target is looked for in the action's words."""
    for name, found in list(clauses.items()):
        if name == "target" and len(found) == 2 and not clauses.get("action"):
            clauses["action"].append(tuple(Term(term.text) for term in found.pop()))
    for name, found in clauses.items():
        if len(found) > 1:
            words = " and ".join(repr(terms[0].text) for terms in found)
            raise Unplaced(f"two conditions on one {name}: {words}")


@dataclass(frozen=True, slots=True)
class Operation:
    """What to do with the selected events, and how to answer."""

    op: str
    form: AnswerForm
    by: By | None = None
    limit: int | None = None


def operations(cues: Cues, mentions: Sequence[Mention], board: Board, acts: frozenset[str] | None) -> list[Operation]:
    """Decide the operations that a question asks for; the empty list if it asks for none."""
    noun = value_asked(cues, mentions, board, acts)
    if "by_tool" in cues and cues.any("how_many", "times"):
        return [_kinds_counted(cues, board, noun)]
    if "what_done" in cues:
        return [Operation("timeline", "timeline")]
    for rule in (_runs, _tables, _ordinals, _counts, _steps, _names):
        found = rule(cues, noun, mentions, board)
        if any(operation.by == _TYPED for operation in found):
            raise Unplaced("asks for what was typed, which the log names behind the field that it went into")
        if found:
            return found
    return []


def _kinds_counted(cues: Cues, board: Board, noun: By | None) -> Operation:
    """`how many X by type` is a table; `how many types of X` a number."""
    first = cues.places["by_tool"][0][0]
    table = cues.any("each", "group", "pair_times") or board.canon[first] == "by" or board.canon[max(first - 1, 0)] in {"by", "each", "per"}
    return Operation("group", "pairs", noun) if table else Operation("distinct", "integer", noun)


def _runs(cues: Cues, _: By | None, mentions: Sequence[Mention], __: Board) -> list[Operation]:
    if "runs" not in cues:
        return []
    names = {m.kind.ending for m in mentions if m.kind}
    tools = frozenset().union(*(m.acts for m in mentions if m.role == "act"))
    by: By | None = "outcome" if names & {"error", "outcome"} else "tool" if len(tools) > 1 else None
    if not any(m.role in {"act", "condition"} for m in mentions):
        by = "action"
    wanted = "steps" if cues.any("steps", "step") and "how_many" not in cues else "integer"
    return [Operation("runs", "integer" if wanted == "integer" else "steps", by)]


def _tables(cues: Cues, noun: By | None, mentions: Sequence[Mention], _: Board) -> list[Operation]:
    if "top_k" in cues:
        return [Operation("group", "pairs", noun or "action", cues.numbers.get("k"))]
    if "most" in cues and not cues.any("runs"):
        return [Operation("top", "name", noun or "action")]
    if cues.any("each", "group", "pair_times") or "pairs" in cues.forms or ("frequency" in cues and (noun or not _bare(mentions))):
        if "frequency" in cues and "each" not in cues and noun in {None, "action"} and not _bare(mentions):
            return [Operation("count", "integer")]
        return [Operation("group", "pairs", noun or "action")]
    return []


def _bare(mentions: Sequence[Mention]) -> bool:
    return not any(m.role in {"act", "condition"} for m in mentions)


def _ordinals(cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board) -> list[Operation]:
    count = cues.any("how_many", "times", "total")
    if "nth" in cues and not count:
        return [Operation("list", "step", limit=cues.numbers["n"])]
    if "nth" in cues:
        raise Unplaced("counts over the n-th of something")
    edge = "first" if "first" in cues else "last" if "last" in cues else None
    if edge is None:
        return []
    if count:
        if not cues.any("step", "steps", "pair_steps"):
            raise Unplaced(f"counts over the {edge} of something")
        return [Operation("count", "integer"), Operation(edge, "step")]
    asked = noun not in {None, "action"} or (_what(board) and any(m.spoken.lower() in {"action", "actions", "command", "call"} for m in mentions))
    if asked and not cues.any("step", "steps") and "step" not in cues.forms:
        if edge == "last":
            raise Unplaced("asks what the last one names, which the plan language lacks")
        return [Operation("distinct", "name", noun or "action", 1)]
    return [Operation(edge, "step")] if cues.any("step", "steps") or "step" in cues.forms or "yes_no" not in cues else []


def _counts(cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board) -> list[Operation]:
    if not cues.any("how_many", "times", "total", "frequency") and "integer" not in cues.forms:
        return [Operation("count", "yes_no")] if "yes_no" in cues or "yes_no" in cues.forms else []
    if "distinct" in cues or _counts_values(cues, noun, mentions):
        return [Operation("distinct", "integer", noun or "action")]
    found = [Operation("count", "integer")]
    return [*found, Operation("list", "steps")] if cues.any("pair_steps", "steps", "step") else found


def _counts_values(cues: Cues, noun: By | None, mentions: Sequence[Mention]) -> bool:
    """`how many files were created` counts files; `how many times` counts events."""
    if "times" in cues or noun not in {"path", "target", "first_target", "tool", "author", "directory"}:
        return False
    ends = {last for _, last in cues.places.get("how_many", [])}
    asked = any(m.noun and m.first in ends for m in mentions)
    return asked and any(m.role == "act" for m in mentions)


def _steps(cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board) -> list[Operation]:
    if "history" in cues or ("pair_steps" in cues and _what(board)):
        return [Operation("timeline", "timeline")]
    if cues.any("steps", "step") or "steps" in cues.forms:
        return [Operation("list", "steps")]
    return []


def _names(cues: Cues, noun: By | None, mentions: Sequence[Mention], board: Board) -> list[Operation]:
    states = any(m.kind and m.kind.states for m in mentions)
    if states and _what(board):
        return [Operation("timeline", "timeline")]
    if noun is None or not (_what(board) or "distinct" in cues):
        return []
    if noun == "action" and "distinct" not in cues:
        single = any(m.role == "generic" and m.spoken.lower() in {"action", "step", "call", "event", "move"} for m in mentions)
        if single and not any(m.role in {"act", "condition"} for m in mentions):
            raise Unplaced("asks for one action among all")
        return [Operation("timeline", "timeline")]
    return [Operation("distinct", "names", noun)]


def _what(board: Board) -> bool:
    return bool({"what", "which", "name", "list", "enumerate", "give", "tell", "show", "identify"} & set(board.canon))


def value_asked(cues: Cues, mentions: Sequence[Mention], board: Board, acts: frozenset[str] | None) -> By | None:
    """Return the value of an event that the question lists, groups or counts by."""
    if "by_tool" in cues:
        return "act" if acts and len(acts) > 1 and len({act.split(".")[0] for act in acts}) == 1 else "tool"
    nouns = [m for m in mentions if m.noun or m.role == "generic"]
    kind_by = next((m.kind.by for m in mentions if m.kind and m.kind.by), None)
    tabled = cues.any("distinct", "most", "top_k", "each", "group", "pair_times")
    if kind_by and tabled and not any(m.noun for m in mentions):
        return kind_by  # type: ignore[return-value]
    if _asks_what(board) and acts and not any(m.noun for m in mentions) and not cues.any("step", "steps", "how_many", "times"):
        return "first_target"
    if not nouns:
        return "act" if acts and cues.any("each", "group", "frequency", "pair_times") else None
    after = sorted(p[1] for name in ("each", "most", "distinct", "how_many", "group") for p in cues.places.get(name, []))
    asked = next((m for end in after for m in nouns if m.first == end), None)
    opening = next((m for m in nouns if m.first > _question_word(board)), nouns[0])
    chosen = asked or opening
    if chosen.role == "generic" and (real := [m for m in nouns if m.noun]) and cues.any("each", "group", "most", "distinct", "top_k"):
        chosen = asked if asked and asked.noun else real[0]
    return _by(chosen, acts)


def _asks_what(board: Board) -> bool:
    """Whether `what` stands for the thing itself: what was opened, what did it pick up."""
    at = next((i for i, word in enumerate(board.canon) if word == "what"), -1)
    return at >= 0 and board.canon[at + 1 : at + 2] != [] and board.canon[at + 1] in {"was", "were", "did", "has", "had", "got", "gets"}


def _question_word(board: Board) -> int:
    return next((i for i, word in enumerate(board.canon) if word in {"what", "which", "name", "list", "each", "every"}), -1)


def _by(mention: Mention, acts: frozenset[str] | None) -> By | None:
    if mention.role == "generic" or mention.noun is None:
        return "action"
    if mention.noun == "target":
        if acts and {"type", "fill"} & {act.lower() for act in acts} and mention.spoken.lower() not in _FIELDS_OF_PAGES:
            return _TYPED
        return "first_target"
    return mention.noun  # type: ignore[return-value]


def narrowed(mentions: Sequence[Mention], vocabulary: Vocabulary) -> list[Mention]:
    """Let a value's name choose among the acts of a kind: `objects interacted with`."""
    nouns = {form for m in mentions if m.noun for word in m.spoken.lower().split() for form in lemmas(word)}
    out: list[Mention] = []
    for mention in mentions:
        for name, acts in (mention.kind.narrow if mention.kind and mention.role == "act" else {}).items():
            if lemmas(name) & nouns or (name == "containers" and "receptacle" in nouns):
                mention = replace(mention, acts=kind_acts(vocabulary, acts))
                break
        out.append(mention)
    return out


def labelled(query: Query, mentions: Sequence[Mention]) -> Query:
    """Label a sub-query by the words that named its events."""
    words = " ".join(m.spoken for m in mentions if m.role in {"act", "condition"} and not m.negated and m.spoken)
    return replace(query, label=words[:80] or None)


def plain_values() -> frozenset[str]:
    """Return the nouns that name a value of an event."""
    return frozenset(lexicon().values)
