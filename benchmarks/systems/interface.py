"""What a system of memory is: it builds from a trajectory, and gives a context for a question.

One reader answers from the contexts of all systems, in one frame, so that only contexts differ.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from tallysql.answering.prompt import prompt
from tallysql.errors import TallyError
from tallysql.llm.chat import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tallysql.answering.questions import Question
    from tallysql.api import Memory
    from tallysql.llm.models import Models


class CannotRun(TallyError):
    """A system that cannot run here; the message says why, the hint what it would need."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a system knows of a question before the reader is asked.

    Attributes:
        text: what stands for the log, as `tallysql.answering.prompt.quoted` gives it.
        evidence: computed results, empty without any.
        request: a remark before the question, empty for all systems but those that are one.
        usage: model calls that this context took, those of construction not among them.
        record: further fields of the answer record, such as plan, results and aggregation_load.
        tokens: of the text, None if they were not counted.
    """

    text: str
    evidence: str = ""
    request: str = ""
    usage: Usage = field(default_factory=Usage)
    record: Mapping[str, Any] = field(default_factory=dict)
    tokens: int | None = None

    def prompt(self, question: str) -> str:
        """Return what the reader is asked."""
        asked = f"{self.request}\n{question.strip()}" if self.request else question
        return prompt(asked, self.text, self.evidence)


class System(Protocol):
    """One system over the trajectories of one run folder; used from one thread at a time."""

    def build(self, trajectory_id: str) -> Usage:
        """Build the memory of a trajectory, no question being known; return what it took.

        Called once before the first question about a trajectory, and again after an interruption:
        calls to the model are kept, so that they are not made twice.

        Raises:
            ModelError: a call failed.
        """

    def context(self, question: Question) -> Context:
        """Return the context for a question about a trajectory that is built.

        Raises:
            TallyError: there is none; the question's record says why.
        """


@dataclass(frozen=True, slots=True)
class Bench:
    """What systems work with.

    Attributes:
        memory: the trajectories, which are only read.
        models: the server that all systems share; replies are kept.
        budget: tokens of a context.
        facts: question id → the question's record, for systems that know how questions are made.
        scratch: a folder that goes when the system is done; None where no system needs one.
    """

    memory: Memory
    models: Models
    budget: int
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    scratch: Path | None = None
