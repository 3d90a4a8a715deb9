"""One source on its way in: what it is, whether it is known, and the trajectories it holds."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tallysql.archive.formats.format import UNFORESEEN
from tallysql.archive.formats.json_text import replace_surrogates
from tallysql.archive.formats.registry import detected, unrecognised
from tallysql.archive.formats.source import unpacked_limit
from tallysql.archive.report import FileReport
from tallysql.archive.rows import Damage
from tallysql.errors import InputError, NoSteps, TallyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tallysql.archive.formats.format import Format
    from tallysql.archive.formats.source import SourceFile
    from tallysql.archive.redact import Redactor
    from tallysql.archive.rows import Trajectory


@dataclass(frozen=True, slots=True)
class Settings:
    """How sources are to be read and archived; see `load`."""

    format: Format | None
    trajectory_id: str | None
    replace: bool
    strict: bool
    redactor: Redactor | None


@dataclass(slots=True)
class Intake:
    """One source and its report.

    Attributes:
        source: the file.
        is_named: the user named it, not its directory.
        told: called now and then while the source is read.
        report: what became of it so far.
        known: its format, once told.
        digest: hash of the file, and of whether it is redacted.
        trajectories: what it holds: a list once it is read, before that an iterator that reads it.
        characters: of the texts read so far.
    """

    source: SourceFile
    is_named: bool
    told: Callable[[], None]
    report: FileReport = field(init=False)
    known: Format | None = None
    digest: str = ""
    trajectories: Iterable[Trajectory] = ()
    characters: int = 0

    def __post_init__(self) -> None:
        self.report = FileReport(self.source.name)

    def recognise(self, settings: Settings) -> bool:
        """Tell the format and the hash; False for other files in a directory.

        Raises:
            InputError: the user named a file of no known format, or it cannot be read.
        """
        self.known = self._format(settings)
        if self.known is None:
            self.report.state = "ignored"
            return False
        self.report.format = self.known.name
        self.digest = self.source.digest()
        if settings.redactor is not None:
            self.source.stored_name = settings.redactor.text(self.source.name)
            settings.redactor.take_counts()
            self.digest += " redacted"
        self.trajectories = self._read(settings)
        return True

    def _format(self, settings: Settings) -> Format | None:
        if not self.is_named and settings.format is not None:
            return settings.format if settings.format.detect(self.source) else None
        known = settings.format or detected(self.source)
        if known is None and self.is_named:
            raise unrecognised(self.source)
        return known

    def fail(self, error: TallyError) -> None:
        """Report an error; a file without steps is one only if the user named it."""
        # frames hold suspended readers, which hold the file open
        cause: BaseException | None = error
        while cause is not None:
            traceback.clear_frames(cause.__traceback__)
            cause = cause.__cause__ or cause.__context__
        self.trajectories = ()
        known = self.report.format
        if isinstance(error, NoSteps) and not self.is_named:
            self.report = FileReport(self.source.name, known, "empty", reason=error.reason)
        else:
            self.report = FileReport(self.source.name, known, "failed", error=error)

    def count_surrogates(self, replaced: int) -> None:
        """Report the lone surrogates of the source and, where a batch had any, of its own texts."""
        self.report.surrogates = self.source.replaced
        if replaced and isinstance(self.trajectories, list):
            values = [
                (step.action, step.observation, step.args)
                for trajectory in self.trajectories
                for step in trajectory.steps
            ]
            self.report.surrogates += sum(replace_surrogates(list(texts))[1] for texts in values)
        else:
            self.report.surrogates += replaced

    def _read(self, settings: Settings) -> Iterator[Trajectory]:
        """Yield the trajectories, redacted; put damage into the report.

        Raises:
            InputError: the file cannot be used.
        """
        seen: dict[str, int] = {}
        is_empty, without = True, 0
        for record in self._records():
            if isinstance(record, Damage):
                self._skip(record, strict=settings.strict)
                continue
            self._count(record)
            if not (record.is_piece or _holds_steps(record)):
                without += 1
            elif self._is_first(record, seen):
                is_empty = is_empty and not _holds_steps(record)
                yield settings.redactor.trajectory(record) if settings.redactor else record
            self.told()
        if is_empty:
            raise self._nothing(settings)
        if without:
            self.source.warn(f"trajectories without steps are left out: {without}")
        self.report.warnings += self.source.warnings
        if settings.redactor is not None:
            self.report.redacted = settings.redactor.take_counts()

    def _count(self, trajectory: Trajectory) -> None:
        """Count what the records of a packed file hold; there is a limit to what it may."""
        self.characters += sum(
            len(step.action or "") + len(step.observation or "") for step in trajectory.steps
        )
        limit = unpacked_limit(self.source.size)
        if self.characters > limit and self.source.is_packed:
            raise self.source.error(f"holds more than {limit} characters: no log of its size does")

    def _records(self) -> Iterator[Trajectory | Damage]:
        """Yield what the format reads; a shape that it does not foresee is an error of the file."""
        assert self.known is not None
        try:
            yield from self.known.read(self.source)
        except UNFORESEEN as error:
            problem = (
                f"not {self.known.name} as tallysql knows it ({type(error).__name__}: {error})"
            )
            raise self.source.error(problem.split("\n", 1)[0]) from error

    def _skip(self, damage: Damage, *, strict: bool) -> None:
        if strict:
            raise InputError.at(
                self.source.name,
                damage.problem,
                record=damage.record,
                hint="without --strict, damaged records are skipped and named",
            )
        self.report.skip(damage)

    def _is_first(self, trajectory: Trajectory, seen: dict[str, int]) -> bool:
        """Whether no whole trajectory of that id came before; a different one is an error."""
        if trajectory.is_piece:
            return True
        name, content = trajectory.trajectory_id, hash(tuple(trajectory.steps))
        if name not in seen:
            seen[name] = content
            return True
        if seen[name] != content:
            raise self.source.error(f"trajectory {name} occurs twice, with different steps")
        self.source.warn(f"trajectory {name} occurs twice, read once")
        return False

    def _nothing(self, settings: Settings) -> InputError:
        assert self.known is not None
        looks = detected(self.source) if settings.format is not None else self.known
        if looks is not self.known:
            hint = f"it looks like {looks.name}; leave out --format" if looks else None
            problem = f"{self.source.name}: not {self.known.name}: read as that, it holds no step"
            return InputError(problem, hint or "see: tallysql formats")
        if not self.report.skipped:
            return NoSteps(self.source.name, self.known.nothing)
        first = self.report.skipped[0]
        problem = f"no usable record; the first: {first.problem}"
        return self.source.error(problem, record=first.record)


def _holds_steps(trajectory: Trajectory) -> bool:
    """Whether a step of it will be archived; see `number_steps`."""
    return any(
        part is not None
        for step in trajectory.steps
        for part in (step.action, step.observation, step.tool, step.args)
    )
