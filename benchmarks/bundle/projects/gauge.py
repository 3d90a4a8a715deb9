"""A package that reads rain gauges."""

from __future__ import annotations

from benchmarks.bundle.projects.shape import Project, module

GAUGE = Project(
    name="gauge",
    task="Write a package that reads rain gauges: parse readings, summarize them, print a table.",
    seed=43,
    endless="cd /repo && while true; do sleep 0.2; done",
    modules=(
        module(
            "reading",
            '''
            """One line of a rain gauge's log."""


            def parse(line):
                day, amount = line.split(",")
                return day, float(amount)
            ''',
            """
            import pytest
            from gauge.reading import parse


            def test_parse():
                assert parse("2026-01-05, 1.5") == ("2026-01-05", 1.5)


            def test_comment():
                assert parse("# calibrated") is None


            def test_missing():
                with pytest.raises(ValueError, match="no amount"):
                    parse("2026-01-06,")
            """,
            (
                "    day, amount",
                '    if line.startswith("#"):\n        return None\n    day, amount',
            ),
            (
                "    return day, float",
                '    if not amount.strip():\n        raise ValueError("no amount")\n'
                "    return day, float",
            ),
        ),
        module(
            "summary",
            '''
            """Totals and medians."""


            def total(amounts):
                return sum(amounts)


            def median(amounts):
                return amounts[len(amounts) // 2]


            def wettest(readings):
                return min(readings, key=lambda r: r[1])[0]
            ''',
            """
            from gauge.summary import median, total, wettest


            def test_total():
                assert total([0.1, 0.1, 0.1]) == 0.3


            def test_median():
                assert median([5, 1, 3]) == 3
                assert median([4, 1, 3, 2]) == 2.5


            def test_wettest():
                assert wettest([("a", 1), ("b", 9), ("c", 2)]) == "b"
            """,
            ("return sum(amounts)", "return round(sum(amounts), 6)"),
            (
                "return amounts[len(amounts) // 2]",
                "middle = sorted(amounts)\n    half = len(middle) // 2\n    return middle[half]",
            ),
            ("return middle[half]", "return (middle[half] + middle[~half]) / 2"),
            ("return min(readings", "return max(readings"),
        ),
        module(
            "table",
            '''
            """Readings as text."""


            def table(readings):
                return "\\n".join(f"{day} {amount}" for day, amount in readings)
            ''',
            """
            from gauge.table import table


            def test_columns():
                assert table([("mon", 1.25), ("tuesday", 10)]) == "mon        1.2\\ntuesday   10.0"


            def test_empty():
                assert table([]) == "(no readings)"
            """,
            ('f"{day} {amount}"', 'f"{day:<9}{amount:5.1f}"'),
            ("    return", '    if not readings:\n        return "(no readings)"\n    return'),
        ),
    ),
)
