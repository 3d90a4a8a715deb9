"""A server, and the client that calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tallysql.llm.endpoint import OpenAIChat
from tests.chat_server import Server, settings

if TYPE_CHECKING:
    from pytest_httpserver import HTTPServer


@pytest.fixture
def server(httpserver: HTTPServer) -> Server:
    return Server(httpserver)


@pytest.fixture
def chat(server: Server) -> OpenAIChat:
    return OpenAIChat(settings(server), pause=0.01)
