"""Loading: source files into the archive, each whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tallysql.archive.find import found
from tallysql.archive.formats.commits import FORMAT as REPOSITORY
from tallysql.archive.formats.commits import HistorySettings
from tallysql.archive.formats.registry import detected, format_named, unrecognised
from tallysql.archive.report import FileReport, LoadReport
from tallysql.archive.rows import Damage
from tallysql.archive.staging import Staging
from tallysql.errors import ConflictError, InputError, TallyError
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tallysql.archive.formats.format import Format
    from tallysql.archive.formats.source import SourceFile
    from tallysql.archive.rows import Trajectory
    from tallysql.store import Store

    Build = Callable[[Store], None]
    Progress = Callable[[str, int, int], None]

__all__ = ["FileReport", "LoadReport", "load"]

PROGRESS_BYTES = 1 << 18

NUMBER_AND_COMPARE = (
    "archive/number_steps",
    "archive/hash_steps",
    "archive/join_pieces",
    "archive/compare_runs",
)
DELETE_CHANGED = (
    "archive/delete_changed_sources",
    "archive/delete_changed_file_events",
    "archive/delete_changed_ledger",
    "archive/delete_changed_steps",
)


def load(
    store: Store,
    sources: Sequence[str],
    *,
    format: str = "auto",
    trajectory_id: str | None = None,
    replace: bool = False,
    strict: bool = False,
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
        history: which commits of git repositories, the branch that is checked out by default.
        build: called in the transaction of each file after its steps are in; the temporary table
            `touched(trajectory_id)` names the trajectories that got new rows.
        progress: called with (file, bytes read, bytes in all).

    Raises:
        InputError: there is nothing to load: a name that does not exist, no file of a known
            format, or every file failed (then the first file's error).
        ConflictError: the same, where the first error is a conflict.
    """
    wanted = None if format == "auto" else format_named(format)
    report = LoadReport()
    commits = (history or HistorySettings()) if wanted in {None, REPOSITORY} else None
    with found(sources, trajectory_id, commits) as listed:
        if trajectory_id is not None and len(listed) > 1:
            raise InputError(f"--id names one trajectory, there are {len(listed)} files")
        total = sum(source.size for source, _ in listed)
        done = 0
        for source, is_named in listed:
            told = _Progress(progress, source, done, total)
            settings = _Settings(wanted, trajectory_id, replace, strict, is_named, build)
            report.files.append(_load_or_report(store, source, settings, told))
            done += source.size
    _require_something(sources, report)
    return report


@dataclass(frozen=True, slots=True)
class _Settings:
    """How one file is to be loaded; `is_named`: the user named it, not its directory."""

    format: Format | None
    trajectory_id: str | None
    replace: bool
    strict: bool
    is_named: bool
    build: Build | None


def _load_or_report(
    store: Store, source: SourceFile, settings: _Settings, told: _Progress
) -> FileReport:
    """Load one source; an error becomes part of its report."""
    report = FileReport(source.name)
    try:
        known = _format_of(source, settings)
        if known is None:
            report.state = "ignored"
            return report
        report.format = known.name
        digest = source.digest()
        unchanged = _known_trajectories(store, source, known, digest, settings)
        if unchanged is not None:
            report.state, report.trajectories, report.unchanged = "unchanged", unchanged, unchanged
            return report
        with store.transaction():
            _load_file(store, source, known, settings, report, told)
            _remember(store, source, known, report, None if settings.trajectory_id else digest)
    except TallyError as error:
        report = FileReport(source.name, report.format, "failed", error=error)
    finally:
        told.finish()
    return report


def _format_of(source: SourceFile, settings: _Settings) -> Format | None:
    """Return what to read a source as; None for other files in a directory."""
    if not settings.is_named and settings.format is not None:
        return settings.format if settings.format.detect(source) else None
    known = settings.format or detected(source)
    if known is None and settings.is_named:
        raise unrecognised(source)
    return known


def _load_file(
    store: Store,
    source: SourceFile,
    known: Format,
    settings: _Settings,
    report: FileReport,
    told: _Progress,
) -> None:
    """Stage, number, compare and archive one source inside the caller's transaction."""
    staging = Staging(store)
    for record in known.read(source):
        if isinstance(record, Damage):
            _skip(source, record, settings, report)
        elif _is_first(source, staging, record):
            staging.add(record)
        told.step()
    staging.flush()
    if not staging.n_pieces:
        raise _nothing_in(source, report)
    report.surrogates = source.replaced + staging.replaced
    report.warnings += source.warnings
    _use_given_id(store, source, settings)
    for name in NUMBER_AND_COMPARE:
        store.run(query(name).text)
    _report_numbering(store, report)
    _require_agreement(store, source, settings)
    _archive(store, source, known)
    if settings.build is not None:
        settings.build(store)
    _count(store, report)
    store.run(query("archive/drop_staging").text)


