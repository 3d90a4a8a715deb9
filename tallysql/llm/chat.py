"""The protocol of model calls: a request goes in, a reply comes out or a ModelError.

See docs/architecture.md, "Model path".
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

Role = Literal["annotate", "compile", "read", "judge"]
"""What a model is called for; each may have a model of its own."""

ROLES: tuple[Role, ...] = ("annotate", "compile", "read", "judge")

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """A complete model request.

    Attributes:
        stage: which account it goes to; no part of what is sent.
        schema: JSON Schema of the wanted output, in the common subset of constrained decoders: no
            conditions, no patterns, all properties required, nothing else allowed.
        sample: tells apart samples of one prompt at a temperature above 0.
        extra: further fields of the request's body, as the server knows them.
    """

    stage: Role
    model: str
    messages: tuple[Message, ...]
    temperature: float = 0.0
    max_tokens: int | None = None
    schema: Schema | None = None
    sample: int = 0
    extra: dict[str, Any] = field(default_factory=dict)

    def key(self, endpoint: str) -> str:
        """Return the SHA-256 of everything that decides the reply, the endpoint included."""
        content = [
            endpoint,
            self.model,
            [[message.role, message.content] for message in self.messages],
            self.temperature,
            self.max_tokens,
            self.schema,
            self.sample,
            self.extra,
        ]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def followed_by(self, answer: str, remark: str) -> Request:
        """Return the request that continues the conversation with a remark on an answer."""
        more = (Message("assistant", answer), Message("user", remark))
        return replace(self, messages=self.messages + more)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered, without its thinking.

    Attributes:
        finish: why it ended, in the server's words: `stop`, or `length` if it was cut short.
        prompt_tokens, completion_tokens: as the server counts them, 0 if it does not say; with
            those of tries whose answers were of no use.
        seconds: how long the call took, retries included.
        cached: true if no call was made for it.
    """

    text: str
    finish: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Replies used and their tokens; the same whether they came from a server or the cache."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @classmethod
    def of(cls, reply: Reply) -> Usage:
        """Return the usage of one reply."""
        return cls(1, reply.prompt_tokens, reply.completion_tokens)

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )

    def as_dict(self) -> dict[str, int]:
        """Return `{calls, prompt_tokens, completion_tokens}`."""
        return {
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
        }


class ChatModel(Protocol):
    """Anything that answers requests."""

    def complete(self, request: Request) -> Reply:
        """Return the reply to a request; may be called from several threads at once.

        Raises:
            ModelError: the call failed or the reply is of no use; `reason` says which.
        """
        ...
