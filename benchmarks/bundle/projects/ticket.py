"""A package that queues tickets; its run is logged in the shape of AMA-Bench."""

from __future__ import annotations

from benchmarks.bundle.projects.shape import Project, module

TICKET = Project(
    name="ticket",
    task="Write a package that queues support tickets by priority and prints the waiting line.",
    seed=59,
    codes_in_text=True,
    endless="cd /repo && tail -f README.md",
    modules=(
        module(
            "priority",
            '''
            """How urgent a ticket is: 0 most, 9 least."""

            WORDS = {"outage": 0, "broken": 2, "slow": 4}


            def priority(subject):
                for word, level in WORDS.items():
                    if word in subject:
                        return level
            ''',
            """
            from ticket.priority import priority


            def test_case():
                assert priority("Outage in the north") == 0


            def test_default():
                assert priority("A question") == 9


            def test_most_urgent_wins():
                assert priority("slow, then broken") == 2
            """,
            ("in subject:", "in subject.lower():"),
            ("            return level", "            return level\n    return 9"),
        ),
        module(
            "line",
            '''
            """The waiting line."""

            import heapq


            class Line:
                def __init__(self):
                    self.waiting = []

                def add(self, level, ticket):
                    heapq.heappush(self.waiting, (level, ticket))

                def next(self):
                    return heapq.heappop(self.waiting)
            ''',
            """
            from ticket.line import Line


            def test_urgent_first():
                line = Line()
                line.add(5, "later")
                line.add(1, "now")
                assert line.next() == "now"


            def test_first_come():
                line = Line()
                for ticket in ("z", "m", "a"):
                    line.add(3, ticket)
                assert [line.next() for _ in "123"] == ["z", "m", "a"]


            def test_empty():
                assert Line().next() is None
            """,
            ("return heapq.heappop(self.waiting)", "return heapq.heappop(self.waiting)[-1]"),
            (
                "        self.waiting = []",
                "        self.waiting = []\n        self.seen = 0",
            ),
            (
                "        heapq.heappush(self.waiting, (level, ticket))",
                "        self.seen += 1\n"
                "        heapq.heappush(self.waiting, (level, self.seen, ticket))",
            ),
            (
                "        return heapq.heappop",
                "        if not self.waiting:\n            return None\n"
                "        return heapq.heappop",
            ),
        ),
        module(
            "report",
            '''
            """The waiting line as text."""


            def report(tickets):
                return ["%d. %s" % (i, t) for i, t in enumerate(tickets)]
            ''',
            """
            from ticket.report import report


            def test_numbers():
                assert report(["door", "heating"]) == "1. door\\n2. heating"


            def test_empty():
                assert report([]) == "Nobody is waiting."
            """,
            ("enumerate(tickets)]", "enumerate(tickets, 1)]"),
            (
                '    return ["%d. %s" % (i, t) for i, t in enumerate(tickets, 1)]',
                '    lines = ["%d. %s" % (i, t) for i, t in enumerate(tickets, 1)]\n'
                '    return "\\n".join(lines)',
            ),
            (
                "    lines =",
                '    if not tickets:\n        return "Nobody is waiting."\n    lines =',
            ),
        ),
    ),
)
