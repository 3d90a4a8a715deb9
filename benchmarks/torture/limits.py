"""A full disk, and too little memory: what was there stays, and the command completes later."""

from __future__ import annotations

import contextlib
import resource
import shutil
import subprocess
from typing import TYPE_CHECKING

from benchmarks.torture.runs import (
    DATABASE,
    FILES,
    Folder,
    copied,
    limited,
    problems,
    torn,
    write_sources,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.torture.tally import Tally

COMMANDS = (
    ("load", "new"),
    ("export", "steps", "-o", "out.jsonl"),
    ("answer", "questions.jsonl", "-o", "answers.jsonl"),
)
QUESTION = '{"question": "How many open actions?", "trajectory_id": "0-0"}\n'


def disk(tally: Tally, folder: Path, *, sizes: int) -> None:
    """Run out of disk at so many sizes, from nearly none to nearly enough."""
    start = _start(folder)
    enough = sum(file.stat().st_size for file in start.rglob("*")) + (24 << 20)
    for number in range(sizes):
        size = (start / DATABASE).stat().st_size + (enough * number) // (2 * sizes)
        for command in COMMANDS:
            with _small_disk(folder / "disk", size + (1 << 20)) as place:
                if place is None:
                    tally.notes.append(
                        "no tmpfs may be mounted here: a limit on file sizes instead"
                    )
                    reason = _limited_files(folder, start, command, size)
                else:
                    reason = _full(start, place, command)
            tally.tried(f"{command[0]} with {size >> 10} KB of disk", lost=reason)


def memory(tally: Tally, folder: Path, *, sizes: int) -> None:
    """Run with so many limits of address space, from too little to enough."""
    start = _start(folder)
    for number in range(sizes):
        size = (200 + 900 * number // sizes) << 20
        for command in COMMANDS:
            place = copied(start, folder / "memory")
            here = Folder(place)
            here.run(*command, limits=limited(resource.RLIMIT_AS, size))
            tally.tried(f"{command[0]} in {size >> 20} MB", lost=_lost(here, command))


def _start(folder: Path) -> Path:
    """Return a folder with a database of half the files, and the others to load."""
    start = folder / "limits"
    if not start.exists():
        sources = write_sources(folder / "sources")
        (start / "new").mkdir(parents=True)
        for file in range(FILES // 2, FILES):
            shutil.copy(sources / f"{file}.jsonl", start / "new")
        known = [str(sources / f"{file}.jsonl") for file in range(FILES // 2)]
        code, _, err = Folder(start).run("load", *known)
        if code != 0:
            raise RuntimeError(err)
        (start / "questions.jsonl").write_text(QUESTION * 20)
    return start


@contextlib.contextmanager
def _small_disk(place: Path, size: int) -> Iterator[Path | None]:
    """Mount a file system of that size; None where that is not allowed."""
    place.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        done = False
    try:
        yield place if done else None
    finally:
        if done:
            subprocess.run(["umount", "-l", str(place)], check=True)


def _full(start: Path, place: Path, command: tuple[str, ...]) -> str | None:
    for name in (DATABASE, "questions.jsonl"):
        shutil.copy(start / name, place)
    (place / "new").symlink_to(start / "new")
    full = Folder(place)
    code, _, err = full.run(*command)
    if code not in {0, 1, 2} or err.count("Traceback"):
        return f"ended with {code}: {err[-200:]}"
    reason = problems(place / DATABASE) or torn(place / DATABASE)
    if reason:
        return reason
    roomy = copied(start, start.with_name("roomy"))
    for name in (DATABASE, f"{DATABASE}.wal"):
        if (place / name).exists():
            shutil.copy(place / name, roomy)
    return _lost(Folder(roomy), command)


def _limited_files(folder: Path, start: Path, command: tuple[str, ...], size: int) -> str | None:
    here = Folder(copied(start, folder / "limited"))
    here.run(*command, limits=limited(resource.RLIMIT_FSIZE, size))
    return _lost(here, command)


def _lost(here: Folder, command: tuple[str, ...]) -> str | None:
    """Return what is missing after a failure, or after the command has been run again."""
    database = here.path / DATABASE
    reason = problems(database) or torn(database)
    if reason:
        return reason
    code, _, err = here.run(*command)
    if code != 0:
        return f"the same command then ended with {code}: {err[-300:]}"
    return problems(database) or torn(database)
