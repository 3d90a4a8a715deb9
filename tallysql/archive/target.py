"""The file that a command is to write: whether it can, before any work is done."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_target(target: str | Path, sources: Iterable[str | Path] = ()) -> None:
    """Check that a file can be written, and that it is none of those that are read.

    Args:
        target: a path that is to become a file, or `-`.
        sources: what the work reads: files, directories, `-`, or names of nothing.

    Raises:
        InputError: the target is a directory or a device, its folder does not exist or cannot be
            written, or it is a source, or a file in one.
    """
    if str(target) == "-":
        return
    path = Path(target)
    if path.is_dir():
        raise InputError(f"{target}: is a directory, name a file")
    if path.exists() and not path.is_file():
        raise InputError(f"{target}: not a regular file", "use - for standard output")
    if not path.parent.is_dir():
        raise InputError(f"{target}: no such folder: {path.parent}")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise InputError(f"{target}: cannot write into {path.parent}")
    if path.exists():
        _require_other(path, sources)


def _require_other(path: Path, sources: Iterable[str | Path]) -> None:
    for source in map(Path, sources):
        if not source.exists():
            continue
        if source.samefile(path) or (source.is_dir() and _is_below(path, source)):
            raise InputError(f"{path}: would overwrite what it is made from ({source})")


def _is_below(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())
