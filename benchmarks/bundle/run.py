"""The shape in which the makers hand over a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Run:
    """One recorded run: an id, what was asked for, and its steps in order.

    Each step is a dict with at least `step`, `action` and `observation`, verbatim.
    """

    trajectory_id: str
    task: str
    domain: str
    steps: list[dict[str, Any]] = field(default_factory=list)

    def add(self, action: str, observation: str | None, **more: Any) -> None:
        """Append the next step; steps count from 0."""
        number = len(self.steps)
        self.steps.append({"step": number, "action": action, "observation": observation, **more})
