"""The client against a real server on loopback, one test a trap."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from tallysql.errors import ModelError
from tallysql.llm.endpoint import OpenAIChat
from tests.chat_server import (
    Server,
    answered,
    asked,
    completion,
    cut_off,
    refused,
    settings,
    stream,
    text,
)

if TYPE_CHECKING:
    from werkzeug import Response

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
HTML = text("<html><body>nginx</body></html>", "text/html")


def reason(chat: OpenAIChat, **request: Any) -> str:
    with pytest.raises(ModelError) as caught:
        chat.complete(asked(**request))
    return caught.value.reason


def test_a_plain_answer(chat: OpenAIChat, server: Server) -> None:
    reply = chat.complete(asked(max_tokens=50, extra={"seed": 7}))
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("fine", 11, 3)
    (body,) = server.bodies
    assert body["messages"] == [{"role": "user", "content": "hello"}]
    assert (body["temperature"], body["max_tokens"], body["seed"]) == (0, 50, 7)
    assert "response_format" not in body


def test_newer_servers_want_another_name_for_the_limit(chat: OpenAIChat, server: Server) -> None:
    chat.complete(asked(max_tokens=50, extra={"max_completion_tokens": 60}))
    assert "max_tokens" not in server.bodies[0]
    assert server.bodies[0]["max_completion_tokens"] == 60


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (refused(429, "slow down"), "rate_limit"),
        (refused(500, "oops"), "server"),
        (refused(503, "busy"), "server"),
        (refused(401, "who are you"), "auth"),
        (refused(400, "too long"), "bad_request"),
        (refused(404, "no such model"), "bad_request"),
        (cut_off(), "connection"),
        (text('{"id": "1", "choices": ['), "malformed"),
        (text(""), "malformed"),
        (HTML, "html"),
        (answered({"error": {"message": "upstream"}, "choices": None}), "malformed"),
        (answered(completion("")), "empty"),
        (answered(completion(None)), "empty"),
        (answered(completion("<think>and so on", "length")), "cut_short"),
        (answered(completion(None, refusal="I will not")), "refusal"),
        (answered(completion("half", "content_filter")), "content_filter"),
    ],
)
def test_every_failure_has_its_reason(server: Server, response: Response, expected: str) -> None:
    server.play(response)
    assert reason(OpenAIChat(settings(server, retries=0))) == expected


ODD = [
    [1, 2],
    None,
    5,
    {"id": "1", "choices": "abc"},
    {"id": "1", "choices": 7},
    {"id": "1", "choices": [{"index": 0, "finish_reason": "stop"}]},
    completion() | {"choices": [None]},
    completion([{"type": "text", "text": "hey"}]),  # type: ignore[arg-type]
    completion(5),  # type: ignore[arg-type]
    completion(refusal={"a": 1}),
]


@pytest.mark.parametrize("body", ODD, ids=json.dumps)
@pytest.mark.parametrize("streamed", [False, True])
def test_a_body_of_another_shape_is_malformed(server: Server, body: Any, streamed: bool) -> None:
    chat = OpenAIChat(settings(server, stream=streamed), pause=0.01)
    event = json.dumps(body).replace('"message"', '"delta"')
    odd = text(f"data: {event}\n\n", "text/event-stream") if streamed else text(json.dumps(body))
    server.play(odd)
    assert reason(chat) in ({"malformed", "stream_ended"} if streamed else {"malformed"})
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    "usage", ["none", [1], 3, {"prompt_tokens": "12", "completion_tokens": -1}, {"a": 1}]
)
def test_unreadable_usage_counts_nothing(chat: OpenAIChat, server: Server, usage: Any) -> None:
    server.play(answered(completion() | {"usage": usage}))
    reply = chat.complete(asked())
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("fine", 0, 0)


@pytest.mark.parametrize(
    "response",
    [
        answered(completion("")),
        answered(completion("<think>well", "length")),
        answered(completion(None, refusal="no")),
        answered(completion("half", "content_filter")),
    ],
)
def test_what_is_billed_is_counted_for_every_try(server: Server, response: Response) -> None:
    chat = OpenAIChat(settings(server, retries=2), pause=0.01)
    server.play(response)
    with pytest.raises(ModelError) as caught:
        chat.complete(asked())
    tries = len(server.bodies)
    assert tries in {1, 3}
    assert caught.value.tokens == (11 * tries, 3 * tries)


def test_tries_of_no_use_are_part_of_the_reply(chat: OpenAIChat, server: Server) -> None:
    server.play(answered(completion("")), answered())
    reply = chat.complete(asked())
    assert (reply.prompt_tokens, reply.completion_tokens) == (22, 6)


@pytest.mark.parametrize("passing", [refused(500, "oops"), cut_off(), HTML, text("{"), text("")])
def test_what_passes_is_tried_again(chat: OpenAIChat, server: Server, passing: Response) -> None:
    server.play(passing, answered())
    assert chat.complete(asked()).text == "fine"
    assert len(server.bodies) == 2


@pytest.mark.parametrize("lasting", [refused(400, "no"), refused(401, "no")])
def test_what_lasts_is_not(chat: OpenAIChat, server: Server, lasting: Response) -> None:
    server.play(lasting)
    reason(chat)
    assert len(server.bodies) == 1


KEY = "sk-very-secret-" + "7" * 40
ECHO = f"you sent Authorization: Bearer {KEY}"


@pytest.mark.parametrize(
    "response",
    [
        refused(401, ECHO),
        refused(400, "x" * 280 + KEY),
        refused(500, ECHO),
        text(f"<html>{ECHO}</html>", "text/html"),
        text("<p>" + "x" * 40 + KEY, "text/html"),
        answered({"error": {"message": ECHO}, "choices": None}),
        answered(completion(None, refusal="x" * 150 + ECHO)),
    ],
)
def test_no_message_shows_the_key(server: Server, response: Response) -> None:
    server.play(response)
    with pytest.raises(ModelError) as caught:
        OpenAIChat(settings(server, retries=0, api_key=KEY)).complete(asked())
    assert "[key]" in caught.value.message
    assert "sk-" not in f"{caught.value} {caught.value.message} {caught.value.hint}"
    assert caught.value.__cause__ is None


def test_no_answer_holds_the_key(server: Server) -> None:
    server.play(answered(completion(ECHO)))
    reply = OpenAIChat(settings(server, api_key=KEY)).complete(asked())
    assert reply.text == "you sent Authorization: Bearer [key]"


def test_keys_that_are_placeholders_leave_answers_as_they_are(server: Server) -> None:
    server.play(answered(completion("no drawer: none")))
    reply = OpenAIChat(settings(server, api_key="none")).complete(asked())
    assert reply.text == "no drawer: none"


def test_long_messages_are_cut(server: Server) -> None:
    server.play(refused(400, "x" * 5000))
    with pytest.raises(ModelError) as caught:
        OpenAIChat(settings(server)).complete(asked())
    assert len(caught.value.message) < 450


def test_retry_after_is_honoured(chat: OpenAIChat, server: Server) -> None:
    server.play(refused(429, "slow down", **{"Retry-After": "1"}), answered())
    assert chat.complete(asked()).text == "fine"
    first, second = server.times
    assert second - first >= 0.95


def test_a_slow_server_runs_into_the_timeout(server: Server) -> None:
    def slow(_: dict[str, Any]) -> Response:
        time.sleep(1)
        return answered()

    server.play(slow)
    chat = OpenAIChat(settings(server, timeout=0.2, retries=0))
    assert reason(chat) == "timeout"


def test_nobody_listens() -> None:
    from tallysql.llm.settings import ModelSettings

    nowhere = ModelSettings(model="m", base_url="http://127.0.0.1:9/v1", retries=0)
    assert reason(OpenAIChat(nowhere)) == "connection"


def test_an_answer_without_a_schema_may_be_cut(chat: OpenAIChat, server: Server) -> None:
    server.play(answered(completion("half an ans", "length")))
    reply = chat.complete(asked())
    assert (reply.text, reply.finish) == ("half an ans", "length")


def test_a_constrained_answer_may_not(chat: OpenAIChat, server: Server) -> None:
    server.play(answered(completion('{"a": 1}', "length")))
    assert reason(chat, schema=SCHEMA) == "cut_short"


def test_usage_may_be_missing(chat: OpenAIChat, server: Server) -> None:
    server.play(answered(completion() | {"usage": None}))
    reply = chat.complete(asked())
    assert (reply.prompt_tokens, reply.completion_tokens) == (0, 0)


def test_thinking_is_no_part_of_the_answer(chat: OpenAIChat, server: Server) -> None:
    server.play(answered(completion("<think>\nno, yes\n</think>\n\nfour")))
    assert chat.complete(asked()).text == "four"


class TestStreams:
    @pytest.fixture
    def chat(self, server: Server) -> OpenAIChat:
        return OpenAIChat(settings(server, stream=True), pause=0.01)

    def test_pieces_are_joined(self, chat: OpenAIChat, server: Server) -> None:
        server.play(stream(["<think>x</th", "ink>", "fo", "ur"]))
        reply = chat.complete(asked())
        assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("four", 11, 3)
        assert server.bodies[0]["stream_options"] == {"include_usage": True}

    def test_one_that_ends_early_is_tried_again(self, chat: OpenAIChat, server: Server) -> None:
        server.play(stream(["fo"], None), stream(["four"]))
        assert chat.complete(asked()).text == "four"

    def test_one_that_always_ends_early_fails(self, chat: OpenAIChat, server: Server) -> None:
        server.play(stream(["fo"], None))
        assert reason(chat) == "stream_ended"

    def test_one_that_breaks_fails(self, chat: OpenAIChat, server: Server) -> None:
        broken = stream(["fo"], None)
        broken.headers["Content-Length"] = "5000"
        broken.automatically_set_content_length = False
        server.play(broken)
        assert reason(chat) == "stream_ended"

    def test_one_that_is_a_web_page_fails(self, chat: OpenAIChat, server: Server) -> None:
        server.play(HTML)
        assert reason(chat) in {"html", "stream_ended"}


class TestStructuredOutput:
    """What a server has is found out once: json_schema, else json_object, else plain text."""

    def forms(self, server: Server) -> list[str]:
        return [body.get("response_format", {}).get("type", "text") for body in server.bodies]

    def serve(self, server: Server, *known: str) -> None:
        def respond(body: dict[str, Any]) -> Response:
            form = body.get("response_format", {}).get("type", "text")
            if form not in known:
                return refused(400, f"response_format {form} is not supported")
            return answered(completion(json.dumps({"a": 1})))

        server.play(respond)

    @pytest.mark.parametrize(
        ("known", "expected"),
        [
            (["json_schema", "json_object", "text"], ["json_schema"] * 2),
            (["json_object", "text"], ["json_schema", "json_object", "json_object"]),
            (["text"], ["json_schema", "json_object", "text", "text"]),
        ],
    )
    def test_detection(
        self, chat: OpenAIChat, server: Server, known: list[str], expected: list[str]
    ) -> None:
        self.serve(server, *known)
        for _ in range(2):
            chat.complete(asked(schema=SCHEMA))
        assert self.forms(server) == expected

    def test_the_schema_is_sent(self, chat: OpenAIChat, server: Server) -> None:
        self.serve(server, "json_schema")
        chat.complete(asked(schema=SCHEMA, stage="compile"))
        wanted = {"name": "compile", "strict": True, "schema": SCHEMA}
        assert server.bodies[0]["response_format"]["json_schema"] == wanted

    def test_a_request_refused_for_another_reason_says_so(
        self, chat: OpenAIChat, server: Server
    ) -> None:
        server.play(refused(400, "the prompt is too long"))
        with pytest.raises(ModelError, match="too long"):
            chat.complete(asked(schema=SCHEMA))

    def test_first_calls_do_not_wait_for_each_other(
        self, chat: OpenAIChat, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        together = threading.Barrier(4, timeout=10)

        def fail(*_: Any) -> None:
            together.wait()
            raise ModelError("no", reason="auth")

        monkeypatch.setattr(chat, "_once", fail)
        with ThreadPoolExecutor(4) as pool:
            calls = [pool.submit(reason, chat, schema=SCHEMA) for _ in range(4)]
        assert [call.result() for call in calls] == ["auth"] * 4
