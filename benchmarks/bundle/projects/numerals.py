"""A package that reads and writes numbers."""

from __future__ import annotations

from benchmarks.bundle.projects.shape import Project, module

NUMERALS = Project(
    name="numerals",
    task="Write a package that turns numbers into Roman numerals and words, and reads them back.",
    seed=53,
    codes_in_text=True,
    modules=(
        module(
            "roman",
            '''
            """Roman numerals from 1 to 3999."""

            PAIRS = [(1000, "M"), (500, "D"), (100, "C"), (50, "L"), (10, "X"), (5, "V"), (1, "I")]


            def roman(number):
                text = ""
                for value, letter in PAIRS:
                    if number >= value:
                        text += letter
                        number -= value
                return text
            ''',
            """
            import pytest
            from numerals.roman import roman


            def test_repeats():
                assert roman(3) == "III"


            def test_subtractive():
                assert roman(1994) == "MCMXCIV"


            def test_range():
                with pytest.raises(ValueError):
                    roman(0)
            """,
            ("        if number >= value", "        while number >= value"),
            (
                'PAIRS = [(1000, "M"), (500, "D"), (100, "C"), (50, "L"), (10, "X"), '
                '(5, "V"), (1, "I")]',
                "PAIRS = list(zip(\n"
                "    (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),\n"
                '    "M CM D CD C XC L XL X IX V IV I".split(),\n'
                "))",
            ),
            (
                '    text = ""',
                '    if not 0 < number < 4000:\n        raise ValueError(number)\n    text = ""',
            ),
        ),
        module(
            "words",
            '''
            """Numbers below a hundred in English."""

            SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
            TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


            def words(number):
                if number < 20:
                    return SMALL[number]
                return TENS[number // 10] + "-" + SMALL[number % 10]
            ''',
            """
            from numerals.words import words


            def test_small():
                assert words(7) == "seven"


            def test_teens():
                assert words(13) == "thirteen"


            def test_tens():
                assert words(40) == "forty"


            def test_both():
                assert words(85) == "eighty-five"
            """,
            (
                'eleven twelve".split()',
                'eleven twelve".split()\nSMALL += [n + "teen" for n in "thir four fif six seven '
                'eigh nine".split()]',
            ),
            ("TENS[number // 10]", "TENS[number // 10 - 2]"),
            (
                '    return TENS[number // 10 - 2] + "-"',
                "    if number % 10 == 0:\n        return TENS[number // 10 - 2]\n"
                '    return TENS[number // 10 - 2] + "-"',
            ),
        ),
        module(
            "parse",
            '''
            """Roman numerals back to numbers."""

            VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


            def parse(text):
                return sum(VALUES[letter] for letter in text)
            ''',
            """
            from numerals.parse import parse
            from numerals.roman import roman


            def test_lower_case():
                assert parse("xii") == 12


            def test_back():
                assert all(parse(roman(n)) == n for n in range(1, 4000))
            """,
            ("for letter in text)", "for letter in text.upper())"),
            (
                "    return sum(VALUES[letter] for letter in text.upper())",
                "    values = [VALUES[letter] for letter in text.upper()]\n"
                "    pairs = zip(values, [*values[1:], 0])\n"
                "    return sum(-a if a < b else a for a, b in pairs)",
            ),
        ),
    ),
)
