"""The systems that are compared: each builds a memory of a trajectory and gives contexts from it.

`interface` says what a system is, `registry` lists them all, those that cannot run with the reason,
`running` lets them answer a run folder's questions. See docs/evaluation.md, "Systems".
"""
