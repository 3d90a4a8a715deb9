"""`view`: the context that a reader would get for a question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tallysql.answering.systems import SYSTEMS
from tallysql.cli.ask import QuestionText, trajectory_option
from tallysql.cli.output import json_text, printable, say
from tallysql.reading.settings import BUDGET

if TYPE_CHECKING:
    from collections.abc import Callable

    from tallysql.answering.systems import System
    from tallysql.cli import Settings
    from tallysql.reading.view import View

budget_option = click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=BUDGET,
    show_default=True,
    metavar="N",
    help="Tokens of a context.",
)


def system_option(default: System) -> Callable[..., Any]:
    """Make the option that says which system answers or gives the context."""
    return click.option(
        "--system",
        type=click.Choice(SYSTEMS),
        default=default,
        show_default=True,
        help="tm is the reading view; tallymem and counter compute and use it, too.",
    )


@click.command()
@click.argument("question", type=QuestionText())
@trajectory_option
@budget_option
@system_option("tm")
@click.option("--json", "as_json", is_flag=True, help="Print text, spans, anchors and omissions.")
@click.pass_obj
def view(
    settings: Settings,
    question: str,
    trajectory: str | None,
    budget: int,
    system: System,
    as_json: bool,
) -> None:
    """Show the steps that a question needs, verbatim and in order, within a token budget."""
    from tallysql.api import open_memory

    with open_memory(settings.db, read_only=True, wait=settings.wait) as memory:
        found = memory.view(question, trajectory, system=system, budget=budget)
    if as_json or not sys.stdout.isatty():
        click.echo(json_text(found.as_dict()))
    else:
        _show(found)


def _show(found: View) -> None:
    click.echo(printable(found.text), nl=False)
    left_out = sum(omission.why == "budget" for omission in found.omitted)
    say(
        f"{found.tokens} of {found.budget} tokens ({found.tokenizer}), "
        f"{len(found.excerpts)} excerpts, {left_out} runs of steps left out"
    )
