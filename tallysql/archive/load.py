"""Loading: source files into the archive, each whole or not at all."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tallysql.archive.find import found
from tallysql.archive.formats.claude_code import FORMAT as CLAUDE_CODE
from tallysql.archive.formats.commits import FORMAT as REPOSITORY
from tallysql.archive.formats.commits import HistorySettings
from tallysql.archive.formats.registry import format_named
from tallysql.archive.intake import Intake, Settings
from tallysql.archive.report import FileReport, LoadReport
from tallysql.archive.staging import Staging
from tallysql.errors import ConflictError, InputError, TallyError
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tallysql.archive.formats.source import SourceFile
    from tallysql.archive.redact import Redactor
    from tallysql.store import Store

    Build = Callable[[Store], None]
    Progress = Callable[[str, int, int], None]

__all__ = ["FileReport", "LoadReport", "load"]

PROGRESS_BYTES = 1 << 18

GROUP_BYTES = 64 << 20
"""Files are archived together up to this size: a statement has its price however little it does."""

PACKED = 8
"""How much larger the content of a compressed file may be, roughly."""

NUMBER_AND_COMPARE = (
    "archive/number_steps",
    "archive/hash_steps",
    "archive/join_pieces",
    "archive/compare_runs",
)
IN_PARTS = (CLAUDE_CODE.name,)
"""Formats whose sessions go on in further files that do not repeat what came before."""

PUT_EARLIER_FIRST = (
    "archive/count_earlier_steps",
    "archive/add_earlier_trajectories",
    "archive/add_earlier_steps",
)
DELETE_CHANGED = (
    "archive/delete_changed_sources",
    "archive/delete_changed_file_events",
    "archive/delete_changed_ledger",
    "archive/delete_changed_steps",
)


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
        loader = _Loader(store, settings, build)
        total = sum(source.size for source, _ in listed)
        done = 0
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
    """Archives sources in groups, each group in one transaction.

    A file is archived whole or not at all: one that cannot be used, or conflicts with the archive,
    leaves its group before anything of it is written.
    """

    def __init__(self, store: Store, settings: Settings, build: Build | None) -> None:
        self.taken: list[Intake] = []
        self._store = store
        self._settings = settings
        self._build = build
        self._group: list[Intake] = []
        self._ids: set[str] = set()
        self._bytes = 0

    def take(self, intake: Intake) -> None:
        """Read one source and archive it, at once if it is large, else with others."""
        self.taken.append(intake)
        if any(waiting.source.stored_name == intake.source.name for waiting in self._group):
            self.finish()
        try:
            if intake.recognise(self._settings) and not self._is_unchanged(intake):
                self._add(intake)
        except TallyError as error:
            intake.fail(error)

    def _add(self, intake: Intake) -> None:
        size = intake.source.size * (PACKED if intake.source.is_packed else 1)
        if size > GROUP_BYTES or intake.source.path.is_dir():
            self.finish()
            self._archive([intake])
            return
        intake.trajectories = list(intake.trajectories)
        ids = {trajectory.trajectory_id for trajectory in intake.trajectories}
        if self._bytes + size > GROUP_BYTES or ids & self._ids:
            self.finish()
        self._group.append(intake)
        self._ids |= ids
        self._bytes += size

    def finish(self) -> None:
        """Archive what waits."""
        group, self._group, self._ids, self._bytes = self._group, [], set(), 0
        if group:
            self._archive(group)

    def _archive(self, group: list[Intake]) -> None:
        """Archive a group; where that fails, each file of it on its own."""
        try:
            with self._store.transaction():
                self._archive_inside(group)
        except TallyError as error:
            if len(group) == 1:
                group[0].fail(error)
                return
            for intake in group:
                self._archive([intake])
        for intake in group:
            intake.trajectories = ()

    def _archive_inside(self, group: list[Intake]) -> None:
        """Stage, number, compare and archive a group inside a transaction."""
        staging = Staging(self._store)
        for number, intake in enumerate(group):
            for trajectory in intake.trajectories:
                staging.add(trajectory, number)
        staging.flush()
        self._use_given_id(group)
        self._put_earlier_first(group)
        for name in NUMBER_AND_COMPARE:
            self._store.run(query(name).text)
        conflicts = {} if self._settings.replace else self._conflicts(group)
        if conflicts:
            self._store.run(query("archive/refuse_files").text, {"files": list(conflicts)})
        agreed = [intake for number, intake in enumerate(group) if number not in conflicts]
        if agreed:
            self._write(group)
            self._report(group, staging.replaced)
            self._remember(agreed)
        self._store.run(query("archive/drop_staging").text)
        for number, error in conflicts.items():
            group[number].fail(error)

    def _use_given_id(self, group: list[Intake]) -> None:
        """Rename the only trajectory to the id that the user chose."""
        if self._settings.trajectory_id is None:
            return
        ids = [name for (name,) in self._store.rows(query("archive/incoming_ids").text)]
        if len(ids) > 1:
            shown = ", ".join(ids[:2])
            problem = f"--id names one trajectory, the file holds several ({shown}, …)"
            raise group[0].source.error(problem)
        for name in ("archive/rename_incoming_trajectories", "archive/rename_incoming_steps"):
            given = {"trajectory_id": self._settings.trajectory_id}
            self._store.run(query(name).text, given)

    def _put_earlier_first(self, group: list[Intake]) -> None:
        """Put archived steps ahead of a session's later part that came in a file of its own."""
        files = [number for number, intake in enumerate(group) if intake.report.format in IN_PARTS]
        if files:
            for name in PUT_EARLIER_FIRST:
                needed = {"files": files, "formats": list(IN_PARTS)}
                given = {key: needed[key] for key in query(name).params}
                self._store.run(query(name).text, given)

    def _conflicts(self, group: list[Intake]) -> dict[int, ConflictError]:
        """Return the errors of files whose trajectories differ from archived ones."""
        found: dict[int, ConflictError] = {}
        for number, name, step, n_changed in self._store.rows(
            query("archive/changed_trajectories").text
        ):
            others = f" (and {n_changed - 1} more)" if n_changed > 1 else ""
            found[number] = ConflictError(
                f"{group[number].source.name}: trajectory {name}{others}: "
                f"differs from the archived one at step {step}",
                "--replace takes the new content; what is archived of it is lost",
            )
        return found

    def _write(self, group: list[Intake]) -> None:
        for name in DELETE_CHANGED:
            self._store.run(query(name).text)
        self._store.run(query("archive/delete_outdated_trajectories").text)
        origins = {
            "sources": [intake.source.stored_name for intake in group],
            "formats": [intake.report.format for intake in group],
            "loaded_at": _now(),
        }
        self._store.run(query("archive/insert_trajectories").text, origins)
        self._store.run(query("archive/insert_steps").text)
        self._store.run(query("archive/mark_touched").text)
        if self._build is not None:
            self._build(self._store)

    def _report(self, group: list[Intake], replaced: int) -> None:
        reports = [intake.report for intake in group]
        for number, n_empty in self._store.rows(query("archive/count_empty_steps").text):
            reports[number].empty = n_empty
        for number, name in self._store.rows(query("archive/renumbered_trajectories").text):
            reports[number].warnings.append(
                f"trajectory {name}: step numbers repeat or fall; numbered by position, "
                "the original ids are in source_ref"
            )
        for row in self._store.rows(query("archive/count_verdicts").text):
            number, total, steps, *counts = row
            report = reports[number]
            report.trajectories, report.steps = total, steps
            report.new, report.grown, report.replaced, report.shorter = counts
            report.unchanged = total - sum(counts)
        for intake in group:
            intake.count_surrogates(replaced)

    def _is_unchanged(self, intake: Intake) -> bool:
        """Whether a file is as it was when last loaded, undamaged and not under a given id."""
        if self._settings.trajectory_id is not None:
            return False
        source, report = intake.source, intake.report
        noted = self._store.row(query("archive/known_source").text, {"source": source.stored_name})
        if noted is None or noted[:3] != (report.format, source.size, intake.digest):
            return False
        report.state, report.trajectories, report.unchanged = "unchanged", noted[3], noted[3]
        return True

    def _remember(self, group: list[Intake]) -> None:
        """Note sizes and hashes; a damaged or outdated file is read, and told of, every time."""
        names = [intake.source.stored_name for intake in group]
        self._store.run(query("archive/forget_sources").text, {"sources": names})
        is_given = self._settings.trajectory_id is not None
        noted = {
            "sources": names,
            "formats": [intake.report.format for intake in group],
            "sizes": [intake.source.size for intake in group],
            "hashes": [None if is_given else _known_hash(intake) for intake in group],
            "loaded_at": _now(),
        }
        self._store.run(query("archive/remember_sources").text, noted)


def _known_hash(intake: Intake) -> str | None:
    """Return the hash by which a file is known again; None if it is to be read every time."""
    return intake.digest if intake.report.clean and not intake.report.shorter else None


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


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
