"""JSON in and out: fast where the text is clean, lossless or counted where it is not."""

from __future__ import annotations

import json
import re
from typing import Any

import orjson

_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_json(raw: bytes) -> tuple[Any, int]:
    """Return (value, number of lone surrogates that became U+FFFD).

    Raw control characters inside strings and NaN are tolerated: real logs hold them.

    Raises:
        ValueError: not JSON; the message says where.
    """
    try:
        return orjson.loads(raw), 0
    except orjson.JSONDecodeError as error:
        problem = error
    try:
        return replace_surrogates(json.loads(raw.decode("utf-8", "surrogatepass"), strict=False))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from None
    except ValueError:
        raise ValueError(str(problem)) from None


def replace_surrogates(value: Any) -> tuple[Any, int]:
    """Return the value with U+FFFD for each lone surrogate in its strings, and their number."""
    if isinstance(value, str):
        return _SURROGATE.subn("\ufffd", value)
    if isinstance(value, list):
        pairs = [replace_surrogates(item) for item in value]
        return [item for item, _ in pairs], sum(count for _, count in pairs)
    if isinstance(value, dict):
        keys, in_keys = replace_surrogates(list(value))
        values, in_values = replace_surrogates(list(value.values()))
        return dict(zip(keys, values, strict=True)), in_keys + in_values
    return value, 0


def json_text(value: Any) -> str:
    """Return compact JSON text of a value that came out of a source."""
    return counted_json_text(value)[0]


def counted_json_text(value: Any) -> tuple[str, int]:
    """Return (JSON text, number of lone surrogates that became U+FFFD).

    Raises:
        ValueError: nested too deeply.
    """
    try:
        return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS).decode(), 0
    except TypeError:  # integers beyond 64 bits, lone surrogates, more than 254 levels
        try:
            clean, replaced = replace_surrogates(value)
            text = json.dumps(clean, ensure_ascii=False, separators=(",", ":"), default=str)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        return text, replaced
