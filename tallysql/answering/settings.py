"""How questions are answered, as one value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Unpack

from tallysql.answering.route import Route, parse_route
from tallysql.plan.profiles import REFINED, Profile, profile_named
from tallysql.reading.settings import BUDGET

if TYPE_CHECKING:
    from tallysql.answering.systems import Choices, Compiler, Reader, System
    from tallysql.llm.chat import Role


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How questions are answered: the same names as the command line's options."""

    system: System = "tallymem"
    budget: int = BUDGET
    profile: Profile = REFINED
    compiler: Compiler = "rules"
    reader: Reader = "computed"
    route: Route = field(default_factory=Route)

    @classmethod
    def of(cls, **choices: Unpack[Choices]) -> AnswerSettings:
        """Return the settings that choices by name stand for.

        Raises:
            UnknownName: there is no such profile.
            InputError: there is no such route.
        """
        return cls(
            system=choices.get("system", "tallymem"),
            budget=choices.get("budget", BUDGET),
            profile=profile_named(choices.get("profile", REFINED.name)),
            compiler=choices.get("compiler", "rules"),
            reader=choices.get("reader", "computed"),
            route=parse_route(choices.get("route", "load")),
        )

    @property
    def roles(self) -> tuple[Role, ...]:
        """What models are needed for; `auto` can do without."""
        compiles = self.system == "tallymem" and self.compiler in {"model", "vote"}
        needed: dict[Role, bool] = {"compile": compiles, "read": self.reader == "model"}
        return tuple(role for role, need in needed.items() if need)
