"""Kept replies, accounts and roles."""

from __future__ import annotations

import multiprocessing
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tallysql.errors import ModelError, StoreError
from tallysql.llm.account import Price
from tallysql.llm.breaker import Breaker
from tallysql.llm.cache import CallCache
from tallysql.llm.chat import Message, Reply
from tallysql.llm.models import Models, prompt_text
from tallysql.llm.replay import DryChat, ReplayChat
from tallysql.llm.settings import ModelSettings
from tests.chat_server import asked

if TYPE_CHECKING:
    from pathlib import Path

    from tallysql.llm.chat import Request

SETTINGS = ModelSettings(model="m", base_url="http://here/v1", prices={"m": Price(2.0, 10.0)})


def test_a_reply_is_kept_across_runs(tmp_path: Path) -> None:
    calls = tmp_path / "t.duckdb.calls"
    for expected in ("one", "one"):
        models = Models(SETTINGS, calls, ReplayChat([expected]))
        assert models.complete(models.request("read", "q")).text == "one"
        models.close()
    assert models.account.as_dict()["read"]["hits"] == 1
    assert models.account.as_dict()["read"]["calls"] == 0


def test_nothing_is_written_before_the_first_call(tmp_path: Path) -> None:
    models = Models(SETTINGS, tmp_path / "calls", ReplayChat([]))
    models.request("read", "q")
    models.close()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "other",
    [
        replace(asked(), model="n"),
        replace(asked(), messages=(Message("user", "hello!"),)),
        replace(asked(), temperature=0.7),
        replace(asked(), max_tokens=5),
        replace(asked(), schema={"type": "object"}),
        replace(asked(), sample=1),
        replace(asked(), extra={"seed": 1}),
    ],
)
def test_the_key_covers_the_whole_request(other: Request) -> None:
    assert other.key("http://here") != asked().key("http://here")
    assert asked().key("http://here") != asked().key("http://there")
    assert replace(asked(), stage="judge").key("x") == asked().key("x")


def test_equal_requests_at_one_time_make_one_call() -> None:
    calls = []

    def slow(_: Request) -> str:
        calls.append(threading.get_ident())
        time.sleep(0.05)
        return "fine"

    models = Models(SETTINGS, chat=ReplayChat(slow))
    request = models.request("read", "q")
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(models.complete, [request] * 8))
    assert len(calls) == 1
    assert sum(reply.cached for reply in replies) == 7


