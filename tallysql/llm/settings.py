"""Which models to call, and how: from options, the environment, and a settings file.

Options win over the environment, which wins over `tallysql.toml` or the table `[tool.tallysql]` of
`pyproject.toml` (the nearest one, from the working directory upwards). Keys are read from the
environment only. See docs/models.md.
"""

from __future__ import annotations

import math
import os
import re
import tomllib
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from tallysql.errors import InputError, ModelError, nearest
from tallysql.llm.account import Price
from tallysql.llm.chat import ROLES, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DEFAULT_ENDPOINT = "https://api.openai.com/v1"
FILES = ("tallysql.toml", "pyproject.toml")
ROLE_KEYS = ("model", "max_tokens", "request")


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """What one role sends.

    Attributes:
        model: None means the common one.
        max_tokens: most tokens of an answer, thinking included; 0 leaves the field out.
        request: further fields of the request's body.
    """

    model: str | None = None
    max_tokens: int = 0
    request: dict[str, Any] = field(default_factory=dict)


DEFAULT_ROLES: dict[Role, RoleSettings] = {
    "annotate": RoleSettings(max_tokens=8192),
    "compile": RoleSettings(max_tokens=2048),
    "read": RoleSettings(max_tokens=12288),
    "judge": RoleSettings(max_tokens=4096),
}
"""The reader's limit is the paper's (appendix A)."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Everything about model calls that can be set.

    Attributes:
        model: for every role without one of its own; None: no model is configured.
        timeout: seconds that one try may take.
        retries: further tries after the first.
        stream: let the server send the answer piece by piece; for proxies that cut silent
            connections.
        prices: by model name.
    """

    model: str | None = None
    base_url: str = DEFAULT_ENDPOINT
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 120.0
    retries: int = 4
    stream: bool = False
    roles: Mapping[Role, RoleSettings] = field(default_factory=lambda: DEFAULT_ROLES)
    prices: Mapping[str, Price] = field(default_factory=dict)

    def model_for(self, role: Role) -> str:
        """Return the model of a role.

        Raises:
            ModelError: none is named, or there is neither a server nor a key.
        """
        model = self.roles[role].model or self.model
        if model is None:
            hint = f"use --model or --{role}-model, or set it in tallysql.toml"
            raise ModelError(f"no model named to {role} with", hint, reason="unconfigured")
        if self.api_key is None and self.base_url == DEFAULT_ENDPOINT:
            hint = "set OPENAI_BASE_URL to your server, or OPENAI_API_KEY"
            raise ModelError("no model server named", hint, reason="unconfigured")
        return model

    def configured(self, role: Role) -> bool:
        """Return whether a role has a model."""
        try:
            self.model_for(role)
        except ModelError:
            return False
        return True


