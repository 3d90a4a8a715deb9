"""`load`, `convert`, `export` and `formats`: trajectories in and out."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from tallysql.cli.output import json_text, printable, printable_stdout, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tallysql.api import Memory
    from tallysql.archive.report import FileReport, LoadReport
    from tallysql.cli import Settings

    Progress = Callable[[str, int, int], None]

format_option = click.option(
    "--format", default="auto", show_default=True, help="A name from `tallysql formats`."
)
id_option = click.option(
    "--id", "trajectory_id", metavar="NAME", help="Trajectory id, for a source of one trajectory."
)
strict_option = click.option(
    "--strict", is_flag=True, help="Refuse a file with a damaged record instead of skipping it."
)
redact_option = click.option(
    "--redact",
    is_flag=True,
    help="Replace home directories, e-mail addresses and secrets before anything is stored.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Report as JSON on stdout.")


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@format_option
@id_option
@click.option("--replace", is_flag=True, help="Replace other content under a known id.")
@strict_option
@redact_option
@click.option(
    "--rev", default="HEAD", show_default=True, help="Git: where the history ends, or A..B."
)
@click.option(
    "--first-parent/--all-parents",
    default=True,
    show_default=True,
    help="Git: the branch's own commits, or all in topological order.",
)
@click.option(
    "--max-file-lines",
    type=click.IntRange(min=1),
    metavar="N",
    help="Git: keep N lines of each file's patch, headings apart.",
)
@json_option
@click.pass_obj
def load(settings: Settings, /, sources: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Archive trajectories and build their ledger.

    A SOURCE is a file, a directory, a git repository, or - for stdin; gzip and zstd are read as
    they are. Each file is loaded whole or not at all. Known trajectories stay; longer versions are
    appended.
    """
    from tallysql.api import open_memory
    from tallysql.archive.formats.commits import HistorySettings

    names = ("rev", "first_parent", "max_file_lines")
    options["history"] = HistorySettings(**{name: options.pop(name) for name in names})
    with open_memory(settings.db, wait=settings.wait) as memory:
        report = load_with_progress(memory, sources, **options)
    _finish(report, as_json=as_json, strict=options["strict"])


def load_with_progress(memory: Memory, sources: Sequence[str], **options: Any) -> LoadReport:
    """Load with a progress bar on a terminal; name on stderr what could not be read."""
    with _progress() as progress:
        report = memory.load(sources, progress=progress, **options)
    for file in report.files:
        _say(file)
    return report


@click.command()
@click.argument("source")
@click.option("-o", "--output", required=True, metavar="FILE", help="Target; - for stdout.")
@format_option
@id_option
@strict_option
@redact_option
@json_option
def convert(source: str, output: str, as_json: bool, **options: Any) -> None:
    """Turn a source of any known format into flat canonical Parquet (or .jsonl, .csv).

    No database is involved.
    """
    from tallysql.archive.export import convert as run

    if as_json and output == "-":
        raise click.UsageError("--json and -o - both write to stdout")
    with _progress() as progress, printable_stdout():
        report = run(source, output, progress=progress, **options)
    for file in report.files:
        _say(file)
    _finish(report, as_json=as_json, strict=options["strict"])


@click.command()
@click.argument("table", metavar="TABLE")
@click.option("-o", "--output", required=True, metavar="FILE|DIR", help="Target; - for stdout.")
@click.option("--format", help="parquet, jsonl or csv; by default the target's suffix tells.")
@click.option(
    "--partition-by",
    multiple=True,
    metavar="COLUMN",
    help="Write a directory with COLUMN=value folders; may be given again.",
)
@click.option("--nested", is_flag=True, help="Steps as one row a trajectory.")
@click.pass_obj
def export(
    settings: Settings,
    table: str,
    output: str,
    format: str | None,
    partition_by: tuple[str, ...],
    nested: bool,
) -> None:
    """Write steps, trajectories, ledger or file_events as Parquet, JSONL or CSV.

    Exported steps load again as they are.
    """
    from tallysql.api import open_memory
    from tallysql.archive.export import export as run

    opened = open_memory(settings.db, read_only=True, wait=settings.wait)
    with opened as memory, printable_stdout():
        rows = run(
            memory.store, table, output, format=format, partition_by=partition_by, nested=nested
        )
    say(f"{output}: {rows} rows of {'nested ' if nested else ''}{table}")


@click.command()
@json_option
def formats(as_json: bool) -> None:
    """List the source formats and what tells them apart."""
    from tallysql.archive.formats.registry import FORMATS

    if as_json or not sys.stdout.isatty():
        listed = [{"name": f.name, "description": f.description} for f in FORMATS]
        click.echo(json_text(listed))
        return
    width = max(len(known.name) for known in FORMATS)
    for known in FORMATS:
        click.echo(f"{known.name:<{width}}  {known.description}")


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """Yield what loading tells its progress to; nothing unless stderr is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("loading", total=None)
        yield lambda file, done, total: bar.update(
            task, description=printable(file.rpartition("/")[2]), completed=done, total=total
        )


def _finish(report: LoadReport, *, as_json: bool, strict: bool) -> None:
    """Print the report where it was asked for; leave with the exit code that it deserves."""
    if as_json:
        click.echo(json_text(report.as_dict()))
    if not report.clean:
        failed = any(file.error is not None for file in report.files)
        click.get_current_context().exit(2 if strict and failed else 1)


def _say(file: FileReport) -> None:
    """Say on stderr what became of one file."""
    if file.error is not None:
        hint = f" ({file.error.hint})" if file.error.hint else ""
        say(f"error: {file.error.message}{hint}")
        return
    say(f"{file.source}: {_summary(file)}")
    for damage in file.skipped:
        say(f"{file.source}: record {damage.record}: skipped: {damage.problem}")
    if file.n_skipped > len(file.skipped):
        more = file.n_skipped - len(file.skipped)
        say(f"{file.source}: {more} more damaged records")
    for warning in file.warnings:
        say(f"{file.source}: warning: {warning}")


def _summary(file: FileReport) -> str:
    if file.state == "ignored":
        return "ignored, of no known format"
    if file.state == "empty":
        return f"{file.format}, no steps: {file.reason}"
    if file.state == "unchanged":
        if not file.trajectories:
            return f"{file.format}, unchanged since it was loaded, archived from another source"
        return f"{file.format}, {file.trajectories} trajectories, unchanged since it was loaded"
    known = {"new": file.new, "grown": file.grown, "replaced": file.replaced}
    known |= {"unchanged": file.unchanged, "shorter than archived": file.shorter}
    parts = ", ".join(f"{count} {name}" for name, count in known.items() if count)
    counts = [f"{file.trajectories} trajectories ({parts})", f"{file.steps} steps added"]
    notes = {
        "damaged records skipped": file.n_skipped,
        "empty records left out": file.empty,
        "lone surrogates replaced by U+FFFD": file.surrogates,
        **{f"× {kind} redacted": count for kind, count in file.redacted.items()},
    }
    counts += [f"{count} {note}" for note, count in notes.items() if count]
    return f"{file.format}, {', '.join(counts)}"
