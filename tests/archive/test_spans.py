from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tallysql.archive.load import load
from tallysql.archive.spans import Archive, Span
from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tallysql.store import Store

TEXT = "é😀\x00\u2028e\u0301\r\nend"


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, len(TEXT)), st.integers(0, len(TEXT)))
def test_spans_count_code_points(
    store: Store, ama: Callable[..., Path], one: int, other: int
) -> None:
    start, end = sorted((one, other))
    load(store, [str(ama(a=[("go", TEXT)]))])
    archive = Archive(store, "a")
    observation = archive[0, 0].observation
    assert observation == TEXT
    assert archive.excerpt(Span(0, 0, "observation", start, end)) == observation[start:end]


def test_spans_that_lead_nowhere(store: Store, ama: Callable[..., Path]) -> None:
    load(store, [str(ama(a=[("go", None)]))])
    archive = Archive(store, "a")
    assert archive[0, 0].observation is None
    with pytest.raises(InputError, match="no step 1"):
        archive[1, 0]
    with pytest.raises(InputError, match="only 2"):
        archive.excerpt(Span(0, 0, "action", 0, 3))
