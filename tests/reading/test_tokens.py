"""Token counts: exact ones, and the estimate."""

from __future__ import annotations

import pytest

from tallysql.reading.tokens import (
    Estimate,
    Tokenizer,
    TokenizerName,
    count_within,
    tokenizer_named,
)

TEXTS = (
    "go to drawer 1",
    "    return self.value_2 == other.value  # comment\n\n\ndef f():\n",
    "caf\u00e9 cafe\u0301 語言 \U0001f600 -------- 12345 \x1b[0m",
    "<|im_start|>user\n<|endoftext|>",
)


def test_exact_counts() -> None:
    count = tokenizer_named("qwen3").count
    assert [count(t) for t in ("", "hello world", "12345", "a\nb")] == [0, 2, 5, 3]
    assert count("cafe\u0301") == count("caf\u00e9")
    assert count("<|endoftext|>") > 1


@pytest.mark.parametrize("name", ["qwen3", "estimate"])
def test_tokens_of_lines_add_up(name: TokenizerName) -> None:
    tokenizer: Tokenizer = tokenizer_named(name)
    for before in TEXTS:
        for after in TEXTS:
            parts = (f"{before}\n", f"[step 1]\n{after}")
            assert tokenizer.count("".join(parts)) == sum(map(tokenizer.count, parts))


def test_the_estimate_is_near_the_exact_count_of_code_and_prose() -> None:
    text = "".join(TEXTS) + (__doc__ or "") * 5
    exact = tokenizer_named("qwen3").count(text)
    estimated = tokenizer_named("estimate").count(text)
    assert abs(estimated / exact - 1) < 0.3


@pytest.mark.parametrize("name", ["qwen3", "estimate"])
def test_count_within_agrees_with_count(name: TokenizerName) -> None:
    tokenizer: Tokenizer = tokenizer_named(name)
    for repeat in (1, 40, 400):
        text = "some words and 12 numbers, " * repeat
        tokens = tokenizer.count(text)
        for limit in (0, 5, tokens - 1, tokens, tokens + 1):
            assert count_within(tokenizer, text, limit) == (tokens if tokens <= limit else None)


def test_long_blanks_take_no_quadratic_time() -> None:
    assert Estimate().count(" " * 200_000) < 200_000
