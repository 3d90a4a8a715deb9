"""The sixteen templates of the paper's probe and a few more, as data (paper, appendix H).

A template selects events, says up to where, and what is asked about them. E1 and S1 ask one count
at three bounds; E2 and S2 ask it at the last bound in another wording. `X…` templates are not the
paper's; those ending in `m` are a paper's template with the bound in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from benchmarks.probe.events import BASH, EDITOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.probe.events import Event, Family

Bound = Literal["quarter", "half", "end", "second quarter"]
Operation = Literal["count", "distinct", "first", "last", "list", "names", "mode", "group"]
Format = Literal["int", "step", "list", "name", "pairs"]
FORMAT: dict[Operation, Format] = {
    "count": "int",
    "distinct": "int",
    "first": "step",
    "last": "step",
    "list": "list",
    "names": "list",
    "mode": "name",
    "group": "pairs",
}
REPLY: dict[Format, str] = {
    "int": "Reply with an integer.",
    "step": "Reply with a step number.",
    "list": 'Reply with a comma-separated list or "none".',
    "name": "Reply with a name.",
    "pairs": "Reply with a comma-separated list of name: count pairs.",
}


@dataclass(frozen=True, slots=True)
class Template:
    """One kind of question.

    Attributes:
        question: the wording; `{hi}`, `{lo}` and the parameter's name in braces are filled in.
        select: which events it is about, given the parameter's value ("" if it has none).
        bounds: the bounds it is asked at; empty for the whole trajectory.
        value: what distinct, names, mode and group tell apart.
        parameter: the parameter's name and the event's value of it, None where it has none.
    """

    name: str
    family: Family
    operation: Operation
    question: str
    select: Callable[[Event, str], bool]
    bounds: tuple[Bound, ...] = ("end",)
    value: Callable[[Event], str | None] | None = None
    parameter: tuple[str, Callable[[Event], str | None]] | None = None
    wording: Literal["a", "b"] = "a"

    @property
    def format(self) -> Format:
        """The form of the answer."""
        return FORMAT[self.operation]

    @property
    def of_the_paper(self) -> bool:
        """Whether it is one of the paper's sixteen."""
        return not self.name.startswith("X") and not self.name.endswith("m")


def _went(event: Event, _: str) -> bool:
    return event.verb == "go"


def _opened(event: Event, _: str) -> bool:
    return event.verb == "open"


def _took(event: Event, _: str) -> bool:
    return event.verb == "take"


def _opened_this(event: Event, receptacle: str) -> bool:
    return event.verb == "open" and event.rest == receptacle


def _went_there(event: Event, location: str) -> bool:
    return event.verb == "go" and event.rest == location


def _ran(event: Event, _: str) -> bool:
    return event.verb == BASH


def _failed(event: Event, _: str) -> bool:
    return event.verb == BASH and event.exit_code not in {None, 0}


def _modified(event: Event, _: str) -> bool:
    return event.modifies


def _modified_this(event: Event, file: str) -> bool:
    return event.modifies and event.path == file


def _created(event: Event, _: str) -> bool:
    return event.command == "create"


def _edited(event: Event, _: str) -> bool:
    return event.verb == EDITOR


def _confirmed(event: Event, _: str) -> bool:
    return event.modifies and event.confirmed


def _any(_: Event, __: str) -> bool:
    return True


def _receptacle(event: Event) -> str | None:
    return event.rest if event.verb == "open" else None


def _location(event: Event) -> str | None:
    return event.rest if event.verb == "go" else None


def _file(event: Event) -> str | None:
    return event.path if event.modifies else None


def _rest(event: Event) -> str | None:
    return event.rest


def _verb(event: Event) -> str | None:
    return event.verb


def _path(event: Event) -> str | None:
    return event.path


def _command(event: Event) -> str | None:
    return event.command


