"""The controlled probe: generated questions with known event sets (paper, appendix H).

`python -m benchmarks.probe generate` writes the questions, `python -m benchmarks.probe score`
measures compilers on them. docs/probe.md tells what is measured.
"""
