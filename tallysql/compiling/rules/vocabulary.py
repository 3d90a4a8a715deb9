"""A catalog as a dictionary: which phrases of a question name which parts of the ledger.

Built once per catalog; looking up a token costs a dictionary access.
"""

from __future__ import annotations

import re
from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from tallysql.compiling.rules.lexicon import Kind, data, kinds, lexicon
from tallysql.compiling.rules.tokens import lemmas, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallysql.ledger.catalog import Catalog

Role = Literal["act", "target", "class", "path", "author", "kind"]

# of two readings of the same words the first of these is meant
_NAME, _KIND, _CLASS, _VALUE, _PART = range(5)
_MAX_WORDS = 10
_BETWEEN = frozenset(("the", "a", "an", "its", "their", "any", "his", "her", "some", "this"))
_WORDS = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])|\d+|[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase names.

    Attributes:
        role: act (a set of acts), target, class (all targets of a kind: cabinet 1, cabinet 2),
            path, author, or kind (conditions other than acts).
        acts: the acts, for role act.
        values: the catalog's values, for the other roles.
        kind: the kind of event, where the phrase names one.
        rank: which of two readings of the same words is meant, lower first.
    """

    role: Role
    acts: frozenset[str] = frozenset()
    values: tuple[str, ...] = ()
    kind: Kind | None = None
    rank: int = _VALUE
    phrase: str = ""

    @property
    def weak(self) -> bool:
        """Whether stricter words beside it decide."""
        return self.kind is not None and self.kind.weak


@dataclass
class Vocabulary:
    """The dictionary of one catalog; `match` looks up a token with those that follow it."""

    catalog: Catalog
    tool_of: dict[str, str] = field(default_factory=dict)
    entries: dict[str, list[tuple[tuple[str, ...], Meaning]]] = field(default_factory=dict)
    exact: dict[str, Meaning] = field(default_factory=dict)
    squashed: dict[str, Meaning] = field(default_factory=dict)
    files: dict[str, tuple[str, ...]] = field(default_factory=dict)
    words: frozenset[str] = frozenset()
    error_text: str = ""
    absent: dict[str, list[tuple[tuple[str, ...], Meaning]]] = field(default_factory=dict)

    def lacks(self, canon: list[str], i: int, last: int) -> int:
        """Return how many tokens from i on name a kind of event that the log does not hold."""
        return max(
            (
                _reach(words, canon, i, last)
                for form in lemmas(canon[i])
                for words, _ in self.absent.get(form, ())
            ),
            default=0,
        )

    def match(self, canon: list[str], i: int, last: int) -> tuple[int, Meaning] | None:
        """Return how many tokens from i on name something, and what; the longest wins."""
        best: tuple[int, Meaning] | None = None
        for form in lemmas(canon[i]):
            for words, meaning in self.entries.get(form, ()):
                length = _reach(words, canon, i, last)
                if length and (best is None or self._order(length, meaning) < self._order(*best)):
                    best = (length, meaning)
        return best

    def broader(self, canon: list[str], i: int, name: Meaning) -> Meaning | None:
        """Return the broad kind that the one word at i means beside being an act's name."""
        kinds_of = (
            meaning
            for form in lemmas(canon[i])
            for words, meaning in self.entries.get(form, ())
            if len(words) == 1 and meaning.kind is not None and meaning.kind.broad
        )
        return next((meaning for meaning in kinds_of if meaning.acts >= name.acts), None)

    def begins(self, word: str) -> Meaning | None:
        """Return the tools whose names hold the beginning of a word: wikipedia, search_wiki."""
        for length in range(len(word) - 1, max(3, len(word) - 7), -1):
            for words, meaning in self.entries.get(word[:length], ()):
                if len(words) == 1 and meaning.rank == _PART:
                    return meaning
        return None

    def _order(self, length: int, meaning: Meaning) -> tuple[int, int, int, str]:
        """Rank readings: the longest, then the strictest, then the most frequent act."""
        often = sum(self.catalog.acts.get(act, 0) for act in meaning.acts)
        return -length, meaning.rank, -often if meaning.rank == _NAME else 0, meaning.phrase

    def spelled_apart(self, canon: list[str], i: int, last: int) -> tuple[int, Meaning] | None:
        """Return a target written with other spaces: `soap bar 2` for `soapbar 2`."""
        for length in range(min(5, last - i), 1, -1):
            found = self.squashed.get("".join(canon[i : i + length]))
            if found:
                return length, found
        return None

    def paths_named(self, name: str) -> tuple[str, ...]:
        """Return the files that a path, an ending of a path or a base name can mean."""
        return self.files.get(name.strip().removeprefix("./").lower(), ())

    def tools_of(self, acts: Iterable[str]) -> frozenset[str]:
        """Return the tools that acts belong to."""
        return frozenset(self.tool_of[act] for act in acts)

    def acts_of(self, tool: str) -> frozenset[str]:
        """Return all acts of a tool."""
        return frozenset(act for act, owner in self.tool_of.items() if owner == tool)


_CACHED: OrderedDict[int, Vocabulary] = OrderedDict()


def vocabulary_of(catalog: Catalog) -> Vocabulary:
    """Return the dictionary of a catalog; those of the last few are kept."""
    known = _CACHED.get(id(catalog))
    if known is None or known.catalog is not catalog:
        known = _CACHED[id(catalog)] = _build(catalog)
        while len(_CACHED) > 256:
            _CACHED.popitem(last=False)
    return known


def _reach(words: tuple[str, ...], canon: list[str], i: int, last: int) -> int:
    at = i
    for n, word in enumerate(words):
        if n:
            while at < last and canon[at] in _BETWEEN and canon[at] != word:
                at += 1
        if at >= last or (canon[at] != word and word not in lemmas(canon[at])):
            return 0
        at += 1
    return at - i


def _build(catalog: Catalog) -> Vocabulary:
    found = Vocabulary(catalog)
    found.tool_of = {act: _tool(act, catalog.tools) for act in catalog.acts}
    for tool in catalog.tools:
        if tool not in found.tool_of.values():
            found.tool_of[tool] = tool
    entries: dict[str, list[tuple[tuple[str, ...], Meaning]]] = defaultdict(list)
    for phrase, meaning in _phrases(found):
        words = bare(phrase)
        if words and len(words) <= _MAX_WORDS and (words, meaning) not in entries[words[0]]:
            entries[words[0]].append((words, meaning))
    found.entries = dict(entries)
    found.absent = _absent(found)
    found.files = _files(catalog)
    found.error_text = "\n".join(catalog.errors).lower()
    found.words = frozenset(
        w for ws in entries.values() for words, _ in ws for w in words if len(w) > 3
    )
    for noun, meaning in _value_phrases(catalog):
        if meaning.role == "class" and noun == meaning.phrase:
            found.squashed.setdefault("".join(t.canon for t in tokenize(noun)), meaning)
    for target in catalog.targets:
        meaning = Meaning("target", values=(target,), rank=_VALUE, phrase=target)
        found.exact.setdefault(target.strip().lower(), meaning)
        if " " in target and len(target) <= 40:
            found.squashed.setdefault("".join(t.canon for t in tokenize(target)), meaning)
    return found


@lru_cache(maxsize=8192)
def bare(phrase: str) -> tuple[str, ...]:
    """Cut a phrase into words; a label's marks at its end (`Title *`) are not spoken."""
    tokens = list(tokenize(phrase))
    while len(tokens) > 1 and tokens[-1].kind == "punct":
        tokens.pop()
    return tuple(token.canon for token in tokens)


def _tool(act: str, tools: dict[str, int]) -> str:
    owners = [
        t
        for t in tools
        if act.lower() == t.lower() or act.lower().startswith((t.lower() + ".", t.lower() + " "))
    ]
    return max(owners, key=len, default=act)


def _phrases(found: Vocabulary) -> Iterable[tuple[str, Meaning]]:
    yield from _act_phrases(found)
    yield from _kind_phrases(found)
    yield from _value_phrases(found.catalog)


def _absent(found: Vocabulary) -> dict[str, list[tuple[tuple[str, ...], Meaning]]]:
    entries: dict[str, list[tuple[tuple[str, ...], Meaning]]] = defaultdict(list)
    for kind in kinds():
        if not (kind.acts or kind.parts) or kind_acts(found, kind.acts, kind.parts):
            names: Iterable[str] = kind.acts
        else:
            names = (*kind.phrases, *kind.acts)
        for phrase in names:
            words = bare(phrase)
            entries[words[0]].append((words, Meaning("act", kind=kind, phrase=phrase)))
    return dict(entries)


def _act_phrases(found: Vocabulary) -> Iterable[tuple[str, Meaning]]:
    names: dict[str, set[str]] = defaultdict(set)
    parts: dict[str, set[str]] = defaultdict(set)
    for act, tool in found.tool_of.items():
        if act == "malformed":
            continue
        sub = act[len(tool) + 1 :] if act.lower().startswith(tool.lower() + ".") else ""
        for name in {tool, act, sub} - {""}:
            names[name.lower()].add(act)
            words = _WORDS.findall(name)
            names[" ".join(words).lower()].add(act)
            if len(words) > 1 and "." not in name:
                for word in words:
                    parts[word.lower()].add(act)
    for name, acts in names.items():
        yield name, Meaning("act", frozenset(acts), rank=_NAME, phrase=name)
    common = lexicon()
    for part, acts in parts.items():
        plain = (
            part in common.ignored
            or part in common.generic
            or part in common.values
            or len(part) < 3
        )
        if not plain and part not in names:
            yield part, Meaning("act", frozenset(acts), rank=_PART, phrase=part)


def _kind_phrases(found: Vocabulary) -> Iterable[tuple[str, Meaning]]:
    for kind in kinds():
        acts = kind_acts(found, kind.acts, kind.parts)
        if (kind.acts or kind.parts) and not acts:
            continue
        role: Role = "act" if acts else "kind"
        for phrase in kind.phrases:
            yield phrase, Meaning(role, acts, kind=kind, rank=_KIND, phrase=phrase)


def kind_acts(found: Vocabulary, names: Iterable[str], parts: Iterable[str] = ()) -> frozenset[str]:
    """Return the log's acts that go by one of the names, or hold one of the words in theirs."""
    wanted, inside = {name.lower() for name in names}, set(parts)
    return frozenset(
        act
        for act, tool in found.tool_of.items()
        if wanted & {act.lower(), tool.lower(), act.lower().removeprefix(tool.lower() + ".")}
        or inside & {word.lower() for word in _WORDS.findall(tool)}
    )


def _value_phrases(catalog: Catalog) -> Iterable[tuple[str, Meaning]]:
    classes: dict[str, list[str]] = defaultdict(list)
    spellings: dict[str, list[str]] = defaultdict(list)
    for target in catalog.targets:
        spellings[target.strip().lower()].append(target)
        numbered = re.fullmatch(r"(\D+?) (\d+)", target)
        if numbered and len(target) <= 40:
            classes[numbered[1].lower()].append(target)
    for phrase, values in spellings.items():
        if 0 < len(phrase) <= 80:
            yield phrase, Meaning("target", values=tuple(values), rank=_VALUE, phrase=phrase)
    yield from _nicknames(classes)
    for noun, values in classes.items():
        yield noun, Meaning("class", values=tuple(values), rank=_CLASS, phrase=noun)
    for author in catalog.authors:
        yield author, Meaning("author", values=(author,), rank=_VALUE, phrase=author)


def _nicknames(classes: dict[str, list[str]]) -> Iterable[tuple[str, Meaning]]:
    """Other names of a class of targets, where they can mean only one: counter, countertop."""
    said = {noun: names.split() for noun, names in data()["nicknames"].items()}
    for nickname, names in said.items():
        held = [name for name in names if name in classes]
        if len(held) != 1 or nickname in classes:
            continue
        values = classes[held[0]]
        yield nickname, Meaning("class", values=tuple(values), rank=_CLASS, phrase=held[0])
        for value in values:
            number = value.rpartition(" ")[2]
            yield f"{nickname} {number}", Meaning("target", values=(value,), phrase=value)


def _files(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """Map every ending of every path, at a slash, to the paths that end so."""
    named: dict[str, list[str]] = defaultdict(list)
    for path in dict.fromkeys([*catalog.paths, *(t for t in catalog.targets if _like_a_path(t))]):
        parts = path.strip().split("/")
        for start in range(len(parts)):
            ending = "/".join(parts[start:]).lower()
            if ending and path not in named[ending]:
                named[ending].append(path)
    return {ending: tuple(paths) for ending, paths in named.items()}


def _like_a_path(target: str) -> bool:
    return len(target) <= 300 and " " not in target and bool(re.search(r"/|\.\w+$", target))