_GO = 'Through step {hi}, how many times did the agent issue a "go to" action?'
_RUN = "Through step {hi}, how many times did the agent execute a bash command?"
_ALL: tuple[Bound, ...] = ("quarter", "half", "end")

_PAPER = (
    Template("E1", "embodied", "count", _GO, _went, _ALL),
    Template("E2", "embodied", "count", _GO.replace("many times", "often"), _went, wording="b"),
    Template(
        "E3",
        "embodied",
        "count",
        'Through step {hi}, how many times was the action "open {receptacle}" issued?',
        _opened_this,
        parameter=("receptacle", _receptacle),
    ),
    Template(
        "E4",
        "embodied",
        "distinct",
        'How many distinct locations do the agent\'s "go to" actions name through step {hi}?',
        _went,
        ("half",),
        value=_rest,
    ),
    Template(
        "E5", "embodied", "first", 'What is the earliest step with a "take" action?', _took, ()
    ),
    Template(
        "E6",
        "embodied",
        "last",
        'Through step {hi}, what is the latest step with an "open" action?',
        _opened,
        ("half",),
    ),
    Template(
        "E7",
        "embodied",
        "list",
        'Give every step through step {hi}, in order, at which "go to {location}" was issued.',
        _went_there,
        parameter=("location", _location),
    ),
    Template(
        "E8",
        "embodied",
        "names",
        'Through step {hi}, which receptacles do the agent\'s "open" actions name? '
        "Give each one once, in order of first appearance.",
        _opened,
        ("quarter",),
        value=_rest,
    ),
    Template(
        "E9",
        "embodied",
        "mode",
        'Through step {hi}, which location do the agent\'s "go to" actions name most often?',
        _went,
        value=_rest,
    ),
    Template("S1", "software", "count", _RUN, _ran, _ALL),
    Template("S2", "software", "count", _RUN.replace("many times", "often"), _ran, wording="b"),
    Template(
        "S3",
        "software",
        "count",
        "Through step {hi}, how many bash commands ended with a non-zero exit code?",
        _failed,
    ),
    Template(
        "S4",
        "software",
        "count",
        "Through step {hi}, how many file modifications did the agent make with the editor "
        "(its create, str_replace and insert commands)?",
        _modified,
    ),
    Template(
        "S5",
        "software",
        "list",
        "Give every step through step {hi}, in order, with a create, str_replace or insert command "
        "on {file}.",
        _modified_this,
        parameter=("file", _file),
    ),
    Template(
        "S6",
        "software",
        "first",
        "What is the earliest step with a create, str_replace or insert command on {file}?",
        _modified_this,
        (),
        parameter=("file", _file),
    ),
    Template(
        "S7",
        "software",
        "names",
        "Through step {hi}, which files do the editor's create commands name? "
        "Give each path once, in order of first appearance.",
        _created,
        value=_path,
    ),
)

_MORE = (
    Template(
        "XE1",
        "embodied",
        "group",
        "Through step {hi}, how often did each type of action (its first word) occur?",
        _any,
        value=_verb,
    ),
    Template(
        "XE2",
        "embodied",
        "count",
        'How many "go to" actions did the agent issue from step {lo} through step {hi}?',
        _went,
        ("second quarter",),
    ),
    Template(
        "XS1",
        "software",
        "group",
        "Through step {hi}, how often did each editor command occur?",
        _edited,
        value=_command,
    ),
    Template(
        "XS2",
        "software",
        "count",
        "Through step {hi}, how many create, str_replace or insert commands of the editor were "
        "successful?",
        _confirmed,
    ),
)
_IN_THE_MIDDLE = ("E3", "E7", "S3", "S4", "S5", "XS2")


def _middle(template: Template) -> Template:
    return replace(template, name=template.name + "m", bounds=("half",))


TEMPLATES: tuple[Template, ...] = (
    *_PAPER,
    *_MORE,
    *(_middle(template) for template in (*_PAPER, *_MORE) if template.name in _IN_THE_MIDDLE),
)
