"""Options that all tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import Phase, settings

# The same examples in every run of CI: a failure there is a change's, and can be had again.
# Elsewhere examples are new each time.
settings.register_profile("ci", derandomize=True)
settings.register_profile("quick", phases=[Phase.explicit, Phase.reuse, Phase.generate])
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden files instead of comparing"
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
