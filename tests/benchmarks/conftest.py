from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.probe.events import read_episodes
from benchmarks.probe.generate import Case, generate
from tests.ama_miniature import MINIATURE, write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def miniature(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("probe") / "miniature.jsonl", MINIATURE)


@pytest.fixture(scope="module")
def cases(miniature: Path) -> list[Case]:
    return list(generate(read_episodes(miniature)))
