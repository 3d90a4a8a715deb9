"""Options about models, shared by the commands that may call one."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from tallysql.answering.systems import COMPILERS, READERS
from tallysql.cli.output import json_text, say
from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tallysql.llm.account import Account
    from tallysql.llm.chat import Request, Role
    from tallysql.llm.models import Models
    from tallysql.llm.settings import ModelSettings

compiler_option = click.option(
    "--compiler",
    type=click.Choice(COMPILERS),
    default="rules",
    show_default=True,
    help="auto asks a model where the rules decline; vote asks one five times.",
)
reader_option = click.option(
    "--reader",
    type=click.Choice(READERS),
    default="computed",
    show_default=True,
    help="model lets a model answer from the context and the computed evidence.",
)
route_option = click.option(
    "--route",
    default="load",
    metavar="ROUTE",
    help="When a model reader gets the evidence: load:N (more than N matched steps, default 15), "
    "always or never.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Wait for so many model calls at one time.",
)
dry_run_option = click.option(
    "--dry-run",
    is_flag=True,
    help="Send nothing; write the prompts as JSON lines, with token counts.",
)


def model_options(*roles: Role) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options that say which models to call, for a command that needs these roles.

    The command gets them as keyword arguments, as `models_from` takes them.
    """
    options = [
        click.option("--model", metavar="NAME", help="Model to call (env TALLYSQL_MODEL)."),
        *(
            click.option(f"--{role}-model", metavar="NAME", help=f"Another one to {role} with.")
            for role in roles
        ),
        click.option("--base-url", metavar="URL", help="Server (env OPENAI_BASE_URL)."),
        click.option("--calls", metavar="FILE", help="Kept replies; default: the database's name."),
        click.option("--fresh", is_flag=True, help="Make every call anew."),
    ]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


MODEL_OPTIONS = (
    "model",
    "compile_model",
    "read_model",
    "annotate_model",
    "judge_model",
    "base_url",
)


def models_from(given: dict[str, Any], calls: str, prompts: Prompts | None = None) -> Models:
    """Take the options of `model_options` out of a command's arguments and return the models.

    Args:
        given: the command's keyword arguments; the model options are removed.
        calls: file of kept replies where `--calls` does not say.
        prompts: notes what would be sent, and sends nothing.

    Raises:
        InputError: a setting that does not exist or cannot be, or `--calls` names the database.
        StoreError: the file of kept replies cannot be used.
    """
    from tallysql.llm.models import Models
    from tallysql.llm.replay import DryChat
    from tallysql.llm.settings import ModelSettings, read_settings

    options = {name: given.pop(name, None) for name in MODEL_OPTIONS}
    kept, fresh = given.pop("calls"), given.pop("fresh")
    _require_apart(kept)
    # A settings file with a mistake is no matter for those who call no model.
    unneeded = (given.get("compiler"), given.get("reader", "computed")) == ("rules", "computed")
    settings = ModelSettings() if unneeded else read_settings(options)
    if prompts is not None:
        prompts.settings = settings
    dry = prompts is not None
    chat = DryChat(prompts.note) if prompts is not None else None
    models = Models(settings, kept or calls, chat, fresh=fresh, read_only=dry)
    if given.get("compiler") == "auto" and models.configured("compile"):
        models.require("compile")  # no compiler needs it, but questions will be sent
    return models


def _require_apart(calls: str | None) -> None:
    """Refuse to keep replies in the database itself."""
    database = click.get_current_context().obj.db
    if calls is not None and Path(calls).resolve() == Path(database).resolve():
        problem = f"--calls: {calls} is the database"
        raise InputError(problem, "name a file of its own for kept replies")


def say_account(account: Account) -> None:
    """Say on stderr what the models were asked, a line a stage."""
    for line in account.lines():
        say(line)


class Prompts:
    """What a dry run would send: written as it comes, and added up."""

    def __init__(self, out: IO[str]) -> None:
        from tallysql.reading.tokens import tokenizer_named

        self.settings: ModelSettings | None = None
        self._out = out
        self._tokenizer = tokenizer_named()
        self._requests = self._tokens = self._most = 0
        self._cost = 0.0
        self._unpriced: set[str] = set()

    def note(self, request: Request) -> None:
        """Write one request as a line of JSON and count it."""
        tokens = sum(self._tokenizer.count(m.content) for m in request.messages)
        line = {
            "stage": request.stage,
            "model": request.model,
            "tokens": tokens,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "schema": request.schema,
            "extra": request.extra,
        }
        self._out.write(json_text(line) + "\n")
        self._requests += 1
        self._tokens += tokens
        self._most += request.max_tokens or 0
        price = self.settings.prices.get(request.model) if self.settings is not None else None
        if price is None:
            self._unpriced.add(request.model)
        else:
            self._cost += price.of(tokens, request.max_tokens or 0)

    def say(self) -> None:
        """Say on stderr what sending all of it would take."""
        counted = f"{self._tokens} prompt tokens ({self._tokenizer.name})"
        parts = [f"{self._requests} requests not sent", counted]
        parts.append(f"at most {self._most} tokens of answers")
        if self._unpriced:
            parts.append(f"no price known for {', '.join(sorted(self._unpriced))}")
        elif self._requests:
            parts.append(f"at most {self._cost:.4f}")
        say(", ".join(parts))
