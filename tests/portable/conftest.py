"""One store for all made-up ledgers; each test empties it first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tallysql.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.store import Store


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with open_store() as opened:
        yield opened
