"""Events as the raw strings say them: no ledger, no compiler, no model (paper, appendix H).

Nothing here may import the package that the probe measures.
"""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Family = Literal["embodied", "software"]

EDITOR = "str_replace_editor"
BASH = "execute_bash"
MODIFYING = frozenset({"create", "str_replace", "insert"})
RECEIPTS = {
    "create": "File created successfully at: ",
    "str_replace": "The file ",
    "insert": "The file ",
}
VERBS = frozenset(
    {
        *("go", "look", "open", "close", "examine", "take", "move", "put", "help", "inventory"),
        *("use", "slice", "heat", "cool", "clean", "toggle"),
    }
)
_CALL = re.compile(r"(\w+): (.*)", re.DOTALL)
_EXIT = re.compile(r"exit code (-?\d+)")


@dataclass(frozen=True, slots=True)
class Event:
    """One logged step.

    Attributes:
        verb: the leading word of an embodied action, the tool of a software action.
        rest: what follows `go to` or the verb; empty for software actions.
        command: the editor's command, None for other tools.
        path: the path among the arguments.
        exit_code: the last exit code that a bash observation states, None where it states none.
        confirmed: whether the editor's receipt for the command leads the observation.
    """

    step: int
    verb: str
    rest: str = ""
    command: str | None = None
    path: str | None = None
    exit_code: int | None = None
    confirmed: bool = False

    @property
    def modifies(self) -> bool:
        """Whether it is a create, str_replace or insert command, confirmed or not."""
        return self.command in MODIFYING


@dataclass(frozen=True, slots=True)
class Episode:
    """One trajectory of a family whose actions have a fixed format."""

    trajectory_id: str
    family: Family
    events: tuple[Event, ...]


def read_episodes(path: str | Path) -> list[Episode]:
    """Return the embodied and software trajectories of an AMA-format file; others are left out.

    Args:
        path: JSON lines or one JSON array, gzipped or not.

    Raises:
        ValueError: not JSON, or a record without `trajectory`; names it.
    """
    episodes = []
    for number, record in enumerate(_records(Path(path)), start=1):
        try:
            episodes.append(_episode(record))
        except (KeyError, TypeError) as error:
            raise ValueError(f"{path}: record {number}: not AMA-format ({error!r})") from error
    return [episode for episode in episodes if episode is not None]


def _records(path: Path) -> Iterator[dict[str, Any]]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    if text.lstrip().startswith("["):
        yield from json.loads(text)
        return
    # Not splitlines(): U+2028 may stand inside a JSON string.
    yield from (json.loads(line) for line in text.split("\n") if line.strip())


def _episode(record: dict[str, Any]) -> Episode | None:
    steps = record["trajectory"]
    family = family_of([step["action"] or "" for step in steps])
    if family is None:
        return None
    read = _embodied if family == "embodied" else _software
    events = tuple(
        read(int(step["turn_idx"]), step["action"] or "", step["observation"] or "")
        for step in steps
    )
    return Episode(str(record["episode_id"]), family, events)


def family_of(actions: list[str]) -> Family | None:
    """Tell the family by the actions' shape; None if most have neither.

    Domain names differ between releases of the benchmark; the format of the actions does not.
    """
    calls = sum(_arguments(action) is not None for action in actions)
    if 2 * calls > len(actions):
        return "software"
    phrases = sum(action.split(" ", 1)[0] in VERBS for action in actions)
    if 2 * phrases > len(actions) and any(action.startswith("go to ") for action in actions):
        return "embodied"
    return None


def _arguments(action: str) -> tuple[str, dict[str, Any]] | None:
    found = _CALL.fullmatch(action)
    if found is None:
        return None
    try:
        arguments = json.loads(found[2])
    except ValueError:
        return None
    return (found[1], arguments) if isinstance(arguments, dict) else None


def _embodied(step: int, action: str, _: str) -> Event:
    verb, _, rest = action.strip().partition(" ")
    if verb == "go":
        rest = rest.removeprefix("to ")
    return Event(step, verb, rest.strip())


def _software(step: int, action: str, observation: str) -> Event:
    tool, arguments = _arguments(action) or (action.partition(":")[0], {})
    if tool == BASH:
        codes = _EXIT.findall(observation)
        return Event(step, tool, exit_code=int(codes[-1]) if codes else None)
    if tool != EDITOR:
        return Event(step, tool)
    command = str(arguments.get("command", ""))
    receipt = RECEIPTS.get(command)
    confirmed = receipt is not None and observation.startswith(receipt)
    path = arguments.get("path")
    return Event(step, tool, command=command, path=path, confirmed=confirmed)
