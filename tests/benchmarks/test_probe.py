"""The probe's questions: golds counted by hand, and owed to nothing that they measure."""

from __future__ import annotations

import ast
import gzip
import json
import os
from pathlib import Path

import pytest

from benchmarks.probe.__main__ import main
from benchmarks.probe.events import family_of, read_episodes
from benchmarks.probe.generate import Case, generate, step_range
from benchmarks.probe.templates import TEMPLATES
from tallysql.scoring.extract import is_right
from tests.ama_miniature import FIX, MINIATURE, MUG_HUNT, episode, write

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("TALLYSQL_SHARED", ROOT.parent / "shared"))
AMA = SHARED / "data" / "ama" / "open_end_qa_set.dev.jsonl.gz"
PROBE = SHARED / "cases" / "probe.dev.jsonl"

GOLDS: list[tuple[str, int | None, str, list[int]]] = [
    ("E1", 2, "1", [1]),
    ("E1", 5, "2", [1, 3]),
    ("E1", 11, "5", [1, 3, 6, 9, 10]),
    ("E2", 11, "5", [1, 3, 6, 9, 10]),
    ("E4", 5, "2", [1, 3]),
    ("E5", None, "5", [5]),
    ("E6", 5, "4", [2, 4]),
    ("E8", 2, "drawer 1", [2]),
    ("E9", 11, "drawer 1", [1, 3, 6, 9, 10]),
    ("XE1", 11, "go: 5, open: 3, look: 1, take: 1, move: 1, close: 1", list(range(12))),
    ("XE2", 6, "2", [3, 6]),
    ("S1", 1, "2", [0, 1]),
    ("S1", 3, "2", [0, 1]),
    ("S1", 7, "4", [0, 1, 5, 7]),
    ("S2", 7, "4", [0, 1, 5, 7]),
    ("S3", 7, "2", [1, 7]),
    ("S3m", 3, "1", [1]),
    ("S4", 7, "3", [2, 3, 6]),
    ("S4m", 3, "2", [2, 3]),
    ("S7", 7, "/w/a.py", [2]),
    ("XS1", 7, "create: 1, str_replace: 1, view: 1, insert: 1", [2, 3, 4, 6]),
    ("XS2", 7, "2", [2, 6]),
    ("XS2m", 3, "1", [2]),
]


@pytest.mark.parametrize(("template", "bound", "answer", "steps"), GOLDS)
def test_golds_counted_by_hand(
    cases: list[Case], template: str, bound: int | None, answer: str, steps: list[int]
) -> None:
    found = [c for c in cases if (c["template"], c["bound"]) == (template, bound)]
    assert [(c["answer"], c["gold_steps"], c["load"]) for c in found] == [
        (answer, steps, len(steps))
    ]


BY_PARAMETER = {
    ("E3", "drawer 1"): [2, 7],
    ("E3", "drawer 10"): [4],
    ("E7", "drawer 1"): [1, 6, 10],
    ("E7", "drawer 10"): [3],
    ("E7", "shelf 1"): [9],
    ("S5", "/w/a.py"): [2, 3],
    ("S5", "/w/a.py.bak"): [6],
    ("S6", "/w/a.py"): [2, 3],
    ("S6", "/w/a.py.bak"): [6],
}


@pytest.mark.parametrize("template", ["E3", "E7", "S5", "S6"])
def test_a_parameter_is_a_value_that_occurs_and_compares_by_equality(
    cases: list[Case], template: str
) -> None:
    (case,) = [c for c in cases if c["template"] == template]
    (value,) = case["params"].values()
    assert case["gold_steps"] == BY_PARAMETER[template, value]
    assert value in case["question"]


def test_the_middle_variant_asks_about_the_same_value(cases: list[Case]) -> None:
    values = {c["template"]: c["params"] for c in cases}
    assert values["E7"] == values["E7m"]
    assert values["S5"] == values["S5m"]


def test_every_template_is_asked_and_other_trajectories_are_left_out(cases: list[Case]) -> None:
    assert {c["template"] for c in cases} == {template.name for template in TEMPLATES}
    assert {c["trajectory_id"] for c in cases} == {"mugs", "fix"}
    assert sum(template.of_the_paper for template in TEMPLATES) == 16
    assert len({c["question_id"] for c in cases}) == len(cases)


