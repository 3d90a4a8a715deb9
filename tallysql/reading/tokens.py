"""Token counts: exact for Qwen3 with the `tokens` extra, else an estimate.

Budgets count on one property that both have: where a line ends and the next one begins with a
visible character, the tokens of two texts add up. See docs/architecture.md, "Reading view".
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from typing import Literal, Protocol

from tallysql.errors import InputError

TokenizerName = Literal["auto", "qwen3", "estimate"]
CHARACTERS = 8
"""Characters a token that are looked at before a text is found too long; more a token is rare."""
SLACK = 8
"""Tokens by which a beginning may count more than it does within its text."""


class Tokenizer(Protocol):
    """Counts tokens."""

    name: str

    def count(self, text: str) -> int:
        """Return the number of tokens; special tokens written out in the text are plain text."""
        ...


class Qwen3:
    """Exact counts of Qwen2.5 and Qwen3 (after NFC, as those tokenizers do)."""

    name = "qwen3"

    def __init__(self) -> None:
        import quicktok

        self.count = quicktok.get_encoding("qwen3").count


class Estimate:
    """Counts pieces that are about one Qwen3 token each; needs no package."""

    name = "estimate"
    _PIECE = re.compile(
        r" ?[A-Za-z]?[a-z]{1,11}|[A-Z]{1,5}|[0-9]|[^\W\d_a-zA-Z]"
        r"| ?([^\w\s]|_)\1{1,31}| ?(?:[^\w\s]|_){1,4}\n*"
        r"|\s{0,64}\n|[^\S\n]{1,64}(?=\s)|\s|."
    )

    def count(self, text: str) -> int:
        """Return the number of pieces."""
        return len(self._PIECE.findall(text))


@cache
def tokenizer_named(name: TokenizerName = "auto") -> Tokenizer:
    """Return a tokenizer; `auto` is the exact one where its package is installed.

    Raises:
        InputError: the exact one is asked for and its package is missing.
    """
    installed = find_spec("quicktok") is not None
    if name == "qwen3" and not installed:
        raise InputError("exact token counts need a package", "pip install 'tallysql[tokens]'")
    return Qwen3() if installed and name != "estimate" else Estimate()


def count_within(tokenizer: Tokenizer, text: str, limit: int) -> int | None:
    """Return the number of tokens, None if there are more than `limit`.

    A long text is first judged by its beginning, up to a blank: most of what does not fit is
    found out without counting all of it.
    """
    most = CHARACTERS * (limit + SLACK)
    if len(text) > 2 * most:
        beginning = text[: max(text.rfind(" ", 0, most), 0)].rstrip(" ")
        if tokenizer.count(beginning) > limit + SLACK:
            return None
    tokens = tokenizer.count(text)
    return tokens if tokens <= limit else None
