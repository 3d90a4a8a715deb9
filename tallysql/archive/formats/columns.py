"""The names and types of the canonical columns, as sources spell them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.json_text import json_text
from tallysql.archive.rows import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

REQUIRED = ("trajectory_id", "step", "action", "observation")
STEP_COLUMNS = (
    "step", "call", "action", "observation", "tool", "args", "exit_code",
    "is_error", "is_copied", "ts", "source_ref",
)  # fmt: skip
RUN_COLUMNS = ("task", "domain", "metadata")
COLUMNS = ("trajectory_id", *STEP_COLUMNS, *RUN_COLUMNS)

ALIASES = {
    "episode_id": "trajectory_id",
    "traj_id": "trajectory_id",
    "run_id": "trajectory_id",
    "session_id": "trajectory_id",
    "turn_idx": "step",
    "turn": "step",
    "turn_index": "step",
    "step_id": "step",
    "step_idx": "step",
    "step_index": "step",
    "step_number": "step",
    "call_idx": "call",
    "call_index": "call",
    "obs": "observation",
    "tool_name": "tool",
    "arguments": "args",
    "tool_args": "args",
    "returncode": "exit_code",
    "is_copied_context": "is_copied",
    "timestamp": "ts",
}
"""Other spelling → column; a column's own name wins where both are present."""

DERIVED = {"args_json", "n_steps", "content_hash", "loaded_at", "source", "format"}
"""Columns of our own tables that loading computes anew."""

INT64 = range(-(2**63), 2**63)
INT32 = range(-(2**31), 2**31)


class WrongType(ValueError):
    """A value of a type that the column cannot hold."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(problem)
        self.field = field


def bind(names: Iterable[str]) -> dict[str, str]:
    """Return canonical column → the source's spelling, for those that the source has."""
    found: dict[str, str] = {}
    for name in names:
        lowered = name.strip().lower()
        if lowered in COLUMNS:
            found[lowered] = name
        elif lowered in ALIASES:
            found.setdefault(ALIASES[lowered], name)
    return found


def unread(names: Iterable[str]) -> list[str]:
    """Return the source's columns that no canonical column takes."""
    listed = list(names)
    taken = set(bind(listed).values())
    return [n for n in listed if n not in taken and n.strip().lower() not in DERIVED]


def step_from(row: Mapping[str, Any]) -> Step:
    """Make a Step of a row keyed by canonical names.

    Raises:
        WrongType: a value that its column cannot hold.
    """
    step, reference = _step_number(row.get("step"))
    copied = row.get("is_copied")
    return Step(
        action=_text("action", row.get("action")),
        observation=_text("observation", row.get("observation")),
        step=step,
        call=_integer("call", row.get("call"), INT32) or 0,
        tool=_text("tool", row.get("tool")),
        args=_args(row.get("args")),
        exit_code=_integer("exit_code", row.get("exit_code"), INT64),
        is_error=_flag("is_error", row.get("is_error")),
        is_copied=_flag("is_copied", copied) or False,
        ts=_moment("ts", row.get("ts")),
        source_ref=_reference(row.get("source_ref"), reference),
    )


@dataclass(frozen=True, slots=True)
class Run:
    """What a row says of the whole trajectory."""

    trajectory_id: str
    task: str | None
    domain: str | None
    metadata: Mapping[str, Any]


def run_from(row: Mapping[str, Any]) -> Run:
    """Read the trajectory's own columns of a row keyed by canonical names.

    Raises:
        WrongType: a value that its column cannot hold, or no trajectory id.
    """
    return Run(
        identifier("trajectory_id", row.get("trajectory_id")),
        _text("task", row.get("task")),
        _text("domain", row.get("domain")),
        _metadata(row.get("metadata")),
    )


def identifier(field: str, value: Any) -> str:
    """Return an id as text; sources spell ids as strings or integers."""
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None or value == "":
        raise WrongType(field, "missing")
    raise WrongType(field, f"expected a string or an integer, found {_kind(value)}")


def _text(field: str, value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise WrongType(field, f"expected text, found {_kind(value)}")


def _integer(field: str, value: Any, allowed: range) -> int | None:
    number = as_integer(value)
    if number is None and value is not None and value != "":
        raise WrongType(field, f"expected an integer, found {_kind(value)}")
    if number is not None and number not in allowed:
        raise WrongType(field, f"{number} is out of range")
    return number


def as_integer(value: Any) -> int | None:
    """Return the integer that a value spells (7, "7", 7.0), None if it spells none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.lstrip("-").isascii() and value.lstrip("-").isdigit():
        return int(value)
    return None


def _step_number(value: Any) -> tuple[int | None, str | None]:
    """Return (number, None), or (None, the original id) where the id is no integer."""
    if value is None:
        return None, None
    number = as_integer(value)
    if number is not None and number in INT64:
        return number, None
    if isinstance(value, str):
        return None, value
    raise WrongType("step", f"expected an integer, found {_kind(value)}")


def _reference(value: Any, step_id: str | None) -> str | None:
    return step_id if value is None else str(value)


def _args(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json_text(value)


_FLAGS = {"true": True, "false": False, "1": True, "0": False, "t": True, "f": False}


def _flag(field: str, value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    flag = _FLAGS.get(str(value).lower())
    if flag is None:
        raise WrongType(field, f"expected true or false, found {_kind(value)}")
    return flag


def _moment(field: str, value: Any) -> datetime | None:
    """Read a time: a datetime, ISO 8601 text, or seconds since 1970; the result is naive UTC."""
    if value is None or value == "":
        return None
    try:
        return _MOMENTS[type(value)](value)
    except (KeyError, ValueError, OverflowError, OSError):
        raise WrongType(field, f"expected a time, found {_kind(value)}") from None


def naive_utc(value: datetime) -> datetime:
    """Return a time in UTC without its zone; a time without a zone is taken as UTC."""
    return value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)


def _from_seconds(value: float) -> datetime:
    return naive_utc(datetime.fromtimestamp(value, UTC))


_MOMENTS: dict[type, Callable[[Any], datetime]] = {
    datetime: naive_utc,
    str: lambda text: naive_utc(datetime.fromisoformat(text)),
    int: _from_seconds,
    float: _from_seconds,
}


def _metadata(value: Any) -> Mapping[str, Any]:
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        from tallysql.archive.formats.json_text import parse_json

        try:
            value, _ = parse_json(value.encode())
        except ValueError:
            raise WrongType("metadata", "expected a JSON object") from None
    if not isinstance(value, dict):
        raise WrongType("metadata", f"expected a JSON object, found {_kind(value)}")
    return value


_KINDS = {str: "text", bool: "a boolean", int: "a number", float: "a number"}
_KINDS |= {list: "a list", dict: "an object"}


def _kind(value: Any) -> str:
    name = _KINDS.get(type(value), type(value).__name__)
    return f"{name} ({str(value)[:40]!r})" if type(value) in {str, int, float} else name
