"""Print the lowest version of each package that pyproject.toml allows, as constraints for pip.

    python -m benchmarks.lowest > constraints.txt

Only what users install is pinned: the package's dependencies and its optional features. Tools of
development come as they are.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
FEATURES = ("bm25", "redact", "tokens")
_LOWEST = re.compile(r"([A-Za-z0-9._-]+)>=([0-9.]+)")


def constraints(text: str) -> list[str]:
    """Return `name==version` of each lower bound in a pyproject.toml."""
    project = tomllib.loads(text)["project"]
    extras = [project["optional-dependencies"][name] for name in FEATURES]
    named = [*project["dependencies"], *(one for extra in extras for one in extra)]
    bounds = [_LOWEST.fullmatch(one) for one in named]
    assert all(bounds), "every dependency has a lower bound"
    return [f"{bound[1]}=={bound[2]}" for bound in bounds if bound]


if __name__ == "__main__":
    print("\n".join(constraints(PROJECT.read_text("utf-8"))))
