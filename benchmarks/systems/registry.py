"""All systems by name: how each is made, or why it is not run and what that would need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from benchmarks.systems.ama_agent import AmaAgent
from benchmarks.systems.builtin import ENUMERATE, Computing, CorrectPlan, Viewed
from benchmarks.systems.code import Code
from benchmarks.systems.embedding import Embedding
from benchmarks.systems.external import AMem, Mem0
from benchmarks.systems.interface import Bench, CannotRun
from benchmarks.systems.plans import plan_of
from benchmarks.systems.summary import RollingSummary
from tallysql.reading.settings import ViewSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.systems.interface import System
    from tallysql.answering.systems import Choices


@dataclass(frozen=True, slots=True)
class Entry:
    """A system: what it is in a line, and what makes it (it raises CannotRun where it cannot)."""

    what: str
    make: Callable[[Bench], System]


def _computing(what: str, choices: Choices) -> Entry:
    return Entry(what, lambda bench: Computing(bench, choices))


def _missing(what: str, reason: str, needed: str) -> Entry:
    def refuse(_: Bench) -> NoReturn:
        raise CannotRun(reason, needed)

    return Entry(what, refuse)


def _correct_plan(bench: Bench) -> CorrectPlan:
    if not any(plan_of(facts) for facts in bench.facts.values()):
        raise CannotRun("no question of this run was made by a template of the probe")
    return CorrectPlan(bench)


def _profiles() -> dict[str, Entry]:
    """Return tallymem in each profile, routed and unrouted, compiled as each is named for."""
    found = {}
    compiled: tuple[tuple[str, Choices], ...] = (
        ("", {"compiler": "auto"}),
        ("-principal", {"compiler": "model", "profile": "principal"}),
        ("-lite", {"compiler": "model", "profile": "lite"}),
    )
    for suffix, choices in compiled:
        profile = suffix.removeprefix("-") or "refined"
        how = "rules, model where they decline" if not suffix else "model"
        what = f"view and computed evidence, profile {profile}, compiled by {how}"
        name = f"tallymem{suffix}"
        found[name] = _computing(f"{what}; attached where the load exceeds 15", choices)
        found[f"{name}-unrouted"] = _computing(
            f"{what}; always attached", {**choices, "route": "always"}
        )
    return found


_VOTE: Choices = {"compiler": "vote", "profile": "principal", "route": "always"}
_COUNT: Choices = {"system": "counter", "route": "always"}

ENTRIES: dict[str, Entry] = {
    **_profiles(),
    "tm": Entry("reading view", lambda bench: Viewed(bench, "tm")),
    "tm-no-counter": Entry(
        "reading view without its keyword-triggered counter",
        lambda bench: Viewed(bench, "tm", ViewSettings(counter=False)),
    ),
    "long-context": Entry(
        "the whole log, first 70 % and last 30 % of the budget",
        lambda bench: Viewed(bench, "long-context"),
    ),
    "long-context-enumerate": Entry(
        "the same, and asked to list the steps before counting",
        lambda bench: Viewed(bench, "long-context", request=ENUMERATE),
    ),
    "counter-read": _computing("view and events by tool, no compiler; always attached", _COUNT),
    "bm25": Entry("steps that share words with the question", lambda bench: Viewed(bench, "bm25")),
    "embedding": Entry("steps nearest by all-MiniLM-L6-v2", Embedding),
    "rolling-summary": Entry("one summary, rewritten part by part", RollingSummary),
    "self-consistency": _computing("principal, five plans, results that three agree on", _VOTE),
    "correct-plan": Entry("view and evidence of the template's own plan", _correct_plan),
    "code-ledger": Entry(
        "view and output of a generated program over ledger rows",
        lambda bench: Code(bench, steps=False),
    ),
    "code": Entry(
        "view and output of a generated program over ledger rows and every step",
        lambda bench: Code(bench, steps=True),
    ),
    "code-third-variant": _missing(
        "the paper's third arm of free-form code",
        "the text at hand names three arms and defines two",
        "its appendix L with the definitions",
    ),
    "ama-agent": Entry("AMA-Agent's design, made anew from its description", AmaAgent),
    "mem0": Entry("Mem0's package, same server and encoder", Mem0),
    "a-mem": Entry("A-Mem's package, same server and encoder", AMem),
    "memgpt": _missing(
        "MemGPT (Letta)",
        "the package of that name on the registry is an agent in a terminal, not a library; the "
        "memory is a server with a database of its own",
        "a running Letta server whose models are the run's endpoint, and a client for it",
    ),
    "hipporag": _missing(
        "HippoRAG",
        "the last release is an alpha of 2025 that pins vLLM and an encoder from a model hub",
        "a release that takes an endpoint and an encoder from disk",
    ),
    "memsearch-o1": _missing(
        "MemSearch-o1", "no package is known", "its code, or a description to build it from"
    ),
    "chatdb": _missing(
        "ChatDB", "no maintained package is known", "its prompts; it needs a SQL database to write"
    ),
    "binder": _missing(
        "Binder", "no maintained package is known", "its prompts for tables, and a table of the log"
    ),
}
