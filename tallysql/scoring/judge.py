"""The model judge: is an answer correct, given a reference? Yes, no, or unjudged.

It sees what AMA-Bench's judge sees: task type, episode, task, question, reference and prediction.
The wording is tallysql's own; another one can be given. See docs/architecture.md, "Model path".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from string import Template
from typing import TYPE_CHECKING

from tallysql.errors import InputError
from tallysql.llm.chat import Usage
from tallysql.llm.models import prompt_text

if TYPE_CHECKING:
    from tallysql.llm.models import Models

FIELDS = ("task_type", "episode", "task", "question", "reference", "prediction")
_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_VERDICT = re.compile(r"\b(yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a judge is shown of one answer; task type, episode and task may be empty."""

    question: str
    reference: str
    prediction: str
    task_type: str = ""
    episode: str = ""
    task: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and the text that it was read from.

    Attributes:
        correct: None if the judge said neither yes nor no: unjudged, and no score.
    """

    correct: bool | None
    text: str
    usage: Usage


def judge(
    shown: Prediction, models: Models, *, wording: str | None = None, model: str | None = None
) -> Judgement:
    """Ask the role `judge`, at temperature 0, whether an answer is correct.

    Args:
        shown: the answer and what goes with it.
        models: what to ask.
        wording: a template with `$question`, `$reference`, `$prediction` and any other of FIELDS;
            the shipped one if None.
        model: another one than the role's, for a second judge.

    Raises:
        ModelError: no model, or the call failed.
    """
    fields = {name: _inset(getattr(shown, name)) for name in FIELDS}
    if wording is None:
        prompt = prompt_text("judge", **fields)
    else:
        prompt = Template(wording).substitute(fields).strip()
    request = models.request("judge", prompt)
    reply = models.complete(request if model is None else replace(request, model=model))
    return Judgement(verdict(reply.text), reply.text, Usage.of(reply))


def _inset(text: str) -> str:
    """Indent all lines but the first: an answer cannot pose as the end of the prompt."""
    return "\n  ".join(text.splitlines())


def check_wording(wording: str) -> str:
    """Return a template of the judge's prompt that can be filled in.

    Raises:
        InputError: it names what there is not, or lacks the question, reference or prediction.
    """
    template = Template(wording)
    names = set(template.get_identifiers()) if template.is_valid() else None
    if names is None or not {"question", "reference", "prediction"} <= names <= set(FIELDS):
        fields = ", ".join(f"${name}" for name in FIELDS)
        hint = f"write $question, $reference and $prediction, and $$ for a dollar; fields: {fields}"
        raise InputError("no template for a judge", hint)
    return wording


def verdict(text: str) -> bool | None:
    """Return the last whole-word yes or no of a judge's text, None if it has neither."""
    said = _VERDICT.findall(_THOUGHT.sub("", text))
    return said[-1].lower() == "yes" if said else None