def _skip(source: SourceFile, damage: Damage, settings: _Settings, report: FileReport) -> None:
    if settings.strict:
        raise InputError.at(
            source.name,
            damage.problem,
            record=damage.record,
            hint="without --strict, damaged records are skipped and named",
        )
    report.skip(damage)


def _is_first(source: SourceFile, staging: Staging, trajectory: Trajectory) -> bool:
    """Whether no whole trajectory of that id came before; a different one is an error."""
    earlier = staging.earlier(trajectory)
    if earlier == "other":
        name = trajectory.trajectory_id
        raise source.error(f"trajectory {name} occurs twice, with different steps")
    if earlier == "same":
        source.warn(f"trajectory {trajectory.trajectory_id} occurs twice, read once")
    return earlier == "none"


def _nothing_in(source: SourceFile, report: FileReport) -> InputError:
    if not report.skipped:
        return source.error("holds no trajectory")
    first = report.skipped[0]
    return source.error(f"no usable record; the first: {first.problem}", record=first.record)


def _use_given_id(store: Store, source: SourceFile, settings: _Settings) -> None:
    """Rename the only trajectory to the id that the user chose."""
    if settings.trajectory_id is None:
        return
    ids = [name for (name,) in store.rows(query("archive/incoming_ids").text)]
    if len(ids) > 1:
        shown = ", ".join(ids[:2])
        raise source.error(f"--id names one trajectory, the file holds several ({shown}, …)")
    for name in ("archive/rename_incoming_trajectories", "archive/rename_incoming_steps"):
        store.run(query(name).text, {"trajectory_id": settings.trajectory_id})


def _report_numbering(store: Store, report: FileReport) -> None:
    (report.empty,) = store.row(query("archive/count_empty_steps").text) or (0,)
    for (name,) in store.rows(query("archive/renumbered_trajectories").text):
        report.warnings.append(
            f"trajectory {name}: step numbers repeat or fall; numbered by position, "
            "the original ids are in source_ref"
        )


def _require_agreement(store: Store, source: SourceFile, settings: _Settings) -> None:
    changed = store.rows(query("archive/changed_trajectories").text)
    if not changed or settings.replace:
        return
    name, step = changed[0]
    others = f" (and {len(changed) - 1} more)" if len(changed) > 1 else ""
    raise ConflictError(
        f"{source.name}: trajectory {name}{others}: differs from the archived one at step {step}",
        "--replace takes the new content",
    )


def _archive(store: Store, source: SourceFile, known: Format) -> None:
    for name in DELETE_CHANGED:
        store.run(query(name).text)
    store.run(query("archive/delete_outdated_trajectories").text)
    origin = {"source": source.name, "format": known.name, "loaded_at": _now()}
    store.run(query("archive/insert_trajectories").text, origin)
    store.run(query("archive/insert_steps").text)
    store.run(query("archive/mark_touched").text)


def _count(store: Store, report: FileReport) -> None:
    counts = {
        verdict: (number, int(added))
        for verdict, number, added in store.rows(query("archive/count_verdicts").text)
    }
    report.trajectories = sum(number for number, _ in counts.values())
    report.steps = sum(added for _, added in counts.values())
    report.new, _ = counts.get("new", (0, 0))
    report.grown, _ = counts.get("grown", (0, 0))
    report.replaced, _ = counts.get("changed", (0, 0))
    report.unchanged, _ = counts.get("unchanged", (0, 0))
    report.shorter, _ = counts.get("shorter", (0, 0))


def _known_trajectories(
    store: Store, source: SourceFile, known: Format, digest: str, settings: _Settings
) -> int | None:
    """Return how many trajectories a file gave that is as it was when last loaded, else None.

    A file that was damaged, or loaded under a given id, is never known.
    """
    noted = store.row(query("archive/known_source").text, {"source": source.name})
    if settings.trajectory_id is None and noted and noted[:3] == (known.name, source.size, digest):
        return int(noted[3])
    return None


def _remember(
    store: Store, source: SourceFile, known: Format, report: FileReport, digest: str | None
) -> None:
    """Note the file's size and hash; a damaged or outdated one is read, and told of, every time."""
    name = {"source": source.name}
    store.run(query("archive/forget_source").text, name)
    noted = {
        "format": known.name,
        "size": source.size,
        "sha256": digest if report.clean and not report.shorter else None,
        "loaded_at": _now(),
    }
    store.run(query("archive/remember_source").text, name | noted)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def _require_something(sources: Sequence[str], report: LoadReport) -> None:
    """Raise if nothing of what was named could be used."""
    used = [file for file in report.files if file.error is None and file.state != "ignored"]
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
