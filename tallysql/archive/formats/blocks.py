"""What the chat-like formats share: texts of content blocks, texts of calls, tolerant readers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tallysql.archive.formats.columns import INT64, WrongType, as_integer, kind_of, moment
from tallysql.archive.formats.json_text import json_text, parse_json
from tallysql.archive.rows import Damage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from tallysql.archive.formats.format import Records
    from tallysql.archive.formats.source import SourceFile
    from tallysql.archive.rows import Trajectory

MESSAGE = "message"
"""Tool of a step in which the agent only said something."""

TEXT_KEYS = ("text", "content", "refusal", "output_text")
IMAGE_TYPES = ("image", "image_url", "input_image", "output_image")
GENERIC_NAMES = {
    "events",
    "interact_messages",
    "log",
    "messages",
    "output",
    "results",
    "trajectory",
}
"""File names that tools give to every run: the folder's name tells the run."""


def flatten(content: Any) -> str | None:
    """Return content as text: blocks joined by newlines, a marker such as `[image]` for the rest.

    None stays None: no content is not empty content.
    """
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_block_text(block) for block in content)
    return _block_text(content)


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, dict):
        return json_text(block)
    kind = block.get("type")
    if kind in IMAGE_TYPES:
        return "[image]"
    if isinstance(kind, str) or block.keys() <= {"text"}:
        for key in TEXT_KEYS:
            if isinstance(block.get(key), (str, list)):
                return flatten(block[key]) or ""
        return f"[{kind}]"
    return json_text(block)


def args_text(arguments: Any) -> str | None:
    """Return arguments as they are archived: text verbatim, anything else as compact JSON."""
    return arguments if arguments is None or isinstance(arguments, str) else json_text(arguments)


def call_text(tool: str | None, args: str | None) -> str | None:
    """Return the action text of a structured call: `name: arguments`."""
    return f"{tool}: {args}" if tool and args else tool or args


def loaded(text: Any) -> Any:
    """Return the object or list that JSON text spells; anything else as it is."""
    if not isinstance(text, str) or text[:1] not in {"{", "["}:
        return text
    try:
        return parse_json(text.encode("utf-8", "surrogatepass"))[0]
    except ValueError:
        return text


def mapping(value: Any) -> dict[str, Any]:
    """Return a mapping, empty for anything else."""
    return value if isinstance(value, dict) else {}


def objects(value: Any, field: str) -> list[dict[str, Any]]:
    """Return a list of objects; None is an empty one.

    Raises:
        WrongType: it is something else.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise WrongType(f"expected a list, found {kind_of(value)}", field)
    for position, item in enumerate(value):
        if not isinstance(item, dict):
            raise WrongType(f"expected an object, found {kind_of(item)}", f"{field}[{position}]")
    return value


def name_text(value: Any, field: str) -> str:
    """Return a name, such as a tool's.

    Raises:
        WrongType: it is missing or no text.
    """
    if isinstance(value, str) and value:
        return value
    problem = (
        "missing" if value is None or value == "" else f"expected text, found {kind_of(value)}"
    )
    raise WrongType(problem, field)


def identity(value: Any) -> str | None:
    """Return an id as text, None where there is none."""
    if isinstance(value, str) and value:
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def flag(value: Any) -> bool | None:
    """Return a flag, None for anything that is none."""
    return value if isinstance(value, bool) else None


def opposite(value: Any) -> bool | None:
    """Return whether a flag of success tells of an error, None for anything that is no flag."""
    return not value if isinstance(value, bool) else None


def exit_status(value: Any) -> int | None:
    """Return an exit code; -1 stands for a command that still runs, which has none."""
    code = as_integer(value)
    return None if code is None or code == -1 or code not in INT64 else code


def time_of(value: Any) -> datetime | None:
    """Return a time as naive UTC; None for what spells none, such as a redacted one."""
    try:
        return moment(value)
    except WrongType:
        return None


def run_name(source: SourceFile) -> str:
    """Return the id of a run whose file holds none: `--id`, the file's name, or its folder's."""
    name = source.default_id
    if source.trajectory_id is None and name in GENERIC_NAMES:
        return source.path.absolute().parent.name or name
    return name


def each_record(
    source: SourceFile, build: Callable[[dict[str, Any]], Iterable[Trajectory]]
) -> Records:
    """Yield what `build` makes of each JSON record; one that it cannot read is a Damage."""
    return each_of(source.records(), build)


def each_of(
    records: Iterable[tuple[int | str, dict[str, Any]] | Damage],
    build: Callable[[dict[str, Any]], Iterable[Trajectory]],
) -> Records:
    """Yield what `build` makes of each record, all of it or a Damage."""
    for record in records:
        if isinstance(record, Damage):
            yield record
            continue
        number, value = record
        try:
            made = list(build(value))
        except WrongType as error:
            yield damage_of(number, error)
        else:
            yield from made


def damage_of(number: int | str, error: WrongType) -> Damage:
    """Say of a record what is wrong with it, and in which field."""
    return Damage(number, f"{error.field}: {error}" if error.field else str(error))


FUNCTION = re.compile(r"<function=([^>\s]+)>(.*?)(?:</function>|\Z)", re.DOTALL)
PARAMETER = re.compile(r"<parameter=([^>\s]+)>\n?(.*?)\n?</parameter>", re.DOTALL)


def spoken_calls(text: str) -> Iterator[tuple[str, str]]:
    """Yield (tool, arguments as JSON) of calls that a model without native tool calls wrote out.

    `<function=NAME><parameter=KEY>VALUE</parameter></function>` (OpenHands, SWE-Gym, SWE-smith).
    """
    for name, body in FUNCTION.findall(text):
        yield name, json_text(dict(PARAMETER.findall(body)))
