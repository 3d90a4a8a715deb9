"""MINTEval's records of a history read as the repository itself does, however they are written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tallysql.archive.load import load
from tests.histories import Checkout, lived_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tallysql.store import Store

Fact = dict[str, str]


def as_object(fact: Fact) -> Any:
    return fact


def as_json(fact: Fact) -> str:
    return json.dumps(fact)


def as_headers(fact: Fact) -> str:
    names = ("commit_sha", "parent_sha", "timestamp", "user", "user_id", "comment")
    return "".join(f"{n}: {fact[n]}\n" for n in names) + f"\n{fact['combined_patch']}"


def as_titles(fact: Fact) -> str:
    head = f"Commit: {fact['commit_sha']}\nAuthor: {fact['user']}\nDate: {fact['timestamp']}\n"
    return f"{head}Message: {fact['comment']}\n\nDiff:\n{fact['combined_patch']}"


def as_git_log(fact: Fact) -> str:
    message = "".join(f"    {line}\n" for line in fact["comment"].split("\n"))
    head = f"commit {fact['commit_sha']}\nAuthor: {fact['user']} <x@example.org>\n"
    return f"{head}Date:   {fact['timestamp']}\n\n{message}\n{fact['combined_patch']}"


WRITTEN: list[Callable[[Fact], Any]] = [as_object, as_json, as_headers, as_titles, as_git_log]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    made = lived_in(tmp_path_factory.mktemp("histories") / "garden")
    made.git("mv", "setup.py", 'set "ü".py')
    made.commit("Quote\n\nA body\nof two lines")
    return made


def facts(checkout: Checkout) -> list[Fact]:
    found = []
    for sha in checkout.git("rev-list", "--first-parent", "--reverse", "HEAD").split():
        form = "--format=%P%x00%an%x00%aI%x00%B"
        parents, user, date, message = checkout.git("show", "--no-patch", form, sha).split("\0")
        patch = checkout.git("show", "--format=", "-m", "--first-parent", sha)
        found.append(
            {
                "commit_sha": sha,
                "parent_sha": parents.split()[0] if parents else "",
                "timestamp": date,
                "user": user,
                "user_id": "17",
                "comment": message.strip(),
                "combined_patch": patch,
            }
        )
    return found


def record(folder: Path, contexts: list[Any], metadata: Any) -> str:
    row = {"id": "007", "contexts": contexts, "questions": [], "metadata": metadata}
    target = folder / "commits.jsonl"
    target.write_text(json.dumps(row) + "\n", "utf-8")
    return str(target)


def told(store: Store, name: str) -> list[tuple[Any, ...]]:
    rows = store.rows(
        "SELECT step, action, args FROM steps WHERE trajectory_id = $name ORDER BY step",
        {"name": name},
    )
    found = []
    for step, action, args in rows:
        held = json.loads(args)
        files = [(f["status"], f["path"], f.get("old_path")) for f in held["files"]]
        found.append((step, action, held["sha"], held["author"], files))
    return found


@pytest.mark.parametrize("written", WRITTEN, ids=lambda written: written.__name__)
def test_every_way_of_writing_reads_as_the_repository(
    store: Store, checkout: Checkout, tmp_path: Path, written: Callable[[Fact], Any]
) -> None:
    contexts = [
        {"content": written(fact), "timestamp": fact["timestamp"]} for fact in facts(checkout)
    ]
    report = load(store, [record(tmp_path, contexts, "{}"), str(checkout.path)])
    assert [file.warnings for file in report.files] == [[], []]
    # in a patch, a change of type is a deletion and an addition
    link = [("deleted", "side.cfg", None), ("added", "side.cfg", None)]
    expected = [(*row[:4], link if row[0] == 7 else row[4]) for row in told(store, "garden")]
    assert told(store, "007") == expected


@pytest.mark.parametrize("metadata", [{"repo": "a/garden"}, '{"repo": "a/garden"}'])
def test_metadata_is_an_object_or_its_text(
    store: Store, checkout: Checkout, tmp_path: Path, metadata: Any
) -> None:
    contexts = [{"content": fact, "timestamp": ""} for fact in facts(checkout)[:2]]
    load(store, [record(tmp_path, contexts, metadata)])
    assert store.row("SELECT metadata->>'$.repo' FROM trajectories") == ("a/garden",)


def test_a_message_keeps_its_lines(store: Store, checkout: Checkout, tmp_path: Path) -> None:
    contexts = [{"content": as_titles(facts(checkout)[-1]), "timestamp": ""}]
    load(store, [record(tmp_path, contexts, "")])
    (observation,) = store.row("SELECT observation FROM steps") or ("",)
    assert "\n\nQuote\n\nA body\nof two lines\n\ndiff --git " in observation


def test_a_patch_that_does_not_parse_is_named(
    store: Store, checkout: Checkout, tmp_path: Path
) -> None:
    fact = facts(checkout)[0]
    cut = fact["combined_patch"].rstrip("\n").rpartition("\n")[0] + "\n"
    report = load(
        store,
        [record(tmp_path, [{"content": fact | {"combined_patch": cut}, "timestamp": ""}], "")],
    )
    assert [text for text in report.files[0].warnings if "its patch does not parse" in text]
    assert told(store, "007")[0][4] == []
