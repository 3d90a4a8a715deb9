"""The ledger of commits: files, renames, assignments, authors; and what plans make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import tallysql
from tests.histories import Checkout, lived_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tallysql import Memory


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    made = lived_in(tmp_path_factory.mktemp("histories") / "garden")
    with tallysql.open() as opened:
        opened.load([made.path])
        yield opened


def row(memory: Memory, step: int) -> dict[str, Any]:
    columns = ("act", "targets", "paths", "outcome", "author", "changes", "exit_code", "delta")
    found = memory.store.row(
        f"SELECT {', '.join(columns)} FROM ledger WHERE step = $step AND call = 0", {"step": step}
    )
    assert found is not None
    return dict(zip(columns, found, strict=True))


def changes(memory: Memory, step: int) -> list[str]:
    return [f"{c['object']}.{c['property']} → {c['value']}" for c in row(memory, step)["changes"]]


def test_a_commit_is_a_successful_act_of_its_author(memory: Memory) -> None:
    second = row(memory, 1)
    assert (second["act"], second["outcome"], second["author"]) == (
        "commit",
        "success",
        "Grace Hopper",
    )
    assert second["targets"] == second["paths"] == ["setup.py"]
    assert (second["exit_code"], second["delta"]) == (None, [])


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (
            0,
            [
                "notes.txt.status → added",
                "setup.py.status → added",
                "setup.py.VERSION → 0.1",
                "setup.py.DEBUG → False",
                "src/a.py.status → added",
                "src/a.py.A → 1",
            ],
        ),
        (1, ["setup.py.status → modified", "setup.py.VERSION → 0.2"]),
        (2, []),
        (
            3,
            [
                "notes.txt.status → modified",
                "src/a.py.status → renamed",
                "src/a.py.path → src/b.py",
            ],
        ),
        (4, ["side.cfg.status → added", "side.cfg.key → value"]),
        (5, ["notes.txt.status → deleted"]),
        (6, ["blob.bin.status → added", "blob.bin.content → binary"]),
        (7, ["side.cfg.status → modified"]),
        (9, ["setup.py.status → modified"]),
    ],
)
def test_changes(memory: Memory, step: int, expected: list[str]) -> None:
    assert changes(memory, step) == expected


def test_merges_and_empty_commits_are_acts_of_their_own(memory: Memory) -> None:
    acts = [row(memory, step)["act"] for step in range(10)]
    assert acts == ["commit"] * 2 + ["commit.empty", "commit", "commit.merge"] + ["commit"] * 5


def test_a_file_that_only_moves_is_as_binary_as_before(tmp_path: Path) -> None:
    made = Checkout(tmp_path / "moved")
    made.commit("Binary", a_dot_bin=bytes(range(256)), b_dot_txt="b\n")
    made.git("mv", "a.bin", "c.bin")
    made.git("mv", "b.txt", "d.txt")
    made.commit("Move")
    with tallysql.open() as opened:
        opened.load([made.path])
        kinds = [change for change in changes(opened, 1) if ".content" in change]
        assert kinds == ["c.bin.content → binary"]


def test_variables_do_not_pass_for_what_happened_to_the_file(tmp_path: Path) -> None:
    made = Checkout(tmp_path / "names")
    made.commit("Names", a_dot_py='path = "b.py"\nstatus = "deleted"\nname = "x"\n')
    with tallysql.open() as opened:
        opened.load([made.path])
        assert changes(opened, 0) == ["a.py.status → added", "a.py.name → x"]


def test_a_rename_touches_both_paths(memory: Memory) -> None:
    assert row(memory, 3)["targets"] == ["notes.txt", "src/a.py", "src/b.py"]


def test_file_events_point_at_path_and_patch(memory: Memory) -> None:
    rows = memory.store.rows(
        """
        SELECT
            path, kind, confirmed,
            substr(observation, path_span."start" + 1, path_span."end" - path_span."start"),
            substr(observation, observation_span."start" + 1, 11)
        FROM file_events JOIN steps USING (trajectory_id, step, call)
        WHERE path_span IS NOT NULL
        """
    )
    assert len(rows) == 12
    for path, kind, confirmed, named, patch in rows:
        assert (kind, confirmed, named, patch) == ("write", True, path, "diff --git ")


def test_the_view_has_line_counts(memory: Memory) -> None:
    rows = memory.store.rows("SELECT path, added, deleted FROM commit_files WHERE step IN (1, 6)")
    assert sorted(rows) == [("blob.bin", None, None), ("setup.py", 1, 1)]


FORMS = {
    "a.py": ("x: int = 1\n", "    url='u, v',\n", "if y == 2:\n", "z += 1\n", "w = [\n"),
    "b.toml": ('v = "1"  # now\n', 'k-e.y = "2"\n', "l = [1, 2]\n", "[table]\n"),
    "c.ini": ("a = 1\n", "b: 2\n", "# c = 3\n"),
    "d.yml": ("a: 1\n", '- b: "2"\n', "c:\n", "d: |\n", "url: http://x\n"),
    "e.json": ("{\n", '"a": 1,\n', '"b": "x,y",\n', '"c": {\n'),
    "f.sh": ("export A=1\n", "B='2 3'\n", "[ $C = 4 ]\n", "D==5\n"),
    "g.ts": ("export const a: string = 'x';\n", "b => 1\n", "c: 2,\n", "let d = 3; // c\n"),
    "Dockerfile": ("ENV A=1\n", "ARG B 2\n", "RUN c=3\n"),
    "h.txt": ("a = 1\n",),
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.py", ["x=1", "url=u, v"]),
        ("b.toml", ["v=1", "k-e.y=2", "l=[1, 2]"]),
        ("c.ini", ["a=1", "b=2"]),
        ("d.yml", ["a=1", "b=2", "url=http://x"]),
        ("e.json", ["a=1", "b=x,y"]),
        ("f.sh", ["A=1", "B=2 3"]),
        ("g.ts", ["a=x", "c=2", "d=3"]),
        ("Dockerfile", ["A=1", "B=2"]),
        ("h.txt", []),
    ],
)
def test_forms_of_assignment(tmp_path: Path, name: str, expected: list[str]) -> None:
    made = Checkout(tmp_path / "forms")
    made.write(name, "".join(FORMS[name]))
    made.commit("All forms")
    with tallysql.open() as memory:
        memory.load([made.path])
        found = [c for c in row(memory, 0)["changes"] if c["property"] != "status"]
    assert [f"{c['property']}={c['value']}" for c in found] == expected


def test_deleted_lines_assign_nothing(tmp_path: Path) -> None:
    made = Checkout(tmp_path / "lines")
    made.commit("Add", a_dot_py="x = 1\ny = 2\n")
    made.commit("Drop", a_dot_py="y = 2\n")
    with tallysql.open() as memory:
        memory.load([made.path])
        assert changes(memory, 1) == ["a.py.status → modified"]


def test_a_tool_called_commit_is_not_a_commit(tmp_path: Path) -> None:
    source = tmp_path / "runs.jsonl"
    source.write_text(
        '{"trajectory_id": "r", "step": 0, "action": "commit {}", "tool": "commit",'
        ' "args": {"message": "x"}, "observation": "failed with exit code 3", "exit_code": 3}\n'
    )
    with tallysql.open() as memory:
        memory.load([source])
        assert row(memory, 0)["outcome"] == "failure"
