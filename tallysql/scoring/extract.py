"""What an answer says, by a fixed rule for each form, so that it compares with the gold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_INTEGER = re.compile(r"-?\d+")
_PAIR = re.compile(r"([^,;]+?)\s*:\s*(\d+)\s*(?=[,;]|$)")


def extract(form: str, text: str) -> Any:
    """Return the answer's content, comparable with `==`.

    Args:
        form: int, step, list, name or pairs.
        text: the answer as given, or the gold.

    Returns:
        int and step: the leading integer, else the first in the text, else None. list: the items in
        order, empty for "none". name: one normalized name. pairs: name → count.
    """
    return FORMS[form](text.strip())


def is_right(form: str, gold: str, answer: str | None) -> bool:
    """Return whether an answer says the same as the gold; no answer is not right."""
    return answer is not None and extract(form, answer) == extract(form, gold)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().strip(".\"'`").strip().lower()


def _integer(text: str) -> int | None:
    found = _INTEGER.match(text) or _INTEGER.search(text)
    return int(found.group()) if found else None


def _list(text: str) -> list[str]:
    items = [_plain(item) for item in re.split(r"[,\n]", text)]
    return [item for item in items if item and item != "none"]


def _pairs(text: str) -> dict[str, int]:
    return {_plain(name): int(count) for name, count in _PAIR.findall(text)}


FORMS: dict[str, Callable[[str], Any]] = {
    "int": _integer,
    "step": _integer,
    "list": _list,
    "name": _plain,
    "pairs": _pairs,
}
"""Name → what an answer of that form says."""
