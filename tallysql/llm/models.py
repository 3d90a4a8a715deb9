"""The models of a run: settings, the cache, the account, and the client beneath.

See docs/architecture.md, "Model path".
"""

from __future__ import annotations

import threading
from dataclasses import replace
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from tallysql.errors import InputError, ModelError
from tallysql.llm.account import Account
from tallysql.llm.breaker import Breaker
from tallysql.llm.cache import CallCache
from tallysql.llm.chat import Message, Request
from tallysql.llm.endpoint import OpenAIChat
from tallysql.llm.structured import complete_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tallysql.llm.chat import ChatModel, Reply, Role, Schema, Usage
    from tallysql.llm.settings import ModelSettings
    from tallysql.llm.structured import Exchange

T = TypeVar("T")


class Models:
    """A ChatModel that knows its roles, keeps replies and counts what they cost.

    Args:
        settings: which model each role calls.
        calls: file of the kept replies, or ":memory:".
        chat: what to send requests to; the server of the settings if None.
        fresh: make every call anew; its reply takes the place of the kept one.
        read_only: write no file; for dry runs.
    """

    def __init__(
        self,
        settings: ModelSettings,
        calls: str | Path = ":memory:",
        chat: ChatModel | None = None,
        *,
        fresh: bool = False,
        read_only: bool = False,
    ) -> None:
        self.settings = settings
        self.account = Account(settings.prices)
        self._calls = calls
        self._chat = chat or OpenAIChat(settings)
        self._fresh = fresh
        self._read_only = read_only
        self._breaker = Breaker()
        self._opening = threading.Lock()
        self._cache: CallCache | None = None
        self._under_way: WeakValueDictionary[str, _Turn] = WeakValueDictionary()

    def close(self) -> None:
        """Close the file of kept replies."""
        if self._cache is not None:
            self._cache.close()

    def configured(self, role: Role) -> bool:
        """Return whether a role has a model."""
        return self.settings.configured(role)

    def require(self, role: Role) -> None:
        """Check that a role has a model and a file for replies, before work begins.

        Raises:
            InputError: it has none.
            StoreError: the file of kept replies cannot be used.
        """
        try:
            self.settings.model_for(role)
        except ModelError as error:
            raise InputError(error.message, error.hint) from None
        _ = self._kept

    def request(
        self,
        role: Role,
        prompt: str,
        *,
        schema: Schema | None = None,
        temperature: float = 0.0,
        sample: int = 0,
    ) -> Request:
        """Return the complete request of a role for a prompt.

        Raises:
            ModelError: the role has no model (reason unconfigured).
        """
        own = self.settings.roles[role]
        return Request(
            stage=role,
            model=self.settings.model_for(role),
            messages=(Message("user", prompt),),
            temperature=temperature,
            max_tokens=own.max_tokens or None,
            schema=schema,
            sample=sample,
            extra=own.request,
        )

    def complete(self, request: Request) -> Reply:
        """Return the kept reply, or make the call; equal requests at one time make one call.

        Where ten calls in a row could not reach the server, further ones fail at once for a while.

        Raises:
            ModelError: the call failed; the account knows of it.
        """
        key = request.key(self.settings.base_url)
        with self._turn(key):
            kept = None if self._fresh else self._kept.get(key)
            if kept is not None:
                self.account.hit(request.stage)
                return replace(kept, cached=True)
            reply = self._call(request)
            self._kept.put(key, request, reply)
            self.account.call(request.stage, request.model, reply)
            return reply

    def _call(self, request: Request) -> Reply:
        try:
            with self._breaker:
                return self._chat.complete(request)
        except ModelError as error:
            self.account.failure(request.stage, request.model, error)
            raise

    def complete_json(self, request: Request, read: Callable[[Any], T]) -> tuple[T, Usage]:
        """Return what `read` makes of the JSON in the answer; see `structured.complete_json`.

        Replies that come to nothing are not kept: the next run asks again.
        """
        return complete_json(self, request, read, self._reject)

    def _reject(self, exchanges: Sequence[Exchange]) -> None:
        for request, _ in exchanges:
            self._kept.forget(request.key(self.settings.base_url))
        request, last = exchanges[-1]
        self.account.reject(request.stage, last)

    @property
    def _kept(self) -> CallCache:
        with self._opening:
            if self._cache is None:
                self._cache = CallCache(self._calls, read_only=self._read_only)
            return self._cache

    def _turn(self, key: str) -> _Turn:
        with self._opening:
            return self._under_way.setdefault(key, _Turn())


class _Turn:
    """A lock that can be referred to weakly: it lives as long as somebody waits for it."""

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def calls_file(database: str) -> str:
    """Return the file of kept replies beside a database; in memory for one in memory."""
    return database if database == ":memory:" else f"{database}.calls"


def prompt_text(name: str, **parts: str) -> str:
    """Return a prompt of tallysql/prompts/ with its `$names` filled in."""
    file = resources.files("tallysql") / "prompts" / f"{name}.txt"
    return Template(file.read_text("utf-8")).substitute(parts).strip()
