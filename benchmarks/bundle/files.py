"""The bundled files: which run is stored where, in which of the project's own formats."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.bundle.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BUNDLED = Path(__file__).parents[2] / "tests" / "data" / "bundled"
TEXT_WORLD = BUNDLED / "textworld.parquet"
HISTORY = BUNDLED / "history.parquet"
GRID_WORLD = BUNDLED / "gridworld.jsonl"
CODING = BUNDLED / "coding.jsonl.gz"
CODING_AMA = BUNDLED / "coding_ama.jsonl"
QUESTIONS = BUNDLED / "questions.jsonl"
AMA_RUN = "coding-ticket"


def write_flat_parquet(path: Path, runs: Sequence[Run]) -> None:
    """One row a step."""
    pq.write_table(pa.Table.from_pylist(list(_flat(runs))), path, compression="zstd")


def write_flat_jsonl(path: Path, runs: Sequence[Run]) -> None:
    """One line a step."""
    path.write_text(_lines(_flat(runs)), "utf-8")


def write_nested_jsonl(path: Path, runs: Sequence[Run]) -> None:
    """One line a trajectory, gzipped without a time stamp so that equal runs give equal bytes."""
    text = _lines({**_about(run), "steps": run.steps} for run in runs)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def write_ama(path: Path, run: Run, qa_pairs: Sequence[dict[str, Any]]) -> None:
    """One line in the shape of AMA-Bench, which holds a run and questions about it."""
    turns = [
        {"turn_idx": s["step"], "action": s["action"], "observation": s["observation"]}
        for s in run.steps
    ]
    record = {
        "episode_id": run.trajectory_id,
        "task": run.task,
        "domain": run.domain,
        "num_turns": len(turns),
        "state": "success",
        "trajectory": turns,
        "qa_pairs": list(qa_pairs),
    }
    path.write_text(_lines([record]), "utf-8")


def read_runs() -> list[Run]:
    """Read all bundled runs back, without the project's own readers."""
    steps = pq.read_table(TEXT_WORLD).to_pylist() + pq.read_table(HISTORY).to_pylist()
    steps += [json.loads(line) for line in GRID_WORLD.read_text("utf-8").split("\n") if line]
    runs: dict[str, Run] = {}
    for step in steps:
        name = step["trajectory_id"]
        run = runs.setdefault(name, Run(name, step["task"], step["domain"]))
        run.steps.append(step)
    for line in gzip.decompress(CODING.read_bytes()).decode().split("\n"):
        if line:
            record = json.loads(line)
            runs[record["trajectory_id"]] = Run(**record)
    ama = json.loads(CODING_AMA.read_text("utf-8"))
    turns = [{**turn, "step": turn["turn_idx"]} for turn in ama["trajectory"]]
    runs[AMA_RUN] = Run(AMA_RUN, ama["task"], ama["domain"], turns)
    return list(runs.values())


def write_lines(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write records as JSON Lines."""
    path.write_text(_lines(records), "utf-8")


def _flat(runs: Sequence[Run]) -> Iterable[dict[str, Any]]:
    return ({**_about(run), **step} for run in runs for step in run.steps)


def _about(run: Run) -> dict[str, str]:
    return {"trajectory_id": run.trajectory_id, "task": run.task, "domain": run.domain}


def _lines(records: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
