"""Git repositories load as git tells them, whole or not at all."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tallysql.archive.formats.commits import HistorySettings
from tallysql.archive.load import load
from tallysql.errors import ConflictError, InputError
from tests.histories import Checkout, lived_in

if TYPE_CHECKING:
    from pathlib import Path

    from tallysql.store import Store


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return lived_in(tmp_path_factory.mktemp("histories") / "garden")


def steps_of(store: Store, name: str = "garden") -> list[dict[str, Any]]:
    rows = store.rows(
        "SELECT step, action, observation, args, ts, source_ref FROM steps"
        " WHERE trajectory_id = $name ORDER BY step",
        {"name": name},
    )
    names = ("step", "action", "observation", "args", "ts", "sha")
    return [dict(zip(names, row, strict=True)) for row in rows]


def files_of(step: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(step["args"])["files"]
    return found


def test_steps_are_positions_oldest_first(store: Store, checkout: Checkout) -> None:
    load(store, [str(checkout.path)])
    steps = steps_of(store)
    shas = checkout.git("rev-list", "--first-parent", "--reverse", "HEAD").split()
    assert [step["sha"] for step in steps] == shas
    assert [step["step"] for step in steps] == list(range(10))
    assert steps[1]["action"] == f"commit {shas[1][:7]}: Release 0.2"
    assert str(steps[0]["ts"]) == "2024-05-01 08:00:00"


def test_observation_holds_author_date_message_and_patch(store: Store, checkout: Checkout) -> None:
    load(store, [str(checkout.path)])
    patch = checkout.git("show", "--format=", steps_of(store)[1]["sha"])
    assert steps_of(store)[1]["observation"] == (
        "Author: Grace Hopper <ada@example.org>\nDate: 2024-05-01T10:01:00+02:00\n\n"
        f"Release 0.2\n\n{patch}"
    )


def test_every_file_is_as_git_tells_it(store: Store, checkout: Checkout) -> None:
    load(store, [str(checkout.path)])
    letters = {"A": "added", "M": "modified", "D": "deleted", "R": "renamed", "T": "modified"}
    for step in steps_of(store):
        common = (
            "log",
            "-1",
            "-z",
            "-M",
            "--first-parent",
            "--diff-merges=first-parent",
            "--format=",
        )
        told = checkout.git(*common, "--name-status", step["sha"]).strip("\0\n").split("\0")
        expected, parts = [], [part for part in told if part]
        while parts:
            letter = parts.pop(0)[0]
            old = parts.pop(0) if letter == "R" else None
            expected.append((letters[letter], parts.pop(0), old))
        found = [(file["status"], file["path"], file.get("old_path")) for file in files_of(step)]
        assert found == expected
        counts = checkout.git(*common, "--numstat", step["sha"]).strip("\0\n").split("\0")
        numbers = [line.split("\t")[:2] for line in counts if line.count("\t") >= 2]
        own = [
            [str(file.get("added", "-")), str(file.get("deleted", "-"))] for file in files_of(step)
        ]
        assert own == numbers


def test_the_span_of_a_file_is_its_patch(store: Store, checkout: Checkout) -> None:
    load(store, [str(checkout.path)])
    for step in steps_of(store):
        pieces = [step["observation"][f["start"] : f["end"]] for f in files_of(step)]
        assert all(piece.startswith("diff --git ") for piece in pieces)
        if pieces:
            assert step["observation"].endswith("".join(pieces))


def test_odd_bytes_are_counted_not_fatal(store: Store, checkout: Checkout) -> None:
    report = load(store, [str(checkout.path)])
    assert report.files[0].surrogates == 1
    odd = steps_of(store)[8]["observation"]
    assert "nul \0 and\n+\x01commit\n+latin \ufffd\r\n" in odd


def test_a_merge_is_compared_with_its_first_parent(store: Store, checkout: Checkout) -> None:
    load(store, [str(checkout.path)])
    merge = steps_of(store)[4]
    assert merge["action"].endswith(": Merge side")
    assert len(json.loads(merge["args"])["parents"]) == 2
    assert [file["path"] for file in files_of(merge)] == ["side.cfg"]


def test_all_parents_visits_the_branch_too(store: Store, checkout: Checkout) -> None:
    load(store, [str(checkout.path)], history=HistorySettings(first_parent=False))
    assert len(steps_of(store)) == 11


def test_the_users_settings_change_nothing(store: Store, tmp_path: Path) -> None:
    made = lived_in(tmp_path / "garden")
    load(store, [str(made.path)])
    before = steps_of(store)
    for name, value in {
        "diff.noprefix": "true", "diff.context": "0", "color.ui": "always",
        "core.quotePath": "true",
        "diff.renames": "false", "diff.algorithm": "patience", "log.showSignature": "true",
        "diff.external": "false", "diff.mnemonicPrefix": "true", "log.decorate": "full",
    }.items():  # fmt: skip
        made.git("config", name, value)
    load(store, [str(made.path)], trajectory_id="again")
    assert steps_of(store, "again") == before


def test_the_environment_names_no_other_repository(
    store: Store, checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Checkout(tmp_path / "other")
    other.commit("Elsewhere", x_dot_txt="x\n")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.path / ".git" / "objects"))
    monkeypatch.setenv("GIT_DIFF_OPTS", "--unified=0")
    assert load(store, [str(checkout.path)]).steps == 10
    assert "\n DEBUG" in steps_of(store)[1]["observation"]


def test_a_broken_repository_is_not_the_one_around_it(store: Store, tmp_path: Path) -> None:
    outer = Checkout(tmp_path / "outer")
    outer.commit("Outer", x_dot_txt="x\n")
    (outer.path / "inner" / ".git").mkdir(parents=True)
    with pytest.raises(InputError, match="not a git repository"):
        load(store, [str(outer.path / "inner")])


def test_bare_repositories_load_the_same(store: Store, checkout: Checkout, tmp_path: Path) -> None:
    checkout.git("clone", "--quiet", "--bare", ".", str(tmp_path / "garden.git"))
    load(store, [str(tmp_path / "garden.git")])
    bare = steps_of(store)
    assert len(bare) == 10


def test_new_commits_are_appended(store: Store, tmp_path: Path) -> None:
    made = lived_in(tmp_path / "garden")
    load(store, [str(made.path)], history=HistorySettings(rev="HEAD~3"))
    report = load(store, [str(made.path)])
    assert (report.files[0].grown, report.files[0].steps) == (1, 3)
    assert load(store, [str(made.path)]).files[0].state == "unchanged"


def test_rewritten_history_is_a_conflict(store: Store, tmp_path: Path) -> None:
    made = lived_in(tmp_path / "garden")
    load(store, [str(made.path)])
    made.git("reset", "--quiet", "--hard", "HEAD~2")
    made.commit("Another", setup_dot_py="VERSION = 3\n")
    made.commit("And more", setup_dot_py="VERSION = 4\n")
    with pytest.raises(ConflictError):
        load(store, [str(made.path)])
    assert load(store, [str(made.path)], replace=True).files[0].replaced == 1


def test_long_patches_are_cut_and_say_so(store: Store, tmp_path: Path) -> None:
    made = Checkout(tmp_path / "long")
    made.commit("Long", a_dot_txt="line\n" * 100, b_dot_txt="short\n")
    load(store, [str(made.path)], history=HistorySettings(max_file_lines=20))
    (step,) = steps_of(store, "long")
    long, short = files_of(step)
    assert (long["added"], short["added"]) == (100, 1)
    cut = step["observation"][long["start"] : long["end"]]
    assert cut.count("+line\n") == 20
    assert cut.endswith("+line\n… 80 more lines left out\n")
    assert step["observation"][short["start"] : short["end"]].endswith("+short\n")


def test_a_range_begins_after_its_start(store: Store, checkout: Checkout) -> None:
    load(store, [str(checkout.path)], history=HistorySettings(rev="HEAD~3..HEAD~1"))
    shas = checkout.git("rev-list", "--first-parent", "--reverse", "HEAD~3..HEAD~1").split()
    assert [(step["step"], step["sha"]) for step in steps_of(store)] == list(enumerate(shas))
    assert len(shas) == 2


@pytest.mark.parametrize(
    ("rev", "said"),
    [
        ("HEAD..HEAD", "no commits in 'HEAD..HEAD'"),
        ("nowhere..HEAD", "no such revision 'nowhere'"),
        ("HEAD~2...HEAD", "no such revision 'HEAD~2...HEAD'"),
    ],
)
def test_ranges_without_commits_are_named(
    store: Store, checkout: Checkout, rev: str, said: str
) -> None:
    with pytest.raises(InputError, match=f"garden: {said}"):
        load(store, [str(checkout.path)], history=HistorySettings(rev=rev))


def test_worktrees_and_detached_heads_load_what_they_stand_on(store: Store, tmp_path: Path) -> None:
    made = lived_in(tmp_path / "garden")
    made.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "shed"), "HEAD~2")
    load(store, [str(tmp_path / "shed")])
    made.git("checkout", "--quiet", "--detach", "HEAD~3")
    load(store, [str(made.path)])
    assert (len(steps_of(store, "shed")), len(steps_of(store))) == (8, 7)


def test_names_that_git_would_quote_are_kept(store: Store, tmp_path: Path) -> None:
    made = Checkout(tmp_path / "odd")
    made.commit("Plain", plain_dot_txt="one\ntwo\nthree\n")
    names = ["plain.txt", "q\"uo'te.txt", "new\nline.txt", "a -> b\t.txt", os.fsdecode(b"lat\xe9")]
    for old, new in pairwise(names):
        (made.path / old).rename(made.path / new)
        made.commit("Rename")
    load(store, [str(made.path)])
    found = [(f["old_path"], f["path"]) for s in steps_of(store, "odd")[1:] for f in files_of(s)]
    assert found == list(pairwise([*names[:-1], "lat\ufffd"]))


def test_submodules_are_files_whose_content_is_a_commit(store: Store, tmp_path: Path) -> None:
    inner, outer = Checkout(tmp_path / "inner"), Checkout(tmp_path / "outer")
    inner.commit("Inner", a_dot_txt="a\n")
    outer.commit("Outer", b_dot_txt="b\n")
    allowed = ("-c", "protocol.file.allow=always")
    outer.git(*allowed, "submodule", "--quiet", "add", str(inner.path), "lib")
    outer.commit("Take it in")
    outer.git("rm", "--quiet", "--force", "lib")
    outer.commit("Throw it out")
    load(store, [str(outer.path)])
    told = [[(f["status"], f["path"]) for f in files_of(s)] for s in steps_of(store, "outer")]
    assert told[1] == [("added", ".gitmodules"), ("added", "lib")]
    assert ("deleted", "lib") in told[2]
    assert "+Subproject commit" in steps_of(store, "outer")[1]["observation"]


def test_a_snapshot_without_large_blobs_fails_and_stores_nothing(
    store: Store, tmp_path: Path
) -> None:
    made = lived_in(tmp_path / "garden")
    blob = made.git("rev-parse", "HEAD:setup.py").strip()
    (made.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(InputError, match="git failed with exit code 128: fatal: unable to read"):
        load(store, [str(made.path)])
    assert steps_of(store) == []


@pytest.mark.parametrize("bare", [[], ["--bare"]])
def test_a_shallow_clone_says_that_its_history_is_cut(
    store: Store, checkout: Checkout, tmp_path: Path, bare: list[str]
) -> None:
    target = tmp_path / "cut"
    checkout.git("clone", "--quiet", *bare, "--depth=2", checkout.path.as_uri(), str(target))
    report = load(store, [str(target)])
    assert report.steps == 2
    assert [text for text in report.files[0].warnings if "history is cut" in text]


def test_a_whole_clone_has_no_warning(store: Store, checkout: Checkout) -> None:
    assert load(store, [str(checkout.path)]).files[0].warnings == []


@pytest.mark.parametrize("rev", ["no-such-branch", "--output=x", "HEAD:setup.py", ""])
def test_what_is_no_commit_is_named(store: Store, checkout: Checkout, rev: str) -> None:
    with pytest.raises(InputError, match=f"garden: no such revision '{rev}'"):
        load(store, [str(checkout.path)], history=HistorySettings(rev=rev))


def test_a_repository_without_commits_is_an_error(store: Store, tmp_path: Path) -> None:
    made = Checkout(tmp_path / "empty")
    with pytest.raises(InputError, match="empty: the repository has no commits"):
        load(store, [str(made.path)])


def test_files_in_a_checkout_load_as_files_when_their_format_is_named(
    store: Store, tmp_path: Path
) -> None:
    made = Checkout(tmp_path / "runs")
    row = {"trajectory_id": "r", "step": 0, "action": "look", "observation": "a room"}
    made.commit("Runs", run_dot_jsonl=json.dumps(row) + "\n")
    load(store, [str(made.path)], format="json")
    assert store.rows("SELECT trajectory_id FROM trajectories") == [("r",)]
