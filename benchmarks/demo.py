"""`make demo`: load the bundled trajectories, answer the bundled questions, show the answers.

Runs the commands that a user would type, and prints them.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tallysql.engine.evidence import compress_steps

BUNDLED = Path("tests/data/bundled")
SOURCES = (
    "textworld.parquet",
    "gridworld.jsonl",
    "coding.jsonl.gz",
    "coding_ama.jsonl",
    "history.parquet",
)
DATABASE = Path("demo.duckdb")
WIDTH_IN_A_PIPE = 140

NEXT = (
    ('ask "How many times was pytest run after step 30?" -t coding-gauge', "one question"),
    ('ask "Which file was modified most often?" -t coding-shelf --explain', "with plan and SQL"),
    ("query tools", "one of the named queries"),
    ("queries", "the list of them"),
    (
        "sql \"SELECT act, count(*) FROM ledger WHERE outcome = 'failure' GROUP BY ALL\"",
        "your own SQL",
    ),
)


def main() -> int:
    """Run the demonstration from the root of a checkout; returns the exit code."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH_IN_A_PIPE)
    DATABASE.unlink(missing_ok=True)
    Path(f"{DATABASE}.wal").unlink(missing_ok=True)
    _tallysql(console, "load", *(str(BUNDLED / name) for name in SOURCES))
    answered = _tallysql(console, "answer", str(BUNDLED / "questions.jsonl"))
    records = [json.loads(line) for line in answered.splitlines()]
    console.print(_table(records))
    console.print("\nNow type, for example:\n")
    for command, why in NEXT:
        console.print(f"  [dim]# {why}[/dim]")
        console.print(
            f"  .venv/bin/tallysql --db {DATABASE} {escape(command)}\n",
            soft_wrap=True,
            highlight=False,
        )
    return 0


def _tallysql(console: Console, *arguments: str) -> str:
    """Run one command of the command line and return what it printed."""
    command = ["tallysql", "--db", str(DATABASE), *arguments]
    console.print(f"[bold]$ {escape(shlex.join(command))}[/bold]", soft_wrap=True, highlight=False)
    done = subprocess.run(
        [sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def _table(records: list[dict[str, Any]]) -> Table:
    table = Table("trajectory", "question", "answer", "steps", "status", title="Answers")
    for record in records:
        steps = sorted({step for result in record["results"] for step in result["steps"]})
        cells = (
            record["trajectory_id"],
            record["question"],
            record["answer"] or _declined(record),
            compress_steps(steps),
            record["status"],
        )
        table.add_row(*(escape(str(cell)) for cell in cells))
    return table


def _declined(record: dict[str, Any]) -> str:
    """Why there is no answer: the compiler's reason, or that of the first result that failed."""
    reasons = [record["error"], (record["plan"] or {}).get("reason")]
    reasons += [result["reason"] for result in record["results"]]
    return f"- ({next(filter(None, reasons), 'no evidence')})"


if __name__ == "__main__":
    sys.exit(main())
