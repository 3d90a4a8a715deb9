"""Second questions over the same logs."""

from __future__ import annotations

from typing import Any

ITEMS: list[dict[str, Any]] = []
