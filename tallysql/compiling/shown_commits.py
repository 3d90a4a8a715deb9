"""What a prompt shows of a commit history: sorts of commit, authors, directories, files, variables.

See docs/architecture.md, "Model path" (paper, section 7: the compiler prompt adapted to commits).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tallysql.compiling.shown import SHOWN, values_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.ledger.catalog import Catalog

COMMIT = "commit"
"""The one tool of a commit history."""

FILES_SHOWN = 40
VARIABLES_SHOWN = 40

FACTS = frozenset({"status", "path", "content"})
"""Properties that say what a commit did to a file; all others are variables that it assigns."""


def commit_lines(catalog: Catalog) -> Iterator[str]:
    """Yield the lines of the catalog; numbers are commits, those of directories are files."""
    yield f"steps: {catalog.first_step} to {catalog.last_step}, {catalog.n_events} commits"
    yield from values_line("actions (commits)", catalog.acts, SHOWN)
    yield from values_line("authors (commits)", catalog.authors, SHOWN)
    yield from values_line("directories (files below)", _directories(catalog), SHOWN)
    yield from values_line("most touched files (commits)", catalog.paths, FILES_SHOWN)
    variables = {name: n for name, n in catalog.properties.items() if name not in FACTS}
    yield from values_line("assigned variables (commits)", variables, VARIABLES_SHOWN)


def first_commit(catalog: Catalog) -> dict[str, str]:
    """Return the part of the prompt that says which step is the oldest."""
    return {"first": str(catalog.first_step)}


def _directories(catalog: Catalog) -> dict[str, int]:
    """Return directory → number of files below it, the fullest first."""
    below = Counter(
        path[: at + 1] for path in catalog.paths for at, mark in enumerate(path) if mark == "/"
    )
    return dict(below.most_common())
