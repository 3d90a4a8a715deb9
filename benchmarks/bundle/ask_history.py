"""Questions about this repository's own history."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from benchmarks.bundle.asked import asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.bundle.facts import Step

_HEADS = re.compile(
    r"^diff --git a/(.+) b/(.+)$(?:\n(new file|deleted file|old mode|similarity))?", re.M
)


def _touches(path: str, how: str = "") -> Callable[[Step], bool]:
    """Whether the commit's patch has a head for the path, and that head says `how`."""

    def test(step: Step) -> bool:
        heads = _HEADS.findall(step["observation"])
        return any(path in head[:2] and head[2].startswith(how) for head in heads)

    return test


def _under(folder: str) -> Callable[[Step], bool]:
    def test(step: Step) -> bool:
        heads = _HEADS.findall(step["observation"])
        return any(path.startswith(folder) for head in heads for path in head[:2])

    return test


HISTORY_QUESTIONS = (
    asked(
        "tallysql",
        "How many commits changed `pyproject.toml`?",
        "integer",
        _touches("pyproject.toml"),
    ),
    asked(
        "tallysql",
        "At which step was `README.md` added?",
        "first",
        _touches("README.md", "new file"),
    ),
    asked(
        "tallysql",
        "Which steps changed the file `tallysql/store.py`?",
        "steps",
        _touches("tallysql/store.py"),
    ),
    asked(
        "tallysql",
        "How many commits touched the directory `schema/`?",
        "integer",
        _under("schema/"),
    ),
    asked(
        "tallysql",
        "Was `schema/020_ledger.sql` ever deleted?",
        "yes_no",
        _touches("schema/020_ledger.sql", "deleted file"),
    ),
    asked("tallysql", "Why does `tallysql/errors.py` exist?", "declined"),
)
