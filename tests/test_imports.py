"""Start-up stays light: `--help` needs no database, no Arrow, no SQL compiler, no client."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"duckdb", "pyarrow", "sqlglot", "openai", "rich", "jsonschema", "rapidfuzz", "numpy"}


@pytest.mark.parametrize(
    "code",
    [
        "import tallysql",
        "import tallysql.cli as c\ntry: c.main(['--help'])\nexcept SystemExit: pass",
        "import tallysql.plan.nodes, tallysql.plan.profiles, tallysql.errors",
    ],
)
def test_nothing_heavy_is_imported(code: str) -> None:
    listing = "import sys; print('loaded:', *{m.partition('.')[0] for m in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{listing}"], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split()[1:])
    assert not loaded & HEAVY
