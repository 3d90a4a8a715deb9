"""`annotate`: let a model say what the log itself does not."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from tallysql.cli.models import (
    Prompts,
    dry_run_option,
    jobs_option,
    model_options,
    models_from,
    say_account,
)
from tallysql.cli.output import json_text, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tallysql.cli import Settings
    from tallysql.ledger.annotate import AnnotationReport
    from tallysql.llm.models import Models


@click.command()
@click.option(
    "-t", "--trajectory", "trajectories", multiple=True, metavar="ID", help="Only this; repeatable."
)
@click.option(
    "--chunk-tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="Tokens of log in one prompt (default 6000).",
)
@jobs_option
@dry_run_option
@model_options("annotate")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.pass_obj
def annotate(
    settings: Settings,
    /,
    trajectories: tuple[str, ...],
    chunk_tokens: int | None,
    jobs: int,
    dry_run: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Let a model complete the ledger: targets, outcomes and changes that the log does not state.

    The model sees parts of the log and no questions. An outcome and its changes count only with a
    quote that occurs in the same step's observation, a target only if it occurs in the step, and
    nothing counts against what the log itself says. Interrupted work goes on where it was; a
    part that fails is named, its rows stay as they are, and the exit code is 1.
    """
    from tallysql.api import open_memory
    from tallysql.llm.models import calls_file

    prompts = Prompts(sys.stdout) if dry_run else None
    models = models_from(given, calls_file(settings.db), prompts)
    with open_memory(settings.db, read_only=dry_run, wait=settings.wait, models=models) as memory:
        named = trajectories or None
        if prompts is not None:
            memory.annotate(named, chunk_tokens=chunk_tokens, dry_run=True)
            prompts.say()
            return
        with _progress(len(trajectories) or len(memory.trajectories()), models) as progress:
            report = memory.annotate(named, chunk_tokens=chunk_tokens, jobs=jobs, progress=progress)
    _tell(report, models, as_json=as_json)
    if report.failed:
        click.get_current_context().exit(1)


def _tell(report: AnnotationReport, models: Models, *, as_json: bool) -> None:
    for failed in report.failed:
        say(f"error: {failed}")
    if report.stopped:
        say(f"stopped, the rest was not tried: {report.stopped}")
    if as_json or not sys.stdout.isatty():
        shape = report.as_dict() | {"usage": models.account.as_dict()}
        click.echo(json_text(shape))
        return
    for line in _lines(report):
        click.echo(line)
    say_account(models.account)


def _lines(report: AnnotationReport) -> Iterator[str]:
    yield (
        f"{report.trajectories} trajectories: {report.done} parts annotated "
        f"({report.steps} steps), {report.known} known already, {len(report.failed)} failed"
    )
    for source, outcomes in report.outcomes.items():
        shown = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
        yield f"outcomes, {source}: {shown}"
    quotes = ", ".join(f"{report.verdicts[name]} {name}" for name in VERDICTS)
    yield f"quotes: {quotes}, {report.verdicts['none']} steps without a claim"
    if report.dropped:
        rules = ", ".join(f"{count} {rule}" for rule, count in report.dropped.most_common())
        yield f"dropped: {rules}"


VERDICTS = ("accepted", "recovered", "rejected")


@contextmanager
def _progress(
    trajectories: int, models: Models
) -> Iterator[Callable[[AnnotationReport], None] | None]:
    """Yield what annotation tells its progress to; nothing unless stderr is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("annotating", total=trajectories)

        def show(report: AnnotationReport) -> None:
            account = models.account.stages.get("annotate")
            cost = f", cost {account.cost:.2f}" if account and account.cost else ""
            tokens = account.prompt_tokens + account.completion_tokens if account else 0
            calls = account.calls if account else 0
            words = f"annotating: {report.done} parts, {calls} calls, {tokens} tokens{cost}"
            bar.update(task, completed=report.trajectories, description=words)

        yield show
