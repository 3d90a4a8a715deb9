"""What loading did, for people and programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tallysql.archive.rows import Damage
    from tallysql.errors import TallyError

KEPT_DAMAGES = 100
"""Skipped records that are listed; beyond, they are only counted."""


@dataclass(slots=True)
class FileReport:
    """What became of one source.

    Attributes:
        source: the file as the user named it.
        format: what it was taken for, None if that could not be told.
        state: loaded; unchanged (same size and hash as when last loaded); in a directory also
            ignored (of no known format) and empty (holds no steps, see `reason`); failed.
        reason: why the file holds no steps.
        redacted: kind of what was replaced → how often.
        trajectories: trajectories in the file; of them `new`, `grown` (steps appended, or results
            that came later), `replaced`, `unchanged`, and `shorter` (the archive has more of them).
        steps: steps added to the archive.
        empty: records left out because they hold neither action nor observation.
        skipped: damaged records, at most KEPT_DAMAGES of the `n_skipped`.
        surrogates: lone surrogates that became U+FFFD.
        error: why the source could not be loaded; nothing of it was stored.
    """

    source: str
    format: str | None = None
    state: str = "loaded"
    trajectories: int = 0
    new: int = 0
    grown: int = 0
    replaced: int = 0
    unchanged: int = 0
    shorter: int = 0
    steps: int = 0
    empty: int = 0
    n_skipped: int = 0
    skipped: list[Damage] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    surrogates: int = 0
    redacted: dict[str, int] = field(default_factory=dict)
    reason: str | None = None
    error: TallyError | None = None

    def skip(self, damage: Damage) -> None:
        """Count a damaged record, and list it while there is room."""
        self.n_skipped += 1
        if len(self.skipped) < KEPT_DAMAGES:
            self.skipped.append(damage)

    @property
    def clean(self) -> bool:
        """Whether all of the file was read."""
        return self.error is None and not self.n_skipped

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        shown = {name: getattr(self, name) for name in self.__slots__}
        shown["skipped"] = [asdict(damage) for damage in self.skipped]
        shown["error"] = self.error.as_dict() if self.error else None
        return shown


@dataclass(slots=True)
class LoadReport:
    """What became of all sources, in order."""

    files: list[FileReport] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether every source was read in full."""
        return all(file.clean for file in self.files)

    @property
    def trajectories(self) -> int:
        """Number of trajectories in the sources that were read."""
        return sum(file.trajectories for file in self.files)

    @property
    def steps(self) -> int:
        """Number of steps added to the archive."""
        return sum(file.steps for file in self.files)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        return {
            "trajectories": self.trajectories,
            "steps": self.steps,
            "clean": self.clean,
            "files": [file.as_dict() for file in self.files],
        }
