"""The client of OpenAI-compatible servers.

The openai package retries connection failures, timeouts, 408, 409, 429 and 5xx, and waits as long
as Retry-After says, at most 120 seconds. What it takes for success can still be of no use; this
module tells such replies apart, and tries again where a second try can help. See
docs/architecture.md, "Model path".
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from tallysql.errors import ModelError
from tallysql.llm.chat import Reply, Usage
from tallysql.llm.structured import encodable
from tallysql.llm.thinking import without_thinking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from openai import OpenAI
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

    from tallysql.llm.chat import Request
    from tallysql.llm.settings import ModelSettings

Format = Literal["json_schema", "json_object", "text"]
FORMATS: tuple[Format, ...] = ("json_schema", "json_object", "text")
"""Ways to ask for structured output, the strictest first."""

TRANSIENT = frozenset({"malformed", "html", "stream_ended", "empty"})
"""Replies that the openai package takes for success, and that a second try may better."""

SECRET_LENGTH = 12
"""Characters from which a key is taken out of answers; shorter ones are placeholders."""

MESSAGE_LIMIT = 400
"""Characters of a failure's message; only the client cuts, after the key is taken out."""

PLACEHOLDER_KEY = "none"
"""Sent to servers for which no key is set; the openai package refuses to send nothing."""


class OpenAIChat:
    """A ChatModel over HTTP.

    Args:
        settings: where the server is, timeout in seconds, retries.
        pause: seconds before the second try after a reply of no use; doubles with each further.
    """

    def __init__(self, settings: ModelSettings, pause: float = 0.5) -> None:
        self._settings = settings
        self._pause = pause
        self._formats: dict[str, Format] = {}

    def complete(self, request: Request) -> Reply:
        """Return the reply; structured output is asked for in the way that the server has.

        Raises:
            ModelError: see `tallysql.errors`.
        """
        if request.schema is None:
            return self._persist(request, "text")
        if request.model not in self._formats:
            return self._detect(request)
        return self._persist(request, self._formats[request.model])

    def _detect(self, request: Request) -> Reply:
        """Find out how the server wants to be asked for JSON: a refused request tells.

        First calls at one time each find out by themselves. Waiting for one of them would let all
        others wait for the whole of its retries where the server fails.
        """
        refused: ModelError | None = None
        for form in FORMATS:
            try:
                reply = self._persist(request, form)
            except ModelError as error:
                if error.reason != "bad_request":
                    raise
                refused = refused or error
            else:
                self._formats[request.model] = form
                return reply
        assert refused is not None
        raise refused

    def _persist(self, request: Request, form: Format) -> Reply:
        """Try again where the body of a success was of no use."""
        started = time.monotonic()
        spent = Usage()
        for attempt in range(self._settings.retries + 1):
            try:
                reply = self._once(request, form)
            except ModelError as error:
                spent += Usage(1, *error.tokens)
                if error.reason not in TRANSIENT or attempt == self._settings.retries:
                    error.tokens = (spent.prompt_tokens, spent.completion_tokens)
                    raise
            else:
                spent += Usage.of(reply)
                return replace(
                    reply,
                    prompt_tokens=spent.prompt_tokens,
                    completion_tokens=spent.completion_tokens,
                    seconds=time.monotonic() - started,
                )
            time.sleep(self._pause * 2**attempt)
        raise AssertionError

    def _once(self, request: Request, form: Format) -> Reply:
        arguments = _arguments(request, form)
        with self._discreet(), _translated(self._settings.timeout):
            create: Any = self._client.chat.completions.create
            if self._settings.stream:
                options = {"include_usage": True}
                found = _joined(create(**arguments, stream=True, stream_options=options))
            else:
                found = _whole(create(**arguments))
            return self._without_key(_usable(found, request))

    def _without_key(self, reply: Reply) -> Reply:
        """Keep the key out of what is stored: a server may echo what it was sent."""
        key = self._settings.api_key or ""
        if len(key) < SECRET_LENGTH:
            return reply
        return replace(reply, text=reply.text.replace(key, "[key]"))

    @contextmanager
    def _discreet(self) -> Iterator[None]:
        """Keep the key out of messages: servers and clients may repeat what they were sent."""
        try:
            yield
        except ModelError as error:
            key, message = self._settings.api_key, error.message
            message = message.replace(key, "[key]") if key else message
            shown = message if len(message) <= MESSAGE_LIMIT else message[:MESSAGE_LIMIT] + " …"
            raise ModelError(shown, error.hint, reason=error.reason, tokens=error.tokens) from None

    @cached_property
    def _client(self) -> OpenAI:
        from openai import OpenAI

        settings = self._settings
        return OpenAI(
            base_url=settings.base_url,
            api_key=settings.api_key or PLACEHOLDER_KEY,
            timeout=settings.timeout,
            max_retries=settings.retries,
        )


class _Answer:
    """What a server said, whole or put together from a stream."""

    def __init__(self) -> None:
        self.text = ""
        self.refusal = ""
        self.finish: str | None = None
        self.prompt_tokens = 0
        self.completion_tokens = 0

    def count(self, usage: Any) -> None:
        """Note the tokens; what cannot be read counts as none."""
        if usage is not None:
            self.prompt_tokens = _tokens(usage, "prompt_tokens")
            self.completion_tokens = _tokens(usage, "completion_tokens")


def _tokens(usage: Any, name: str) -> int:
    found = getattr(usage, name, None)
    return found if isinstance(found, int) and found > 0 else 0


