"""What one trajectory's ledger holds, for compilers and people."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Catalog:
    """The vocabulary of one trajectory; mappings are value → number of events, frequent first.

    Attributes:
        tools: tool names.
        acts: normalized action types (`go to`, `str_replace_editor.view`, `execute_bash.pytest`).
        targets: all targets, in their first spelling.
        paths: exact file paths.
        outcomes: success, failure, no_effect, unknown as present.
        properties: properties of recorded changes.
        exit_codes: exit codes as present.
        errors: first error lines.
        authors: authors (commit histories).
        first_step, last_step: the range of step numbers, None if there are no steps.
    """

    trajectory_id: str
    tools: dict[str, int]
    acts: dict[str, int]
    targets: dict[str, int]
    paths: dict[str, int]
    outcomes: dict[str, int]
    properties: dict[str, int]
    exit_codes: dict[int, int]
    errors: dict[str, int]
    authors: dict[str, int]
    first_step: int | None
    last_step: int | None
    n_events: int
