"""Text-world episodes: games that TextWorld generates, played by a seeded and careless agent.

The agent mixes the game's own walkthrough with detours, repetitions, typing errors and commands
that cannot work, so that the log holds failures and long runs of the same thing.
"""

from __future__ import annotations

import random
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import textworld  # type: ignore[import-not-found, unused-ignore]
from textworld.challenges.tw_cooking import (  # type: ignore[import-not-found, unused-ignore]
    cooking,
)
from textworld.challenges.tw_simple import (  # type: ignore[import-not-found, unused-ignore]
    simple,
)
from textworld.challenges.tw_treasure_hunter import (  # type: ignore[import-not-found, unused-ignore]
    treasure_hunter,
)

from benchmarks.bundle.run import Run

DIRECTIONS = ("north", "south", "east", "west")
IRREVERSIBLE = ("eat", "drink", "cook", "chop", "slice", "dice", "prepare")
"""Done at random these lose the game; the agent does them only where the walkthrough says so."""

STATUS_LINE = re.compile(r"\n>\s+-= .* =-.*$", re.DOTALL)
"""The interpreter's prompt and status line, which are no part of what the game says."""


@dataclass(frozen=True, slots=True)
class Episode:
    """How to make and play one game."""

    name: str
    challenge: Any
    settings: dict[str, Any]
    seed: int
    shortest: int
    longest: int
    menu: bool = False  # whether the log lists the available actions after each observation


def _cooking(seed: int, **settings: Any) -> dict[str, Any]:
    common = {"open": True, "cook": True, "cut": True, "drop": False, "split": "train"}
    return {**common, "recipe_seed": seed, **settings}


EPISODES = (
    Episode(
        "tw-bedroom", simple, {"rewards": "dense", "goal": "detailed", "test": False}, 3, 40, 60
    ),
    Episode("tw-supper", cooking, _cooking(5, recipe=2, take=2, go=6), 5, 60, 90),
    Episode(
        "tw-bigkitchen", cooking, _cooking(11, recipe=3, take=3, go=9), 11, 110, 150, menu=True
    ),
    Episode("tw-market", cooking, _cooking(17, recipe=1, take=1, go=12), 17, 80, 120),
    Episode("tw-treasure", treasure_hunter, {"level": 12}, 23, 70, 110),
    Episode("tw-hunt", treasure_hunter, {"level": 22}, 29, 90, 130, menu=True),
)


def episodes() -> list[Run]:
    """Play all episodes."""
    with tempfile.TemporaryDirectory() as folder:
        return [_play(episode, Path(folder)) for episode in EPISODES]


def _play(episode: Episode, folder: Path) -> Run:
    game_file = _game_file(episode, folder)
    wanted = textworld.EnvInfos(
        admissible_commands=True, policy_commands=True, entities=True, objective=True
    )
    game = textworld.start(str(game_file), wanted)
    state = game.reset()
    run = Run(episode.name, state.objective.strip(), "text-world")
    agent = CarelessAgent(random.Random(episode.seed), episode.shortest)
    done = False
    while not done and len(run.steps) < episode.longest:
        command = agent.command(state)
        state, _, done = game.step(command)
        run.add(command, _said(state, menu=episode.menu and not done))
    game.close()
    return run


def _game_file(episode: Episode, folder: Path) -> Path:
    options = textworld.GameOptions()
    options.path, options.seeds = str(folder / f"{episode.name}.z8"), episode.seed
    game = episode.challenge.make(dict(episode.settings), options)
    textworld.generator.compile_game(game, options)
    return Path(options.path)


def _said(state: Any, *, menu: bool) -> str:
    text = STATUS_LINE.sub("", state.feedback).strip()
    if menu:
        text += f"\n\nThe current available actions are: {', '.join(state.admissible_commands)}"
    return text


class CarelessAgent:
    """Follows the walkthrough a third of the time, and dawdles before its last command."""

    def __init__(self, rng: random.Random, patience: int) -> None:
        self.rng = rng
        self.patience = patience
        self.last = "look"

    def command(self, state: Any) -> str:
        """Choose the next command."""
        self.patience -= 1
        kinds = (self._walkthrough, self._detour, self._again, self._look, self._mistake)
        kind = self.rng.choices(kinds, weights=(34, 28, 12, 10, 16))[0]
        self.last = kind(state)
        return self.last

    def _walkthrough(self, state: Any) -> str:
        ahead = len(state.policy_commands)
        if ahead == 0 or (ahead == 1 and self.patience > 0):
            return self._detour(state)
        return str(state.policy_commands[0])

    def _detour(self, state: Any) -> str:
        safe = [c for c in state.admissible_commands if not c.startswith(IRREVERSIBLE)]
        return str(self.rng.choice(sorted(safe)))

    def _again(self, state: Any) -> str:
        return self._look(state) if self.last.startswith(IRREVERSIBLE) else self.last

    def _look(self, _: Any) -> str:
        return self.rng.choice(("look", "inventory"))

    def _mistake(self, state: Any) -> str:
        """A thing that is elsewhere, a way that is not there, or a typing error."""
        things = sorted(e for e in state.entities if e not in DIRECTIONS)
        thing = self.rng.choice(things)
        commands = (
            f"take {thing}",
            f"open {thing}",
            f"close {thing}",
            f"go {self.rng.choice(DIRECTIONS)}",
            f"examin {thing}",
        )
        possible = set(state.admissible_commands)
        refused = [c for c in commands if c not in possible]
        return self.rng.choice(refused or ["xyzzy"])
