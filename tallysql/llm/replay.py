"""ChatModels without a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.errors import ModelError
from tallysql.llm.chat import Reply
from tallysql.llm.thinking import without_thinking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tallysql.llm.chat import Request


class ReplayChat:
    """Answers from texts given beforehand, and keeps the requests that it got.

    Args:
        answers: texts in the order of the requests, or a function from request to text.
    """

    def __init__(self, answers: Iterable[str] | Callable[[Request], str]) -> None:
        self._answer = answers if callable(answers) else _in_order(answers)
        self.requests: list[Request] = []

    def complete(self, request: Request) -> Reply:
        """Return the next text, with token counts that only depend on lengths.

        Raises:
            ModelError: there are no more texts.
        """
        self.requests.append(request)
        text = without_thinking(self._answer(request))
        prompt = sum(len(message.content) for message in request.messages)
        return Reply(text, prompt_tokens=prompt // 4, completion_tokens=len(text) // 4)


class DryChat:
    """Sends nothing: hands each request to `note`, and fails it as not sent."""

    def __init__(self, note: Callable[[Request], None]) -> None:
        self._note = note

    def complete(self, request: Request) -> Reply:
        """Note the request.

        Raises:
            ModelError: always, with reason not_sent.
        """
        self._note(request)
        raise ModelError("not sent: this is a dry run", reason="not_sent")


def _in_order(answers: Iterable[str]) -> Callable[[Request], str]:
    left = iter(answers)

    def answer(_: Request) -> str:
        try:
            return next(left)
        except StopIteration:
            raise ModelError("no more recorded answers", reason="empty") from None

    return answer
