"""ReAct as text: logs of `Action:` and `Observation:` lines, scripts of `> action` lines.

Scripts come as one JSON object of many: as one string each, as a list that alternates, or as a
dialogue with calls of `take_action`. Thoughts in an ALFWorld script are actions of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.blocks import each_of, flatten, mapping, objects, run_name
from tallysql.archive.formats.chat import Conversation
from tallysql.archive.formats.columns import WrongType, kind_of
from tallysql.archive.formats.format import Format
from tallysql.archive.rows import Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile

ACTION = re.compile(r"Action(?: (\d+))?: ?(.*)", re.DOTALL)
OBSERVATION = re.compile(r"Observation(?: \d+)?: ?(.*)", re.DOTALL)
THOUGHT = re.compile(r"Thought(?: \d+)?:")
QUESTION = re.compile(r"(?:\d+ )?(?:Question|Claim): ?(.*)")
RULE = re.compile(r"-{5,}\s*|={5,}\s*|#{5,}.*")
NAMED = re.compile(r"(\w+)\[(.*)\]", re.DOTALL)
PROMPT = re.compile(r"(?m)^> ?")
ROOM = "You are in the middle of a room"
NO_STEPS = {"name", "memory", "is_success"}
RESULT_KEYS = {"action_taken", "next_observation"}


def detect(source: SourceFile) -> bool:
    """Whether the text has lines of both kinds, or the JSON holds ALFWorld scripts."""
    if source.shape == "text":
        head = source.head.decode("utf-8", "replace")
        lines = [line.rstrip("\r") for line in head.split("\n")]
        return any(map(ACTION.match, lines)) and any(map(OBSERVATION.match, lines))
    return any(map(_is_scripts, source.sample[:1]))


def _is_scripts(record: dict[str, Any]) -> bool:
    if record.keys() >= NO_STEPS or _is_game(record):
        return True
    return any(_is_script(value) for value in list(record.values())[:3])


def _is_game(record: dict[str, Any]) -> bool:
    steps = record.get("steps", record.get("trajectory"))
    first = mapping(steps[0]) if isinstance(steps, list) and steps else {}
    return first.keys() >= RESULT_KEYS or ("memory_id" in record and "action" in first)


def _is_script(value: Any) -> bool:
    if isinstance(value, str):
        return PROMPT.search(value) is not None and ROOM in value
    if not isinstance(value, list) or not value:
        return False
    first = value[0]
    is_scene = isinstance(first, str) and ROOM in first
    return is_scene or (mapping(first).get("role") == "user" and ROOM in str(first.get("content")))


def read(source: SourceFile) -> Records:
    """Yield one Trajectory an episode, script or game."""
    file = run_name(source)
    if source.shape == "text":
        lines = (line.decode("utf-8", "replace") for line in source.data().split(b"\n"))
        for number, episode in enumerate(_episodes(lines)):
            yield Trajectory(f"{file}/{number}", episode.steps, episode.task)
        return
    numbered = source.records()
    if any(map(_is_game, source.sample[:1])):
        yield from each_of(numbered, lambda game: _from_game(game, file))
        return
    yield from each_of(numbered, lambda scripts: _from_scripts(scripts, file))


@dataclass(slots=True)
class _Episode:
    """One episode of a text log; `number` is that of its last action."""

    task: str | None
    steps: list[Step] = field(default_factory=list)
    number: int = 0


def _episodes(lines: Iterator[str]) -> Iterator[_Episode]:
    """Cut a log into episodes: at rules, at questions, and where the numbers start again."""
    episode, task = _Episode(None), None
    for kind, number, text in _entries(lines):
        restarts = kind == "action" and number is not None and number <= episode.number
        if episode.steps and (kind in {"rule", "question"} or restarts):
            yield episode
            episode, task = _Episode(None), None
        if kind == "question":
            task = text
        elif kind == "action":
            found = NAMED.fullmatch(text.strip())
            tool, args = (found[1], found[2]) if found else (None, None)
            episode.task = episode.task or task
            episode.steps.append(Step(text, None, number, tool=tool, args=args))
            episode.number = number or 0
        elif kind == "observation" and episode.steps and episode.steps[-1].observation is None:
            last = episode.steps[-1]
            episode.steps[-1] = Step(last.action, text, last.step, tool=last.tool, args=last.args)
    if episode.steps:
        yield episode


def _entries(lines: Iterator[str]) -> Iterator[tuple[str, int | None, str]]:
    """Yield (kind, number, text) of the log's entries; text runs on to the next one."""
    kind, number, held = "", None, [""]
    for line in lines:
        started = _start(line)
        if started is None and (line.strip() or not kind):  # an empty line ends an entry
            held.append(line)
            continue
        if kind:
            yield kind, number, "\n".join(held)
        kind, number, first = started or ("", None, "")
        held = [first]
    if kind:
        yield kind, number, "\n".join(held).rstrip("\n")


