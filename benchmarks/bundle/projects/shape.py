"""The shape of a project: small modules with faults, their tests, and the fixes."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True, slots=True)
class Module:
    """A module as first written, its tests, and the (wrong, right) replacements that mend it."""

    name: str
    text: str
    test: str
    fixes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Project:
    """One task of the agent.

    Attributes:
        codes_in_text: the log states exit codes in the observation instead of a field of its own.
        endless: a command that never ends, tried once; "" for none.
    """

    name: str
    task: str
    seed: int
    modules: tuple[Module, ...]
    codes_in_text: bool = False
    endless: str = ""


def module(name: str, text: str, test: str, *fixes: tuple[str, str]) -> Module:
    return Module(name, dedent(text).lstrip(), dedent(test).lstrip(), fixes)
