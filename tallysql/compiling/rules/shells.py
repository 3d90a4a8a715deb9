"""Files of shell commands: the log names them among the targets, not in a path argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.rules.lexicon import kinds
from tallysql.compiling.rules.vocabulary import kind_acts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.compiling.rules.mentions import Mention
    from tallysql.compiling.rules.vocabulary import Vocabulary
    from tallysql.plan.nodes import Term


def name_shell_files(
    mentions: Sequence[Mention],
    clauses: dict[str, list[tuple[Term, ...]]],
    acts: frozenset[str] | None,
    vocabulary: Vocabulary,
) -> None:
    """Shell commands name files among their targets, not in a path argument."""
    if clauses.get("path") and acts and only_shell(acts, vocabulary):
        clauses["target"] = [
            _spelled(mentions, vocabulary) or clauses["path"][0],
            *clauses.get("target", []),
        ]
        del clauses["path"]
    elif clauses.get("path") and acts is None and (spelled := _spelled(mentions, vocabulary)):
        clauses["target"] = [spelled, *clauses.get("target", [])]
        del clauses["path"]


def _spelled(mentions: Sequence[Mention], vocabulary: Vocabulary) -> tuple[Term, ...]:
    terms = (term for mention in mentions for term in mention.spellings)
    return tuple(dict.fromkeys(term for term in terms if term.text in vocabulary.catalog.targets))


def only_shell(acts: frozenset[str], vocabulary: Vocabulary) -> bool:
    """Whether acts are shell commands, all of them."""
    return vocabulary.tools_of(acts) <= vocabulary.tools_of(kind_acts(vocabulary, shell_tools()))


def shell_tools() -> tuple[str, ...]:
    """Return the names of tools that are shells."""
    return next(kind.acts for kind in kinds() if kind.name == "shell command")
