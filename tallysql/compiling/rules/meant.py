"""Whether a word that may be a name is meant as one: ordinary words that the log uses, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.lexicon import lexicon
from tallysql.compiling.rules.mentions import plain, words_that
from tallysql.compiling.rules.tokens import lemmas
from tallysql.compiling.rules.vocabulary import bare

if TYPE_CHECKING:
    from tallysql.compiling.rules.lexicon import Kind
    from tallysql.compiling.rules.reading_pass import Pass
    from tallysql.compiling.rules.vocabulary import Meaning


_COMMON = frozenset(
    ("step", "steps", "action", "actions", "turn", "turns", "time", "times", "call")
)


_ASKING = frozenset(
    ("which", "what", "each", "every", "per", "different", "distinct", "first", "last", "latest",
     "other")
)  # fmt: skip


_MOVING = frozenset(
    (
        "be",
        "move",
        "go",
        "press",
        "play",
        "choose",
        "swipe",
        "the",
        "a",
        "an",
        "or",
        "and",
        "except",
        "excluding",
        "than",
        "ignoring",
        "but",
        "not",
        "for",
        "of",
        "first",
        "last",
        "next",
        "either",
        "both",
        "neither",
        "nor",
    )
)


_LABELLING = frozenset(("back", "simple", "plain", "own", "time", "point", "number"))


_ENDS = frozenset(
    ("?", ".", ",", ";", "or", "and", "how", "in", "before", "after", "at", "until", "from", ")",
     "more", "most", "first", "last", "up", "times")
)  # fmt: skip


PLAYING = frozenset(
    (
        "press",
        "play",
        "choose",
        "pick",
        "swipe",
        "hit",
        "make",
        "move",
        "go",
        "walk",
        "head",
        "step",
    )
)


def moves_of_an_act(at: Pass, i: int) -> bool:
    """Whether an act is named right before, so that `moves` are events of it."""
    return at.board.canon[i] in {"move", "moves"} and any(
        m.role == "act" and m.last == i and not m.weak for m in at.mentions
    )


def is_shouted(at: Pass, i: int) -> bool:
    """Whether a word in capitals is one of the log's: queries that join INVENTORY."""
    text = at.board.tokens[i].text
    queried = any(m.kind and m.kind.texts for m in at.mentions)
    return queried and len(text) > 2 and text.isupper() and not at.board.question.isupper()


def spelled_out(at: Pass, i: int, meaning: Meaning) -> bool:
    """Whether a word is a tool's own name rather than a verb: `Edit`, the edit tool.

    A word that may also ask to be told something (write) is a verb of the log only if
    it is inflected or has a subject.
    """
    token, word = at.board.tokens[i], at.board.canon[i]
    beside = at.board.canon[i + 1 : i + 2]
    named_so = called(at, i + 1) or beside in (["command"], ["commands"])
    capital = token.text[:1].isupper() and token.text.lower() == meaning.phrase
    exact = token.text in {act.rpartition(".")[2] for act in meaning.acts}
    named = (capital and (i > 0 or named_so)) or (named_so and exact)
    subject = at.board.canon[max(0, i - 1) : i] in (["agent"], ["it"], ["they"], ["he"], ["she"])
    told = word == meaning.phrase and word in words_that("asks to be told") and not subject
    tool = word == meaning.phrase and beside == ["tool"]
    return token.kind in {"code", "quoted"} or named or told or tool


def is_label(at: Pass, i: int) -> bool:
    """Whether a capital letter inside a sentence marks a label: the Go button."""
    text = at.board.tokens[i].text
    same = at.vocabulary.exact.get(text.lower())
    return a_name(at, i) and same is not None and text in same.values


def _after_which(at: Pass, i: int) -> bool:
    return bool(
        {
            "which",
            "what",
            "each",
            "every",
            "per",
            "different",
            "distinct",
            "first",
            "last",
            "latest",
            "other",
        }
        & set(at.board.canon[max(0, i - 1) : i])
    )


def names_a_page(at: Pass, i: int) -> bool:
    """Whether the word behind says that a name is one of a page: the Jordan article."""
    return bool(
        {"article", "page", "website", "site", "domain", "url", "pages", "urls", "articles"}
        & set(at.board.canon[i + 1 : i + 2])
    )


