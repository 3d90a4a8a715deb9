"""`python -m benchmarks.bundle`: record all runs anew, then their questions."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.bundle import coder, files, gridworld_runs, questions, textworld_episodes


def main() -> None:
    """Write every file of tests/data/bundled/."""
    files.BUNDLED.mkdir(parents=True, exist_ok=True)
    files.write_flat_parquet(files.TEXT_WORLD, textworld_episodes.episodes())
    files.write_flat_jsonl(files.GRID_WORLD, gridworld_runs.runs())
    with tempfile.TemporaryDirectory() as folder:
        coding = coder.runs(Path(folder) / "checkout")
    files.write_nested_jsonl(
        files.CODING, [run for run in coding if run.trajectory_id != files.AMA_RUN]
    )
    (ama,) = (run for run in coding if run.trajectory_id == files.AMA_RUN)
    files.write_ama(files.CODING_AMA, ama, [])
    questions.main()


if __name__ == "__main__":
    main()
