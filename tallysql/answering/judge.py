"""The model judge: is an answer correct, given a reference? Yes, no, or unjudged.

See docs/architecture.md, "Model path".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallysql.llm.chat import Usage
from tallysql.llm.models import prompt_text

if TYPE_CHECKING:
    from tallysql.llm.models import Models

_VERDICT = re.compile(r"\b(yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and the text that it was read from.

    Attributes:
        correct: None if the judge said neither yes nor no: unjudged, and no score.
    """

    correct: bool | None
    text: str
    usage: Usage


def judge(question: str, reference: str, answer: str, models: Models) -> Judgement:
    """Ask the role `judge` whether an answer is correct.

    Raises:
        ModelError: no model, or the call failed.
    """
    texts = {"question": question, "reference": reference, "answer": answer}
    prompt = prompt_text("judge", **{name: _inset(text) for name, text in texts.items()})
    reply = models.complete(models.request("judge", prompt))
    return Judgement(verdict(reply.text), reply.text, Usage.of(reply))


def _inset(text: str) -> str:
    """Indent all lines but the first: an answer cannot pose as the end of the prompt."""
    return "\n  ".join(text.splitlines())


def verdict(text: str) -> bool | None:
    """Return the last whole-word yes or no of a judge's text, None if it has neither."""
    said = _VERDICT.findall(text)
    return said[-1].lower() == "yes" if said else None
