"""Readings of literal text: quoted strings, exit codes, error texts, words of the action.

Each reads the token at i and returns how many tokens it claimed, 0 for none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tallysql.compiling.rules.mentions import plain, words_of
from tallysql.compiling.rules.names import claim_meaning, read_name
from tallysql.compiling.rules.tokens import lemmas, tokenize
from tallysql.compiling.rules.values import claim_part_of_target, claim_path, first_spelling
from tallysql.plan.nodes import Term

if TYPE_CHECKING:
    from tallysql.compiling.rules.reading_pass import Pass
    from tallysql.compiling.rules.vocabulary import Meaning, Vocabulary
    from tallysql.plan.nodes import Field

_WORD_GAP = r"\W+"
_WORDS = frozenset(("word", "code", "number"))
_MENTIONING = frozenset(("mention", "contain", "include", "involve", "reference"))
_QUOTING = frozenset(("word", "words", "phrase", "string"))
_FILLING = frozenset(("the", "a", "an", "any", "word", "words", "string", "text", "phrase"))
_FAILING = frozenset(
    ("error", "fail", "message", "return", "end", "exception", "failure", "come", "raise", "throw",
     "reject", "crash", "warn", "warning")
)  # fmt: skip
_STATUS = re.compile(r"[45]\d\d")
_ABOUT = frozenset(("for", "of", "about", "on", "to", "in", "number", "than"))
_TOPIC = frozenset(("about", "for", "on", "regarding", "concerning", "with"))
_MEETING = frozenset(("run", "bump"))


def read_quoted(at: Pass, i: int, last: int) -> int:
    """Read a quoted string."""
    token = at.board.tokens[i]
    if token.kind != "quoted":
        return 0
    return _literal(at, i, i + 1, token.text)


def _literal(at: Pass, first: int, last: int, text: str) -> int:
    """Read a text that is meant verbatim: a name of the log, or words of it."""
    if _observes(at) or _answered(at, first):
        return at.condition(first, last, "observation", [Term(text, "substring")])
    if first and at.board.canon[first - 1] in _QUOTING:
        return at.condition(first, last, "action", [Term(text)])
    if lemmas(at.board.canon[_verb_before(at, first)]) & {"contain", "include"}:
        return at.condition(first, last, "action", [Term(text, "substring")])
    return _whole_name(at, first, last, text) or _words_within(at, first, last, text)


def _whole_name(at: Pass, first: int, last: int, text: str) -> int:
    """Read a target, an act, an act with its target (`open cabinet 3`), or a file."""
    words = at.vocabulary
    lowered = text.strip().lower()
    canon = [token.canon for token in tokenize(text)]
    found = words.match(canon, 0, len(canon)) if canon else None
    whole = found is not None and found[0] == len(canon)
    called = whole and found is not None and found[1].role == "act" and _acts_nearby(at, last)
    if lowered in words.exact and not called:
        return at.condition(first, last, "target", [Term(first_spelling(at, lowered), "exact")])
    if found and whole:
        return claim_meaning(at, first, last, found[1])
    if found and found[1].role == "act":
        return _act_in_full(at, first, last, text, found)
    paths = words.paths_named(text)
    return claim_path(at, first, last, paths) if paths else 0


def _act_in_full(at: Pass, first: int, last: int, text: str, found: tuple[int, Meaning]) -> int:
    """Read an action as logged: its act and its target, or else its own words."""
    canon = [token.canon for token in tokenize(text)]
    length, meaning = found
    rest = at.vocabulary.match(canon, length, len(canon))
    if rest and length + rest[0] == len(canon) and rest[1].role == "target":
        at.acts(first, last, meaning)
        at.also_terms(first, last, "target", rest[1].values)
        return last - first
    program = any("." in act for act in meaning.acts)
    return at.condition(first, last, "action", [Term(text, "word" if program else "exact")])


def _words_within(at: Pass, first: int, last: int, text: str) -> int:
    """Read a text inside targets, errors or observations, as the question speaks of them."""
    if _after_mentioning(at, first):
        return at.condition(first, last, "action", [Term(text)])
    readings = (claim_part_of_target, claim_error)
    for reading in reversed(readings) if _fails(at) else readings:
        if reading(at, first, last, text):
            return last - first
    if _speaks(at):
        return at.condition(first, last, "observation", [Term(text, "substring")])
    return 0


def _acts_nearby(at: Pass, i: int) -> bool:
    following = at.board.canon[i : i + 1]
    return bool(following) and bool(
        lemmas(following[0])
        & {"action", "call", "command", "step", "operation", "event", "move", "tool"}
    )


def _fails(at: Pass) -> bool:
    return bool(at.board.spoken & _FAILING)


def _speaks(at: Pass) -> bool:
    return bool(at.board.spoken & words_of("speaking"))


def read_punctuation(at: Pass, i: int, _: int) -> int:
    """Claim punctuation; what follows a colon may be a text meant verbatim."""
    if at.board.tokens[i].kind != "punct":
        return 0
    if at.board.canon[i] == ":" and (length := _after_colon(at, i)):
        return length
    at.board.claim(i, i + 1, "punctuation")
    return 1


def _after_colon(at: Pass, i: int) -> int:
    tail = at.board.question[at.board.tokens[i].end :].strip().rstrip("?.! ")
    if not tail:
        return 0
    bare = tail[1:-1] if tail[:1] in "\"'`“" and tail[1:-1].count(tail[0]) == 0 else tail
    if bare.lower() not in at.vocabulary.exact:
        return 0
    at.board.claim(i, i + 1, "punctuation")
    return 1 + at.condition(
        i + 1,
        len(at.board.tokens),
        "target",
        [Term(first_spelling(at, bare.lower()), "exact")],
    )


def read_cause(at: Pass, i: int, last: int) -> int:
    """Read `because of` an error."""
    if at.board.canon[i] != "because":
        return 0
    for j in range(i + 1, min(i + 4, last)):
        if at.board.canon[j] not in {"of", "a", "an", "the"}:
            length = read_error(at, j, last) or read_name(at, j, last)
            at.board.claim(i, j if length else i, "ignored: leads to the error")
            return j - i + length if length else 0
    return 0


def read_error(at: Pass, i: int, last: int) -> int:
    """Read words that the log's errors hold in a row, the longest first."""
    if (
        at.board.canon[i] in {"bad", "invalid", "wrong", "illegal"}
        and i + 1 < last
        and (length := read_error(at, i + 1, last))
    ):
        at.board.claim(i, i + 1, "ignored: says that it is an error")
        return 1 + length
    if (
        _STATUS.fullmatch(at.board.canon[i])
        and at.board.tokens[i].kind == "number"
        and not _error_follows(at, i)
        and at.board.canon[i - 1] not in _ABOUT
    ):
        return _status(at, i, last)
    if not _fails(at) and not at.board.canon[i].removesuffix("s").endswith(("error", "exception")):
        return 0
    for length in range(min(10, last - i), 0, -1):
        words = at.board.canon[i : i + length]
        if length == 1 and not (at.board.tokens[i].kind == "code" or _error_follows(at, i)):
            break
        if at.board.tokens[i].kind == "punct" or at.board.tokens[i + length - 1].kind == "punct":
            continue
        found = error_texts(at.vocabulary, words)
        if found and not all(plain(word) for word in words):
            return at.condition(i, i + length, "error", [Term(text, "substring") for text in found])
    return 0


