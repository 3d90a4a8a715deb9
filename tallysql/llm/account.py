"""What model calls cost, by stage."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tallysql.errors import ModelError
    from tallysql.llm.chat import Reply, Role

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs for a million tokens, in whatever currency."""

    input: float
    output: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the cost of so many tokens."""
        return (prompt_tokens * self.input + completion_tokens * self.output) / MILLION


@dataclass(slots=True)
class StageAccount:
    """One stage's requests: each is a hit of the cache, an answered call, or a failure.

    Attributes:
        prompt_tokens, completion_tokens: all that the servers counted, those of failures too.
        seconds: of answered calls only.
        cost: of all these tokens; None once some came from a model without a price.
    """

    hits: int = 0
    calls: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = 0.0

    @property
    def requests(self) -> int:
        """All requests: hits, calls and failures."""
        return self.hits + self.calls + self.failures.total()

    def as_dict(self) -> dict[str, Any]:
        """Return the account as JSON has it."""
        return {
            "requests": self.requests,
            "hits": self.hits,
            "calls": self.calls,
            "failed": self.failures.total(),
            "failures": dict(self.failures),
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "seconds": round(self.seconds, 3),
            "cost": self.cost,
        }


class Account:
    """The stages' accounts; may be written from several threads.

    Args:
        prices: by model name.
    """

    def __init__(self, prices: Mapping[str, Price] | None = None) -> None:
        self.prices = prices or {}
        self.stages: dict[Role, StageAccount] = {}
        self._lock = threading.Lock()

    def hit(self, stage: Role) -> None:
        """Count a reply that was known already."""
        with self._lock:
            self._of(stage).hits += 1

    def failure(self, stage: Role, model: str, error: ModelError) -> None:
        """Count a request without a usable reply, and what it took all the same."""
        with self._lock:
            self._of(stage).failures[error.reason] += 1
            if any(error.tokens):
                self._spend(stage, model, *error.tokens)

    def call(self, stage: Role, model: str, reply: Reply) -> None:
        """Count an answered call."""
        with self._lock:
            account = self._of(stage)
            account.calls += 1
            account.seconds += reply.seconds
            self._spend(stage, model, reply.prompt_tokens, reply.completion_tokens)

    def reject(self, stage: Role, reply: Reply) -> None:
        """Count a reply as a failure after all: it breaks its schema, and so did the one before."""
        with self._lock:
            account = self._of(stage)
            account.failures["invalid"] += 1
            if reply.cached:
                account.hits -= 1
            else:
                account.calls -= 1
                account.seconds -= reply.seconds

    def _spend(self, stage: Role, model: str, prompt_tokens: int, completion_tokens: int) -> None:
        account, price = self._of(stage), self.prices.get(model)
        account.prompt_tokens += prompt_tokens
        account.completion_tokens += completion_tokens
        if price is None:
            account.cost = None
        elif account.cost is not None:
            account.cost += price.of(prompt_tokens, completion_tokens)

    def as_dict(self) -> dict[str, Any]:
        """Return stage → account."""
        return {stage: account.as_dict() for stage, account in self.stages.items()}

    def lines(self) -> list[str]:
        """Return one line a stage, for people."""
        return [_line(stage, account) for stage, account in self.stages.items()]

    def _of(self, stage: Role) -> StageAccount:
        return self.stages.setdefault(stage, StageAccount())


def _line(stage: str, account: StageAccount) -> str:
    parts = [
        f"{account.requests} requests",
        f"{account.calls} calls",
        f"{account.hits} known already",
        f"{account.failures.total()} failed",
    ]
    spent = account.calls or account.prompt_tokens or account.completion_tokens
    if spent:
        parts.append(f"{account.prompt_tokens} + {account.completion_tokens} tokens")
    if account.calls:
        parts.append(f"{account.seconds / account.calls:.1f} s a call")
    if spent and account.cost is not None:
        parts.append(f"cost {account.cost:.4f}")
    kinds = ", ".join(f"{count} {reason}" for reason, count in account.failures.most_common())
    return f"{stage}: {', '.join(parts)}" + (f" ({kinds})" if kinds else "")
