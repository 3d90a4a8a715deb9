"""Makes further questions from a history: kinds of change, commits, authors, single values."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.commits.maker import Made, Maker, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from benchmarks.commits.history import Commit

MOST_LISTED = 30
"""Names that a question's answer lists at most."""


class Further(Maker):
    """Makes the questions of one of the further templates."""

    def until(self, bound: int) -> list[Commit]:
        """Return the commits up to a step."""
        return self.history.commits[: bound + 1]

    def paths(self, letters: str, commits: Iterable[Commit] | None = None) -> list[str]:
        """Return the paths that changed in one of the ways (git's letters), one an event."""
        found = self.history.commits if commits is None else commits
        return [f.old or f.path for c in found for f in c.files if f.letter in letters]

    def folders(self) -> list[str]:
        """Return directories that some commits touch, in an order of the seed's."""
        found = sorted({path.rpartition("/")[0] + "/" for path in self.files() if "/" in path})
        self.random.shuffle(found)
        return found

    def authors(self) -> list[str]:
        """Return the authors with the most commits, and some with few."""
        ranked = [name for name, _ in Counter(c.author for c in self.history.commits).most_common()]
        chosen = [*ranked[:5], *ranked[5::7][:4]]
        return [name for name in chosen if name.replace(" ", "").isalpha()]

    def in_directory(self, *, counted: bool) -> Iterator[Made]:
        """C20, C21: the files that were added in a directory."""
        for directory in self.folders():
            for bound in self.bounds():
                added = dict.fromkeys(
                    p for p in self.paths("A", self.until(bound)) if p.startswith(directory)
                )
                if counted or 0 < len(added) <= MOST_LISTED:
                    yield {"directory": directory}, _told(added, counted), bound

    def edge(self, letters: str, pick: int) -> Iterator[Made]:
        """C22: the file that was first or last added or deleted, where only one was then."""
        for bound in range(0 if pick else self.last, self.last + 1, max(1, self.last // 12)):
            steps = [c for c in self.until(bound) if self.paths(letters, [c])]
            if steps and len(found := self.paths(letters, [steps[pick]])) == 1:
                yield {}, found[0], bound

    def settings(self) -> Iterator[tuple[dict[str, str], int]]:
        """Yield file, name and value, and the step of each value that was set but once."""
        for (path, name), values in self.history.values.items():
            held = Counter(value for _, value in values)
            for step, value in values:
                if held[value] == 1 and len(values) > 1 and "`" not in value:
                    yield {"file": path, "name": name, "value": value}, step

    def setting(self, *, step: bool = False, who: bool = False) -> Iterator[Made]:
        """C23, C44: the commit, step or author of a value."""
        for fields, at in self.settings():
            commit = self.history.commits[at]
            yield fields, str(at) if step else commit.author if who else commit.sha[:7], None

    def commits(self, counts: Callable[[Commit], object]) -> Iterator[Made]:
        """C24, C25, C26C, C31: how many commits are of a kind."""
        for bound in self.bounds():
            yield {}, str(sum(bool(counts(commit)) for commit in self.until(bound))), bound

    def distinct(self, paths: Callable[[Commit], Iterable[str]]) -> Iterator[Made]:
        """C26, C30: how many different files changed in some way."""
        for bound in self.bounds():
            yield {}, str(len({p for c in self.until(bound) for p in paths(c)})), bound

    def additions(self) -> Iterator[Made]:
        """C30E: how many times a file was added."""
        for bound in self.bounds():
            yield {}, str(len(self.paths("A", self.until(bound)))), bound

    def of_author(self, letters: str, *, counted: bool) -> Iterator[Made]:
        """C27: the files that an author added, deleted or modified."""
        for author in self.authors():
            for bound in self.bounds():
                own = [c for c in self.until(bound) if c.author == author]
                every = len(letters) > 2
                found = dict.fromkeys(
                    p for c in own for p in (c.paths if every else self.paths(letters, [c]))
                )
                if (counted and own) or 0 < len(found) <= MOST_LISTED:
                    yield {"author": author}, _told(found, counted), bound

    def first_set(self, *, last: bool = False, value: bool = False) -> Iterator[Made]:
        """C28, C29: when a variable was first or last set, and to what at first."""
        for (path, name), values in self.history.values.items():
            if len(values) > 1:
                step, told = values[-1 if last else 0]
                yield {"file": path, "name": name}, told if value else str(step), None

    def directory_edge(self, pick: int, *, sha: bool = False) -> Iterator[Made]:
        """C32: the first or last commit that touches a directory."""
        for directory in self.folders():
            steps = [
                step
                for step, commit in enumerate(self.history.commits)
                if any(path.startswith(directory) for path in commit.paths)
            ]
            answer = self.history.commits[steps[pick]].sha[:7] if sha else str(steps[pick])
            yield {"directory": directory}, answer, None

    def event(self, letter: str, *, sha: bool = False) -> Iterator[Made]:
        """C33: the commit or step at which a file was added, deleted or renamed, if but once."""
        times = Counter(self.paths(letter))
        for step, commit in enumerate(self.history.commits):
            for path in self.paths(letter, [commit]):
                if times[path] == 1 and plain(path):
                    yield {"file": path}, commit.sha[:7] if sha else str(step), None

    def most_active(self) -> Iterator[Made]:
        """C34: who made the most commits."""
        for bound in self.bounds():
            first, second = _two(Counter(c.author for c in self.until(bound)))
            if first[1] > second[1]:
                yield {}, first[0], bound

    def people(self) -> Iterator[Made]:
        """C34N: how many authors there are."""
        for bound in self.bounds():
            yield {}, str(len({c.author for c in self.until(bound)})), bound

    def most_active_on(self) -> Iterator[Made]:
        """C34W: who touched a file most often."""
        for path in self.files(3):
            steps = self.history.touches[path]
            first, second = _two(Counter(self.history.commits[s].author for s in steps))
            if first[1] > second[1]:
                yield {"file": path}, first[0], None

    def of_commit(self, *, listed: bool = False, step: bool = False) -> Iterator[Made]:
        """C35: the files of one commit, or its step."""
        chosen = list(enumerate(self.history.commits))
        self.random.shuffle(chosen)
        for at, commit in chosen[:40]:
            found = dict.fromkeys(p for f in commit.files for p in (f.old, f.path) if p)
            if 0 < len(found) <= MOST_LISTED and not any(f.old for f in commit.files):
                answer = str(at) if step else _told(found, not listed)
                yield {"hash": commit.sha[:7]}, answer, None

    def touched_in(self) -> Iterator[Made]:
        """C36: how many files of a directory were touched."""
        for directory in self.folders():
            for bound in self.bounds():
                found = {p for c in self.until(bound) for p in c.paths if p.startswith(directory)}
                yield {"directory": directory}, str(len(found)), bound

    def steps_of(self) -> Iterator[Made]:
        """C37: the steps that touch a file."""
        for path in self.files(2):
            steps = self.history.touches[path]
            if len(steps) <= MOST_LISTED:
                yield {"file": path}, ", ".join(map(str, steps)), None

    def ever_deleted(self) -> Iterator[Made]:
        """C38: whether a file was ever deleted, as many yes as no."""
        gone = [path for path in dict.fromkeys(self.paths("D")) if plain(path)]
        kept = [path for path in self.files() if path not in gone]
        for deleted, other in zip(gone, kept, strict=False):
            yield {"file": deleted}, "yes", None
            yield {"file": other}, "no", None

    def most_in(self) -> Iterator[Made]:
        """C39: the file of a directory that changed most often."""
        for directory in self.folders():
            counts = Counter(
                path
                for commit in self.history.commits
                for path in commit.paths
                if path.startswith(directory)
            )
            first, second = _two(counts)
            if first[1] > second[1]:
                yield {"directory": directory}, first[0], None

    def distinct_values(self) -> Iterator[Made]:
        """C40: how many different values a variable had."""
        for (path, name), values in self.history.values.items():
            yield {"file": path, "name": name}, str(len({v for _, v in values})), None

    def value_at(self) -> Iterator[Made]:
        """C41: the value that a variable had at a step."""
        for (path, name), values in self.history.values.items():
            for at in self.bounds()[:2]:
                held = [value for step, value in values if step <= at]
                if held and len(values) > 1:
                    yield {"file": path, "name": name, "at": str(at)}, held[-1], None

    def value_before(self) -> Iterator[Made]:
        """C42: the value before the latest."""
        for (path, name), values in self.history.values.items():
            if len(values) > 1:
                yield {"file": path, "name": name}, values[-2][1], None

    def last_author(self) -> Iterator[Made]:
        """C43: who changed a file last."""
        for path in self.files(2):
            step = self.history.touches[path][-1]
            if path in self.paths("M", [self.history.commits[step]]):
                yield {"file": path}, self.history.commits[step].author, None

    def author_and_file(self) -> Iterator[Made]:
        """C45: how many commits of an author touch a file."""
        for path in self.files(3)[:10]:
            for author in self.authors()[:4]:
                own = [s for s in self.history.touches[path] if self._by(s, author)]
                if own:
                    yield {"file": path, "author": author}, str(len(own)), None

    def _by(self, step: int, author: str) -> bool:
        return self.history.commits[step].author == author

    def table(self) -> Iterator[Made]:
        """C46: the commits of each author, where they are few."""
        counts = Counter(commit.author for commit in self.history.commits)
        if len(counts) <= 12:
            yield {}, ", ".join(f"{name}: {n}" for name, n in counts.most_common()), None


def _told(found: dict[str, None], counted: bool) -> str:
    return str(len(found)) if counted else ", ".join(found) or "none"


def _two(counts: Counter[str]) -> list[tuple[str, int]]:
    return [*counts.most_common(2), ("", 0), ("", 0)][:2]