def test_fresh_calls_again(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    first = Models(SETTINGS, calls, ReplayChat(["one"]))
    assert first.complete(first.request("read", "q")).text == "one"
    again = Models(SETTINGS, calls, ReplayChat(["two"]), fresh=True)
    assert again.complete(again.request("read", "q")).text == "two"
    later = Models(SETTINGS, calls, ReplayChat([]))
    assert later.complete(later.request("read", "q")).text == "two"


def test_replies_that_come_to_nothing_are_not_kept(tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    models = Models(SETTINGS, calls, ReplayChat(["no JSON", "nor this"]))
    request = models.request("compile", "q", schema={})
    with pytest.raises(ModelError, match="nor can its repair") as caught:
        models.complete_json(request, lambda data: data)
    account = models.account.as_dict()["compile"]
    assert (account["requests"], account["calls"], account["failures"]) == (2, 1, {"invalid": 1})
    assert (account["prompt_tokens"], account["completion_tokens"]) == caught.value.tokens
    assert account["prompt_tokens"] > 0
    later = Models(SETTINGS, calls, ReplayChat(["no JSON", '{"a": 1}']))
    assert later.complete_json(request, lambda data: data)[0] == {"a": 1}
    last = Models(SETTINGS, calls, ReplayChat([]))
    assert last.complete_json(request, lambda data: data)[0] == {"a": 1}


def test_failures_are_counted_and_not_kept() -> None:
    def fail(_: Request) -> str:
        raise ModelError("no", reason="rate_limit")

    models = Models(SETTINGS, chat=ReplayChat(fail))
    for _ in range(2):
        with pytest.raises(ModelError):
            models.complete(models.request("read", "q"))
    account = models.account.as_dict()["read"]
    assert account["failures"] == {"rate_limit": 2}
    assert account["requests"] == account["hits"] + account["calls"] + account["failed"] == 2


def test_a_server_that_is_not_there_is_given_up() -> None:
    sent: list[Request] = []

    def fail(request: Request) -> str:
        sent.append(request)
        raise ModelError("nobody listens", "start it", reason="connection")

    models = Models(SETTINGS, chat=ReplayChat(fail))
    for number in range(30):
        with pytest.raises(ModelError, match="nobody listens") as caught:
            models.complete(models.request("read", str(number)))
    assert len(sent) == 10
    assert caught.value.message == "not tried after 10 failures in a row: nobody listens"
    assert (caught.value.hint, caught.value.reason) == ("start it", "connection")
    assert models.account.as_dict()["read"]["failures"] == {"connection": 30}


def attempt(breaker: Breaker, reason: str | None) -> None:
    """Fail for a reason, or succeed, within a breaker that has to let it pass."""
    tried = False
    with suppress(ModelError), breaker:
        tried = True
        if reason is not None:
            raise ModelError("no", reason=reason)
    assert tried


def test_giving_up_is_not_for_ever() -> None:
    breaker = Breaker(rest=0.05)
    for _ in range(10):
        attempt(breaker, "auth")
    with pytest.raises(ModelError, match="not tried"), breaker:
        pass
    time.sleep(0.06)
    for reason in [None, *["auth"] * 9, None]:
        attempt(breaker, reason)


@pytest.mark.parametrize("between", ["rate_limit", "invalid", "server", None])
def test_only_failures_in_a_row_count(between: str | None) -> None:
    breaker = Breaker()
    for reason in ["connection"] * 9 + [between] + ["connection"] * 9:
        attempt(breaker, reason)


def test_failures_that_are_billed_cost() -> None:
    def fail(_: Request) -> str:
        raise ModelError("cut", reason="cut_short", tokens=(1000, 100))

    models = Models(SETTINGS, chat=ReplayChat(fail))
    with pytest.raises(ModelError):
        models.complete(models.request("read", "q"))
    assert models.account.stages["read"].cost == pytest.approx((1000 * 2 + 100 * 10) / 1e6)
    assert "1000 + 100 tokens, cost 0.0030 (1 cut_short)" in models.account.lines()[0]


def test_costs_are_known_only_with_prices() -> None:
    models = Models(SETTINGS, chat=ReplayChat(["x" * 400, "y"]))
    models.complete(models.request("read", "q" * 4000))
    assert models.account.stages["read"].cost == pytest.approx((1000 * 2 + 100 * 10) / 1e6)
    models.complete(replace(models.request("read", "q"), model="unpriced"))
    assert models.account.stages["read"].cost is None
    assert "1000 + 100 tokens" in models.account.lines()[0]


def test_a_dry_run_sends_and_keeps_nothing(tmp_path: Path) -> None:
    noted: list[Request] = []
    models = Models(SETTINGS, tmp_path / "calls", DryChat(noted.append))
    with pytest.raises(ModelError) as caught:
        models.complete(models.request("read", "q"))
    assert caught.value.reason == "not_sent"
    assert [request.messages[0].content for request in noted] == ["q"]


def _put_many(path: str, first: int) -> None:
    with CallCache(path) as cache:
        for number in range(first, first + 200):
            cache.put(str(number), asked(), Reply(str(number)))


def test_several_processes_keep_replies_at_once(tmp_path: Path) -> None:
    path = str(tmp_path / "calls")
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_put_many, args=(path, n * 100)) for n in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    with CallCache(path) as cache:
        assert all(cache.get(str(n)) == Reply(str(n)) for n in range(400))


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    path = tmp_path / "calls"
    path.write_text("something else entirely " * 100)
    with pytest.raises(StoreError, match="calls: file is not a database"):
        CallCache(path)


def test_prompts_are_filled_once() -> None:
    rest = dict.fromkeys(("task_type", "episode", "task"), "")
    text = prompt_text("judge", question="$answer?", reference="{r}", prediction="$5", **rest)
    assert "Question: $answer?" in text
    assert "Answer: $5" in text


def test_reading_alone_leaves_the_disk_as_it_is(tmp_path: Path) -> None:
    calls = tmp_path / "calls #1?"
    with CallCache(calls, read_only=True) as cache:
        assert cache.get("a") is None
        cache.put("a", asked(), Reply("x"))
    assert not list(tmp_path.iterdir())
    with CallCache(calls) as cache:
        cache.put("a", asked(), Reply("x"))
        with CallCache(calls, read_only=True) as reader:
            assert reader.get("a") == Reply("x")
    before = calls.read_bytes()
    with CallCache(calls, read_only=True) as cache:
        cache.forget("a")
        assert cache.get("a") == Reply("x")
    assert [path.name for path in tmp_path.iterdir()] == [calls.name]
    assert calls.read_bytes() == before


def test_a_file_of_no_use_is_known_before_work_begins(tmp_path: Path) -> None:
    models = Models(SETTINGS, tmp_path / "missing" / "calls", ReplayChat([]))
    with pytest.raises(StoreError, match="missing/calls: ") as caught:
        models.require("read")
    assert caught.value.hint == "name another file for kept replies with --calls FILE"
