"""A package for a lending library."""

from __future__ import annotations

from benchmarks.bundle.projects.shape import Project, module

SHELF = Project(
    name="shelf",
    task="Write a package for a lending library: ISBN check digits, slugs, fines and a catalogue.",
    seed=41,
    modules=(
        module(
            "isbn",
            '''
            """Check digits of ISBN-10 and ISBN-13."""


            def check10(digits):
                total = sum(i * int(d) for i, d in enumerate(digits))
                return str(total % 11)


            def check13(digits):
                total = sum(int(d) * (3 if i % 2 == 0 else 1) for i, d in enumerate(digits))
                return str((10 - total % 10) % 10)
            ''',
            """
            from shelf.isbn import check10, check13


            def test_ten():
                assert check10("030640615") == "2"


            def test_ten_with_x():
                assert check10("080442957") == "X"


            def test_thirteen():
                assert check13("978030640615") == "7"
            """,
            (
                "for i, d in enumerate(digits))\n    return str(total % 11)",
                "for i, d in enumerate(digits, 1))\n    return str(total % 11)",
            ),
            ("return str(total % 11)", 'return "0123456789X"[total % 11]'),
            ("3 if i % 2 == 0 else 1", "1 if i % 2 == 0 else 3"),
        ),
        module(
            "slug",
            '''
            """Short names for addresses."""

            import re


            def slug(title):
                return re.sub("[^a-z]", "-", title.lower())
            ''',
            """
            from shelf.slug import slug


            def test_words():
                assert slug("War and Peace") == "war-and-peace"


            def test_numbers():
                assert slug("Catch 22!") == "catch-22"
            """,
            ('"[^a-z]"', '"[^a-z0-9]+"'),
            ('"-", title.lower())', '"-", title.lower()).strip("-")'),
        ),
        module(
            "fines",
            '''
            """What a late book costs, in cents."""

            DAILY = 20
            MOST = 500


            def fine(days_late):
                return max(MOST, days_late * DAILY)
            ''',
            """
            import pytest
            from shelf.fines import fine


            @pytest.mark.parametrize("days, cents", [(0, 0), (3, 60), (100, 500), (-2, 0)])
            def test_fine(days, cents):
                assert fine(days) == cents
            """,
            ("max(MOST, days_late * DAILY)", "min(MOST, days_late * DAILY)"),
            ("days_late * DAILY", "max(0, days_late) * DAILY"),
        ),
        module(
            "catalogue",
            '''
            """Books by author."""


            class Catalogue:
                def __init__(self, books=[]):
                    self.books = books

                def add(self, author, title):
                    self.books.append((author, title))

                def by(self, author):
                    return [t for a, t in self.books if a is author]
            ''',
            """
            from shelf.catalogue import Catalogue


            def test_apart():
                one, two = Catalogue(), Catalogue()
                one.add("Austen", "Emma")
                assert two.books == []


            def test_by():
                shelf = Catalogue([])
                shelf.add("Woolf", "Orlando")
                assert shelf.by("".join(["Wo", "olf"])) == ["Orlando"]
            """,
            (
                "books=[]):\n        self.books = books",
                "books=()):\n        self.books = list(books)",
            ),
            ("a is author", "a == author"),
        ),
    ),
)
