"""Git repositories: the history of a checkout or bare repository as one trajectory.

git itself finds the files, renames and patches (libgit2 was slower and differed on renames); its
output is read as it comes, one commit at a time. See docs/architecture.md, "Commit histories".
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BufferedReader
from typing import TYPE_CHECKING, get_args

from tallysql.archive.formats.commit_steps import Commit, FileChange, Status, commit_step
from tallysql.archive.formats.format import Format
from tallysql.archive.formats.git_output import READ_BYTES, START, GitOutput
from tallysql.archive.formats.source import SourceFile
from tallysql.archive.rows import Step, Trajectory
from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tallysql.archive.formats.format import Records

PIECE_CHARACTERS = 8 << 20
"""Characters of commits that are held at a time."""

FIELDS = ("%H", "%P", "%an", "%ae", "%aI", "%cI", "%s", "%B")
STATUS: dict[str, Status] = {name[0].upper(): name for name in get_args(Status)}
STATUS |= {"T": "modified"}

SETTINGS = {
    "core.quotePath": "false",
    "diff.algorithm": "myers",
    "diff.context": "3",
    "diff.interHunkContext": "0",
    "diff.mnemonicPrefix": "false",
    "diff.noprefix": "false",
    "diff.orderFile": "/dev/null",
    "diff.suppressBlankEmpty": "false",
    "log.showSignature": "false",
}
"""Settings of the user that would change what git prints."""

LOCATIONS = {
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIFF_OPTS", "GIT_DIR",
    "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
}  # fmt: skip
"""Variables by which git would read another repository than the one named, or print it otherwise:
inside a hook or `git rebase --exec` they are set."""

CUT = (
    "shallow clone, its history is cut: the first commit holds everything before it as added; "
    "git fetch --unshallow brings the rest"
)

LOG_OPTIONS = (
    "-z", "--raw", "--patch", "--no-abbrev", "--find-renames", "--diff-merges=first-parent",
    "--reverse", "--topo-order", "--no-color", "--no-ext-diff", "--no-textconv",
    "--submodule=short", "--ignore-submodules=none", "--encoding=UTF-8", "--no-decorate",
    "--no-notes", "--no-mailmap", f"--format=tformat:%x01{'%x00'.join(FIELDS)}%x00",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HistorySettings:
    """Which commits of a repository are loaded, and how much of each.

    Attributes:
        rev: the commit at which the history ends, as git names it; `A..B` begins it after A.
        first_parent: follow first parents only, as the branch itself went; else all commits, in
            topological order. Merges are compared with their first parent either way.
        max_file_lines: at most so many lines of each file's patch, headings not counted; None for
            all.
    """

    rev: str = "HEAD"
    first_parent: bool = True
    max_file_lines: int | None = None


def is_repository(path: Path) -> bool:
    """Whether a directory is a checkout (`.git` in it) or a bare repository."""
    return (path / ".git").exists() or (
        (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()
    )


class Repository(SourceFile):
    """A repository as a source: its size is its number of commits, its digest the last of them.

    Args:
        path: a checkout or a bare repository.
        name: how the user named it.
        settings: which commits.
        trajectory_id: the id given with `--id`.
    """

    def __init__(
        self, path: Path, name: str, settings: HistorySettings, *, trajectory_id: str | None = None
    ) -> None:
        super().__init__(path, name, trajectory_id=trajectory_id)
        self.settings = settings
        self.size = 0
        self.head_sha = ""
        self.start_sha: str | None = None
        self._problem: InputError | None = None
        try:
            self.start_sha, self.head_sha = self._ends()
            self.size = int(self.git("rev-list", "--count", *self.walk()))
            if not self.size:
                raise self.error(f"no commits in '{settings.rev}'")
        except InputError as error:
            self._problem = error

    def _ends(self) -> tuple[str | None, str]:
        """Return the commit after which the history begins, if any, and the one at which it ends.

        Raises:
            InputError: there is no such commit, or none at all.
        """
        self.git("rev-parse", "--git-dir")  # a repository that git cannot read says why
        start, dots, end = self.settings.rev.rpartition("..")
        if not dots or start.endswith("."):
            return None, self._commit(self.settings.rev)
        return self._commit(start or "HEAD"), self._commit(end or "HEAD")

    def _commit(self, rev: str) -> str:
        try:
            return self.git("rev-parse", "--verify", "--end-of-options", f"{rev}^{{commit}}")
        except InputError:
            if not self.git("rev-list", "--all", "--max-count=1"):
                raise self.error("the repository has no commits") from None
            raise self.error(f"no such revision '{rev}'") from None

    @property
    def default_id(self) -> str:
        """The id given with `--id`, else the repository's name."""
        path = self.path.resolve()
        return self.trajectory_id or path.name.removesuffix(".git") or path.parent.name

    @property
    def bytes_read(self) -> int:
        """How many commits have been read."""
        return self._finished_bytes

    def read_one(self) -> None:
        """Count a commit as read."""
        self._finished_bytes += 1

    def digest(self) -> str:
        """Return what tells this history from another of the same repository.

        Raises:
            InputError: git is not installed, cannot read the repository, or knows no such revision.
        """
        if self._problem:
            raise self._problem
        start = f"{self.start_sha}.." if self.start_sha else ""
        told = (self.settings.first_parent, self.settings.max_file_lines)
        return f"{start}{self.head_sha} {told[0]} {told[1]}"

    def walk(self) -> list[str]:
        """Return git's arguments for the commits to visit."""
        first_parent = ["--first-parent"] if self.settings.first_parent else []
        return [*first_parent, self.head_sha, *([f"^{self.start_sha}"] if self.start_sha else [])]

    def is_cut(self) -> bool:
        """Whether the walk ends at a commit whose parents a shallow clone left out."""
        if self.git("rev-parse", "--is-shallow-repository") != "true":
            return False
        path = self.path / self.git("rev-parse", "--git-path", "shallow")
        boundary = set(path.read_text("ascii").split())
        return not boundary.isdisjoint(self.git("rev-list", *self.walk()).split())

    def command(self, *arguments: str) -> list[str]:
        """Return a git command on this repository, free of settings that change its output."""
        settings = (part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}"))
        return ["git", "-C", str(self.path), *settings, *arguments]

    def environment(self) -> dict[str, str]:
        """Return the variables for git: nothing in them, nor above the path, is read instead."""
        kept = {name: value for name, value in os.environ.items() if name not in LOCATIONS}
        return kept | {"GIT_CEILING_DIRECTORIES": str(self.path.resolve().parent), "LC_ALL": "C"}

    def git(self, *arguments: str) -> str:
        """Run git and return what it prints, without the final newline.

        Raises:
            InputError: git failed; the message is git's.
        """
        try:
            done = subprocess.run(
                self.command(*arguments), env=self.environment(), capture_output=True, check=False
            )
        except FileNotFoundError:
            raise self.error("needs git, which is not installed") from None
        if done.returncode:
            raise self.failed(done.stderr, done.returncode)
        return done.stdout.decode("utf-8", "replace").removesuffix("\n")

    def failed(self, said: bytes, code: int) -> InputError:
        """Make the error of a git that failed."""
        first = said.decode("utf-8", "replace").strip().split("\n", 1)[0]
        return self.error(f"git failed with exit code {code}: {first}")

    @contextmanager
    def log(self) -> Iterator[BufferedReader]:
        """Run `git log` and yield what it prints as a stream.

        Raises:
            InputError: git failed, even if it printed commits before.
        """
        command = self.command("log", *LOG_OPTIONS, *self.walk())
        with tempfile.TemporaryFile() as said:
            with subprocess.Popen(
                command,
                env=self.environment(),
                stdout=subprocess.PIPE,
                stderr=said,
                pipesize=READ_BYTES,
            ) as process:
                assert isinstance(process.stdout, BufferedReader)
                try:
                    yield process.stdout
                except BaseException:
                    process.kill()
                    raise
            if process.returncode:
                said.seek(0)
                raise self.failed(said.read(), process.returncode)


