"""What an interrupted run of `answer` was about, so that its records are only kept if they hold.

OUT.partial.json stands beside OUT.partial: the release, and a fingerprint of each trajectory that
is asked about (its content and its ledger; null where there is no such trajectory).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from tallysql.archive.target import check_target
from tallysql.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Fingerprints = dict[str, str | None]


def partial_of(out: Path) -> Path:
    """Return where the records of OUT are written until they are complete."""
    return out.with_name(out.name + ".partial")


def check_out(out: str | Path, sources: Iterable[str | Path] = ()) -> None:
    """Check that answers can be written, and over nothing that is read.

    Raises:
        InputError: they cannot; see `check_target`.
    """
    if str(out) == "-":
        return
    listed = tuple(sources)
    check_target(out, listed)
    check_target(partial_of(Path(out)), listed)


class RunState:
    """The file beside the partial records."""

    def __init__(self, partial: Path) -> None:
        self._path = partial.with_name(partial.name + ".json")

    def unchanged(self, now: Mapping[str, str | None]) -> frozenset[str]:
        """Return the trajectories that are as they were when the interrupted run began."""
        try:
            noted = orjson.loads(self._path.read_bytes())
        except (FileNotFoundError, orjson.JSONDecodeError):
            return frozenset()
        if not isinstance(noted, dict) or noted.get("tallysql") != VERSION:
            return frozenset()
        before = noted.get("trajectories", {})
        return frozenset(name for name, print_ in now.items() if before.get(name, "") == print_)

    def write(self, now: Mapping[str, str | None]) -> None:
        """Note what the records from here on are about, whole or not at all."""
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.write_bytes(orjson.dumps({"tallysql": VERSION, "trajectories": now}))
        fresh.replace(self._path)

    def remove(self) -> None:
        """Forget it: the answers are complete."""
        self._path.unlink(missing_ok=True)
