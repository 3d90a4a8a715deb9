"""Exact match as MINTEval has it, with what surprises about it."""

from __future__ import annotations

import pytest

from tallysql.scoring.exact import exact_match, normalized


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("120", "1.2.0"),  # full stops are punctuation
        ("1.2, 3", "12 3"),
        ("src/a.py", "srcapy"),  # so are slashes
        ("-5", "5"),  # and signs
        ("1,000", "1 000"),  # a comma is a space, not nothing
        ("a, b", "b"),  # the letter a is an article
        ("The cat and the hat", "cat hat"),
        ("YES", "yes"),
        ("  two\n\twords ", "two words"),
        (r"So it is \boxed{42}.", "42"),
        (r"\boxed{1} or rather \boxed{2}", "2"),
        (r"\boxed{f\{x\}}", "fx"),
        (r"\boxed{a{b}c}", "abc"),
        (r"\boxed{}", "and"),  # both are empty
        (r"\boxed{7} and \boxed{8", "7"),  # an unclosed box is none
        (r"\boxed{8", "boxed8"),
        ("`README.md`", "readme.md"),
        ("none", '"None"'),
    ],
)
def test_equal(answer: str, reference: str) -> None:
    assert exact_match(answer, reference)


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("1 000", "1000"),  # a space stays a space
        ("1,000", "1000"),
        ("3, 4", "4, 3"),  # order counts
        ("4.0", "4"),  # it reads 40
        ("step 12", "12"),  # no words may be added
        ("“x”", "x"),  # only ASCII punctuation goes
        ("another", "other"),  # articles are whole words
        ("", "0"),
    ],
)
def test_different(answer: str, reference: str) -> None:
    assert not exact_match(answer, reference)


def test_normalized_keeps_one_space_between_words() -> None:
    assert normalized("The  file , and\n`a`\tB!") == "file b"
