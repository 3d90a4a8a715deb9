"""Questions about commit histories: which commits, which of their changes, and what of them.

The same stages as for other questions, over the words of version control (history.toml): scope,
what the question names, how it is worded, one sub-query a quantity. A word that nothing places
leaves the question to the general compiler.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tallysql.compiling.compilation import Compilation
from tallysql.compiling.rules.history_cues import STATUSES, Asked, read_asked, read_form
from tallysql.compiling.rules.history_subjects import TaggedBoard
from tallysql.compiling.rules.lexicon import lexicon
from tallysql.compiling.rules.scope import Range, read_bounds, read_named
from tallysql.plan.nodes import MAX_QUERIES, Clause, Plan, Query, Scope, Term

if TYPE_CHECKING:
    from tallysql.compiling.compilation import AnswerForm
    from tallysql.compiling.rules.history_subjects import Subject
    from tallysql.compiling.rules.vocabulary import Vocabulary
    from tallysql.plan.nodes import By, Op, Pick, Where
    from tallysql.plan.profiles import Profile

TOOL = "commit"
SHORT_HASH = 7

Quantity = tuple[Query, "AnswerForm"]


def compile_history(question: str, vocabulary: Vocabulary, profile: Profile) -> Compilation | None:
    """Compile a question about a trajectory of commits; None where it is not understood whole.

    Args:
        question: the question as asked.
        vocabulary: the dictionary of the trajectory's catalog.
        profile: without extensions, values and parts of changes cannot be asked for.
    """
    catalog = vocabulary.catalog
    if TOOL not in catalog.tools or not profile.extensions:
        return None
    board = TaggedBoard(question, vocabulary)
    form = read_form(board)
    if any(pattern.search(board.text) for pattern, _ in lexicon().decline):
        return None
    bounds = read_named(board, read_bounds(board, Range(catalog.first_step or 0, catalog.last_step)))
    if bounds.split or len(bounds.named) > 1:
        return None
    asked = read_asked(board, form)
    if board.free() or "reversed" in asked.features:
        return None
    lo, hi = (bounds.named[0], bounds.named[0]) if bounds.named else (bounds.lo, bounds.hi)
    quantities = _Question(board, asked, Scope(lo, hi)).quantities()
    if not 1 <= len(quantities) <= MAX_QUERIES:
        return None
    queries, forms = zip(*quantities, strict=True)
    bare = len(queries) > 1
    return Compilation(Plan(tuple(queries)), board.trace(), tuple(forms), bare=bare)


@dataclass(frozen=True, slots=True)
class _Question:
    """What a question names and asks for; each method reads one sort of question."""

    board: TaggedBoard
    asked: Asked
    scope: Scope

    def quantities(self) -> list[Quantity]:
        """Return the sub-queries with their answer forms; none if the question is of no sort."""
        subjects = self.board.subjects
        if any(len(subject.texts) > 1 for subject in subjects.found):
            return []
        files, variables = subjects.of("file"), subjects.of("var")
        others = [subjects.of(sort) for sort in ("dir", "hash", "author")]
        if variables:
            return [] if any(others) else self._variable(variables, files)
        if subjects.of("value"):
            return []
        if sum(map(bool, [files, *others])) > 1:
            return []
        if len(files) > 1:
            return self._files(files)
        if files:
            return self._file(files[0])
        for found, read in zip(others, (self._directory, self._hash, self._author), strict=True):
            if found:
                return read(found[0]) if len(found) == 1 else []
        return self._anything()

    def _query(self, op: Op, where: Where, by: By | None = None, pick: Pick | None = None) -> Query:
        return Query(op, where, self.scope, by=by, pick=pick)

    # variables

    def _variable(self, variables: list[Subject], files: list[Subject]) -> list[Quantity]:
        if len(variables) > 1 or len(files) > 1:
            return []
        asked = self.asked
        lead = f"{files[0].texts[0]}." if files else ""
        values = self.board.subjects.of("value")
        text = f"{lead}{variables[0].texts[0]} → "
        term = Term(text + values[0].texts[0], "verbatim") if values else Term(text, "verbatim_prefix")
        where = (Clause("change", (term,)),)
        if len(values) > 1 or asked.any("files", "directories", "most", "each"):
            return self._where_assigned(where) if not files and len(values) < 2 else []
        if values or asked.any("step", "steps", "hash", "who") or (asked.any("commits") and not asked.any("values", "value", "changes", "how_many", "times")):
            return self._of_commits(where, default="first")
        return self._value(where)

    def _where_assigned(self, where: Where) -> list[Quantity]:
        if self.asked.any("files") and not self.asked.any("how_many", "times", "most", "each"):
            return [(self._query("distinct", where, "object"), "names")]
        return []

    def _value(self, where: Where) -> list[Quantity]:
        asked = self.asked
        counting = asked.any("changes", "not_first") or (
            asked.any("times", "how_many") and asked.spoken and not asked.any("values", "distinct")
        )
        if asked.back:
            return [(self._query("values", where, "value", -(asked.back + 1)), "name")]
        if counting:
            return [(self._query("values", where, "value"), "changes")]
        if asked.any("how_many", "times"):
            if asked.any("distinct") or asked.any("values"):
                return [(self._query("distinct", where, "value"), "integer")]
            return [(self._query("count", where), "integer")]
        if asked.any("values", "succession") or "list" in asked.form:
            op: Op = "distinct" if asked.any("distinct") and not asked.any("succession") else "values"
            return [(self._query(op, where, "value"), "names")]
        if asked.nth:
            return [(self._query("values", where, "value", asked.nth), "name")]
        pick: Pick = "first" if asked.any("first") else "last"
        return [(self._query("values", where, "value", pick), "name")]

    # files

    def _files(self, files: list[Subject]) -> list[Quantity]:
        asked = self.asked
        names = [file.texts[0] for file in files]
        if asked.any("how_many", "times"):
            if asked.any("each", "listed") or "list" in asked.form or asked.counts == len(names):
                return [(replace(self._query("count", self._touching(n)), label=n), "integer") for n in names]
            either = {"or", "any", "either"} & set(self.board.canon) and asked.counts == 1
            where = _joined([self._touching(n) for n in names])
            return [(self._query("count", where), "integer")] if either else []
        kinds = asked.kinds or frozenset({"added"})
        if asked.any("most"):
            terms = tuple(Term(f"{name}.status → ", "verbatim_prefix") for name in names)
            return [(self._query("top", (Clause("change", terms),), "object"), "name")]
        if len(kinds) > 1 or asked.any("step", "steps", "hash", "who"):
            return []
        terms = tuple(_status(name, kind) for name in names for kind in kinds)
        where = (Clause("change", terms),)
        wanted: AnswerForm | None = (
            "order" if asked.any("order") else "oldest" if asked.any("first") else "newest" if asked.any("last") else None
        )
        return [(replace(self._query("distinct", where, "object"), limit=len(names)), wanted)] if wanted else []

    def _file(self, file: Subject) -> list[Quantity]:
        asked = self.asked
        name = file.texts[0]
        if asked.any("moved") and not asked.any("new_path", "old_path"):
            return []
        if asked.any("new_path", "old_path"):
            if asked.any("new_path"):
                where: Where = (Clause("change", (Term(f"{name}.path → ", "verbatim_prefix"),)),)
                return [(self._query("values", where, "value"), "names")]
            where = (Clause("change", (Term(f"path → {name}", "verbatim"),)),)
            return [(self._query("values", where, "object"), "names")]
        if asked.any("values", "value", "changes", "back", "directories") and not asked.any("step", "times", "how_many"):
            return []
        default: Pick | None = "first" if asked.kinds == {"added"} and not asked.any("steps") else None
        found = self._of_commits(self._touching(name), default=default)
        terms = tuple(_status(name, kind) for kind in sorted(self._left_out(asked.kinds)))
        excluded = (Clause("change", terms),) if terms else ()
        return [(replace(query, exclude=excluded), form) for query, form in found]

    def _touching(self, name: str) -> Where:
        """Return the commits that did to a file what the question says; all that touch it if any."""
        kinds = self.asked.kinds or STATUSES
        if kinds >= STATUSES or self._left_out(kinds):
            return (Clause("path", (Term(name, "verbatim"),)),)
        return (Clause("change", tuple(_status(name, kind) for kind in sorted(kinds))),)

    def _left_out(self, kinds: frozenset[str]) -> frozenset[str]:
        """Return the kinds to exclude where renames to the path count beside other changes."""
        return STATUSES - kinds if "renamed" in kinds and len(kinds) > 1 else frozenset()

    # other subjects

    def _directory(self, directory: Subject) -> list[Quantity]:
        if self.asked.kinds and not self.asked.kinds >= STATUSES:
            return []
        where = (Clause("path", (Term(directory.texts[0], "verbatim_prefix"),)),)
        if self.asked.any("most") or (self.asked.any("files") and self._asks_files()):
            return []
        return self._of_commits(where)

    def _asks_files(self) -> bool:
        return not self.asked.any("commits", "times", "step", "steps", "hash", "who")

    def _hash(self, sha: Subject) -> list[Quantity]:
        asked = self.asked
        where = (Clause("action", (Term(f"commit {sha.texts[0][:SHORT_HASH]}", "verbatim_prefix"),)),)
        if asked.any("who", "authors"):
            return [(self._query("distinct", where, "author"), "name")]
        if asked.any("files"):
            return self._of_paths(where)
        if asked.any("step"):
            return [(self._query("first", where), "step")]
        return []

    def _author(self, author: Subject) -> list[Quantity]:
        asked = self.asked
        where: Where = (Clause("author", (Term(author.texts[0], "exact"),)),)
        narrowed = asked.kinds and not asked.kinds >= STATUSES
        if asked.any("files") and not asked.any("commits", "step", "steps", "hash"):
            return self._of_paths(where) if not narrowed else []
        if narrowed:
            return []
        return self._of_commits(where)

    def _anything(self) -> list[Quantity]:
        asked = self.asked
        narrowed = bool(asked.kinds) and not asked.kinds >= STATUSES
        where: Where = ()
        if narrowed:
            where = (Clause("change", tuple(Term(f"status → {k}", "verbatim") for k in sorted(asked.kinds))),)
        if asked.any("values", "value", "changes", "back", "new_path", "old_path"):
            return []
        files = asked.any("files", "per_commit") or "path" in asked.form
        if asked.any("each"):
            by: By | None = "author" if asked.any("authors", "who") else "path" if files else None
            return [(self._query("group", where, by), "pairs")] if by and not narrowed else []
        if files and not asked.any("step", "steps", "hash", "who"):
            return self._of_paths(where) if not (asked.any("how_many") and asked.any("commits")) else self._of_commits(where)
        if asked.any("directories"):
            return [(self._query("top", where, "directory"), "name")] if asked.any("most") and not narrowed else []
        if asked.any("most"):
            return [(self._query("top", where, "author"), "name")] if asked.any("who", "authors") else []
        return self._of_commits(where)

    # what is asked of the events

    def _of_paths(self, where: Where) -> list[Quantity]:
        """Return what is asked of the files of the selected commits."""
        asked = self.asked
        narrowed = any(clause.field == "change" for clause in where)
        by: By = "object" if narrowed else "path"
        if asked.any("most"):
            return [(self._query("top", where, by), "name")]
        if asked.any("how_many", "times"):
            if asked.any("times", "per_commit") and narrowed:
                return [(self._query("count", where, by), "integer")]
            if asked.any("times"):
                return []
            op: Op = "distinct" if asked.any("distinct") or not narrowed else "count"
            return [(self._query(op, where, by), "integer")]
        if asked.any("first", "last"):
            return []
        return [(self._query("distinct", where, by), "names")]

    def _of_commits(self, where: Where, default: Pick | None = None) -> list[Quantity]:
        """Return what is asked of the selected commits: how many, which, when, by whom."""
        asked = self.asked
        pick: Pick | None = "first" if asked.any("first") else "last" if asked.any("last") else default
        if asked.any("first") and asked.any("last"):
            return []
        counting = asked.any("how_many", "times", "changes")
        if counting:
            if asked.any("first", "last", "most", "files", "directories") and not asked.any("commits", "times"):
                return []
            if asked.any("who", "authors") and not asked.any("times", "commits"):
                return [(self._query("distinct", where, "author"), "integer")]
            return [(self._query("count", where), "integer")]
        if asked.any("most"):
            return [(self._query("top", where, "author"), "name")] if asked.any("who", "authors") else []
        if asked.any("hash") or (asked.any("commits") and not asked.any("step", "steps", "who", "authors")):
            return self._valued(where, "commit", asked.nth or pick)
        if asked.any("step", "steps"):
            return self._steps(where, pick)
        if asked.any("who", "authors"):
            return self._valued(where, "author", asked.nth or pick)
        return []

    def _steps(self, where: Where, pick: Pick | None) -> list[Quantity]:
        if self.asked.nth:
            return [(replace(self._query("list", where), limit=self.asked.nth), "step")]
        if pick in {"first", "last"}:
            return [(self._query(pick, where), "step")]  # type: ignore[arg-type]
        return [(self._query("list", where), "steps")]

    def _valued(self, where: Where, by: By, pick: Pick | None) -> list[Quantity]:
        if pick is None:
            return [(self._query("distinct", where, by), "names")]
        return [(self._query("values", where, by, pick), "name")]


def _status(name: str, kind: str) -> Term:
    return Term(f"{name}.status → {kind}", "verbatim")


def _joined(wheres: list[Where]) -> Where:
    """Join predicates on one field: either of them."""
    clauses = [where[0] for where in wheres]
    return (Clause(clauses[0].field, tuple(term for clause in clauses for term in clause.terms)),)
