"""An OpenAI-compatible server on loopback that misbehaves as told."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from werkzeug import Request, Response

from tallysql.llm.chat import Message
from tallysql.llm.chat import Request as ModelRequest
from tallysql.llm.settings import ModelSettings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_httpserver import HTTPServer

PATH = "/v1/chat/completions"
USAGE = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}


def completion(
    content: str | None = "fine", finish: str = "stop", **message: Any
) -> dict[str, Any]:
    """Return the body of a good answer, or of one that is not so good."""
    said = {"role": "assistant", "content": content} | message
    choice = {"index": 0, "message": said, "finish_reason": finish}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": USAGE,
    }


def answered(body: dict[str, Any] | None = None) -> Response:
    return Response(json.dumps(body or completion()), content_type="application/json")


def refused(status: int, message: str, **headers: str) -> Response:
    body = json.dumps({"error": {"message": message}})
    return Response(body, status, headers, content_type="application/json")


def text(body: str, content_type: str = "application/json") -> Response:
    return Response(body, content_type=content_type)


def cut_off() -> Response:
    """Promise more bytes than come, then hang up."""
    response = text('{"id": "1", "choices": [')
    response.headers["Content-Length"] = "5000"
    response.automatically_set_content_length = False
    return response


def stream(pieces: Iterable[str], finish: str | None = "stop") -> Response:
    """Return server-sent events; without `finish` the stream just ends."""

    def event(delta: dict[str, Any], reason: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        chunk = {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [choice],
        }
        return f"data: {json.dumps(chunk)}\n\n"

    lines = [event({"content": piece}) for piece in pieces]
    if finish is not None:
        usage = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        closing = json.dumps(usage | {"choices": [], "usage": USAGE})
        lines += [event({}, finish), f"data: {closing}\n\n", "data: [DONE]\n\n"]
    return text("".join(lines), "text/event-stream")


class Server:
    """Plays a list of responses, the last one again and again, and keeps what it was sent."""

    def __init__(self, http: HTTPServer) -> None:
        self.url = http.url_for("/v1")
        self.bodies: list[dict[str, Any]] = []
        self.times: list[float] = []
        self._responses: list[Any] = [answered()]
        http.expect_request(PATH, method="POST").respond_with_handler(self._respond)

    def play(self, *responses: Any) -> None:
        """Set the responses: each a Response, or a function from request body to one."""
        self._responses = list(responses)

    def _respond(self, request: Request) -> Response:
        self.bodies.append(json.loads(request.get_data()))
        self.times.append(time.monotonic())
        index = min(len(self.bodies), len(self._responses)) - 1
        response = self._responses[index]
        found = (
            response(self.bodies[-1])
            if callable(response) and not isinstance(response, Response)
            else response
        )
        assert isinstance(found, Response)
        return found


def settings(server: Server, **changed: Any) -> ModelSettings:
    return replace(ModelSettings(model="m", base_url=server.url, retries=1), **changed)


def asked(**changed: Any) -> ModelRequest:
    base: dict[str, Any] = {"stage": "read", "model": "m", "messages": (Message("user", "hello"),)}
    return ModelRequest(**(base | changed))
