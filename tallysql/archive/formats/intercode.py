"""InterCode result files: SQL, bash, Python and CTF episodes, kept as columns of equal length.

The tool is the environment's; `execute[…]` of the ReAct runs, `cmd …` of the CTF runs and `submit`
are written around the command, which is the argument.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import (
    each_of,
    flatten,
    identity,
    mapping,
    objects,
    opposite,
    run_name,
)
from tallysql.archive.formats.columns import WrongType, kind_of
from tallysql.archive.formats.format import Format
from tallysql.archive.rows import Damage, Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

TOOLS = {"bash": "bash", "ctf": "bash", "sql": "sql", "python": "python", "swe": "bash"}
SUBMIT = re.compile(r"submit\b\s*(.*)", re.DOTALL)
WRAPPED = (
    re.compile(r"execute\[(.*)\]", re.DOTALL),
    re.compile(r"cmd /bin/(?:ba)?sh -c \"(.*)\"", re.DOTALL),
    re.compile(r"cmd (.*)", re.DOTALL),
)
COLUMNS = ("actions", "observations")


def detect(source: SourceFile) -> bool:
    """Whether the file is one object of episodes with a history of turns, or human SQL ones."""
    if source.shape != "json":
        return False
    return any(_is_episode(mapping(episode)) for _, episode in _episodes(source.document)[:3])


def _is_episode(episode: dict[str, Any]) -> bool:
    columns = mapping(episode.get("turn_history"))
    if set(COLUMNS) <= columns.keys():
        return True
    return "trajectory" in episode and bool({"gold", "query_idx", "reward"} & episode.keys())


def _episodes(document: Any) -> list[tuple[str, Any]]:
    if isinstance(document, dict):
        return list(document.items())
    return [(str(n), e) for n, e in enumerate(document)] if isinstance(document, list) else []


def read(source: SourceFile) -> Records:
    """Yield one Trajectory an episode."""
    file = run_name(source)
    for key, episode in _episodes(source.document):
        if isinstance(episode, dict):
            yield from each_of([(key, {**episode, "": f"{file}/{key}"})], _trajectory)
        else:
            yield Damage(key, f"expected an object, found {kind_of(episode)}")


def _trajectory(episode: dict[str, Any]) -> Iterator[Trajectory]:
    name = episode.pop("")
    history = episode.pop("turn_history", None)
    turns = list(_turns(history)) if history is not None else _listed(episode)
    environment = str(episode.get("environment") or "").lower()
    tool = next((tool for part, tool in TOOLS.items() if part in environment), None)
    if tool is None and "gold" in episode:
        tool = "sql"
    steps = []
    for number, (action, observation, failed) in enumerate(turns):
        called, args = _command(action, tool)
        steps.append(Step(action, observation, number, tool=called, args=args, is_error=failed))
    rewards = mapping(history).get("rewards")
    metadata = {**episode, **({"rewards": rewards} if rewards else {})}
    metadata.pop("trajectory", None)
    query = episode.get("query")
    domain = identity(episode.get("environment"))
    yield Trajectory(name, steps, query if isinstance(query, str) else None, domain, metadata)


def _turns(history: Any) -> Iterator[tuple[str | None, str | None, bool | None]]:
    columns = mapping(history)
    actions, observations = (columns.get(name) for name in COLUMNS)
    if not isinstance(actions, list) or not isinstance(observations, list):
        raise WrongType("expected lists of actions and observations", "turn_history")
    if len(actions) != len(observations):
        raise WrongType(
            f"{len(actions)} actions but {len(observations)} observations", "turn_history"
        )
    valid = columns.get("valid_action")
    flags = (
        valid if isinstance(valid, list) and len(valid) == len(actions) else [None] * len(actions)
    )
    for action, observation, is_valid in zip(actions, observations, flags, strict=True):
        yield flatten(action), flatten(observation), opposite(is_valid)


def _listed(episode: dict[str, Any]) -> list[tuple[str | None, str | None, bool | None]]:
    turns = objects(episode.get("trajectory"), "trajectory")
    return [(flatten(t.get("action")), flatten(t.get("observation")), None) for t in turns]


def _command(action: str | None, tool: str | None) -> tuple[str | None, str | None]:
    """Tell a submission from a command, and take the command out of what is written around it."""
    if not action:
        return tool, None
    submitted = SUBMIT.fullmatch(action.strip())
    if submitted:
        return "submit", submitted[1] or None
    for pattern in WRAPPED:
        found = pattern.fullmatch(action.strip())
        if found:
            return tool, found[1]
    return tool, action


FORMAT = Format(
    "intercode",
    "InterCode results: episodes with turn_history (actions, observations)",
    detect,
    read,
)
