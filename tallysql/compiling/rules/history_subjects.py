"""What a question about a commit history names: files, directories, variables, authors, hashes.

The board of such a question shows each of them as a tag, so that patterns read the wording alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from tallysql.compiling.rules.tokens import Board, Token, tokenize

if TYPE_CHECKING:
    from tallysql.compiling.rules.vocabulary import Vocabulary

Sort = Literal["file", "dir", "var", "hash", "author", "value"]

_NOT_NAMES = frozenset({"none", "i.e", "e.g"})
_WORDS = frozenset({"sha", "sha1", "sha-1", "id", "ids", "json", "ok"})
"""Capitals that are words of the question, whatever the log calls so."""

_LIKE_CODE = re.compile(r"[A-Z]{2}|[a-z][A-Z]|_")
_HASH = re.compile(r"[0-9a-f]{7,40}")
_LIKE_A_PATH = re.compile(r"\S*[/.][A-Za-z_]\w*")
_FACTS = frozenset({"status", "path", "content"})
_DIRECTORY = frozenset({"directory", "folder", "directories", "folders"})
_GIVING = frozenset({"to", "become", "became", "be", "equal", "equalled"})
_VARIABLE = frozenset(
    {
        "value", "values", "assigned", "assigns", "assign", "assignment", "assignments", "set",
        "sets", "variable", "constant", "setting", "option", "field", "key", "parameter",
        "property", "attribute", "become", "became", "bump", "bumped", "bumps", "equal",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Subject:
    """Something of the log that the question names; `texts` are alternatives."""

    sort: Sort
    texts: tuple[str, ...]


@dataclass
class Subjects:
    """All that a question names, in its order."""

    found: list[Subject] = field(default_factory=list)

    def of(self, *sorts: Sort) -> list[Subject]:
        """Return those of the sorts, each once."""
        return list(dict.fromkeys(s for s in self.found if s.sort in sorts))


class TaggedBoard(Board):
    """A board whose canonical forms are tags where the question names something of the log."""

    def __init__(self, question: str, vocabulary: Vocabulary) -> None:
        super().__init__(question)
        self.subjects = Subjects()
        self._vocabulary = vocabulary
        self._properties = {name.lower() for name in vocabulary.catalog.properties} - _FACTS
        self._capitals = {path for path in vocabulary.catalog.paths if path[:1].isupper()}
        self._speaks_of_values = bool(_VARIABLE & set(self.canon))
        named = {i: s for i, t in enumerate(self.tokens) if (s := self._subject(i, t))}
        variables = [i for i, subject in named.items() if subject.sort == "var"]
        for i, subject in named.items():
            given = self._is_given(i) and any(other != i for other in variables)
            found = Subject("value", (self.tokens[i].text,)) if given else subject
            self.canon[i] = f"<{found.sort}_>"
            self.subjects.found.append(found)
        authors = self._authors()
        self._starts = list(accumulate((len(c) + 1 for c in self.canon[:-1]), initial=0))
        self.text = " ".join(self.canon)
        for first, last in authors:
            self.claim(first + 1, last, "author")

    def _subject(self, i: int, token: Token) -> Subject | None:
        if token.text.lower() in _NOT_NAMES:
            return None
        if token.kind != "quoted" and token.canon in _WORDS:
            return None
        if token.kind == "quoted":
            return self._named(i, token.text) or Subject("value", (token.text,))
        if token.kind == "code" or _LIKE_CODE.search(token.text) or token.text in self._capitals:
            return self._named(i, token.text.rstrip(".,;:"))
        if _HASH.fullmatch(token.text) and re.search(r"\d", token.text):
            return Subject("hash", (token.text,))
        return None

    def _is_given(self, i: int) -> bool:
        """Whether what stands here is what a variable was set to."""
        before = self.canon[i - 1] if i else ""
        if before == "value" and self.canon[max(0, i - 2)] in {"the", "a"}:
            return self.tokens[i].kind == "quoted"
        return before in _GIVING and self.tokens[i].kind in {"quoted", "code"}

    def _named(self, i: int, text: str) -> Subject | None:
        """Read a name; the exact path first, what is only part of one last."""
        spelled = text.strip().removeprefix("./")
        catalog = self._vocabulary.catalog
        sort: Sort | None = None
        texts: tuple[str, ...] = (spelled,)
        if spelled in catalog.paths and not self._is_variable_of(i, spelled):
            sort = "file"
        elif self._is_directory(i, spelled):
            sort, texts = "dir", (spelled.rstrip("/") + "/",)
        elif spelled.lower() in self._properties and self._speaks_of_values:
            sort = "var"
        elif _HASH.fullmatch(spelled):
            sort = "hash"
        elif found := [name for name in catalog.authors if name.lower() == spelled.lower()]:
            sort, texts = "author", tuple(found[:1])
        elif known := self._vocabulary.paths_named(spelled):
            sort, texts = "file", known
        elif spelled.lower() in self._properties:
            sort = "var"
        elif _LIKE_A_PATH.fullmatch(spelled):
            sort = "file"
        return Subject(sort, texts) if sort else None

    def _is_variable_of(self, i: int, text: str) -> bool:
        """Whether a name is a variable's too, and stands before the file that it is in."""
        if text.lower() not in self._properties or not self._speaks_of_values:
            return False
        rest = [word for word in self.canon[i + 1 : i + 4] if word not in {"the", "file"}]
        return rest[:1] in (["in"], ["of"], ["from"]) and len(rest) > 1 and rest[1] == "<q>"

    def _is_directory(self, i: int, text: str) -> bool:
        beside = {*self.canon[max(0, i - 1) : i], *self.canon[i + 1 : i + 2]}
        if not text.endswith("/") and not beside & _DIRECTORY:
            return False
        lead = text.rstrip("/") + "/"
        return any(path.startswith(lead) for path in self._vocabulary.catalog.paths)

    def _authors(self) -> list[tuple[int, int]]:
        """Tag authors that stand unquoted, the longest names first; return their ranges."""
        found = []
        for author in sorted(self._vocabulary.catalog.authors, key=len, reverse=True):
            words = [token.canon for token in tokenize(author)]
            for i in range(len(self.canon) - len(words) + 1):
                if words and self.canon[i : i + len(words)] == words:
                    self.canon[i : i + len(words)] = ["<author_>"] * len(words)
                    self.subjects.found.append(Subject("author", (author,)))
                    found.append((i, i + len(words)))
        return found
