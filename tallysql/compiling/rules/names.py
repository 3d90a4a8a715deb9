"""Readings of names: acts, kinds of event, targets, and words that say nothing of the events.

Each reads the token at i and returns how many tokens it claimed, 0 for none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tallysql.compiling.rules.lexicon import data, lexicon
from tallysql.compiling.rules.meant import (
    PLAYING,
    a_name,
    called,
    is_label,
    is_shouted,
    labels_fixture,
    meant,
    moves_of_an_act,
    names_a_page,
    spelled_out,
)
from tallysql.compiling.rules.mentions import Mention, plain, words_that
from tallysql.compiling.rules.tokens import lemmas
from tallysql.compiling.rules.values import claim_part_of_target, claim_path
from tallysql.plan.nodes import Term

if TYPE_CHECKING:
    from tallysql.compiling.rules.lexicon import Kind
    from tallysql.compiling.rules.reading_pass import Pass
    from tallysql.compiling.rules.vocabulary import Meaning
    from tallysql.plan.nodes import Field, Match

_BEFORE_ACTS = frozenset(("many", "of", "the", "all", "which", "different"))


def read_name(at: Pass, i: int, last: int) -> int:
    """Read what the vocabulary names: an act, a kind, a target, a class of targets."""
    found = at.vocabulary.match(at.board.canon, i, last)
    apart = at.vocabulary.spelled_apart(at.board.canon, i, last)
    if apart and (not found or apart[0] > found[0]):
        found = apart
    if not found or (found[1].kind and is_shouted(at, i)) or moves_of_an_act(at, i):
        return 0
    length, meaning = found
    if length == 1 and meaning.role == "act" and not spelled_out(at, i, meaning):
        meaning = at.vocabulary.broader(at.board.canon, i, meaning) or meaning
    if length > 1:
        labelled = meaning.role == "kind" and any(is_label(at, i + n) for n in range(1, length))
        return 0 if labelled else claim_meaning(at, i, i + length, meaning)
    if names_a_page(at, i) and meaning.role == "target":
        return claim_part_of_target(at, i, i + 1, at.board.tokens[i].text)
    if is_label(at, i):
        return at.condition(i, i + 1, "target", [Term(at.board.tokens[i].text, "exact")])
    return claim_meaning(at, i, i + 1, meaning) if meant(at, i, meaning) else 0


def read_slashed(at: Pass, i: int, _: int) -> int:
    """Read acts that slashes join: create/str_replace/insert."""
    parts = at.board.canon[i].split("/")
    if len(parts) < 2 or not all(parts):
        return 0
    read = [at.vocabulary.match([part], 0, 1) for part in parts]
    held = [found[1] for found in read if found and found[1].role == "act"]
    lacking = [p for p, found in zip(parts, read, strict=True) if not found]
    if not held or not all(at.vocabulary.lacks([part], 0, 1) for part in lacking):
        return 0
    acts = frozenset[str]().union(*(meaning.acts for meaning in held))
    return at.add(i, i + 1, f"act in {{{', '.join(sorted(acts))}}}", role="act", acts=acts)


def claim_meaning(at: Pass, first: int, last: int, meaning: Meaning) -> int:
    """Claim tokens first..last-1 as what the vocabulary says they name."""
    kind = meaning.kind
    if meaning.role == "act":
        if kind is None and (literal := _command(at, first, last, meaning)):
            return literal
        return at.acts(first, last, meaning, weak=kind is None and _loose(at, first, last, meaning))
    one = f"{meaning.phrase} 1" if at.board.canon[last : last + 1] == ["one"] else ""
    if meaning.role == "class" and one.lower() in at.vocabulary.exact:
        return at.condition(first, last + 1, "target", [Term(one, "exact")])
    if meaning.role == "class":
        return at.add(
            first, last, f"target = any {meaning.phrase}", role="condition", field="target",
            terms=(Term(meaning.phrase, "word"),), noun="target",
        )  # fmt: skip
    if meaning.role == "kind" and kind:
        return _kind(at, first, last, kind)
    return _claim_value(at, first, last, meaning)


def _claim_value(at: Pass, first: int, last: int, meaning: Meaning) -> int:
    if meaning.role == "author":
        return at.condition(first, last, "author", [Term(v, "exact") for v in meaning.values])
    if len(meaning.values) == 1 and (paths := at.vocabulary.paths_named(meaning.values[0])):
        return claim_path(at, first, last, paths)
    return at.condition(first, last, "target", [Term(meaning.values[0], "exact")])


def _loose(at: Pass, first: int, last: int, meaning: Meaning) -> bool:
    """Whether an act's name is an ordinary verb here (`used`, not `the use action`)."""
    if last - first > 1 or at.board.tokens[first].kind != "word" or not plain(meaning.phrase):
        return False
    ordinary = words_that("a general verb") | words_that("asks to be told")
    return bool(lemmas(at.board.canon[first]) & ordinary) and not called(at, last)