def _arguments(request: Request, form: Format) -> dict[str, Any]:
    messages = [{"role": m.role, "content": m.content} for m in request.messages]
    arguments: dict[str, Any] = {
        "model": request.model,
        "messages": messages,
        "temperature": request.temperature,
        "extra_body": request.extra or None,
    }
    if request.max_tokens and "max_completion_tokens" not in request.extra:
        arguments["max_tokens"] = request.max_tokens
    if form == "json_schema":
        wanted = {"name": request.stage, "strict": True, "schema": request.schema}
        arguments["response_format"] = {"type": "json_schema", "json_schema": wanted}
    elif form == "json_object":
        arguments["response_format"] = {"type": "json_object"}
    return arguments


def _whole(completion: ChatCompletion | str) -> _Answer:
    if isinstance(completion, str):  # the package hands on what is no JSON by its content type
        kind = "a web page" if completion.lstrip()[:1] == "<" else "text that is no JSON"
        problem = f"the server answered with {kind}: {completion.strip()!r}"
        hint = "the base URL usually ends in /v1"
        raise ModelError(problem, hint, reason="html")
    if not completion.choices:
        said = (completion.model_extra or {}).get("error") or "no choices"
        raise ModelError(f"the server answered without an answer: {said}", reason="malformed")
    choice = completion.choices[0]
    answer = _Answer()
    answer.text = _said(choice.message.content)
    answer.refusal = _said(choice.message.refusal)
    answer.finish = choice.finish_reason
    answer.count(completion.usage)
    return answer


def _said(text: Any) -> str:
    """Return a text of a body; the package does not check what a server puts there."""
    if text is None:
        return ""
    if not isinstance(text, str):
        raise TypeError(f"a text is a {type(text).__name__}")
    return text


def _joined(chunks: Iterable[ChatCompletionChunk]) -> _Answer:
    """Put a stream together.

    Raises:
        ModelError: it ended before the model did.
    """
    answer = _Answer()
    with _breaks():
        for chunk in chunks:
            answer.count(chunk.usage)
            for choice in chunk.choices[:1]:
                answer.text += _said(choice.delta.content)
                answer.refusal += _said(choice.delta.refusal)
                answer.finish = choice.finish_reason or answer.finish
    if answer.finish is None:
        raise ModelError("the stream ended before the answer did", reason="stream_ended")
    return answer


@contextmanager
def _breaks() -> Iterator[None]:
    """Tell a stream that breaks from a connection that never came about: no retry saw it."""
    import httpx2
    import openai

    try:
        yield
    except (openai.APITimeoutError, httpx2.TimeoutException):
        raise
    except (openai.APIConnectionError, httpx2.HTTPError) as error:
        raise ModelError(f"the stream broke: {error}", reason="stream_ended") from error


def _usable(answer: _Answer, request: Request) -> Reply:
    """Return the reply, or say why it is none."""
    tokens = (answer.prompt_tokens, answer.completion_tokens)

    def useless(problem: str, reason: str, hint: str | None = None) -> ModelError:
        return ModelError(problem, hint, reason=reason, tokens=tokens)

    if answer.refusal:
        raise useless(f"the model refused: {answer.refusal}", "refusal")
    if answer.finish == "content_filter":
        raise useless("the server's content filter held the answer back", answer.finish)
    text = encodable(without_thinking(answer.text))
    if answer.finish == "length" and (request.schema is not None or not text):
        limit = f" of {request.max_tokens} tokens" if request.max_tokens else ""
        problem = f"the answer was cut short at the limit{limit}"
        raise useless(problem, "cut_short", f"raise max-tokens of {request.stage}")
    if not text:
        raise useless("the model answered nothing", "empty")
    return Reply(text, answer.finish or "stop", *tokens)


@contextmanager
def _translated(timeout: float) -> Iterator[None]:
    """Turn everything that the client raises into a ModelError with its reason."""
    import httpx2
    import openai

    try:
        yield
    except ModelError:
        raise
    except (openai.APITimeoutError, httpx2.TimeoutException) as error:
        raise ModelError(f"no answer within {timeout:g} seconds", reason="timeout") from error
    except openai.APIStatusError as error:
        raise _status_error(error) from error
    except (json.JSONDecodeError, UnicodeDecodeError, openai.APIResponseValidationError) as error:
        raise ModelError(
            f"the server answered malformed JSON: {error}", reason="malformed"
        ) from error
    except openai.APIConnectionError as error:
        cause = error.__cause__ or error
        raise ModelError(f"no connection to the model: {cause}", reason="connection") from error
    except (openai.OpenAIError, httpx2.HTTPError) as error:
        raise ModelError(f"the model call failed: {error}", reason="server") from error
    except Exception as error:
        # Any JSON may stand where the package promises its own types: it fails where it is used.
        raise ModelError(
            f"the server's answer is no chat completion: {error}", reason="malformed"
        ) from error


_REASONS = {401: "auth", 403: "auth", 400: "bad_request", 422: "bad_request", 429: "rate_limit"}


def _status_error(error: Any) -> ModelError:
    code = error.status_code
    reason = _REASONS.get(code, "bad_request" if code < 500 else "server")
    hint = "set OPENAI_API_KEY" if reason == "auth" else None
    message = str(error.message).split("\n", 1)[0]
    return ModelError(f"the server answered {code}: {message}", hint, reason=reason)
