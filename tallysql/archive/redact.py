"""Redaction: personal paths, addresses and secrets out of what is about to be stored.

Secrets are told by the token patterns of detect-secrets (the extra `redact`), and by a few for
services that are newer than it. Every replacement stands in the stored text itself, so that spans,
which are made afterwards, fit it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tallysql.archive.formats.blocks import call_text, loaded
from tallysql.archive.formats.json_text import json_text
from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.archive.rows import Step, Trajectory

USER = "user"
"""Stands for the name in a home directory: paths stay paths, and different ones different."""

NAME = r"([^\s/\\\"'`:;,<>()\[\]{}|$*?&=]+)"
ESCAPED = r"(?:(?<=\\[nrt])|(?<![\w.+\-\\]))"
"""The start of a word, which in JSON text may follow an escape such as \\n."""


class Pattern(NamedTuple):
    """What to look for; only group `group` of a match is replaced, 0 is all of it."""

    kind: str
    regex: re.Pattern[str]
    group: int = 0
    stand_in: str | None = None


PERSONAL = (
    Pattern(
        "home directory", re.compile(rf"(?<![\w.])/(?:home|Users)/{NAME}"), group=1, stand_in=USER
    ),
    Pattern(
        "home directory",
        re.compile(rf"[A-Za-z]:(?:\\{{1,4}}|/)Users(?:\\{{1,4}}|/){NAME}"),
        group=1,
        stand_in=USER,
    ),
    Pattern(
        "home directory",
        re.compile(r"(?<=/)-(?:home|Users)-([A-Za-z0-9_.]+)(?=-|/|$)"),
        group=1,
        stand_in=USER,
    ),
    Pattern(
        "e-mail address",
        re.compile(
            ESCAPED
            + r"(?!git@)[A-Za-z0-9_.+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*\.[A-Za-z]{2,}\b"
        ),
        stand_in="[email]",
    ),
)
KEY = "[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?"
NEWER = (
    Pattern("Private Key", re.compile(rf"-----BEGIN {KEY}-----.*?-----END {KEY}-----", re.DOTALL)),
    Pattern("Anthropic Token", re.compile(r"sk-ant-[A-Za-z0-9_\-]{20,}")),
    Pattern("OpenAI Token", re.compile(r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_\-]{20,}")),
    Pattern("GitHub Token", re.compile(r"github_pat_[A-Za-z0-9_]{22,}")),
    Pattern("Google API Key", re.compile(r"AIza[A-Za-z0-9_\-]{35}")),
    Pattern("Hugging Face Token", re.compile(r"hf_[A-Za-z0-9]{30,}")),
    Pattern("NPM tokens", re.compile(r"npm_[A-Za-z0-9]{36}")),
    Pattern("Bearer Token", re.compile(r"(?i:bearer)\s+([A-Za-z0-9_\-.=+/]{20,})"), 1),
)  # fmt: skip
UNFIT = {
    "Artifactory Credentials", "IBM Cloud IAM Key", "NPM tokens", "Private Key", "Public IP (ipv4)",
}  # fmt: skip
"""Kinds of the library whose patterns match too much, or only the beginning of a secret."""

IN_GROUP = {
    "AWS Access Key", "Basic Auth Credentials", "Cloudant Credentials", "IBM COS HMAC Credentials",
    "SoftLayer Credentials",
}  # fmt: skip
"""Kinds whose patterns hold the secret in a group, where they have one."""


class Redactor:
    """Replaces what should not be stored, and counts it by kind."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._patterns = (*NEWER, *_library(), *PERSONAL)

    def take_counts(self) -> dict[str, int]:
        """Return the counts since the last call."""
        counts = dict(sorted(self.counts.items()))
        self.counts.clear()
        return counts

    def text(self, text: str) -> str:
        """Return a text with stand-ins."""
        for pattern in self._patterns:
            text = pattern.regex.sub(partial(self._stand_in, pattern), text)
        return text

    def value(self, value: Any) -> Any:
        """Return a JSON value with stand-ins in its strings and keys."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.value(key): self.value(item) for key, item in value.items()}
        return value

    def trajectory(self, trajectory: Trajectory) -> Trajectory:
        """Return a trajectory with stand-ins in all of its texts."""
        return replace(
            trajectory,
            trajectory_id=self.text(trajectory.trajectory_id),
            steps=[self._step(step) for step in trajectory.steps],
            task=self.value(trajectory.task),
            metadata=self.value(dict(trajectory.metadata)),
        )

    def _step(self, step: Step) -> Step:
        args = self._arguments(step.args)
        if step.action is not None and step.action == call_text(step.tool, step.args):
            action = call_text(step.tool, args)
        else:
            action = self.value(step.action)
        return replace(step, action=action, args=args, observation=self.value(step.observation))

    def _arguments(self, args: str | None) -> str | None:
        """Redact the strings inside JSON text, so that it stays JSON."""
        value = loaded(args)
        if isinstance(value, str) or value is None:
            return self.text(value) if value is not None else None
        redacted = self.value(value)
        return args if redacted == value else json_text(redacted)

    def _stand_in(self, pattern: Pattern, found: re.Match[str]) -> str:
        secret = found[pattern.group]
        stand_in = pattern.stand_in or f"[{pattern.kind}]"
        if not secret or secret == stand_in:
            return found[0]
        self.counts[pattern.kind] += 1
        start, end = (place - found.start() for place in found.span(pattern.group))
        return found[0][:start] + stand_in + found[0][end:]


def _library() -> Iterator[Pattern]:
    try:
        from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
        from detect_secrets.plugins.base import RegexBasedDetector
    except ImportError:
        raise InputError(
            "--redact needs the library detect-secrets", 'pip install "tallysql[redact]"'
        ) from None
    known: dict[str, Any] = get_mapping_from_secret_type_to_class()
    for kind, detector in sorted(known.items()):
        if kind in UNFIT or not issubclass(detector, RegexBasedDetector):
            continue
        for regex in detector().denylist:
            yield Pattern(kind, regex, 1 if kind in IN_GROUP and regex.groups else 0)
