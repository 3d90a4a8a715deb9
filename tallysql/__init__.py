"""tallysql: a SQL-native ledger engine for the histories that AI agents leave behind.

`tallysql.open(path)` returns a `Memory` with `load`, `ask`, `answer`, `plan`, `run`, `view`, `sql`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.version import VERSION

if TYPE_CHECKING:
    from tallysql.api import Memory
    from tallysql.api import open_memory as open

__all__ = ["Memory", "open"]
__version__ = VERSION


def __getattr__(name: str) -> object:
    """Import the API when it is first used: `tallysql --help` needs none of it."""
    if name in {"open", "Memory"}:
        from tallysql import api

        return api.Memory if name == "Memory" else api.open_memory
    raise AttributeError(name)
