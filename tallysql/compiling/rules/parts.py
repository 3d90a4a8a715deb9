"""Readings of what a word is only part of: names that start so, a verb beside its instrument.

Each reads the token at i and returns how many tokens it claimed, 0 for none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tallysql.compiling.rules.lexicon import lexicon, pattern
from tallysql.compiling.rules.mentions import plain, words_of
from tallysql.compiling.rules.refusal import Refused
from tallysql.compiling.rules.tokens import lemmas, tokenize
from tallysql.plan.nodes import Term

if TYPE_CHECKING:
    from collections.abc import Callable

    from tallysql.compiling.rules.reading_pass import Pass

_INSTRUMENT = frozenset(("with", "using", "via", "through", "by"))
_SMALL = frozenset(("the", "a", "an", "of", "for", "help", "means", "any", "some", "it", "them"))
_STATING = frozenset(("of", "to", "as", "is", "was", "a", "the", "being", "set", "equal"))
_OPENERS = frozenset(("with", "describe", "explain", "show"))
_NEAR = 4
_PAST = ("ed", "en", "ing", "s")


def read_name_part(at: Pass, i: int, last: int) -> int:
    """Read `starting with test_`, `ending in .py`, `whose name contains config`: the names so.

    Raises:
        Refused: no name of the log is so.
    """
    found = pattern("name_part").match(at.board.text, at.board.at(i))
    if not found:
        return 0
    stop = at.board.span(found)[1]
    if not _of_names(at, i, found.group()):
        _check_start(at, found.group(), stop, last)
        return 0
    if stop >= last or at.board.tokens[stop].kind == "punct":
        return 0
    word = at.board.tokens[stop].text
    names = [*at.vocabulary.catalog.paths, *at.vocabulary.catalog.targets]
    holds = _test(found.group(), word.lower())
    values = tuple(dict.fromkeys(name for name in names if holds(name.lower())))
    if not values:
        raise Refused(f"no name of the log is so: {word!r}")
    terms = tuple(Term(value, "exact") for value in values)
    length = at.condition(i, stop + 1, "target", terms)
    if any("." in value for value in values):
        at.mentions[-1] = replace(at.mentions[-1], spellings=terms)  # files, which can be run
    return length


def _check_start(at: Pass, words: str, stop: int, last: int) -> None:
    """Refuse how an action starts or ends, unless it starts with an act.

    Raises:
        Refused: no match of the language says so.
    """
    if stop >= last or not any(part in words for part in ("start", "begin", "end")):
        return
    found = at.vocabulary.match(at.board.canon, stop, last)
    if at.board.canon[stop] in _OPENERS:
        return
    literal = (
        at.board.tokens[stop].kind in {"code", "quoted"} or at.board.tokens[stop].text.isupper()
    )
    if literal and not (found and found[1].role == "act") and not _whole_act(at, stop):
        raise Refused(f"asks how a text starts or ends: {at.board.tokens[stop].text!r}")


def _whole_act(at: Pass, i: int) -> bool:
    """Whether a quoted text is an act of the log, or begins with one."""
    canon = [token.canon for token in tokenize(at.board.tokens[i].text)]
    found = at.vocabulary.match(canon, 0, len(canon)) if canon else None
    return found is not None and found[1].role == "act"


def _of_names(at: Pass, i: int, words: str) -> bool:
    """Whether names are spoken of: by the words, or by a noun before them."""
    if pattern("naming").search(words):
        return True
    if not any(part in words for part in ("start", "begin", "end")):
        before = at.board.canon[max(0, i - 1) : i]
        return bool(before) and lexicon().values.get(before[0]) == "path"
    near = at.board.canon[max(0, i - 3) : i]
    return any(lexicon().values.get(word) in {"path", "target"} for word in near)


def _test(words: str, part: str) -> Callable[[str], bool]:
    """Return the test of a name: a file's own name where only its start is told."""
    if "start" in words or "begin" in words:
        return lambda name: name.startswith(part) or name.rsplit("/", 1)[-1].startswith(part)
    if "contain" in words or "includ" in words or (" in " in f" {words} " and "end" not in words):
        return lambda name: part in name
    return lambda name: name.endswith(part)


