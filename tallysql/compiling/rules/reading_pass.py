"""One pass of the linker over a question: the board, the vocabulary, and the mentions so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.lexicon import lexicon
from tallysql.compiling.rules.mentions import Mention
from tallysql.plan.nodes import Term

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tallysql.compiling.rules.lexicon import Kind
    from tallysql.compiling.rules.tokens import Board
    from tallysql.compiling.rules.vocabulary import Meaning, Vocabulary
    from tallysql.plan.nodes import By, Field


_ASKING = frozenset(
    ("each", "every", "which", "what", "per", "first", "last", "latest", "earliest", "final")
)


_ASKED = (
    "cue: most",
    "cue: least",
    "cue: first",
    "cue: last",
    "cue: distinct",
    "cue: how many",
    "cue: each",
    "cue: per",
)


class Pass:
    """Claims tokens on the board and records what they name."""

    def __init__(self, board: Board, vocabulary: Vocabulary) -> None:
        self.board = board
        self.vocabulary = vocabulary
        self.mentions: list[Mention] = []

    def add(self, first: int, last: int, became: str, **named: object) -> int:
        """Record a mention of tokens first..last-1; returns how many they are."""
        tokens = self.board.tokens
        spoken = self.board.question[tokens[first].start : tokens[last - 1].end]
        self.mentions.append(Mention(first, last, spoken=spoken.strip("\"'`“”‘’"), **named))  # type: ignore[arg-type]
        self.board.claim(first, last, became)
        return last - first

    def condition(
        self, first: int, last: int, field: Field, terms: Iterable[Term], kind: Kind | None = None
    ) -> int:
        """Record terms over one field."""
        found = tuple(terms)
        names = " or ".join(repr(term.text) for term in found[:4]) + (
            " …" if len(found) > 4 else ""
        )
        told = f"{field} = {names}" + (f" ({kind.name})" if kind else "")
        return self.add(first, last, told, role="condition", field=field, terms=found, kind=kind)

    def acts(self, first: int, last: int, meaning: Meaning, weak: bool = False) -> int:
        """Record a set of acts, and what the kind that names them also asks for."""
        acts = ", ".join(sorted(meaning.acts)[:6]) + (", …" if len(meaning.acts) > 6 else "")
        told = f"{meaning.kind.name} = act in {{{acts}}}" if meaning.kind else f"act in {{{acts}}}"
        self.add(
            first, last, told, role="act", acts=meaning.acts, kind=meaning.kind,
            weak=meaning.weak or weak, loose=meaning.rank > 1,
            noun=self._files_made(first, last, meaning),
        )  # fmt: skip
        for field, terms in (meaning.kind.where if meaning.kind else {}).items():
            self.also(first, last, field, terms, meaning.kind)
        return last - first

    def also(
        self, first: int, last: int, field: Field, terms: Iterable[str], kind: Kind | None
    ) -> None:
        """Record a further condition of a kind."""
        found = tuple(
            Term(text, "substring" if field in {"action", "observation"} else None)
            for text in terms
        )
        self.mentions.append(
            Mention(
                first,
                last,
                "condition",
                kind.name if kind else "",
                field=field,
                terms=found,
                kind=kind,
            )
        )

    def also_terms(self, first: int, last: int, field: Field, values: Iterable[str]) -> None:
        """Record further targets of a phrase."""
        found = tuple(Term(value, "exact") for value in values)
        self.mentions.append(
            Mention(first, last, "condition", found[0].text, field=field, terms=found)
        )

    def _files_made(self, first: int, last: int, meaning: Meaning) -> By | None:
        """A kind named with its plural files (`new files`) also names what is listed."""
        plural = (
            last - first > 1
            and meaning.kind is not None
            and self.board.canon[last - 1] in {"files", "scripts"}
        )
        told = self.board.became[first - 1] if first else None
        if plural or (
            last - first > 1
            and told is not None
            and told.startswith(_ASKED)
            and lexicon().values.get(self.board.canon[last - 1]) == "path"
        ):
            return "path"
        asked = bool(_ASKING & set(self.board.canon[max(0, first - 1) : first]))
        participle = self.board.canon[last - 1].endswith(("ed", "en"))
        asked = asked or bool(participle and told and told.startswith(_ASKED))
        return lexicon().values.get(self.board.canon[first]) if asked and last - first > 1 else None