def _command(at: Pass, first: int, last: int, meaning: Meaning) -> int:
    """A program with words of its own behind it is a command line: git stash pop."""
    act = min(meaning.acts)
    if len(meaning.acts) > 1 or act.rpartition(".")[2].lower() != meaning.phrase or "." not in act:
        return 0
    stop = last
    if at.board.canon[stop : stop + 1] and at.board.canon[stop] in _subcommands(meaning.phrase):
        stop += 1
    while stop < len(at.board.tokens) and _argument(at, stop):
        stop += 1
    if stop == last:
        return 0
    text = at.board.question[at.board.tokens[first].start : at.board.tokens[stop - 1].end]
    at.add(first, stop, f"act in {{{act}}} and action = {text!r}", role="act", acts=meaning.acts)
    at.mentions.append(Mention(first, stop, "condition", text, field="action", terms=(Term(text),)))
    return stop - first


def _subcommands(program: str) -> frozenset[str]:
    return frozenset(data()["subcommands"].get(program, "").split())


def _argument(at: Pass, i: int) -> bool:
    token, word = at.board.tokens[i], at.board.canon[i]
    if at.board.became[i] is not None or token.kind != "word" or plain(word):
        return False
    return not at.vocabulary.match(
        at.board.canon, i, len(at.board.tokens)
    ) and not at.vocabulary.lacks(at.board.canon, i, i + 1)


def _kind(at: Pass, first: int, last: int, kind: Kind) -> int:
    if kind.errors:
        return _error_kind(at, first, last, kind)
    held = set(kind.where.get("outcome", ())) & at.vocabulary.catalog.outcomes.keys()
    if not held and "outcome" in kind.where and at.board.canon[first] in {"invalid", "illegal"}:
        return 0  # a log without failures may say so in its own words
    claimed = 0
    for field, texts in kind.where.items():
        match: Match | None = "substring" if field in {"action", "observation"} else None
        terms = [Term(text, match) for text in _present(at, field, texts)]
        claimed = at.condition(first, last, field, terms, kind)
    if kind.ending == "outcome" and at.board.canon[last - 1] in {"error", "errors", "failures"}:
        at.mentions[-1] = replace(at.mentions[-1], noun="error")
    return claimed


def _present(at: Pass, field: Field, texts: tuple[str, ...]) -> tuple[str, ...]:
    """Keep the outcomes that the log holds, or the first if it holds none."""
    held = tuple(text for text in texts if text in at.vocabulary.catalog.outcomes)
    return texts if field != "outcome" else held or texts[:1]


def _error_kind(at: Pass, first: int, last: int, kind: Kind) -> int:
    texts = [error.lower() for error in at.vocabulary.catalog.errors]
    known = [term for term in kind.errors if any(term in text for text in texts)]
    if not known:
        return at.condition(first, last, "observation", [Term(kind.errors[0], "substring")], kind)
    return at.condition(first, last, "error", [Term(term, "substring") for term in known], kind)


def read_absent(at: Pass, i: int, last: int) -> int:
    """A kind of event that this log does not hold: fine in a list with others, alone it is not."""
    length = 0 if is_shouted(at, i) else at.vocabulary.lacks(at.board.canon, i, last)
    if not at.vocabulary.catalog.targets and lemmas(at.board.canon[i]) & PLAYING:
        at.board.claim(i, i + 1, "ignored: a general verb")
        return 1
    return at.add(i, i + length, "no such event in this log", role="absent") if length else 0


def read_generic(at: Pass, i: int, _: int) -> int:
    """Read a noun that names any event: action, step, call."""
    if at.board.canon[i] not in lexicon().generic or names_an_act(at, i):
        return 0
    return at.add(i, i + 1, "any event", role="generic")


def read_ignored(at: Pass, i: int, _: int) -> int:
    """Claim a word that says nothing of the events, with the reason."""
    known = lexicon().ignored
    named = lemmas(at.board.canon[i]) & at.vocabulary.tool_of.keys()
    if a_name(at, i) or named - {"do"}:
        return 0
    if names_an_act(at, i) or labels_fixture(at, i):
        return 0
    bearing = at.board.canon[i].removesuffix("s").endswith("ward")  # upward is no idle up
    forms = () if bearing else sorted(lemmas(at.board.canon[i]))
    for form in (at.board.canon[i], *forms):
        if form in known:
            at.board.claim(i, i + 1, "ignored: " + known[form])
            return 1
    return 0


def names_an_act(at: Pass, i: int) -> bool:
    """Whether an ordinary verb stands for an act: use actions, grep or find.

    An act that the log lacks must not be passed over as an idle word.
    """
    canon, word = at.board.canon, at.board.canon[i]
    if not lemmas(word) & (words_that("a general verb") | words_that("asks to be told") | {"use"}):
        return False
    after = canon[i + 1] if i + 1 < len(canon) else "?"
    listed = i > 1 and canon[i - 1] == "or" and after in {"?", ".", ",", "in", "up", "until"}
    acts = any(m.role == "act" and m.last == i - 1 for m in at.mentions)
    called = after in {"actions", "commands", "calls"} and i > 0 and canon[i - 1] in _BEFORE_ACTS
    return called or (listed and acts)
