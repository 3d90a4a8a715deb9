"""The router: whether computed evidence goes to the reader (paper, section 5 and appendix J).

See docs/architecture.md, "Model path".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tallysql.errors import InputError

THRESHOLD = 15
"""Evidence goes along where the aggregation load is higher."""


@dataclass(frozen=True, slots=True)
class Route:
    """When to attach evidence: by the aggregation load, always where there is any, or never."""

    kind: Literal["load", "always", "never"] = "load"
    threshold: int = THRESHOLD

    def __str__(self) -> str:
        return f"load:{self.threshold}" if self.kind == "load" else self.kind

    def attaches(self, evidence: str, load: int | None) -> bool:
        """Return whether this evidence goes to the reader.

        Args:
            evidence: rendered results, empty if none survives.
            load: the aggregation load, None if undefined.
        """
        if not evidence or self.kind == "never":
            return False
        return self.kind == "always" or (load is not None and load > self.threshold)


def parse_route(text: str) -> Route:
    """Read `load:N`, `load`, `always` or `never`.

    Raises:
        InputError: it is none of these.
    """
    if text == "always":
        return Route("always")
    if text == "never":
        return Route("never")
    found = re.fullmatch(r"load(?::([0-9]{1,9}))?", text)
    if found is None:
        raise InputError(f"no such route: {text!r}", "use load:N, always or never")
    return Route("load", int(found[1] or THRESHOLD))
