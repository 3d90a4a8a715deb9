"""Archiving: a group of source files, read, into the tables, in one transaction."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import GENERIC_NAMES, run_name
from tallysql.archive.formats.claude_code import FORMAT as CLAUDE_CODE
from tallysql.archive.staging import Staging
from tallysql.errors import ConflictError, TallyError
from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from collections.abc import Callable

    from tallysql.archive.formats.source import SourceFile
    from tallysql.archive.intake import Intake, Settings
    from tallysql.store import Store

    Build = Callable[[Store], None]

NUMBER_AND_COMPARE = (
    "archive/number_steps",
    "archive/hash_steps",
    "archive/join_pieces",
    "archive/compare_runs",
)
IN_PARTS = (CLAUDE_CODE.name,)
"""Formats whose sessions go on in further files that do not repeat what came before."""

OWN_IDS = ("atif", "codex", "gemini-cli")
"""Formats of one run a file whose ids a program makes up: a constant one tells nothing."""

TELL_APART = ("archive/tell_apart_trajectories", "archive/tell_apart_steps")

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


class Archiver:
    """Archives groups of source files, each group in one transaction.

    A file is archived whole or not at all: one that cannot be used, or conflicts with the archive,
    leaves its group before anything of it is written.
    """

    def __init__(self, store: Store, settings: Settings, build: Build | None) -> None:
        self._store = store
        self._settings = settings
        self._build = build

    def archive(self, group: list[Intake], staging: Staging | None = None) -> None:
        """Archive a group; where that fails, each file of it on its own.

        Args:
            group: what to archive; all of it is read, or it is one source that is read meanwhile.
            staging: the rows of the group, if they are collected already.
        """
        try:
            with self._store.transaction():
                self._archive_inside(group, staging)
        except TallyError as error:
            if len(group) == 1:
                group[0].fail(error)
                return
            for intake in group:
                self.archive([intake])
        for intake in group:
            intake.trajectories = ()

    def _archive_inside(self, group: list[Intake], collected: Staging | None) -> None:
        """Stage, number, compare and archive a group inside a transaction."""
        staging = collected or Staging(self._store)
        if collected is None:
            collect(staging, group)
        else:
            staging.open(self._store)
            staging.send(self._store)
        self._use_given_id(group)
        self._put_earlier_first(group)
        self._number_and_compare()
        if self._tell_apart(group):
            self._number_and_compare()
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

    def _number_and_compare(self) -> None:
        for name in NUMBER_AND_COMPARE:
            self._store.run(query(name).text)

    def _tell_apart(self, group: list[Intake]) -> bool:
        """Put the file's name behind a placeholder id that another file uses for another run."""
        if self._settings.replace or self._settings.trajectory_id is not None:
            return False
        needed = {**_origins(group), "naming": list(OWN_IDS)}
        shared = self._store.rows(query("archive/shared_ids").text, needed)
        renamed = {old: f"{old}/{_file_name(group[file].source)}" for file, old in shared}
        for file, old in shared:
            group[file].report.warnings.append(
                f"trajectory {old}: another file has other steps under this id; "
                f"archived as {renamed[old]}"
            )
        ids = {"old": list(renamed), "new": list(renamed.values())}
        for name in TELL_APART if renamed else ():
            self._store.run(query(name).text, ids)
        return bool(renamed)

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
        origins = {**_origins(group), "loaded_at": _now()}
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


def _file_name(source: SourceFile) -> str:
    """Return what tells a file from its neighbours: its name, or its folder's if many have it."""
    name = re.sub(r"(\.jsonl?)?(\.gz|\.zst)?$", "", source.path.name, count=1)
    return run_name(source) if name in GENERIC_NAMES else name


def _origins(group: list[Intake]) -> dict[str, Any]:
    """Return the files of a group and their formats, as parameters of statements."""
    return {
        "sources": [intake.source.stored_name for intake in group],
        "formats": [intake.report.format for intake in group],
    }


def _known_hash(intake: Intake) -> str | None:
    """Return the hash by which a file is known again; None if it is to be read every time."""
    return intake.digest if intake.report.clean and not intake.report.shorter else None


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def collect(staging: Staging, group: list[Intake]) -> None:
    """Put the rows of a group of sources together, each file under its number in the group."""
    for number, intake in enumerate(group):
        for trajectory in intake.trajectories:
            staging.add(trajectory, number)
    staging.flush()