def _status(at: Pass, i: int, last: int) -> int:
    """Read a status code that the log's errors state, and words that follow it there."""
    for length in range(min(5, last - i), 0, -1):
        if at.board.tokens[i + length - 1].kind == "punct":
            continue
        if found := error_texts(at.vocabulary, at.board.canon[i : i + length]):
            terms = [Term(text, "substring") for text in found]
            return at.condition(i, i + length, "error", terms)
    return 0


def _error_follows(at: Pass, i: int) -> bool:
    follows = at.board.canon[i + 1 : i + 2]
    return (
        bool(follows)
        and bool(lemmas(follows[0]) & {"error", "exception"})
        and (len(at.board.canon[i]) > 3 or at.board.canon[i].isdigit())
    )


def claim_error(at: Pass, first: int, last: int, text: str) -> int:
    """Claim tokens whose text occurs in the log's errors; 0 if it does not."""
    found = error_texts(at.vocabulary, [token.canon for token in tokenize(text)])
    return (
        at.condition(first, last, "error", [Term(found_text, "substring") for found_text in found])
        if found
        else 0
    )


def _observes(at: Pass) -> bool:
    """Whether the question speaks of what the observations say."""
    return bool({"observation", "observations", "output", "outputs"} & set(at.board.canon))


def _answered(at: Pass, i: int) -> bool:
    """Whether a text is what events were answered with."""
    before = at.board.canon[max(0, i - 2) : i]
    return before[-1:] == ["with"] and bool(lemmas(before[0]) & {"answer", "reply", "respond"})


def _after_mentioning(at: Pass, i: int) -> bool:
    if i and at.board.canon[i - 1] in _QUOTING:
        return True
    verb = _verb_before(at, i)
    return verb >= 0 and bool(lemmas(at.board.canon[verb]) & _MENTIONING)


