"""Takes a model's thinking off the front of its answer."""

from __future__ import annotations

import re

_OPENING = re.compile(r"\s*<think(?:ing)?>", re.IGNORECASE)
_CLOSING = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


def without_thinking(text: str) -> str:
    """Return what follows a leading thinking block, stripped.

    Templates of some servers open the block themselves, so that only its end shows. A block that
    never ends leaves nothing: the model was cut off before it answered.
    """
    closing = _CLOSING.search(text)
    if closing is not None:
        return text[closing.end() :].strip()
    return "" if _OPENING.match(text) else text.strip()
