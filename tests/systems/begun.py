"""A run folder as a run with a model begins: trajectories and questions, no answers of systems."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from benchmarks.runs.folder import RunFolder
from tests.run_folders import make_run

if TYPE_CHECKING:
    from pathlib import Path

QUESTIONS = 8


def begin(place: Path, model: str = "m") -> RunFolder:
    """Make it in an empty folder."""
    out = make_run(place)
    config = json.loads((out / "config.json").read_text("utf-8"))
    (out / "config.json").write_text(json.dumps(config | {"model": model}), "utf-8")
    return RunFolder(out)
