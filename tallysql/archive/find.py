"""From what the user names to source files: a file, a directory, a pipe."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from tallysql.archive.formats.commits import Repository, is_repository
from tallysql.archive.formats.source import SourceFile
from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tallysql.archive.formats.commits import HistorySettings


@contextmanager
def found(
    names: Sequence[str], trajectory_id: str | None, history: HistorySettings | None = None
) -> Iterator[list[tuple[SourceFile, bool]]]:
    """Yield (source, whether the user named the file itself) of all that is named.

    A directory that is a git repository is one source, unless `history` is None. Other
    directories stand for all files below them, sorted, without hidden ones; Parquet files below
    `name=value` folders are one source. `-` is standard input; pipes are read to their end into a
    temporary file first.

    Raises:
        InputError: a name that does not exist, or a directory without files.
    """
    missing = [name for name in names if name != "-" and not Path(name).exists()]
    if missing:
        raise InputError(f"{missing[0]}: no such file or directory")
    with tempfile.TemporaryDirectory(prefix="tallysql-") as folder:
        listed: list[tuple[SourceFile, bool]] = []
        for name in names:
            if history is not None and name != "-" and is_repository(Path(name)):
                repository = Repository(Path(name), name, history, trajectory_id=trajectory_id)
                listed.append((repository, True))
            elif Path(name).is_dir() and name != "-":
                listed += [(file, False) for file in _below(name, trajectory_id)]
            else:
                path = _regular(name, Path(folder))
                listed.append((SourceFile(path, name, trajectory_id=trajectory_id), True))
        yield listed


def _regular(name: str, folder: Path) -> Path:
    """Return a path that can be read twice: pipes are copied."""
    path = Path(name)
    if name != "-" and path.is_file():
        return path
    copy = Path(tempfile.mkstemp(dir=folder)[1])
    with copy.open("wb") as target:
        if name == "-":
            shutil.copyfileobj(sys.stdin.buffer, target)
        else:
            with path.open("rb") as pipe:
                shutil.copyfileobj(pipe, target)
    return copy


def _below(name: str, trajectory_id: str | None) -> Iterator[SourceFile]:
    root = Path(name)
    files = sorted(path for path in root.rglob("*") if path.is_file() and _visible(path, root))
    if not files:
        raise InputError(f"{name}: the directory holds no files")
    for top, group in groupby(files, key=lambda path: _dataset(path, root)):
        if top is None:
            for path in group:
                yield SourceFile(path, str(path), trajectory_id=trajectory_id)
        else:
            parts = tuple(group)
            yield SourceFile(top, str(top), parts=parts, trajectory_id=trajectory_id)


def _visible(path: Path, root: Path) -> bool:
    return not any(part.startswith(".") for part in path.relative_to(root).parts)


def _dataset(path: Path, root: Path) -> Path | None:
    """Return the directory that holds the first `name=value` folder above a Parquet file."""
    for depth, part in enumerate(path.relative_to(root).parts[:-1]):
        if "=" in part and _is_parquet(path):
            return root.joinpath(*path.relative_to(root).parts[:depth])
    return None


def _is_parquet(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"
