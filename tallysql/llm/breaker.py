"""Gives up on a server that cannot be reached, so that a long run does not wait for every call."""

from __future__ import annotations

import threading
import time

from tallysql.errors import ModelError

UNREACHABLE = frozenset({"auth", "connection", "unconfigured"})
"""Reasons that the next call would fail for, too."""

GIVE_UP_AFTER = 10
"""Calls that may fail in a row for such a reason."""

REST_SECONDS = 60.0
"""How long no call is tried after that; a program that lives on may find the server back."""


class Breaker:
    """A context around every call; counts failures in a row, over all threads.

    Args:
        rest: seconds without a call after giving up.

    Raises:
        ModelError: on entering, if the server is given up; with the reason of the last failure.
    """

    def __init__(self, rest: float = REST_SECONDS) -> None:
        self._rest = rest
        self._failures = 0
        self._last: ModelError | None = None
        self._until = 0.0
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            last = self._last if time.monotonic() < self._until else None
        if last is not None:
            problem = f"not tried after {GIVE_UP_AFTER} failures in a row: {last.message}"
            raise ModelError(problem, last.hint, reason=last.reason)

    def __exit__(self, _: object, error: object, __: object) -> None:
        unreachable = isinstance(error, ModelError) and error.reason in UNREACHABLE
        with self._lock:
            self._failures = self._failures + 1 if unreachable else 0
            self._until = 0.0
            if isinstance(error, ModelError) and self._failures >= GIVE_UP_AFTER:
                self._last, self._until = error, time.monotonic() + self._rest