def test_what_is_absent_or_tied_is_not_asked(tmp_path: Path) -> None:
    steps = [(action, "") for action in ["look", "go to bed 1", "look", "go to desk 1"] * 2]
    path = write(tmp_path / "tied.jsonl", [episode("tied", steps)])
    names = {case["template"] for case in generate(read_episodes(path))}
    assert {"E1", "E4", "E7"} <= names
    assert not names & {"E3", "E3m", "E5", "E6", "E8", "E9"}


def test_bounds_are_the_logs_own_numbers(tmp_path: Path) -> None:
    path = write(tmp_path / "from_1.jsonl", [episode("x", [("go to a 1", "")] * 9, start=1)])
    (found,) = read_episodes(path)
    assert [step_range(found, bound) for bound in ("quarter", "half", "end")] == [
        (1, 2), (1, 4), (1, 9),
    ]  # fmt: skip
    short = write(tmp_path / "short.jsonl", [episode("x", [("go to a 1", "")] * 3)])
    bounds = {c["bound"] for c in generate(read_episodes(short)) if c["template"] == "E1"}
    assert bounds == {0, 2}


@pytest.mark.parametrize(
    ("actions", "family"),
    [
        (MUG_HUNT, "embodied"),
        ([action for action, _ in FIX], "software"),
        (["go east", "take lamp", "look"], None),
        (["execute_bash: ls", "execute_sql: SELECT 1"], None),
        (['tavily_search({"query": "x"})'], None),
        ([], None),
    ],
)
def test_a_family_is_told_by_the_shape_of_its_actions(
    actions: list[str], family: str | None
) -> None:
    assert family_of(actions) == family


def test_generating_reads_gzip_and_arrays_and_gives_the_same_bytes(
    miniature: Path, tmp_path: Path
) -> None:
    array = tmp_path / "a.json"
    array.write_text(json.dumps(MINIATURE), "utf-8")
    zipped = tmp_path / "a.jsonl.gz"
    zipped.write_bytes(gzip.compress(miniature.read_bytes()))
    written = []
    for at, source in enumerate((miniature, miniature, array, zipped)):
        out = tmp_path / f"{at}.jsonl"
        assert main(["generate", str(source), "-o", str(out)]) == 0
        written.append(out.read_bytes())
    assert len(set(written)) == 1
    assert written[0]


def test_golds_owe_nothing_to_what_they_measure() -> None:
    for name in ("events", "templates", "generate"):
        tree = ast.parse((ROOT / "benchmarks" / "probe" / f"{name}.py").read_text("utf-8"))
        modules = [
            module
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for module in [getattr(node, "module", None) or node.names[0].name]
        ]
        assert modules
        assert not [module for module in modules if module.startswith("tallysql")]


def test_bad_input_is_an_error_that_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = write(tmp_path / "games.jsonl", MINIATURE[2:])
    assert main(["generate", str(games)]) == 2
    assert "no embodied or software trajectory" in capsys.readouterr().err
    other = write(tmp_path / "other.jsonl", [{"question": "x"}])
    assert main(["generate", str(other)]) == 2
    assert "record 1" in capsys.readouterr().err
    assert main(["generate", str(tmp_path / "missing.jsonl")]) == 2


@pytest.mark.shared
def test_golds_agree_with_the_shared_probe() -> None:
    """Its questions draw other parameters; those that have none are compared."""
    if not PROBE.exists():
        pytest.skip("no shared data")
    theirs = [json.loads(line) for line in PROBE.read_text("utf-8").split("\n") if line]
    ours = {
        (c["trajectory_id"], c["template"], c["bound"]): c for c in generate(read_episodes(AMA))
    }
    second = {"E1": "E2", "S1": "S2"}
    compared = 0
    for one in theirs:
        name = second[one["template"]] if one["wording"] == "b" else one["template"]
        own = set(one["params"]) & {"receptacle", "location", "file"}
        if own or name == "XE2":
            continue
        mine = ours[one["trajectory_id"], name, one["bound"]]
        assert mine["gold_steps"] == one["gold_steps"], one["question"]
        assert is_right(one["format"], one["answer"], mine["answer"]), one["question"]
        compared += 1
    assert compared > 350
