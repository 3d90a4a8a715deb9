"""The errors that users meet, one tree.

TallyError
├── InputError      a source, question or plan file that cannot be used
├── PlanError       a plan that breaks the schema or its profile
├── UnknownName     a name that does not exist, with near ones
├── ConflictError   other content under a known trajectory id
├── StoreError      a database that cannot be opened or used
│   └── LockedError     another process holds it
└── ModelError      a model call that failed

Every error has a `kind` (stable, for programs), a one-line `message` and an optional `hint`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class TallyError(Exception):
    """Root of everything that tallysql raises on purpose.

    Args:
        message: one line that names what is wrong and where.
        hint: what to do about it.
    """

    kind: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 2

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def as_dict(self) -> dict[str, str | None]:
        """Return `{kind, message, hint}`, the shape of errors under `--json`."""
        return {"kind": self.kind, "message": self.message, "hint": self.hint}


class InputError(TallyError):
    """A file that cannot be used; the message names file, record and field."""

    kind = "input"

    @classmethod
    def at(
        cls,
        file: str,
        problem: str,
        *,
        record: int | str | None = None,
        field: str | None = None,
        hint: str | None = None,
    ) -> InputError:
        """Build the message `file: record N: field F: problem`."""
        parts = [file]
        if record is not None:
            parts.append(f"record {record}")
        if field is not None:
            parts.append(f"field {field}")
        return cls(": ".join([*parts, problem]), hint)


class NoSteps(InputError):
    """A file of a known format that is sound but holds no step, such as a session of talk alone."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}")
        self.reason = reason


class PlanError(TallyError):
    """A plan that breaks the schema; `violations` are (JSON path, problem) pairs, all of them.

    Args:
        violations: at least one pair.
        hint: what to do about it.
        file: the file that holds the plan; the message begins with it.
    """

    kind = "plan"

    def __init__(
        self,
        violations: Sequence[tuple[str, str]],
        hint: str | None = None,
        *,
        file: str | None = None,
    ) -> None:
        told = "; ".join(f"{path}: {problem}" for path, problem in violations)
        super().__init__(told if file is None else f"{file}: {told}", hint)
        self.violations = tuple(violations)


class UnknownName(TallyError):
    """A name that does not exist; the hint suggests near ones."""

    kind = "unknown_name"

    def __init__(self, what: str, name: str, valid: Iterable[str]) -> None:
        near = nearest(name, valid)
        super().__init__(
            f"no {what} named {name!r}",
            f"did you mean {', '.join(map(repr, near))}?" if near else None,
        )


class ConflictError(TallyError):
    """A known trajectory id with different content."""

    kind = "conflict"


class StoreError(TallyError):
    """A database that is locked, damaged, too new or otherwise of no use."""

    kind = "store"


class LockedError(StoreError):
    """A database that another process holds: a writer, or readers where one is to write."""

    kind = "locked"


class ModelError(TallyError):
    """A model call that failed or answered something unusable.

    `reason` is one word for programs and summaries: unconfigured, timeout, connection, rate_limit,
    auth, bad_request, server, malformed, html, stream_ended, cut_short, empty, refusal,
    content_filter, invalid (structured output, after its repair), not_sent (a dry run).

    `tokens` are the prompt and completion tokens that a server counted all the same.
    """

    kind = "model"
    exit_code = 1

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        *,
        reason: str = "server",
        tokens: tuple[int, int] = (0, 0),
    ) -> None:
        super().__init__(message, hint)
        self.reason = reason
        self.tokens = tokens


_ALIKE = str.maketrans("oil", "011")
"""Letters that are mistaken for digits, in lower case."""


def nearest(name: str, valid: Iterable[str], limit: int = 3) -> list[str]:
    """Return up to `limit` of the valid names that look like `name`, best first."""
    from rapidfuzz import fuzz, process, utils

    def looks(text: str) -> str:
        return utils.default_process(text).translate(_ALIKE)

    found = process.extract(name, list(valid), scorer=fuzz.WRatio, processor=looks, limit=limit)
    return [match for match, score, _ in found if score >= 60]
