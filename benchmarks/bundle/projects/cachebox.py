"""A package of small caches."""

from __future__ import annotations

from benchmarks.bundle.projects.shape import Project, module

CACHEBOX = Project(
    name="cachebox",
    task="Write a package of small caches: least recently used, timed, and a retrying caller.",
    seed=47,
    endless="cd /repo && python -c 'while True: pass'",
    modules=(
        module(
            "lru",
            '''
            """A cache that forgets what was used least recently."""


            class Lru:
                def __init__(self, size):
                    self.size = size
                    self.held = {}

                def get(self, key):
                    return self.held[key]

                def put(self, key, value):
                    self.held[key] = value
                    if len(self.held) >= self.size:
                        del self.held[next(iter(self.held))]
            ''',
            """
            from cachebox.lru import Lru


            def test_size():
                cache = Lru(2)
                cache.put("a", 1)
                cache.put("b", 2)
                assert len(cache.held) == 2


            def test_recent():
                cache = Lru(2)
                cache.put("a", 1)
                cache.put("b", 2)
                cache.get("a")
                cache.put("c", 3)
                assert set(cache.held) == {"a", "c"}


            def test_absent():
                assert Lru(1).get("nothing") is None
            """,
            ("len(self.held) >= self.size", "len(self.held) > self.size"),
            (
                "        return self.held[key]",
                "        value = self.held.pop(key)\n"
                "        self.held[key] = value\n"
                "        return value",
            ),
            (
                "        value = self.held.pop(key)\n",
                "        if key not in self.held:\n"
                "            return None\n"
                "        value = self.held.pop(key)\n",
            ),
        ),
        module(
            "timed",
            '''
            """A cache whose entries grow old."""

            import time


            class Timed:
                def __init__(self, seconds, clock=time.time()):
                    self.seconds = seconds
                    self.clock = clock
                    self.held = {}

                def put(self, key, value):
                    self.held[key] = (self.clock(), value)

                def get(self, key):
                    since, value = self.held[key]
                    return value
            ''',
            """
            from cachebox.timed import Timed


            def test_default_clock():
                cache = Timed(60)
                cache.put("a", 1)
                assert cache.get("a") == 1


            def test_old():
                now = [0]
                cache = Timed(10, lambda: now[0])
                cache.put("a", 1)
                now[0] = 11
                assert cache.get("a") is None
            """,
            ("clock=time.time()", "clock=time.time"),
            (
                "        return value",
                "        return value if self.clock() - since <= self.seconds else None",
            ),
        ),
        module(
            "retry",
            '''
            """Calls that may fail a few times."""


            def retry(call, times):
                for attempt in range(times):
                    try:
                        return call()
                    except OSError:
                        continue
            ''',
            """
            import pytest
            from cachebox.retry import retry


            def test_last_error_is_raised():
                def broken():
                    raise OSError("no route")

                with pytest.raises(OSError, match="no route"):
                    retry(broken, 3)


            def test_wrong_times():
                with pytest.raises(ValueError):
                    retry(int, 0)
            """,
            (
                "            continue",
                "            if attempt == times - 1:\n                raise",
            ),
            (
                "    for attempt in",
                '    if times < 1:\n        raise ValueError("times")\n    for attempt in',
            ),
        ),
    ),
)
