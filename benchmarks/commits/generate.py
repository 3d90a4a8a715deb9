"""Makes questions from a history; the answers come from git alone (history.py)."""

from __future__ import annotations

import hashlib
import random
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.commits.history import History

Question = dict[str, Any]
Made = tuple[dict[str, Any], str, int | None]
"""The template's fields, the answer, and the bound if there is one."""

NUMBERS = {2: "two", 3: "three", 4: "four"}


def generate(history: History, name: str, each: int = 8, seed: int = 0) -> Iterator[Question]:
    """Yield up to `each` questions of each template, their wordings in turn.

    Args:
        history: the repository's.
        name: the trajectory id that the questions name.
        each: questions a template.
        seed: the same seed gives the same questions.
    """
    wordings = tomllib.loads(Path(__file__).with_name("wordings.toml").read_text("utf-8"))
    scopes = wordings["scopes"]["wordings"]
    for template, make in TEMPLATES.items():
        maker = Maker(history, random.Random(f"{seed} {template}"))
        made = list(dict.fromkeys(map(_frozen, make(maker))))
        maker.random.shuffle(made)
        for number, (fields, answer, bound) in enumerate(made[:each]):
            worded = wordings[template]["wordings"]
            scope = scopes[number % len(scopes)].format(bound=bound) if bound is not None else ""
            wording = number % len(worded)
            text = worded[wording].format(**dict(fields), scope=scope)
            key = hashlib.sha256(f"{name}\0{text}".encode()).hexdigest()[:12]
            yield {
                "question_id": key, "trajectory_id": name, "question": text, "answer": answer,
                "template": template, "wording": wording, "bound": bound,
            }  # fmt: skip


def _frozen(made: Made) -> tuple[tuple[tuple[str, Any], ...], str, int | None]:
    fields, answer, bound = made
    return tuple(sorted(fields.items())), answer, bound


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
        plain = [path for path in found if path.isascii() and not set(path) & set(" `'\"")]
        self.random.shuffle(plain)
        return plain[:40]

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

    def order(self, *, oldest: bool = False) -> Iterator[Made]:
        """C3 and C4: files in order of creation, the oldest."""
        added = self._first_added()
        for names in self.choices([p for p in self.files() if p in added]):
            if len({added[name] for name in names}) < len(names):
                continue
            ordered = sorted(names, key=added.__getitem__)
            yield {"files": _quoted(names)}, ordered[0] if oldest else ", ".join(ordered), None

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

    def new_path(self) -> Iterator[Made]:
        """C10: where a file was moved."""
        moves = [(f.old, f.path) for c in self.history.commits for f in c.files if f.letter == "R"]
        times = Counter(old for old, _ in moves)
        for old, new in moves:
            if old is not None and times[old] == 1:
                yield {"file": old}, new, None

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
            fields = {"files": _quoted(names), "and_files": _quoted(names, "and")}
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


def _quoted(names: list[str], last: str = "") -> str:
    quoted = [f"`{name}`" for name in names]
    if not last:
        return ", ".join(quoted)
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


TEMPLATES: dict[str, Callable[[Maker], Iterator[Made]]] = {
    "C1": Maker.touched,
    "C3": Maker.order,
    "C4": lambda maker: maker.order(oldest=True),
    "C5": lambda maker: maker.in_place(0),
    "C6": lambda maker: maker.in_place(-1, bounded=True),
    "C7": lambda maker: maker.in_place(-1, sha=True),
    "C8": Maker.renames,
    "C9": Maker.deletions,
    "C10": Maker.new_path,
    "C11": Maker.value_lists,
    "C12": Maker.value_changes,
    "C13": Maker.value_back,
    "C14": Maker.latest_value,
    "C15": Maker.directories,
    "C16": Maker.most_touched,
    "C17": Maker.several,
    "C18": Maker.by_author,
    "C19": Maker.author_of,
}
