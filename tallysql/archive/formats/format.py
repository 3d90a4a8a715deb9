"""What a source format is: a name, a test by content, and a generator of canonical rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallysql.archive.rows import Damage, Trajectory

if TYPE_CHECKING:
    from tallysql.archive.formats.source import SourceFile

Records = Iterator[Trajectory | Damage]
"""What a format yields, in the order of the file.

A record that cannot be read is a Damage and the rest goes on; a file that cannot be used raises
`source.error(...)`. A trajectory too long to be held comes as pieces (`Trajectory.is_piece`).
"""


UNFORESEEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a reader raises that meets a value it does not expect: it refuses the file, not the run."""


@dataclass(frozen=True, slots=True)
class Format:
    """One source format.

    Attributes:
        name: what `--format` takes.
        description: one line for `tallysql formats`.
        detect: whether a file is of this format, told by its content (`shape`, `sample`, `head`).
        read: the file's trajectories, a pure generator.
        nothing: what a file of the format is called that holds no steps.
    """

    name: str
    description: str
    detect: Callable[[SourceFile], bool]
    read: Callable[[SourceFile], Records]
    nothing: str = "holds no trajectory"
