"""The table of formats, in the order in which `auto` tries them: the particular first."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tallysql.archive.formats import (
    ama,
    atif,
    canonical,
    claude_code,
    codex,
    commits,
    csv_table,
    gemini_cli,
    inspect_log,
    intercode,
    mini_swe_agent,
    mint,
    mint_bench,
    openai,
    openclaw,
    openhands,
    otel,
    parquet_table,
    react,
    swe_agent,
    webvoyager,
)
from tallysql.archive.formats.format import UNFORESEEN
from tallysql.errors import InputError, UnknownName

if TYPE_CHECKING:
    from tallysql.archive.formats.format import Format
    from tallysql.archive.formats.source import SourceFile

FORMATS: tuple[Format, ...] = (
    commits.FORMAT,
    parquet_table.FORMAT,
    csv_table.FORMAT,
    mint.FORMAT,
    ama.FORMAT,
    atif.FORMAT,
    claude_code.FORMAT,
    codex.FORMAT,
    gemini_cli.FORMAT,
    swe_agent.FORMAT,
    mini_swe_agent.FORMAT,
    openhands.FORMAT,
    openclaw.FORMAT,
    inspect_log.FORMAT,
    webvoyager.FORMAT,
    otel.FORMAT,
    intercode.FORMAT,
    mint_bench.FORMAT,
    react.FORMAT,
    openai.FORMAT,
    canonical.FORMAT,
)


def format_named(name: str) -> Format:
    """Return the format of that name.

    Raises:
        UnknownName: there is none.
    """
    for known in FORMATS:
        if known.name == name:
            return known
    raise UnknownName("format", name, ["auto", *(known.name for known in FORMATS)])


def detected(source: SourceFile) -> Format | None:
    """Return the first format whose test the content passes, None if none does."""
    return next((known for known in FORMATS if _claims(known, source)), None)


def _claims(known: Format, source: SourceFile) -> bool:
    try:
        return known.detect(source)
    except UNFORESEEN:  # not the shape that the format looks for
        return False


def unrecognised(source: SourceFile) -> InputError:
    """Make the error of a file that is of no known format: says what it is instead."""
    if source.shape == "empty":
        return source.error("the file is empty")
    if source.json_problem:
        lines = list(islice(source.lines(), 2))
        return source.error(source.json_problem, record=lines[0][0] if len(lines) == 1 else None)
    if source.sample:
        keys = ", ".join(list(source.sample[0])[:6])
        return InputError(
            f"{source.name}: record 1: no known format has the fields {keys or '(none)'}",
            "canonical rows have trajectory_id, step, action, observation; see: tallysql formats",
        )
    found = {"binary": "binary data", "json": "JSON without objects"}.get(source.shape, "text")
    return InputError(
        f"{source.name}: {found}, not JSON, Parquet or CSV with the archive's columns",
        "see: tallysql formats",
    )