def _searches(at: Pass, i: int) -> bool:
    """Whether a search is named right before token i: searches about ridership."""
    return any(m.role == "act" and m.last == i and m.kind and m.kind.by for m in at.mentions)


def _verb_before(at: Pass, i: int) -> int:
    verb = i - 1
    while verb >= 0 and at.board.canon[verb] in _FILLING:
        verb -= 1
    return verb


def read_worded(at: Pass, i: int, _: int) -> int:
    """Read what `the word` introduces."""
    told = i > 0 and at.board.canon[i - 1] in {"word", "string", "phrase", "substring"}
    if not told or at.board.tokens[i].kind not in _WORDS or not _after_mentioning(at, i):
        return 0
    field: Field = "observation" if _observes(at) else "action"
    return at.condition(i, i + 1, field, [Term(at.board.tokens[i].text)])


def read_contained(at: Pass, i: int, last: int) -> int:
    """Read unknown words right after `mention`, `contain`, …: the action's own words."""
    canon, tokens = at.board.canon, at.board.tokens
    verb = _verb_before(at, i)
    before = lemmas(canon[verb]) if verb >= 0 else frozenset()
    stop = i
    while (
        stop < last
        and tokens[stop].kind in _WORDS
        and (not plain(canon[stop]) or (stop > i and tokens[stop].text.isupper()))
    ):
        stop += 1
    if stop == i:
        return 0
    text = at.board.question[tokens[i].start : tokens[stop - 1].end]
    if before & (_MENTIONING | {"say"}) and _observes(at):
        return at.condition(i, stop, "observation", [Term(text, "substring")])
    if before & _MENTIONING or (canon[verb] in _TOPIC and _searches(at, verb)):
        return at.condition(i, stop, "action", [Term(text)])
    if before & {"say", "report", "print", "display"} or (
        before & {"into"} and lemmas(canon[verb - 1]) & _MEETING
    ):
        return at.condition(i, stop, "observation", [Term(text, "substring")])
    return 0


def read_verbatim(at: Pass, i: int, last: int) -> int:
    """Read what nothing else placed and no English word is (SHOP.ORDERS, ILIKE): as logged."""
    stop = i
    while stop < last and (
        _is_verbatim(at, stop) or (stop > i and (_is_number(at, stop) or _is_shouted(at, stop)))
    ):
        stop += 1
    if stop == i:
        return 0
    text = at.board.question[at.board.tokens[i].start : at.board.tokens[stop - 1].end]
    if text.endswith(("Error", "Exception")) and text[:1].isupper():
        return at.condition(i, stop, "observation", [Term(text, "substring")])
    # a long name of one word may stand qualified: module.Case.test_name
    qualified = re.fullmatch(r"\w{8,}", text) and "_" in text
    return at.condition(i, stop, "action", [Term(text, "substring" if qualified else None)])


def _is_shouted(at: Pass, i: int) -> bool:
    token = at.board.tokens[i]
    return at.board.became[i] is None and len(token.text) > 1 and token.text.isupper()


def _is_number(at: Pass, i: int) -> bool:
    return at.board.became[i] is None and at.board.tokens[i].kind == "number"


def _is_verbatim(at: Pass, i: int) -> bool:
    token = at.board.tokens[i]
    shouted = token.kind == "word" and token.text.isupper() and len(token.text) > 2
    return at.board.became[i] is None and (token.kind == "code" or shouted)


def error_texts(vocabulary: Vocabulary, words: list[str]) -> list[str]:
    """Return the first_spelling in which the log's errors hold the words in a row."""
    spoken = [w for word in words for w in re.findall(r"\w+", word)]
    if not spoken or (len(spoken) == 1 and len(spoken[0]) < 3 + spoken[0].isalpha()):
        return []
    if spoken[0].removesuffix("s") not in vocabulary.error_text:
        return []
    parts = [*map(re.escape, spoken[:-1]), re.escape(spoken[-1].removesuffix("s")) + "s?"]
    # a status code may stand before words of its own: 500 Server Error: Internal Server Error
    gap = _WORD_GAP + r"(?:\w+\W+){0,2}?" if spoken[0].isdigit() and len(parts) > 1 else _WORD_GAP
    phrase = _WORD_GAP.join(parts[1:])
    inside = re.compile(rf"(?<!\w){parts[0]}{gap + phrase if phrase else ''}(?!\w)", re.IGNORECASE)
    found = (inside.search(error) for error in vocabulary.catalog.errors)
    return list(dict.fromkeys(match.group() for match in found if match))
