"""A source file as the formats see it: bytes, lines or JSON records, compressed or not."""

from __future__ import annotations

import hashlib
import io
from contextlib import contextmanager
from functools import cached_property
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, Literal

from tallysql.archive.formats.json_text import parse_json
from tallysql.archive.rows import Damage
from tallysql.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Shape = Literal["empty", "parquet", "json", "jsonl", "text", "binary"]

HEAD_BYTES = 1 << 16
HASH_BYTES = 1 << 22
SAMPLE_LINES = 20
BUFFER_BYTES = 1 << 20
UNPACKED_BYTES = 1 << 28
UNPACKED_TIMES = 200
"""What a compressed file may unpack to: so many bytes, or so many times its size if that is more.

Logs get 5 to 50 times smaller; what gets thousands of times larger is no log."""
CODECS = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
BOM = b"\xef\xbb\xbf"


class SourceFile:
    """One source: a file, or a hive-partitioned directory of Parquet files read as one.

    Readers report what they had to change through `replaced` and `warn`.

    Args:
        path: the file or directory.
        name: how the user named it; stands in reports and errors, and in the archive unless
            `stored_name` is set to something else.
        parts: the files of a partitioned directory, in order.
        trajectory_id: the id given with `--id`, for a source of one trajectory.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        *,
        parts: Sequence[Path] = (),
        trajectory_id: str | None = None,
    ) -> None:
        self.path = path
        self.name = name
        self.stored_name = name
        self.parts = tuple(parts) or (path,)
        self.trajectory_id = trajectory_id
        self.size = sum(part.stat().st_size for part in self.parts)
        self.replaced = 0
        self.warnings: list[str] = []
        self.json_problem: str | None = None
        self._finished_bytes = 0
        self._raw: IO[bytes] | None = None

    @property
    def default_id(self) -> str:
        """The id of a trajectory whose source holds none: `--id`, else the file's name."""
        return self.trajectory_id or self.path.name.split(".", 1)[0]

    @property
    def is_packed(self) -> bool:
        """Whether the content is larger than the file: compressed, an archive, or Parquet."""
        try:
            with self.parts[0].open("rb") as file:
                lead = file.read(4)
        except OSError:
            return False
        return lead.startswith((*CODECS, b"PAR1", b"PK"))

    @property
    def bytes_read(self) -> int:
        """How far reading has come, in bytes on disk; at most `size`."""
        inside = self._raw.tell() if self._raw and not self._raw.closed else 0
        return min(self._finished_bytes + inside, self.size)

    def read_share(self, part: Path, share: float) -> None:
        """Tell how much of a part has been read, where its reader opens the file itself."""
        before = self.parts[: self.parts.index(part)]
        size = part.stat().st_size
        self._finished_bytes = sum(p.stat().st_size for p in before) + int(size * share)

    def warn(self, text: str) -> None:
        """Say something about the file, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def error(
        self, problem: str, *, record: int | str | None = None, field: str | None = None
    ) -> InputError:
        """Make the error of a file that cannot be used; raise it."""
        return InputError.at(self.name, problem, record=record, field=field)

    def digest(self) -> str:
        """Return the SHA-256 over the bytes of all parts, as they are on disk.

        Raises:
            InputError: a part cannot be read.
        """
        digest = hashlib.sha256()
        try:
            for part in self.parts:
                with part.open("rb") as file:
                    while chunk := file.read(HASH_BYTES):
                        digest.update(chunk)
        except OSError as error:
            raise self.error(str(error.strerror or error)) from error
        return digest.hexdigest()

    @contextmanager
    def open(self, part: Path | None = None) -> Iterator[IO[bytes]]:
        """Open the content for reading, decompressed.

        Raises:
            InputError: the file cannot be read, or its compression is damaged or cut.
        """
        try:
            with (part or self.parts[0]).open("rb", buffering=BUFFER_BYTES) as raw:
                self._raw = raw
                yield _decompressed(raw, unpacked_limit((part or self.parts[0]).stat().st_size))
                self._finished_bytes += raw.tell()
        except OSError as error:
            raise self.error(error.strerror or _first_line(error)) from error

    @cached_property
    def head(self) -> bytes:
        """The first 64 KB of the (first) file, decompressed, without a byte order mark."""
        with self.open() as file:
            head = file.read(HEAD_BYTES)
        self._finished_bytes = 0
        return head.removeprefix(BOM)

    def data(self) -> bytes:
        """The whole content, without a byte order mark."""
        with self.open() as file:
            return file.read().removeprefix(BOM)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield (number from 1, line) of the lines that are not blank.

        Lines end with a newline byte and nothing else: U+2028, U+0085 and lone carriage returns
        are content.
        """
        with self.open() as file:
            for number, line in enumerate(file, 1):
                text = line.removeprefix(BOM) if number == 1 else line
                if text.strip():
                    yield number, text

    def parse(self, raw: bytes) -> Any:
        """Parse JSON; lone surrogates become U+FFFD and are counted.

        Raises:
            ValueError: not JSON.
        """
        value, replaced = parse_json(raw)
        self.replaced += replaced
        return value

    @cached_property
    def shape(self) -> Shape:
        """What the bytes are, whatever they mean."""
        if not self.head.strip():
            return "empty"
        if self.head.startswith(b"PAR1"):
            return "parquet"
        if self._looks_like_lines():
            return "jsonl"
        if self.head.lstrip()[:1] in (b"{", b"[") and self._is_document():
            return "json"
        if self._first_objects():
            return "jsonl"
        return "binary" if b"\x00" in self.head else "text"

    @cached_property
    def document(self) -> Any:
        """The whole file as one JSON value.

        Raises:
            InputError: it is not.
        """
        try:
            return self.parse(self.data())
        except ValueError as error:
            raise self.error(f"not JSON: {error}") from None

    @cached_property
    def sample(self) -> list[dict[str, Any]]:
        """The first JSON objects: lines of JSONL, elements of a list, or the one object."""
        if self.shape == "jsonl":
            return self._first_objects()
        if self.shape != "json":
            return []
        values = self.document if isinstance(self.document, list) else [self.document]
        return [value for value in values[:SAMPLE_LINES] if isinstance(value, dict)]

    def records(self) -> Iterator[tuple[int, dict[str, Any]] | Damage]:
        """Yield (number, object) of each JSON record, a Damage for each that is none.

        Records are the lines of JSONL (numbered as lines), the elements of a list, or the one
        object of a document.
        """
        if self.shape == "json":
            values = self.document if isinstance(self.document, list) else [self.document]
            for number, value in enumerate(values, 1):
                yield _checked(number, value)
            return
        for number, line in self.lines():
            # Not yielded where the error is handled: its frames would hold the file open.
            record: tuple[int, dict[str, Any]] | Damage
            try:
                record = _checked(number, self.parse(line))
            except ValueError as error:
                record = Damage(number, f"not JSON: {error}")
            yield record

    def _looks_like_lines(self) -> bool:
        """Whether two of the first lines are objects of their own, unindented.

        A document printed over several lines has at most one such line, its last.
        """
        lines = [line for line in self._first_lines if line.startswith(b"{")]
        return sum(_object(line) is not None for line in lines) > 1

    def _is_document(self) -> bool:
        try:
            return isinstance(self.document, (dict, list))
        except InputError as error:
            self.json_problem = error.message.removeprefix(f"{self.name}: ")
            return False

    @cached_property
    def _first_lines(self) -> list[bytes]:
        lines = [line for _, line in islice(self.lines(), SAMPLE_LINES)]
        self._finished_bytes = 0
        return lines

    def _first_objects(self) -> list[dict[str, Any]]:
        found = (_object(line) for line in self._first_lines)
        return [value for value in found if value is not None]


