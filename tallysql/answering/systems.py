"""The names of the systems that answer, and of the compilers and readers that they may have.

See docs/architecture.md, "Reading view" and "Model path".
"""

from __future__ import annotations

from typing import Literal, TypedDict, get_args

System = Literal["tallymem", "tm", "counter", "long-context", "bm25"]
SYSTEMS: tuple[System, ...] = get_args(System)

COMPUTING: frozenset[System] = frozenset({"tallymem", "counter"})
"""Systems that execute a plan; their context is the view, and evidence comes with it."""

Compiler = Literal["rules", "model", "vote", "auto"]
COMPILERS: tuple[Compiler, ...] = get_args(Compiler)

Reader = Literal["computed", "model"]
READERS: tuple[Reader, ...] = get_args(Reader)


class Choices(TypedDict, total=False):
    """How questions are answered, by the names of the command line's options.

    Attributes:
        profile: refined (default), principal or lite.
        system: what answers, tallymem by default; `tm`, `long-context` and `bm25` need a model to
            read for them.
        budget: tokens of a context; the view's own by default.
        compiler: rules (default), model, vote, or auto: a model where the rules decline.
        reader: computed (default), or model: it answers from the context and the evidence.
        route: when a model reader gets the evidence: load:N (default load:15), always or never.
    """

    profile: str
    system: System
    budget: int
    compiler: Compiler
    reader: Reader
    route: str