def read_settings(
    options: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> ModelSettings:
    """Return the settings that hold.

    Args:
        options: `model`, `compile_model`, `timeout` and so on; None values do not count.
        environment: `os.environ` if None.
        folder: where the search for a settings file begins, the working directory if None.

    Raises:
        InputError: a file that cannot be read, or a setting that does not exist or cannot be.
    """
    given = {name: value for name, value in (options or {}).items() if value is not None}
    settings = _from_file(ModelSettings(), folder or Path.cwd())
    settings = _from_environment(settings, os.environ if environment is None else environment)
    return _with(settings, given, "options")


def _from_file(settings: ModelSettings, folder: Path) -> ModelSettings:
    for place in (folder, *folder.parents):
        for name in FILES:
            path = place / name
            table = _table(path) if path.is_file() else None
            if table is not None:
                return _with(settings, table, str(path))
    return settings


def _table(path: Path) -> dict[str, Any] | None:
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError.at(str(path), f"no TOML: {error}") from error
    if path.name == "pyproject.toml":
        found: dict[str, Any] | None = content.get("tool", {}).get("tallysql")
        return found
    return content


def _from_environment(settings: ModelSettings, environment: Mapping[str, str]) -> ModelSettings:
    names = {"base_url": "OPENAI_BASE_URL", "api_key": "OPENAI_API_KEY"}
    names |= {"model": "TALLYSQL_MODEL"}
    names |= {f"{role}_model": f"TALLYSQL_{role.upper()}_MODEL" for role in ROLES}
    given = {key: environment[name] for key, name in names.items() if environment.get(name)}
    key = given.pop("api_key", "").strip()
    if not (key.isascii() and key.isprintable()):
        problem = "has characters that no header can carry (the key is not shown)"
        raise InputError.at("environment", problem, field="OPENAI_API_KEY")
    return replace(_with(settings, given, "environment"), api_key=key or None)


_SIMPLE: dict[str, tuple[type, ...]] = {
    "model": (str,),
    "base_url": (str,),
    "timeout": (int, float),
    "retries": (int,),
    "stream": (bool,),
}


def _with(settings: ModelSettings, given: Mapping[str, Any], source: str) -> ModelSettings:
    """Return the settings changed by what one source gives."""
    for key, value in given.items():
        name = key.replace("-", "_")
        role, _, rest = name.partition("_")
        if name in _SIMPLE:
            checked = _checked(name, value, _SIMPLE[name], source)
            _require_sense(name, checked, source)
            settings = replace(settings, **{name: checked})
        elif name in ROLES:
            for part, inner in _checked(name, value, (dict,), source).items():
                settings = _with_role(settings, name, part, inner, source)
        elif role in get_args(Role) and rest == "model":
            settings = _with_role(settings, role, rest, value, source)
        elif name == "prices":
            prices = _prices(_checked(name, value, (dict,), source), source)
            settings = replace(settings, prices=prices)
        else:
            raise _unknown(name, source, [*_SIMPLE, *ROLES, "prices"])
    return settings


def _with_role(
    settings: ModelSettings, role: str, key: str, value: Any, source: str
) -> ModelSettings:
    name = key.replace("-", "_")
    if name not in ROLE_KEYS:
        raise _unknown(f"{role}.{name}", source, [f"{role}.{known}" for known in ROLE_KEYS])
    types = {"model": (str,), "max_tokens": (int,), "request": (dict,)}[name]
    changed = {name: _checked(f"{role}.{name}", value, types, source)}
    _require_sense(f"{role}.{name}", value, source)
    roles = dict(settings.roles)
    roles[role] = replace(roles[role], **changed)  # type: ignore[index]
    return replace(settings, roles=roles)


def _prices(table: Mapping[str, Any], source: str) -> dict[str, Price]:
    wanted = {known.name for known in fields(Price)}
    for model, price in table.items():
        if not isinstance(price, dict) or set(price) != wanted:
            problem = "must be { input = X, output = Y }, for a million tokens"
            raise InputError.at(source, problem, field=f"prices.{model}")
        for name, amount in price.items():
            full = f"prices.{model}.{name}"
            _require_sense(full, _checked(full, amount, (int, float), source), source)
    return {model: Price(**price) for model, price in table.items()}


_OWN = ("model", "messages", "stream", "stream_options")
"""Fields of a request's body that are set by other settings, or by what is asked."""

_SENSE: dict[str, tuple[Callable[[Any], bool], str]] = {
    "model": (lambda value: bool(value.strip()), "must name a model"),
    "base_url": (
        lambda value: re.match(r"https?://[^\s/]", value) is not None,
        "must begin with http:// or https://",
    ),
    "timeout": (lambda value: 0 < value < math.inf, "must be a number of seconds above 0"),
    "retries": (lambda value: value >= 0, "must be 0 or more"),
    "max_tokens": (lambda value: value >= 0, "must be 0 (no limit) or more"),
    "request": (
        lambda value: not set(_OWN) & set(value),
        f"must not set {', '.join(_OWN)}",
    ),
    "input": (lambda value: 0 <= value < math.inf, "must be an amount of 0 or more"),
    "output": (lambda value: 0 <= value < math.inf, "must be an amount of 0 or more"),
}
"""What values must be beyond their types, by the last part of a setting's name."""


def _require_sense(name: str, value: Any, source: str) -> None:
    holds, problem = _SENSE.get(name.rpartition(".")[2], (lambda _: True, ""))
    if not holds(value):
        raise InputError.at(source, f"{problem}, not {value!r}", field=_shown(name))


def _checked(name: str, value: Any, types: tuple[type, ...], source: str) -> Any:
    fits = isinstance(value, types) and (bool in types or not isinstance(value, bool))
    if not fits:
        wanted = " or ".join(kind.__name__ for kind in types)
        raise InputError.at(source, f"must be {wanted}, not {value!r}", field=_shown(name))
    return value


def _shown(name: str) -> str:
    """Return a setting's name as people write it; names of models keep their own letters."""
    return name if name.startswith("prices.") else name.replace("_", "-")


def _unknown(name: str, source: str, known: list[str]) -> InputError:
    near = nearest(name, known)
    hint = f"did you mean {near[0].replace('_', '-')}?" if near else None
    return InputError.at(source, "no such setting", field=_shown(name), hint=hint)
