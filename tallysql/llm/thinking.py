"""Takes a model's thinking off the front of its answer."""

from __future__ import annotations

import re

_OPENING = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSING = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_LONE_CLOSING = re.compile(
    r"""(?<!["'`“‘(])(?:(?<!\w[ \t])</think(?:ing)?>|</think(?:ing)?>(?![ \t]*[\w.,;:!?]))""",
    re.IGNORECASE,
)
"""One that is neither quoted nor stands within a sentence."""

_ANSWER = re.compile(r"\s*(?:\{|```)")
"""How structured output begins: what follows is its own, tags included."""


def without_thinking(text: str) -> str:
    """Return what follows a leading thinking block, stripped.

    Templates of some servers open the block themselves, so that only its end shows: a closing tag
    counts as one unless an answer stands before it or the text merely mentions it. A block that
    never ends leaves nothing: the model was cut off before it answered.
    """
    if _OPENING.match(text.lstrip()):
        closing = _CLOSING.search(text)
        return text[closing.end() :].strip() if closing else ""
    closing = _LONE_CLOSING.search(text)
    if closing is None or _ANSWER.match(text) or _OPENING.search(text, 0, closing.start()):
        return text.strip()
    return text[closing.end() :].strip()