def _start(line: str) -> tuple[str, int | None, str] | None:
    if found := ACTION.match(line):
        return "action", int(found[1]) if found[1] and len(found[1]) < 10 else None, found[2]
    if found := OBSERVATION.match(line):
        return "observation", None, found[1]
    if THOUGHT.match(line):
        return "thought", None, line
    if RULE.fullmatch(line):
        return "rule", None, line
    if found := QUESTION.match(line):
        return "question", None, found[1]
    return None


def _from_scripts(scripts: dict[str, Any], file: str) -> Iterator[Trajectory]:
    for key, script in scripts.items():
        if scripts.keys() >= NO_STEPS:
            return
        name = f"{file}/{key}"
        if isinstance(script, str):
            yield _from_text(name, script)
        elif isinstance(script, list) and all(isinstance(turn, str) for turn in script):
            yield _from_turns(name, script)
        else:
            yield _from_dialogue(name, objects(script, key))


def _from_text(name: str, script: str) -> Trajectory:
    """Read `> action` lines, each with the lines below it as the observation."""
    scene, *turns = PROMPT.split(script)
    steps = []
    for number, turn in enumerate(turns):
        action, _, observation = turn.partition("\n")
        steps.append(Step(action, observation.removesuffix("\n") or None, number))
    return Trajectory(name, steps, scene.strip())


def _from_turns(name: str, turns: list[str]) -> Trajectory:
    """Read scene, action, observation, action, …; an answer may stand without its thought."""
    scene, *rest = turns or [""]
    steps = []
    if rest and rest[0].strip() == "OK.":
        steps.append(Step(None, rest.pop(0), 0))
    verdict = rest.pop() if len(rest) % 2 else None
    for action, observation in zip(rest[::2], rest[1::2], strict=True):
        steps.append(Step(action.removesuffix("\n"), observation, len(steps)))
    metadata = {"verdict": verdict} if verdict is not None else {}
    return Trajectory(name, steps, scene.strip(), metadata=metadata)


def _from_dialogue(name: str, turns: list[dict[str, Any]]) -> Trajectory:
    conversation = Conversation()
    for number, turn in enumerate(turns):
        conversation.take(turn, f"messages[{number}]")
    return Trajectory(name, conversation.steps(), conversation.task)


def _from_game(game: dict[str, Any], file: str) -> Iterator[Trajectory]:
    """Read games kept as objects; `next_observation` is the result of the step that names it."""
    key = next((game[k] for k in ("game_id", "memory_id", "task_id") if game.get(k)), None)
    steps = []
    for turn in objects(game.get("steps", game.get("trajectory")), "steps"):
        action = turn.get("action_taken", turn.get("action"))
        if action is not None and not isinstance(action, str):
            raise WrongType(f"expected text, found {kind_of(action)}", "steps.action")
        observation = flatten(turn.get("next_observation", turn.get("observation")))
        number = turn.get("step")
        steps.append(Step(action, observation, number if type(number) is int else None))
    known = ("task_type", "is_success", "score", "done")
    metadata = {name: game[name] for name in known if name in game}
    task = game.get("query", game.get("initial_obs"))
    name = f"{file}/{key}" if key is not None else file
    yield Trajectory(name, steps, task if isinstance(task, str) else None, metadata=metadata)


FORMAT = Format(
    "react",
    "ReAct as text (Action:, Observation:), ALFWorld scripts and dialogues as JSON",
    detect,
    read,
    nothing="results without steps",
)
