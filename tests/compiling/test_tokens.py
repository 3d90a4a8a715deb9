"""How questions fall into tokens."""

from __future__ import annotations

import pytest

from tallysql.compiling.rules.tokens import Board, lemmas, tokenize


@pytest.mark.parametrize(
    ("text", "canon"),
    [
        ("didn't exit", ["did", "not", "exit"]),
        ("the agent's clicks", ["the", "agent", "clicks"]),
        ("twenty-five steps", ["25", "steps"]),
        ("one hundred and ten", ["110"]),
        ("a hundred", ["a", "100"]),
        ("the third one", ["the", "3rd", "one"]),
        ("non-zero", ["non", "0"]),
        ("open 'Add to cart'", ["open", "<q>"]),
        ("src/units.py.", ["src/units.py", "."]),
        ("click [12]", ["click", "[12]"]),
        ("swap ((0,1),(1,1))", ["swap", "((0,1),(1,1))"]),
        ("steps 5–10", ["steps", "5", "-", "10"]),
    ],
)
def test_canonical_forms(text: str, canon: list[str]) -> None:
    assert [token.canon for token in tokenize(text)] == canon


@pytest.mark.parametrize("word", ["clicked", "clicks", "clicking", "click"])
def test_inflections_have_a_base(word: str) -> None:
    assert "click" in lemmas(word)


@pytest.mark.parametrize(
    ("word", "base"), [("went", "go"), ("queries", "query"), ("stopped", "stop")]
)
def test_irregular_and_doubled_forms(word: str, base: str) -> None:
    assert base in lemmas(word)


def test_tokens_keep_their_place() -> None:
    text = 'How often was "x y" typed (step 3)?'
    assert all(text[t.start : t.end].strip("\"'") == t.text for t in tokenize(text))


def test_a_claim_keeps_its_first_owner() -> None:
    board = Board("until step 9")
    board.claim(0, 3, "scope")
    board.claim(0, 1, "word")
    assert board.became == ["scope"] * 3
    assert [entry.text for entry in board.trace()] == ["until step 9"]
