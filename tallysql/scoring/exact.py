"""MINTEval's exact match: two answers are equal once both are normalized (paper, section 7).

What follows from the rule is not always expected: `1.2.0` equals `120`, and `a` equals nothing at
all. The rule is the benchmark's, kept as it is.
"""

from __future__ import annotations

import re
import string

LEFT_OUT = frozenset({"a", "an", "the", "and"})
"""Words that do not count."""

_OPENING = "\\boxed{"
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


def exact_match(answer: str, reference: str) -> bool:
    """Whether an answer equals the reference, both normalized."""
    return normalized(answer) == normalized(reference)


def normalized(answer: str) -> str:
    r"""Return what exact match compares.

    The content of the last \boxed{…} if there is one; commas become spaces, letters small,
    punctuation and the words a, an, the, and are removed, runs of spaces become one.
    """
    text = boxed(answer).replace(",", " ").lower().translate(_WITHOUT_PUNCTUATION)
    return " ".join(word for word in text.split() if word not in LEFT_OUT)


def boxed(answer: str) -> str:
    r"""Return the content of the last complete \boxed{…}, inner braces kept; else the answer."""
    start = len(answer)
    while (start := answer.rfind(_OPENING, 0, start)) >= 0:
        content = _up_to_closing(answer[start + len(_OPENING) :])
        if content is not None:
            return content
    return answer


def _up_to_closing(text: str) -> str | None:
    depth = 1
    for brace in re.finditer(r"[{}]", text):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return text[: brace.start()]
    return None
