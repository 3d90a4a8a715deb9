"""Makes tests/data/bundled/ from real runs: `python -m benchmarks.bundle`.

Needs packages that the project itself does not: see tests/data/bundled/README.md.
"""
