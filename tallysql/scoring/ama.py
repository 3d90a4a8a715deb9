"""AMA-Bench's token rules: exact match and F1 over normalized words.

Small letters; what is neither a word character nor white space becomes a space; the words a, an and
the do not count. Unlike MINTEval's rule (`tallysql.scoring.exact`), `1.2.0` is three words here and
"and" counts.
"""

from __future__ import annotations

import re
from collections import Counter

LEFT_OUT = frozenset({"a", "an", "the"})
_NO_WORD = re.compile(r"[^\w\s]")


def tokens(text: str) -> list[str]:
    """Return the words of a text that count, in order."""
    return [word for word in _NO_WORD.sub(" ", text.lower()).split() if word not in LEFT_OUT]


def exact_match(answer: str, reference: str) -> bool:
    """Whether both texts have the same words in the same order."""
    return tokens(answer) == tokens(reference)


def f1(answer: str, reference: str) -> float:
    """Return the F1 of an answer's words against the reference's, repeated words counted.

    Two texts without words agree; one of them does not agree with any other text.
    """
    said, wanted = Counter(tokens(answer)), Counter(tokens(reference))
    if not said or not wanted:
        return float(said == wanted)
    shared = (said & wanted).total()
    return 2 * shared / (said.total() + wanted.total())
