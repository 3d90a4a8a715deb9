"""JSON out of whatever a model writes around it, with one repair."""

from __future__ import annotations

from typing import Any

import pytest

from tallysql.errors import ModelError
from tallysql.llm.replay import ReplayChat
from tallysql.llm.structured import Unusable, complete_json, parse_json, without_nulls
from tallysql.llm.thinking import without_thinking
from tests.chat_server import asked


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"b": 1}}',
        '\n {"a": {"b": 1}} trailing words',
        '```json\n{"a": {"b": 1}}\n```',
        'Sure, here it is {sic}:\n```\n{"a": {"b": 1}}\n```',
        'Here {is} the plan:\n{"a": {"b": 1}}\nThat was it.',
        'The plan is {"a": {"b": 1}}.',
    ],
)
def test_the_object_is_found(text: str) -> None:
    assert parse_json(text) == {"a": {"b": 1}}


@pytest.mark.parametrize(
    "text", ["", "no idea", "[1, 2]", '{"a": {"b": 1}', '{"a": NaN}', "{" * 100_000]
)
def test_what_is_none_is_refused(text: str) -> None:
    with pytest.raises(Unusable):
        parse_json(text)


def test_control_characters_in_texts_pass() -> None:
    assert parse_json('{"a": "x\ty"}') == {"a": "x\ty"}


def test_lone_surrogates_are_replaced() -> None:
    assert parse_json(r'{"a": ["\ud800x", "\ud83d\ude00"]}') == {"a": ["\ufffdx", "\U0001f600"]}


def test_nulls_go_at_any_depth() -> None:
    assert without_nulls({"a": None, "b": [{"c": None, "d": 0}]}) == {"b": [{"d": 0}]}


def _even(data: Any) -> int:
    if data.get("n", 1) % 2:
        raise Unusable("n must be even")
    return int(data["n"])


def test_a_good_answer_takes_one_call() -> None:
    chat = ReplayChat(['{"n": 2}'])
    value, usage = complete_json(chat, asked(schema={}), _even)
    assert (value, usage.calls) == (2, 1)


def test_a_bad_answer_is_repaired_once() -> None:
    chat = ReplayChat(['{"n": 1}', '{"n": 4}'])
    value, usage = complete_json(chat, asked(schema={}), _even)
    assert (value, usage.calls) == (4, 2)
    question, answer, remark = chat.requests[1].messages
    assert (question.content, answer.content) == ("hello", '{"n": 1}')
    assert "n must be even" in remark.content


def test_a_bad_repair_is_an_error() -> None:
    chat = ReplayChat(['{"n": 1}', "sorry", '{"n": 2}'])
    with pytest.raises(ModelError) as caught:
        complete_json(chat, asked(schema={}), _even)
    assert caught.value.reason == "invalid"
    assert len(chat.requests) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("four", "four"),
        ("<think>two</think> four", "four"),
        ("\n<THINKING>two\n</thinking>\nfour\n", "four"),
        ("opened by the template</think>four", "four"),
        ("<think>never ends", ""),
        ("I <think> so", "I <think> so"),
        ("the template opened it.\n</think>\n\nfour", "four"),
        ("it did.\n</think>\nIt wrote `</think>`.", "It wrote `</think>`."),
        ("well {a: 1} \n</think>{}", "{}"),
        ("It wrote </think> into the file.", "It wrote </think> into the file."),
        ("It wrote `</think>` twice.", "It wrote `</think>` twice."),
        ("<think> and </think> were typed.", "were typed."),
        ("Typed: <think> and</think>.", "Typed: <think> and</think>."),
        ('{"quote": "x.</think> y"}', '{"quote": "x.</think> y"}'),
        ('```json\n{"quote": "</think>"}\n```', '```json\n{"quote": "</think>"}\n```'),
        ('<think>a</think>{"quote": "</think>"}', '{"quote": "</think>"}'),
    ],
)
def test_thinking_goes(text: str, expected: str) -> None:
    assert without_thinking(text) == expected