def read_instrument(at: Pass, i: int, last: int) -> int:
    """Pass over an unknown verb whose instrument is named: removed with rm."""
    word = at.board.canon[i]
    if at.board.tokens[i].kind != "word" or plain(word) or not word.endswith(_PAST):
        return 0
    j = i + 1
    while j < min(last, i + 4) and at.board.canon[j] not in _INSTRUMENT:
        if at.board.canon[j] not in _SMALL and at.board.canon[j] not in lexicon().values:
            return 0
        j += 1
    if j >= last or at.board.canon[j] not in _INSTRUMENT:
        return 0
    j += 1
    while j < last and at.board.canon[j] in _SMALL:
        j += 1
    found = at.vocabulary.match(at.board.canon, j, last) if j < last else None
    if not found or found[1].role != "act" or found[1].kind is not None:
        return 0
    at.board.claim(i, i + 1, "ignored: what the command named does")
    return 1


def read_status(at: Pass, i: int, last: int) -> int:
    """Read a status that calls set, as their arguments state it: status blocked, marked as done."""
    canon = at.board.canon
    marked = canon[i] == "as" and any("mark" in lemmas(word) for word in canon[max(0, i - 6) : i])
    if not (marked or canon[i] == "status") or at.vocabulary.catalog.exit_codes:
        return 0
    stop = i + 1
    while stop < last and canon[stop] in _STATING:
        stop += 1
    if stop >= last or not _is_status(at, stop, last):
        return 0
    text = at.board.tokens[stop].text
    return at.condition(i, stop + 1, "action", [Term(f'"{text}"', "substring")])


def _is_status(at: Pass, i: int, last: int) -> bool:
    """Whether a word can be a status: no name of the log, no ordinary word, no sort of element."""
    token, word = at.board.tokens[i], at.board.canon[i]
    if token.kind == "quoted":
        return True
    ordinary = plain(word) or bool(lemmas(word) & words_of("fixtures"))
    return (
        token.kind in {"word", "code"}
        and not ordinary
        and at.vocabulary.match(at.board.canon, i, last) is None
    )


def read_query_verb(at: Pass, i: int, last: int) -> int:
    """Pass over what a query does to a table named behind: queries that select from ORDERS."""
    if not lemmas(at.board.canon[i]) & words_of("querying") or not at.mentions:
        return 0
    if at.board.tokens[i].text.isupper():
        return 0
    before = at.mentions[-1]
    if not (before.kind and before.kind.texts and i - before.last <= _NEAR):
        return 0
    named = at.board.tokens[i + 1 : min(last, i + 1 + _NEAR)]
    if not any(
        t.kind in {"code", "quoted"} or (t.text.isupper() and len(t.text) > 2) for t in named
    ):
        return 0
    at.board.claim(i, i + 1, "ignored: what the query does")
    return 1


def read_told_error(at: Pass, i: int, last: int) -> int:
    """Read words before `error` that the log's errors hold beside it: SQL errors."""
    for length in range(min(5, last - i), 1, -1):
        words = at.board.canon[i : i + length]
        if words[-1].removesuffix("s") not in {"error", "exception", "identifier"}:
            continue
        if at.board.tokens[i].kind == "punct" or plain(words[0]) or not lemmas(words[0]):
            return 0
        if found := _errors_with(at, words):
            return at.condition(i, i + length, "error", [Term(text, "substring") for text in found])
    return 0


def _errors_with(at: Pass, words: list[str]) -> list[str]:
    from tallysql.compiling.rules.texts import error_texts

    known = at.vocabulary.match(words, 0, len(words))
    if known and known[0] == len(words):
        return []
    return error_texts(at.vocabulary, words)
