"""Questions about commit histories, each sort in several wordings, on a small repository."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import tallysql
from benchmarks.commits.__main__ import answered
from benchmarks.commits.generate import WORDINGS, generate
from benchmarks.commits.history import History
from tests.histories import Checkout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql import Memory


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Return a repository of twelve commits with values, renames, deletions and two authors."""
    made = Checkout(tmp_path_factory.mktemp("histories") / "garden")
    made.commit(
        "Start", setup_dot_py='VERSION = "0.1"\n', README_dot_md="Hi\n", docs__a_dot_md="a\n"
    )
    for number in (2, 3, 3, 4):
        made.commit(f"Release 0.{number}", setup_dot_py=f'VERSION = "0.{number}"\n')
    made.commit("Back", "Grace Hopper", setup_dot_py='VERSION = "0.3"\n', docs__b_dot_md="b\n")
    made.git("mv", "docs/a.md", "docs/start.md")
    made.commit("Move")
    made.commit("Lists", "Grace Hopper", todo_dot_txt="x\n", LICENSE="MIT\n")
    made.commit("Words", README_dot_md="Hello\n", todo_dot_txt="y\n")
    made.commit("Done", "Grace Hopper", todo_dot_txt=None)
    made.commit("More words", README_dot_md="Hello!\n")
    made.commit("Docs", "Grace Hopper", docs__b_dot_md="b!\n")
    return made


@pytest.fixture(scope="module")
def memory(garden: Checkout) -> Iterator[Memory]:
    with tallysql.open() as opened:
        opened.load([garden.path])
        yield opened


ANSWERS = {
    "How many commits touched `README.md`?": "3",
    "How many times was setup.py changed up to step 3?": "3",
    "How many commits changed README.md without creating it?": "2",
    "How often was `docs/b.md` modified in place?": "1",
    "How many times was `LICENSE` deleted?": "0",
    "At which step was `todo.txt` deleted?": "9",
    "In what order were `LICENSE`, `README.md` and `docs/b.md` first added?": (
        "README.md, docs/b.md, LICENSE"
    ),
    "Which of `LICENSE` and `docs/b.md` is the oldest?": "docs/b.md",
    "Which of these files was added last: `README.md`, `LICENSE`?": "LICENSE",
    "When was README.md last modified in place?": "10",
    "At which step was README.md changed for the second time?": "8",
    "At which steps was todo.txt touched?": "7, 8, 9",
    "How many files were renamed?": "1",
    "Which files were deleted?": "todo.txt",
    'Which files were deleted up to step 5? Answer with a list or "none".': "none",
    "To which path was `docs/a.md` moved?": "docs/start.md",
    "What was the old path of `docs/start.md`?": "docs/a.md",
    "Which values did `VERSION` in `setup.py` take?": "0.1, 0.2, 0.3, 0.4, 0.3",
    "Which distinct values did `VERSION` in `setup.py` take?": "0.1, 0.2, 0.3, 0.4",
    "How often did the value of `VERSION` in setup.py change?": "4",
    "How many different values did `VERSION` in setup.py have?": "4",
    "What was the value of `VERSION` 3 changes before its latest value?": "0.2",
    "What was the previous value of `VERSION` in setup.py?": "0.4",
    "What was the first value of `VERSION` in setup.py?": "0.1",
    "What is the current value of VERSION in setup.py?": "0.3",
    "At which step was `VERSION` in `setup.py` first set to `0.3`?": "2",
    "Who set `VERSION` in `setup.py` to `0.4`?": "Ada Lovelace",
    "How many commits touched a file in docs/?": "4",
    "Which file was changed by the most commits?": "setup.py",
    "How many commits changed each of `setup.py`, `LICENSE` and `README.md`?": "5, 1, 3",
    "How many commits touched `LICENSE` or `README.md`?": "4",
    "How many commits did Grace Hopper make?": "4",
    "Which files did Grace Hopper touch up to step 7?": "docs/b.md, setup.py, LICENSE, todo.txt",
    "Who made the most commits?": "Ada Lovelace",
    "Who added LICENSE?": "Grace Hopper",
    "How many authors changed setup.py?": "2",
    "How many commits did each author make?": "Ada Lovelace: 8, Grace Hopper: 4",
    "What was the value of VERSION at step 10?": "0.3",
    "What was the value of `VERSION` in setup.py at step 4?": "0.4",
    "Who set VERSION at step 4?": "Ada Lovelace",
    "Was `LICENSE` ever deleted?": "no",
    "Was `todo.txt` ever deleted?": "yes",
    "Has README.md been renamed or deleted?": "no",
    "Up to step 5, was todo.txt touched?": "no",
    "Was `docs/a.md` ever renamed?": "yes",
    "How many commits per author?": "Ada Lovelace: 8, Grace Hopper: 4",
    "Number of commits by author up to step 5": "Ada Lovelace: 5, Grace Hopper: 1",
    "How many commits per author changed setup.py?": "Ada Lovelace: 4, Grace Hopper: 1",
    "How many commits by author Grace Hopper?": "4",
    "Which files were created in the directory docs/?": "docs/a.md, docs/b.md",
    "How many files were added under `docs/` up to step 3?": "1",
    "How many files were deleted in docs/?": "0",
    "How many distinct files in docs/ were touched?": "3",
    "Which file in the folder docs/ was changed most often?": "docs/a.md, docs/b.md",
    "Which file was deleted last?": "todo.txt",
    "Which file was added first?": "README.md, docs/a.md, setup.py",
    "What was the most recently added file up to step 5?": "docs/b.md",
    "How many files were added?": "6",
    "How many file additions were there?": "6",
    "How many merge commits are there?": "0",
    "How many commits have more than one parent?": "0",
    "How many commits changed no file?": "1",
    "Count the binary files that were touched.": "0",
    "Which files did Grace Hopper add?": "docs/b.md, LICENSE, todo.txt",
    "How many different files did Grace Hopper modify in place?": "2",
    "How many commits did Grace Hopper make to `todo.txt`?": "2",
    "At which step was `VERSION` first set in `setup.py`?": "0",
    "At which step did the value of `VERSION` in setup.py last change?": "5",
    "When was `VERSION` in `setup.py` changed to `0.4`?": "4",
    "What was the value of `VERSION` in setup.py at the end of the history?": "0.3",
    "If you go back 2 changes from the latest value of `VERSION`, what do you find?": "0.3",
    "From which path was `docs/start.md` moved?": "docs/a.md",
    "What was `docs/start.md` called before it was renamed?": "docs/a.md",
    "After it was renamed, what is the path of `docs/a.md`?": "docs/start.md",
    "What is the step number of the rename of `docs/a.md`?": "6",
    "Arrange `LICENSE`, `README.md` and `docs/b.md` from oldest to newest.": (
        "README.md, docs/b.md, LICENSE"
    ),
    "Which of `LICENSE` and `docs/b.md` existed first?": "docs/b.md",
    "Is there a commit that deletes `LICENSE`?": "no",
    "Did any commit delete `todo.txt`? Answer yes or no.": "yes",
    "How many people made commits?": "2",
}