def meant(at: Pass, i: int, meaning: Meaning) -> bool:
    """Guard one-word names that are also ordinary words."""
    word = at.board.canon[i]
    if meaning.kind is not None:
        return not _is_value(at, i, meaning.kind)
    if meaning.role == "target" and word not in {meaning.phrase.lower(), bare(meaning.phrase)[0]}:
        return word.removesuffix("s").endswith("ward")  # an inflected word is no label
    if not plain(word) or (i and _spelled_as_logged(at, i, meaning)):
        return True
    if (
        meaning.role == "target"
        and word not in _COMMON
        and word in lexicon().generic | lexicon().values.keys()
    ):
        return bool({"the", "a", "an"} & set(at.board.canon[max(0, i - 1) : i]))
    return meaning.role == "act" and (
        stands_alone(at, i)
        or _is_used(at, i)
        or _has_subject(at, i)
        or _verb_of_events(at, i, word)
        or called(at, i + 1)
    )


def _spelled_as_logged(at: Pass, i: int, meaning: Meaning) -> bool:
    """Whether a word has the capital of an act of the log: How often was Do used?"""
    text = at.board.tokens[i].text
    opens = at.board.canon[i - 1] in {".", "?", "!", ":", ";"}
    return (
        meaning.role == "act"
        and text[:1].isupper()
        and not opens
        and text in at.vocabulary.catalog.tools
    )


def _is_value(at: Pass, i: int, kind: Kind) -> bool:
    """Whether a word that names a kind is a noun for a value here: which place, the places."""
    word = at.board.canon[i]
    if kind.ending or kind.weak or word not in lexicon().values:
        return False
    return word.endswith("s") or _after_which(at, i)


def _is_used(at: Pass, i: int) -> bool:
    """Whether a word is said to be used: how often was find used."""
    beside = set().union(*(lemmas(word) for word in at.board.canon[i + 1 : i + 2]), set())
    return bool(beside & {"use", "run", "call", "invoke", "execute"})


def _has_subject(at: Pass, i: int) -> bool:
    """Whether a word stands as the verb of a subject: did the agent place anything."""
    doers = words_that("names the agent") | {"it", "they", "he", "she", "ever"}
    return i > 1 and at.board.canon[i - 1] in doers and at.board.canon[i] in lexicon().values


def _verb_of_events(at: Pass, i: int, word: str) -> bool:
    general = lemmas(word) & words_that("a general verb")
    asks = lemmas(word) & words_that("asks to be told")
    before = lemmas(at.board.canon[i - 1]) if i else frozenset()
    if asks:
        return bool(before & {"use", "run", "execute", "call", "invoke", "with", "or", "many"})
    return bool(general) or (
        word not in lexicon().values and not lemmas(word) & set(lexicon().ignored)
    )


def stands_alone(at: Pass, i: int) -> bool:
    """Whether a move such as `up` is said as one: `were up?`, `moved up`, `the up moves`."""
    word = at.board.canon[i]
    if word not in at.vocabulary.tool_of:
        return word.removesuffix("s") in at.vocabulary.tool_of
    after = at.board.canon[i + 1 : i + 2]
    before = lemmas(at.board.canon[i - 1]) if i else frozenset()
    ends = not after or after[0] in _ENDS
    ends = ends or bool(lemmas(after[0]) & PLAYING)
    counted = i > 0 and at.board.tokens[i - 1].kind == "ordinal"
    return called(at, i + 1) or (ends and (counted or bool(before & _MOVING)))


def called(at: Pass, i: int) -> bool:
    """Whether the word at i says that a name before it is an act: `the do action`."""
    word = at.board.canon[i : i + 1]
    return bool(word) and word[0] in lexicon().generic


def labels_fixture(at: Pass, i: int) -> bool:
    """Whether a word may be the label of the element named behind: the back button."""
    beside = set().union(*(lemmas(word) for word in at.board.canon[i + 1 : i + 2]), set())
    sorts = {"button", "link", "icon", "tab", "checkbox", "menu", "dropdown", "combobox"}
    telling = not at.board.canon[i].endswith("ed") and at.board.canon[i] in words_that("emphasis")
    return bool(beside & sorts) and telling and at.board.canon[i] in _LABELLING


def a_name(at: Pass, i: int) -> bool:
    """Whether a capital letter inside a sentence marks an ordinary word as a name."""
    text = at.board.tokens[i].text
    inside = (
        i > 0
        and at.board.canon[i - 1] not in {".", "?", "!", ":", ";", "("}
        and i - 1 in range(len(at.board.canon))
    )
    return inside and text[:1].isupper() and at.board.tokens[i].kind == "word" and text not in {"I"}