def _object(raw: bytes) -> dict[str, Any] | None:
    """Return the JSON object that a line is, None if it is none."""
    try:
        value, _ = parse_json(raw)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _checked(number: int, value: Any) -> tuple[int, dict[str, Any]] | Damage:
    if isinstance(value, dict):
        return number, value
    return Damage(number, f"JSON, but not an object ({type(value).__name__})")


def unpacked_limit(size: int) -> int:
    """Return how many bytes a file of that size may unpack to."""
    return max(UNPACKED_BYTES, UNPACKED_TIMES * size)


class _Bounded(io.RawIOBase):
    """A stream that fails once it has given more than it may."""

    def __init__(self, stream: Any, limit: int) -> None:
        self._stream = stream
        self._limit = limit
        self._left = limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        n = int(self._stream.readinto(buffer))
        self._left -= n
        if self._left < 0:
            raise OSError(
                f"unpacks to more than {self._limit} bytes, which no log of its size does"
            )
        return n


def _decompressed(raw: IO[bytes], limit: int) -> IO[bytes]:
    """Read gzip and zstd (told by their first bytes) as what they hold.

    Reading raises OSError where that is more than `limit` bytes.
    """
    magic = raw.read(4)
    raw.seek(0)
    codec = next((name for lead, name in CODECS.items() if magic.startswith(lead)), None)
    if codec is None:
        return raw
    import pyarrow as pa

    stream = pa.CompressedInputStream(pa.PythonFile(raw, "r"), codec)
    return io.BufferedReader(_Bounded(stream, limit), BUFFER_BYTES)


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0]
