"""No statement that `sql` runs leaves the database, changes it or goes on for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.torture.injection import Cell, statements

if TYPE_CHECKING:
    from collections.abc import Iterator

STATEMENTS = statements()
EXHAUSTING = STATEMENTS[STATEMENTS.index("SELECT * FROM test_vector_types(NULL::INTEGER)") + 1 :]
"""Those at the end of the file only use time and memory; torture runs all of them."""


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cell]:
    made = Cell(tmp_path_factory.mktemp("cell"), seconds=1)
    yield made
    made.close()


def test_there_are_enough_attempts() -> None:
    assert len(set(STATEMENTS)) == len(STATEMENTS) >= 60


def test_no_statement_is_let_in(cell: Cell) -> None:
    reached = {
        statement: found
        for statement in STATEMENTS
        if statement not in EXHAUSTING and (found := cell.let_in(statement))
    }
    assert reached == {}


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count(*) FROM range(1_000_000_000_000) t(x) WHERE hash(x) = 8",
        "SELECT sleep_ms(1000000)",
        "SELECT * FROM range(1_000_000_000_000)",
    ],
)
def test_statements_end(cell: Cell, statement: str) -> None:
    assert statement in EXHAUSTING
    assert cell.let_in(statement) is None


def test_the_cell_tells_what_reached_out(cell: Cell) -> None:
    """Without the locks, statements are seen to get through."""
    (cell.folder / "new").write_text("x")
    assert cell.let_in("SELECT 1") == "changed a file"
    (cell.folder / "new").unlink()
    assert "read what is outside" in str(cell.let_in("SELECT 'canary-' || '7f3a'"))
    assert cell.let_in("SELECT 1") is None
