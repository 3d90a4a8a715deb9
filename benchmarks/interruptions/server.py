"""A scripted OpenAI-compatible server on loopback: deterministic answers, faults on demand.

Every request is counted by the hash of its body, so that a run can tell which calls it repeated.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import socket
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

STEP = re.compile(
    r"^\[step (\d+)(?:, call (\d+))?\]\naction: (.*?)\nobservation: (.*?)(?=\n\n\[step |\n\nJSON:)",
    re.MULTILINE | re.DOTALL,
)
FAULTS = ("429", "500", "slow", "disconnect", "truncated", "malformed", "html", "empty", "length")


def annotation(prompt: str) -> str:
    """Describe the steps of an annotation prompt: each a success that its first line proves."""
    steps = []
    for step, call, action, observation in STEP.findall(prompt):
        quote = next((line.strip() for line in observation.splitlines() if line.strip()), "")[:120]
        change = {"object": action.split(" ")[-1][:40] or "it", "property": "seen", "value": "yes"}
        steps.append(
            {
                "step": int(step),
                "call": int(call or 0),
                "act": action.split(" ")[0][:40],
                "targets": [],
                "outcome": "success",
                "quote": quote,
                "changes": [change],
            }
        )
    return json.dumps({"steps": steps})


def answer(prompt: str) -> str:
    """Answer any prompt in the form that it asks for."""
    if prompt.startswith("Below is a part of an agent's log"):
        return annotation(prompt)
    if prompt.startswith("Turn a question"):
        query = {"op": "group", "by": "tool", "where": None, "scope": None}
        return json.dumps({"applicable": True, "reason": None, "queries": [query]})
    return f"<think>counting</think>{hashlib.sha256(prompt.encode()).hexdigest()[:6]}"


class ScriptedServer(ThreadingHTTPServer):
    """Serves until `shutdown`.

    Args:
        latency: seconds before each answer.
        fault_rate: share of requests that get a fault instead, by a seeded generator.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, latency: float = 0.05, fault_rate: float = 0.0, seed: int = 0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.latency = latency
        self.fault_rate = fault_rate
        self.seen: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.in_flight = 0
        self.lock = threading.Lock()
        self._random = random.Random(seed)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def repeated(self) -> int:
        """Requests that were made before."""
        return sum(self.seen.values()) - len(self.seen)

    def fault(self) -> str | None:
        with self.lock:
            if self._random.random() >= self.fault_rate:
                return None
            kind = self._random.choice(FAULTS)
            self.faults[kind] += 1
            return kind

    def handle_error(self, *_: Any) -> None:
        """Killed clients are what this server is for."""


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            self.server.seen[hashlib.sha256(body).hexdigest()] += 1
            self.server.in_flight += 1
        try:
            self._answer(json.loads(body)["messages"])
        finally:
            with self.server.lock:
                self.server.in_flight -= 1

    def _answer(self, messages: list[dict[str, str]]) -> None:
        time.sleep(self.server.latency)
        fault = self.server.fault()
        if fault in {"429", "500"}:
            self._send(b'{"error": {"message": "not now"}}', int(fault), {"Retry-After": "0.05"})
        elif fault == "disconnect":
            self.connection.shutdown(socket.SHUT_RDWR)
        elif fault == "html":
            self._send(b"<html>gateway</html>", 200, {"Content-Type": "text/html"})
        elif fault == "malformed":
            self._send(b'{"choices": [{"mess', 200)
        else:
            if fault == "slow":
                time.sleep(3)
            text = "" if fault == "empty" else answer(messages[0]["content"])
            finish = "length" if fault == "length" else "stop"
            text = text[: len(text) // 2] if fault == "length" else text
            self._send(_completion(text, finish), 200, cut=fault == "truncated")

    def _send(
        self, body: bytes, status: int, headers: dict[str, str] | None = None, cut: bool = False
    ) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | (headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def _completion(text: str, finish: str) -> bytes:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    shape = {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted"}
    return json.dumps(shape | {"choices": [choice], "usage": usage}).encode()