def detect(source: SourceFile) -> bool:
    """Whether the source is a repository."""
    return isinstance(source, Repository)


def read(source: SourceFile) -> Records:
    """Yield the history in pieces; a step is the position among the commits, oldest first."""
    if not isinstance(source, Repository):
        raise source.error("not a git repository")
    if source.is_cut():
        source.warn(CUT)
    steps: list[Step] = []
    held = 0
    with source.log() as stream:
        for commit in commits(source, stream):
            steps.append(commit_step(commit, source.settings.max_file_lines))
            held += len(commit.patch)
            source.read_one()
            if held >= PIECE_CHARACTERS:
                yield _piece(source, steps)
                steps, held = [], 0
    if steps:
        yield _piece(source, steps)
    if source.bytes_read != source.size:
        raise source.error(f"git printed {source.bytes_read} of {source.size} commits")


def _piece(source: Repository, steps: list[Step]) -> Trajectory:
    metadata = {"head": source.head_sha, "first_parent": source.settings.first_parent}
    return Trajectory(source.default_id, steps, domain="commits", metadata=metadata, is_piece=True)


def commits(source: Repository, stream: BufferedReader) -> Iterator[Commit]:
    """Parse the output of `git log` with LOG_OPTIONS."""
    output = GitOutput(stream)
    while output.starts_with(START):
        output.skip(START)
        fields = [_text(source, output.until(b"\0")) for _ in FIELDS]
        output.skip(b"\0\n")
        files = tuple(_files(source, output))
        output.skip(b"\0")
        patch = _text(source, output.until_patch_ends()) if files else ""
        sha, parents, author, email, date, committed, subject, message = fields
        ts = datetime.fromisoformat(committed).astimezone(UTC).replace(tzinfo=None)
        yield Commit(
            sha, tuple(parents.split()), author, email, date, ts, subject, message, patch, files
        )


def _files(source: Repository, output: GitOutput) -> Iterator[FileChange]:
    """Read the raw records: `:modes and hashes STATUS`, path, for renames also the new path."""
    while output.starts_with(b":"):
        letter = output.until(b"\0").decode().rpartition(" ")[2][:1]
        path = _text(source, output.until(b"\0"))
        if letter in "RC":
            yield FileChange(STATUS[letter], _text(source, output.until(b"\0")), path)
        else:
            yield FileChange(STATUS[letter], path, sections=2 if letter == "T" else 1)


def _text(source: Repository, raw: bytes) -> str:
    """Decode UTF-8; other bytes become U+FFFD and are counted."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("utf-8", "replace")
        source.replaced += text.count("\ufffd")
        return text


FORMAT = Format("git", "A git repository: checkout or bare, one step a commit", detect, read)