@pytest.mark.parametrize("question", ANSWERS)
def test_answers(memory: Memory, question: str) -> None:
    assert memory.ask(question, "garden")["answer"] == ANSWERS[question]


def test_the_hash_is_that_of_the_commit(memory: Memory, garden: Checkout) -> None:
    shas = garden.git("rev-list", "--reverse", "HEAD").split()
    asked = "What is the short hash of the last commit that modified `README.md` in place?"
    assert memory.ask(asked, "garden")["answer"] == shas[10][:7]
    asked = "Which commit first added LICENSE?"
    assert memory.ask(asked, "garden")["answer"] == shas[7][:7]
    assert memory.ask(f"Who wrote commit {shas[5][:7]}?", "garden")["answer"] == "Grace Hopper"
    for asked in (
        "Which commit changed `VERSION` in `setup.py` to `0.4`?",
        "Give the 7-character SHA of the commit that set `VERSION` to '0.4'.",
    ):
        assert memory.ask(asked, "garden")["answer"] == shas[4][:7]
    asked = "Give the step number of commit " + shas[3][:7]
    assert memory.ask(asked, "garden")["answer"] == "3"


@pytest.mark.parametrize(
    "question",
    [
        "Why was setup.py changed?",
        "What does the commit at step 3 change in setup.py?",
        "How many commits touched `no/such/file.py`?",
        "In what order were `README.md` and `docs/start.md` first added?",  # one came by a rename
        "In what order were `README.md` and `LICENSE` added, newest first?",
        "How many lines did README.md gain?",
        "Which files should be deleted?",
        "How many commits touched the frobnicated README.md?",
        "How many files per author?",
        "What was the value of VERSION after step 6?",
        "How often did the value of `VERSION` in setup.py change after step 2?",
        "How many different values did VERSION have at step 4?",
        "Was `no/such.py` ever deleted?",
        "Was README.md modified after it was added?",
        "Was VERSION ever changed?",
        "List the authors with their number of commits.",
        "How many commits touched `docs/start.md`, including under its old name?",
        "How many times was docs/start.md changed under its former path?",
        "Which files are in docs/?",
        "Which files existed at step 5?",
        "How many files were moved into docs/?",
        "How many commits were made without changing README.md?",
        "Which values of VERSION did Grace Hopper set?",
        "How many lines did Grace Hopper add?",
        "How many binary files are in docs/?",
    ],
)
def test_declines(memory: Memory, question: str) -> None:
    assert memory.ask(question, "garden")["answer"] is None


@pytest.mark.parametrize(("wordings", "templates"), [("wordings", 16), ("fresh", 50), ("kept", 50)])
def test_nothing_generated_is_answered_wrong(
    garden: Checkout, wordings: str, templates: int
) -> None:
    file = WORDINGS.with_name(f"{wordings}.toml")
    questions = list(generate(History(garden.path), "garden", each=3, wordings=file))
    assert len({question["template"] for question in questions}) >= templates
    rows = list(answered(questions, [str(garden.path)]))
    wrong = [row for row in rows if row["outcome"] == "wrong"]
    assert wrong == []
    assert sum(row["outcome"] == "right" for row in rows) >= 0.95 * len(rows)


def test_evidence_names_values_and_changes(memory: Memory) -> None:
    record = memory.ask("How often did the value of `VERSION` in setup.py change?", "garden")
    assert "value: 5 values; 4 changes" in record["evidence"]
    assert re.search(r"- 0\.4: 1 \(success 1\); steps 4", record["evidence"])
    assert json.dumps(record["plan"])
