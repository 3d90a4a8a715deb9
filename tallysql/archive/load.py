"""Loading: source files into the archive, each whole or not at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from tallysql.archive.archiving import Archiver, collect
from tallysql.archive.find import found
from tallysql.archive.formats.commits import FORMAT as REPOSITORY
from tallysql.archive.formats.commits import HistorySettings
from tallysql.archive.formats.registry import format_named
from tallysql.archive.intake import Intake, Settings
from tallysql.archive.report import FileReport, LoadReport
from tallysql.archive.staging import Staging
from tallysql.errors import InputError, TallyError
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future
    from typing import Self

    from tallysql.archive.archiving import Build
    from tallysql.archive.formats.source import SourceFile
    from tallysql.archive.redact import Redactor
    from tallysql.store import Store

    Progress = Callable[[str, int, int], None]

__all__ = ["FileReport", "LoadReport", "load"]

PROGRESS_BYTES = 1 << 18

GROUP_BYTES = 32 << 20
"""Files are archived together up to this size: a statement has its price however little it does."""

PACKED = 8
"""How much larger the content of a compressed file may be, roughly."""


def load(  # noqa: PLR0913 - one parameter an option
    store: Store,
    sources: Sequence[str],
    *,
    format: str = "auto",
    trajectory_id: str | None = None,
    replace: bool = False,
    strict: bool = False,
    redact: bool = False,
    history: HistorySettings | None = None,
    build: Build | None = None,
    progress: Progress | None = None,
) -> LoadReport:
    """Archive sources; what cannot be used is named in the report, the others are loaded.

    Args:
        store: where to.
        sources: files, directories, or `-`.
        format: a name from the registry, or "auto" to tell by content.
        trajectory_id: the id to use, for sources that hold one trajectory.
        replace: other content under a known id replaces it.
        strict: a file with a damaged record is refused.
        redact: home directories, e-mail addresses and secrets are replaced before anything is
            stored.
        history: which commits of git repositories, the branch that is checked out by default.
        build: called in the transaction of each group of files after their steps are in; the
            temporary table `touched(trajectory_id)` names the trajectories that got new rows.
        progress: called with (file, bytes read, bytes in all).

    Raises:
        InputError: there is nothing to load: a name that does not exist, no file of a known
            format, or every file failed (then the first file's error).
        ConflictError: the same, where the first error is a conflict.
    """
    if trajectory_id is not None and not trajectory_id.strip():
        raise InputError("--id is empty; name the trajectory")
    wanted = None if format == "auto" else format_named(format)
    settings = Settings(wanted, trajectory_id, replace, strict, _redactor() if redact else None)
    commits = (history or HistorySettings()) if wanted in {None, REPOSITORY} else None
    with found(sources, trajectory_id, commits) as listed:
        if trajectory_id is not None and len(listed) > 1:
            raise InputError(f"--id names one trajectory, there are {len(listed)} files")
        total = sum(source.size for source, _ in listed)
        done = 0
        with _Loader(Archiver(store, settings, build), store, settings) as loader:
            for source, is_named in listed:
                told = _Progress(progress, source, done, total)
                loader.take(Intake(source, is_named, told.step))
                told.finish()
                done += source.size
            loader.finish()
    report = LoadReport([intake.report for intake in loader.taken])
    _require_something(sources, report)
    return report


def _redactor() -> Redactor:
    from tallysql.archive.redact import Redactor

    return Redactor()


class _Loader:
    """Reads sources one after the other and archives them in groups.

    While one group is archived, the next one is read: DuckDB and Python each have a core.
    """

    def __init__(self, archiver: Archiver, store: Store, settings: Settings) -> None:
        self.taken: list[Intake] = []
        self._archiver = archiver
        self._store = store
        self._settings = settings
        self._group: list[Intake] = []
        self._ids: set[str] = set()
        self._bytes = 0
        self._names: set[str] = set()
        self._known = self._known_sources()
        self._background = ThreadPoolExecutor(max_workers=1)
        self._running: Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._background.shutdown(cancel_futures=True)

    def take(self, intake: Intake) -> None:
        """Read one source and archive it, at once if it is large, else with others."""
        self.taken.append(intake)
        name = intake.source.name
        if name in self._names:
            self.finish()
            self._known = self._known_sources()
        self._names |= {name, intake.source.stored_name}
        try:
            if intake.recognise(self._settings) and not self._is_unchanged(intake):
                self._add(intake)
        except TallyError as error:
            intake.fail(error)
        self._names.add(intake.source.stored_name)

    def finish(self) -> None:
        """Archive what waits, and wait until it is done."""
        self._hand_over()
        self._wait()

    def _add(self, intake: Intake) -> None:
        size = intake.source.size * (PACKED if intake.source.is_packed else 1)
        if size > GROUP_BYTES or intake.source.path.is_dir():
            self.finish()
            self._archiver.archive([intake])
            return
        intake.trajectories = list(intake.trajectories)
        ids = {trajectory.trajectory_id for trajectory in intake.trajectories}
        if self._bytes + size > GROUP_BYTES or ids & self._ids:
            self._hand_over()
        self._group.append(intake)
        self._ids |= ids
        self._bytes += size

    def _hand_over(self) -> None:
        """Let what waits be archived in the background, once the group before it is."""
        group, self._group, self._ids, self._bytes = self._group, [], set(), 0
        staging = Staging()
        collect(staging, group)
        self._wait()
        if group:
            self._running = self._background.submit(self._archiver.archive, group, staging)

    def _wait(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.result()

    def _known_sources(self) -> dict[str, tuple[Any, ...]]:
        """Return source → (format, size, hash, trajectories) of all files loaded so far."""
        if self._settings.trajectory_id is not None:
            return {}
        return {row[0]: row[1:] for row in self._store.rows(query("archive/known_sources").text)}

    def _is_unchanged(self, intake: Intake) -> bool:
        """Whether a file is as it was when last loaded, undamaged and not under a given id."""
        source, report = intake.source, intake.report
        form, size, digest, count = self._known.get(source.stored_name, (None, None, None, 0))
        if (form, size, digest) != (report.format, source.size, intake.digest):
            return False
        report.state, report.trajectories, report.unchanged = "unchanged", count, count
        return True


def _require_something(sources: Sequence[str], report: LoadReport) -> None:
    """Raise if nothing of what was named could be used."""
    used = [file for file in report.files if file.state in {"loaded", "unchanged"}]
    if used:
        return
    for file in report.files:
        if file.error is not None:
            raise file.error
    raise InputError(
        f"{sources[0]}: no trajectory files in it" if sources else "no sources named",
        "see: tallysql formats",
    )


class _Progress:
    """Tells how far reading has come, not more often than every PROGRESS_BYTES or hundredth."""

    def __init__(
        self, callback: Progress | None, source: SourceFile, done: int, total: int
    ) -> None:
        self._callback = callback
        self._source = source
        self._done = done
        self._total = total
        self._told = 0

    def step(self) -> None:
        if self._callback is None:
            return
        read = self._source.bytes_read
        if read - self._told >= min(PROGRESS_BYTES, self._source.size // 100):
            self._told = read
            self._callback(self._source.name, self._done + read, self._total)

    def finish(self) -> None:
        if self._callback is not None:
            self._callback(self._source.name, self._done + self._source.size, self._total)
