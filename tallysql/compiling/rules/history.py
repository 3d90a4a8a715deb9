"""Questions about commit histories: which commits, which of their changes, and what of them.

The same stages as for other questions, over the words of version control (history.toml): scope,
what the question names, how it is worded, one sub-query a quantity. A word that nothing places
leaves the question to the general compiler.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.compiling.compilation import Compilation
from tallysql.compiling.rules.history_cues import read_asked, read_early
from tallysql.compiling.rules.history_directories import about_directory
from tallysql.compiling.rules.history_events import Question, of_commits, of_paths, per_author
from tallysql.compiling.rules.history_files import about_file, about_files
from tallysql.compiling.rules.history_sorts import of_sort
from tallysql.compiling.rules.history_subjects import TaggedBoard
from tallysql.compiling.rules.history_values import about_variable
from tallysql.compiling.rules.history_whether import whether
from tallysql.compiling.rules.lexicon import lexicon
from tallysql.compiling.rules.scope import Range, read_bounds, read_named
from tallysql.plan.nodes import MAX_QUERIES, Clause, Declined, Plan, Scope, Term

if TYPE_CHECKING:
    from tallysql.compiling.rules.history_cues import Asked
    from tallysql.compiling.rules.history_events import Quantity
    from tallysql.compiling.rules.history_subjects import Subject
    from tallysql.compiling.rules.vocabulary import Vocabulary
    from tallysql.plan.nodes import Where
    from tallysql.plan.profiles import Profile

TOOL = "commit"
SHORT_HASH = 7


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
    early = read_early(board)
    if any(pattern.search(board.text) for pattern, _ in lexicon().decline):
        return None
    steps = Range(catalog.first_step or 0, catalog.last_step)
    bounds = read_named(board, read_bounds(board, steps))
    asked = read_asked(board, early)
    if board.free() or "reversed" in asked.features or bounds.split or len(bounds.named) > 1:
        return None
    if asked.unsettled:
        return Compilation(Declined("leaves out all changes of some sort"), board.trace())
    lo, hi = (bounds.named[0], bounds.named[0]) if bounds.named else (bounds.lo, bounds.hi)
    if lo is not None and lo <= (catalog.first_step or 0):
        lo = None  # the whole history up to there: what came before matters to a value
    read = whether if asked.any("yes_no") else _quantities
    quantities = read(Question(board, asked, Scope(lo, hi), frozenset(catalog.acts)))
    if not 1 <= len(quantities) <= MAX_QUERIES or _misses_the_count(asked, quantities):
        return Compilation(Declined("asks of the commits what no plan tells"), board.trace())
    queries, forms = zip(*quantities, strict=True)
    return Compilation(Plan(queries), board.trace(), forms, bare=len(queries) > 1)


def _misses_the_count(asked: Asked, quantities: list[Quantity]) -> bool:
    """Whether a question that asks how many would be answered by a name."""
    counted = asked.any("how_many", "times")
    return counted and all(form in {"name", "names"} for _, form in quantities)


def _quantities(question: Question) -> list[Quantity]:
    """Return the sub-queries with their answer forms; none if the question is of no known sort."""
    subjects = question.board.subjects
    files, variables, places, authors = (
        subjects.of(*sorts) for sorts in (("file",), ("var",), ("dir", "hash"), ("author",))
    )
    mixed = len(authors) > 1 or len(places) > 1 or (places and (files or variables))
    if mixed or any(len(subject.texts) > 1 for subject in subjects.found):
        return []
    sorted_out = of_sort(question, authors)
    of_files = question.asked.any("existed") and not question.asked.any("count_commits")
    if sorted_out is None or (of_files and len(files) < 2):
        return []
    if variables:
        return about_variable(sorted_out, variables, files)
    if subjects.of("value"):
        return []
    if len(files) > 1:
        return about_files(sorted_out, files)
    named = [*files, *places]
    return _READERS[named[0].sort](sorted_out, named[0]) if named else _anything(sorted_out)


def _hash(question: Question, sha: Subject) -> list[Quantity]:
    asked = question.asked
    if question.base or question.exclude:
        return []
    text = f"commit {sha.texts[0][:SHORT_HASH]}"
    where = (Clause("action", (Term(text, "verbatim_prefix"),)),)
    if asked.any("who", "authors"):
        return question.ask("distinct", "name", where, "author")
    if asked.any("files") or "path" in asked.form:
        return of_paths(question, where)
    return question.ask("first", "step", where) if asked.any("step") else []


def _anything(question: Question) -> list[Quantity]:
    """Read a question that names nothing of the log but authors and kinds of change."""
    asked = question.asked
    kinds = question.kinds()
    where: Where = (Clause("change", kinds),) if kinds else ()
    if asked.any("values", "value", "changes", "back", "new_path", "old_path"):
        return []
    by_author = bool(question.board.subjects.of("author"))
    files = asked.any("files", "per_commit") or ("path" in asked.form and not by_author)
    if asked.any("each", "directories"):
        return [] if kinds or by_author else _tables(question, files=files)
    if not files or question.of_events:
        return of_commits(question, where)
    return of_paths(question, where)


def _tables(question: Question, *, files: bool) -> list[Quantity]:
    asked = question.asked
    if asked.any("directories"):
        if asked.any("most"):
            return question.ask("top", "name", (), "directory")
        counted = asked.any("how_many") and asked.any("commits") and not asked.any("authors", "who")
        return question.ask("group", "pairs", (), "directory") if counted else []
    if asked.any("authors", "who"):
        return per_author(question, ())
    return question.ask("group", "pairs", (), "path") if files else []


_READERS = {"file": about_file, "dir": about_directory, "hash": _hash}
