"""The controlled probe: its questions, its arms, and its own measures beside the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from benchmarks.probe.__main__ import DEFAULT_ARMS
from benchmarks.probe.arms import arm_named, count_by_tool
from benchmarks.probe.events import read_episodes
from benchmarks.probe.generate import generate, lines
from benchmarks.probe.metrics import judge
from benchmarks.probe.report import report
from benchmarks.runs import systems
from benchmarks.runs.folder import read_lines, write_whole
from benchmarks.runs.questions import write_questions
from benchmarks.systems.running import run as run_systems
from tallysql.answering.batch import as_line
from tallysql.api import open_memory
from tallysql.errors import InputError
from tallysql.reading.tokens import tokenizer_named

if TYPE_CHECKING:
    from benchmarks.probe.metrics import Verdict
    from benchmarks.runs.folder import Row, RunFolder

BY = ("template", "load", "reference-load", "family")
CROSSES = ("fits*load", "fits*load-level")
METRICS = ("extract",)
_MEASURES = ("right", "wrong", "exact", "precision", "recall", "f1", "extra", "missed")


def run(folder: RunFolder, data: str, *, jobs: int) -> None:
    """Fill the folder: questions with their events, answers, the table of the probe's measures."""
    cases_file = folder.path / "cases.jsonl"
    if not cases_file.exists():
        made = list(lines(generate(read_episodes(data))))
        if not made:
            raise InputError(f"{data}: no embodied or software trajectory")
        write_whole(cases_file, "".join(made))
    systems.load(folder, [data])
    write_questions(folder, str(cases_file), _tokens(folder))
    chosen = {name: choices for name, choices in systems.BY_RULES.items() if name != "counter"}
    systems.answer(folder, chosen, jobs=jobs)
    if not folder.answers("counter").exists():
        _count(folder)
    if folder.config["model"]:
        systems.answer(folder, systems.BY_MODEL, jobs=jobs)
        run_systems(folder, jobs=jobs)
    systems.write_prompts(folder, systems.BY_MODEL if folder.config["model"] else ("tm",))
    if not folder.has("tables/probe.json"):
        _measures(folder)


def _tokens(folder: RunFolder) -> dict[str, int]:
    """Return the tokens of each trajectory's actions and observations."""
    count = tokenizer_named().count
    found: dict[str, int] = {}
    with open_memory(folder.database, read_only=True) as memory:
        rows = memory.sql("SELECT trajectory_id, action, observation FROM steps").fetchall()
    # One text after another: the tokenizer is no function of the database.
    for name, *texts in rows:
        found[name] = found.get(name, 0) + sum(count(text or "") for text in texts)
    return found


def _count(folder: RunFolder) -> None:
    """Write the fixed counter's answers, read off its table in the form that the case wants."""
    cases = {case["question_id"]: case for case in folder_cases(folder)}
    with (
        open_memory(folder.database, read_only=True) as memory,
        folder.timed("counter") as cost,
    ):
        records = []
        for record in memory.answer(folder.questions, system="counter"):
            said = count_by_tool(cases[record["question_id"]], memory).answer
            status = "no_evidence" if said is None else "computed"
            records.append(as_line({**record, "answer": said, "status": status}))
        cost["questions"] = len(records)
    place = folder.answers("counter")
    write_whole(place, b"".join(records).decode("utf-8"))


def folder_cases(folder: RunFolder) -> list[Row]:
    """Return the probe's questions with their events."""
    return read_lines(folder.path / "cases.jsonl")


def _measures(folder: RunFolder) -> None:
    """Write the probe's own measures of every system, exactness of the events among them."""
    cases = folder_cases(folder)
    verdicts = {}
    with open_memory(folder.database, read_only=True) as memory:
        for name in folder.systems():
            # The counter's answers were read off its arm's table: so is its evidence.
            arm = arm_named(
                name if name == "counter" else f"answers:{folder.answers(name)}", memory
            )
            verdicts[name] = [judge(case, arm(case)) for case in cases]
    _write_measures(folder, verdicts)


def measure_arms(folder: RunFolder, data: str) -> None:
    """Write the measures of the arms that need no model into another benchmark's folder.

    Nothing is written where the data has no trajectory that the probe can ask about.
    """
    cases = list(generate(read_episodes(data)))
    verdicts = {}
    with open_memory(folder.database, read_only=True) as memory:
        for name in DEFAULT_ARMS:
            arm = arm_named(name, memory)
            verdicts[name] = [judge(case, arm(case)) for case in cases]
    if cases:
        _write_measures(folder, verdicts)


def _write_measures(folder: RunFolder, verdicts: dict[str, list[Verdict]]) -> None:
    found = report(verdicts, resamples=folder.config["resamples"])
    place = folder.path / "probe.json"
    place.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    rows = [
        [name, group, cells["right"]["n"], *(_told(cells[m], m) for m in _MEASURES)]
        for name, tables in found["arms"].items()
        for group, cells in tables["all"].items()
    ]
    columns = ["system", "templates", "questions", "right %", "wrong %", "exactly S* %"]
    columns += ["P %", "R %", "F1 %", "extra", "missed"]
    note = (
        "Answers by deterministic extraction; evidence against S*, the events that are parsed from "
        "the raw log (docs/probe.md). 95 % intervals resample trajectories; extra and missed are "
        "events a count."
    )
    folder.write_table("probe", "The controlled probe", columns, rows, note)


def _told(cell: Row, measure: str) -> str:
    if cell["mean"] is None:
        return ""
    if measure in {"extra", "missed"}:
        return f"{cell['mean']:.2f}"
    shown = f"{100 * cell['mean']:.1f}"
    if measure not in {"right", "exact"}:
        return shown
    return f"{shown} [{100 * cell['low']:.1f}, {100 * cell['high']:.1f}]"
