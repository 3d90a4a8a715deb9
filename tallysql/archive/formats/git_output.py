"""The output of `git log` as a stream that is read from mark to mark."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from io import BufferedReader

READ_BYTES = 1 << 20
"""Bytes that git may be ahead of the parser."""

START = b"\x01"
"""Begins each commit. Lines of a patch begin otherwise, so that a newline and this end a patch."""

_END_OF_PATCH = re.compile(rb"\n\0?\x01")


@dataclass(slots=True)
class GitOutput:
    """A stream that is read up to marks; holds one commit at a time."""

    stream: BufferedReader
    held: bytearray = field(default_factory=bytearray)
    at: int = 0

    def _more(self) -> bool:
        chunk = self.stream.read1(READ_BYTES)
        if self.at > READ_BYTES:
            del self.held[: self.at]
            self.at = 0
        self.held += chunk
        return bool(chunk)

    def starts_with(self, mark: bytes) -> bool:
        """Whether the mark is next."""
        while len(self.held) - self.at < len(mark) and self._more():
            pass
        return self.held.startswith(mark, self.at)

    def skip(self, among: Sequence[int]) -> None:
        """Skip the bytes that are next, as long as they are among these."""
        while (self.at < len(self.held) or self._more()) and self.held[self.at] in among:
            self.at += 1

    def until(self, mark: bytes) -> bytes:
        """Return what comes before the mark, and step over it."""
        scanned = 0
        while (end := self.held.find(mark, self.at + scanned)) < 0:
            scanned = len(self.held) - self.at
            if not self._more():
                return self._take(len(self.held), 0)
        return self._take(end, len(mark))

    def until_patch_ends(self) -> bytes:
        """Return the patch that is next, up to the start of another commit or the end."""
        scanned = 0
        while not (found := _END_OF_PATCH.search(self.held, self.at + scanned)):
            scanned = max(len(self.held) - self.at - 2, 0)
            if not self._more():
                return self._take(len(self.held), 0).removesuffix(b"\0")
        return self._take(found.start() + 1, found.end() - found.start() - 1 - len(START))

    def _take(self, end: int, mark: int) -> bytes:
        taken = bytes(self.held[self.at : end])
        self.at = end + mark
        return taken
