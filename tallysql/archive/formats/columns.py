"""The names and types of the canonical columns, as sources spell them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.json_text import json_text, parse_json
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
"""Other spelling → column; a column's own name wins where several are present."""

DERIVED = {"args_json", "n_steps", "content_hash", "loaded_at", "source", "format"}
"""Columns of our own tables that loading computes anew."""

INT64 = range(-(2**63), 2**63)
INT32 = range(-(2**31), 2**31)


class WrongType(ValueError):
    """A value of a type that the column cannot hold; `field` names the column."""

    def __init__(self, problem: str, field: str = "") -> None:
        super().__init__(problem)
        self.field = field


def bind(names: Iterable[str]) -> dict[str, str]:
    """Return canonical column → the source's spelling, for those that the source has."""
    found: dict[str, str] = {}
    for name in sorted(names, key=_distance):
        lowered = name.strip().lower()
        column = lowered if lowered in COLUMNS else ALIASES.get(lowered)
        if column is not None:
            found.setdefault(column, name)
    return found


def _distance(name: str) -> int:
    """Rank spellings of one column: its name, its name in another case, other names."""
    return 0 if name in COLUMNS else 1 if name.strip().lower() in COLUMNS else 2


def unread(names: Iterable[str]) -> list[str]:
    """Return the source's columns that no canonical column takes."""
    listed = list(names)
    taken = set(bind(listed).values())
    return [n for n in listed if n not in taken and n.strip().lower() not in DERIVED]


def step_from(row: Mapping[str, Any]) -> Step:
    """Make a Step of a row keyed by canonical names; other keys are left alone.

    Raises:
        WrongType: a value that its column cannot hold.
    """
    values = {}
    for column, value in row.items():
        read = READ_STEP.get(column)
        if read is not None:
            try:
                values[column] = read(value)
            except WrongType as error:
                raise WrongType(str(error), column) from None
    number = values.get("step")
    if isinstance(number, str):  # an id, not a number: the position stands in for it
        values["step"] = None
        values["source_ref"] = values.get("source_ref") or number
    return Step(**{"action": None, "observation": None, **values})


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
    values = []
    for column, read in READ_RUN.items():
        try:
            values.append(read(row.get(column)))
        except WrongType as error:
            raise WrongType(str(error), column) from None
    return Run(*values)


def identifier(value: Any) -> str:
    """Return an id as text; sources spell ids as strings or integers.

    Raises:
        WrongType: it is missing or something else.
    """
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None or value == "":
        raise WrongType("missing")
    raise WrongType(f"expected a string or an integer, found {kind_of(value)}")


def text(value: Any) -> str | None:
    """Return text or None as they are.

    Raises:
        WrongType: it is something else.
    """
    if value is None or isinstance(value, str):
        return value
    raise WrongType(f"expected text, found {kind_of(value)}")


def as_integer(value: Any) -> int | None:
    """Return the integer that a value spells (7, "7", 7.0), None if it spells none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,20}", value):
        return int(value)
    return None


def _integer(value: Any, allowed: range) -> int | None:
    if value is None or value == "":
        return None
    number = as_integer(value)
    if number is None:
        raise WrongType(f"expected an integer, found {kind_of(value)}")
    if number not in allowed:
        raise WrongType(f"{number} is out of range")
    return number


def _step_number(value: Any) -> int | str | None:
    """Return the number, or the original id where it is no number."""
    if type(value) is int and value in INT64:
        return value
    if value is None:
        return None
    number = as_integer(value)
    if number is not None and number in INT64:
        return number
    if isinstance(value, str):
        return value
    raise WrongType(f"expected an integer, found {kind_of(value)}")


def _call(value: Any) -> int:
    return _integer(value, INT32) or 0


def _args(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json_text(value)


_FLAGS = {"true": True, "false": False, "1": True, "0": False, "t": True, "f": False}


def _flag(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    if value == "":
        return None
    flag = _FLAGS.get(str(value).lower())
    if flag is None:
        raise WrongType(f"expected true or false, found {kind_of(value)}")
    return flag


def moment(value: Any) -> datetime | None:
    """Read a time: a datetime, ISO 8601 text, or seconds since 1970; the result is naive UTC.

    Raises:
        WrongType: it spells no time.
    """
    if value is None or value == "":
        return None
    try:
        return _MOMENTS[type(value)](value)
    except (KeyError, ValueError, OverflowError, OSError):
        raise WrongType(f"expected a time, found {kind_of(value)}") from None


def naive_utc(value: datetime) -> datetime:
    """Return a time in UTC without its zone; a time without a zone is taken as UTC."""
    return value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)


def _from_epoch(value: float) -> datetime:
    """Read seconds since 1970; larger numbers are milli-, micro- or nanoseconds."""
    while LAST_SECOND <= abs(value) < float("inf"):
        value /= 1000
    return naive_utc(datetime.fromtimestamp(value, UTC))


LAST_SECOND = 1e11
"""Later than the year 5000 in seconds, 1973 in milliseconds."""

_MOMENTS: dict[type, Callable[[Any], datetime]] = {
    datetime: naive_utc,
    str: lambda spelled: naive_utc(datetime.fromisoformat(spelled)),
    int: _from_epoch,
    float: _from_epoch,
}


def _metadata(value: Any) -> Mapping[str, Any]:
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        try:
            value, _ = parse_json(value.encode())
        except ValueError:
            raise WrongType("expected a JSON object") from None
    if not isinstance(value, dict):
        raise WrongType(f"expected a JSON object, found {kind_of(value)}")
    return value


def _reference(value: Any) -> str | None:
    return None if value is None else str(value)


READ_STEP: dict[str, Callable[[Any], Any]] = {
    "step": _step_number,
    "call": _call,
    "action": text,
    "observation": text,
    "tool": text,
    "args": _args,
    "exit_code": lambda value: _integer(value, INT64),
    "is_error": _flag,
    "is_copied": lambda value: bool(_flag(value)),
    "ts": moment,
    "source_ref": _reference,
}
READ_RUN: dict[str, Callable[[Any], Any]] = {
    "trajectory_id": identifier,
    "task": text,
    "domain": text,
    "metadata": _metadata,
}

_KINDS = {str: "text", bool: "a boolean", int: "a number", float: "a number"}
_KINDS |= {list: "a list", dict: "an object"}


def kind_of(value: Any) -> str:
    """Name a value's type for an error message, with the value if it is short."""
    name = _KINDS.get(type(value), type(value).__name__)
    return f"{name} ({str(value)[:40]!r})" if type(value) in {str, int, float} else name
