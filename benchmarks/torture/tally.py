"""What was tried, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock


@dataclass
class Tally:
    """One part of the torture.

    Attributes:
        part: its name.
        attempts: what was tried.
        lost: attempts after which something was missing, torn or unusable, each named.
        let_in: attempts that got where they should not, each named.
        notes: what else to know.
    """

    part: str
    attempts: int = 0
    lost: list[str] = field(default_factory=list)
    let_in: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    _lock: Lock = field(default_factory=Lock)

    @property
    def survived(self) -> int:
        return self.attempts - len({*self.lost, *self.let_in})

    def tried(self, what: str, *, lost: str | None = None, let_in: str | None = None) -> None:
        """Count an attempt; the reasons say what went wrong, None that nothing did."""
        with self._lock:
            self.attempts += 1
            if lost:
                self.lost.append(f"{what}: {lost}")
            if let_in:
                self.let_in.append(f"{what}: {let_in}")
