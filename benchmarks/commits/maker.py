"""Makes questions from a history: of files, renames, deletions, values and counts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from benchmarks.commits.history import History

Made = tuple[dict[str, Any], str, int | None]
"""The template's fields, the answer, and the bound if there is one."""

NUMBERS = {2: "two", 3: "three", 4: "four"}


class Maker:
    """Makes the questions of one template."""

    def __init__(self, history: History, chance: random.Random) -> None:
        self.history = history
        self.random = chance
        self.last = len(history.commits) - 1

    def bounds(self) -> list[int]:
        """Return early, middle and last steps."""
        return sorted({self.last // 4, self.last // 2, self.last})

    def files(self, least: int = 1) -> list[str]:
        """Return files that so many commits touch, in an order of the seed's."""
        found = sorted(p for p, steps in self.history.touches.items() if len(steps) >= least)
        kept = [path for path in found if plain(path)]
        self.random.shuffle(kept)
        return kept[:40]

    def choices(self, files: list[str]) -> Iterator[list[str]]:
        """Yield sets of two to four files."""
        for start in range(0, len(files) - 4, 2):
            yield files[start : start + self.random.choice([2, 3, 4])]

    def touched(self) -> Iterator[Made]:
        """C1: how many commits touch a file."""
        for path in self.files(2):
            for bound in self.bounds():
                steps = [s for s in self.history.touches[path] if s <= bound]
                yield {"file": path}, str(len(steps)), bound

    def _first_added(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for step, commit in enumerate(self.history.commits):
            for file in commit.files:
                if file.letter == "A":
                    found.setdefault(file.path, step)
        return found

    def order(self, pick: int | None = None) -> Iterator[Made]:
        """C3 and C4: files in order of creation, the oldest or newest of them."""
        added = self._first_added()
        for names in self.choices([p for p in self.files() if p in added]):
            if len({added[name] for name in names}) < len(names):
                continue
            ordered = sorted(names, key=added.__getitem__)
            fields = {"files": quoted(names), "and_files": quoted(names, "and")}
            yield fields, ", ".join(ordered) if pick is None else ordered[pick], None

    def in_place(self, pick: int, *, sha: bool = False, bounded: bool = False) -> Iterator[Made]:
        """C5 to C7: the first or last modification in place, its step or hash."""
        for path in self.files(2):
            bound = self.random.choice(self.bounds()) if bounded else None
            steps = [s for s in self.history.steps(path, "MT") if bound is None or s <= bound]
            if steps:
                step = steps[pick]
                answer = self.history.commits[step].sha[:7] if sha else str(step)
                yield {"file": path}, answer, bound

    def renames(self) -> Iterator[Made]:
        """C8: how many files were renamed."""
        for bound in self.bounds():
            commits = self.history.commits[: bound + 1]
            yield {}, str(sum(f.letter == "R" for c in commits for f in c.files)), bound

    def deletions(self) -> Iterator[Made]:
        """C9: which files were deleted; not where there are so many that no one would ask."""
        for bound in self.bounds():
            commits = self.history.commits[: bound + 1]
            gone = dict.fromkeys(f.path for c in commits for f in c.files if f.letter == "D")
            if len(gone) <= 30:
                yield {}, ", ".join(gone) or "none", bound

    def new_path(self, *, back: bool = False) -> Iterator[Made]:
        """C10: where a file was moved, or from where."""
        moves = [
            ((f.path, f.old or "") if back else (f.old or "", f.path))
            for c in self.history.commits
            for f in c.files
            if f.letter == "R"
        ]
        times = Counter(path for path, _ in moves)
        for path, other in moves:
            if times[path] == 1 and plain(path) and plain(other):
                yield {"file": path}, other, None

    def value_lists(self) -> Iterator[Made]:
        """C11: the values that a variable took."""
        for fields, found, bound in self._values():
            if found:
                yield fields, ", ".join(value for _, value in found), bound

    def value_changes(self) -> Iterator[Made]:
        """C12: how often a value changed."""
        for fields, found, bound in self._values():
            if found:
                yield fields, str(len(found) - 1), bound

    def _values(self) -> Iterator[tuple[dict[str, str], list[tuple[int, str]], int]]:
        for (path, name), values in self.history.values.items():
            for bound in self.bounds():
                found = [pair for pair in values if pair[0] <= bound]
                if len(values) > 1:
                    yield {"file": path, "name": name}, found, bound

    def value_back(self) -> Iterator[Made]:
        """C13: the value some changes before the latest."""
        for (path, name), values in self.history.values.items():
            for n in sorted({1, len(values) // 2, len(values) - 1}):
                if 0 < n < len(values):
                    fields = {"file": path, "name": name, "n": n, "s": "s" if n > 1 else ""}
                    yield fields, values[-1 - n][1], None

    def latest_value(self) -> Iterator[Made]:
        """C14: the latest value."""
        for (path, name), values in self.history.values.items():
            if len(values) > 1:
                yield {"file": path, "name": name}, values[-1][1], None

    def directories(self) -> Iterator[Made]:
        """C15: how many commits touch a directory."""
        parents = {p.rpartition("/")[0] + "/" for p in self.files() if "/" in p}
        for directory in sorted(parents):
            for bound in self.bounds():
                commits = self.history.commits[: bound + 1]
                count = sum(any(p.startswith(directory) for p in c.paths) for c in commits)
                yield {"directory": directory}, str(count), bound

    def most_touched(self) -> Iterator[Made]:
        """C16: the file with the most commits, where only one has them."""
        for bound in self.bounds():
            commits = self.history.commits[: bound + 1]
            counts = Counter(path for commit in commits for path in commit.paths).most_common(2)
            if counts and (len(counts) == 1 or counts[0][1] > counts[1][1]):
                yield {}, counts[0][0], bound

    def several(self) -> Iterator[Made]:
        """C17: several counts at once."""
        for names in self.choices(self.files(2)):
            counts = [str(len(self.history.touches[name])) for name in names]
            fields = {"files": quoted(names), "and_files": quoted(names, "and")}
            yield fields | {"number": NUMBERS[len(names)]}, ", ".join(counts), None

    def by_author(self) -> Iterator[Made]:
        """C18: how many commits an author made."""
        authors = Counter(commit.author for commit in self.history.commits)
        for author, _ in authors.most_common(12):
            for bound in self.bounds():
                commits = self.history.commits[: bound + 1]
                yield {"author": author}, str(sum(c.author == author for c in commits)), bound

    def author_of(self) -> Iterator[Made]:
        """C19: who made a commit."""
        added = self._first_added()
        for path, step in sorted(added.items()):
            commit = self.history.commits[step]
            yield {"hash": commit.sha[:7], "file": path}, commit.author, None


def quoted(names: list[str], last: str = "") -> str:
    """Return names in backticks as a list, the last after a word such as `and`."""
    names = [f"`{name}`" for name in names]
    if not last:
        return ", ".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def plain(path: str) -> bool:
    """Whether a path can stand in a sentence as it is."""
    return path.isascii() and not set(path) & set(" `'\"")
