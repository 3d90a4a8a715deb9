"""The probe's measures, on hand-made evidence, and its runs over the bundled trajectory."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import tallysql
from benchmarks.probe.__main__ import main
from benchmarks.probe.arms import Evidence, arm_named, compiled, count_by_tool
from benchmarks.probe.intervals import Estimate, Resampling
from benchmarks.probe.metrics import best_candidate, judge, overlap
from benchmarks.probe.report import report
from tallysql.compiling.compilation import Compilation
from tallysql.plan.nodes import Declined
from tallysql.plan.profiles import REFINED
from tallysql.scoring.extract import extract, is_right
from tallysql.scoring.load import load_bin

if TYPE_CHECKING:
    from benchmarks.probe.generate import Case

BUNDLED = Path(__file__).parents[1] / "data" / "bundled" / "coding_ama.jsonl"

EXTRACTED: list[tuple[str, str, Any]] = [
    ("int", "37", 37),
    ("int", "12 times, of 30 steps", 12),
    ("int", "It did so 4 times.", 4),
    ("int", "none", None),
    ("step", "Step 9", 9),
    ("list", "3, 5,12", ["3", "5", "12"]),
    ("list", "none", []),
    ("list", "Drawer 1,  drawer 10.", ["drawer 1", "drawer 10"]),
    ("name", ' "Garbagecan 1". ', "garbagecan 1"),
    ("pairs", "go: 5, Look: 2", {"go": 5, "look": 2}),
    ("pairs", "look: 2; go: 5", {"go": 5, "look": 2}),
]


@pytest.mark.parametrize(("form", "text", "content"), EXTRACTED)
def test_extraction(form: str, text: str, content: Any) -> None:
    assert extract(form, text) == content


def test_right_needs_an_answer_and_order_where_it_counts() -> None:
    assert is_right("list", "1, 2", "1,2")
    assert not is_right("list", "1, 2", "2, 1")
    assert not is_right("int", "0", None)
    assert is_right("pairs", "a: 1, b: 1", "b: 1, a: 1")


def case(steps: list[int], answer: str, **more: Any) -> Case:
    shape = {"format": "int", "op": "count", "template": "S1", "trajectory_id": "t"}
    return {**shape, "gold_steps": steps, "load": len(steps), "answer": answer, **more}


def test_measures_of_the_best_candidate() -> None:
    evidence = Evidence("5", ((1, 2, 3, 4, 9), (1, 2), (7,)))
    found = judge(case([1, 2, 3, 4], "4"), evidence)
    assert (found.right, found.wrong, found.exact) == (False, True, 0.0)
    assert (found.precision, found.recall) == (0.8, 1.0)
    assert found.f1 == pytest.approx(8 / 9)
    assert (found.extra, found.missed) == (1.0, 0.0)


def test_a_group_may_be_the_exact_set() -> None:
    found = judge(case([1, 2], "2"), Evidence("2", ((1, 2, 3), (1, 2))))
    assert (found.right, found.exact, found.f1, found.extra, found.missed) == (True, 1, 1, 0, 0)


def test_without_evidence_the_sets_count_zero_and_the_count_error_is_undefined() -> None:
    found = judge(case([1], "1"), Evidence(None))
    assert (found.right, found.wrong, found.exact, found.f1) == (False, False, 0.0, 0.0)
    assert (found.extra, found.missed) == (None, None)


def test_an_empty_gold_has_no_f1_but_a_count_error() -> None:
    found = judge(case([], "0"), Evidence("3", ((1, 2, 3),)))
    assert (found.exact, found.f1, found.wrong, found.extra) == (None, None, True, 3.0)
    assert judge(case([], "0"), Evidence("0", ((),))).right


def test_only_counts_have_a_count_error() -> None:
    asked = case([4, 5], "4", format="step", op="first")
    found = judge(asked, Evidence("4", ((4, 5, 6),)))
    assert (found.right, found.extra, found.missed) == (True, None, None)


def test_candidates_without_overlap() -> None:
    assert best_candidate(frozenset({1}), []) is None
    assert overlap(frozenset({1}), frozenset()) == (0, 0, 0)


def test_load_bins() -> None:
    names = [load_bin(n) for n in (0, 1, 5, 6, 15, 16, 40, 41, 100, 101)]
    assert names == [
        "0", "1-5", "1-5", "6-15", "6-15", "16-40", "16-40", "41-100", "41-100", ">100",
    ]  # fmt: skip


def test_intervals_reproduce_and_resample_trajectories() -> None:
    seen = [("a", 1.0), ("b", 0.0), ("b", 0.0), ("b", 0.0), ("c", None)]
    one = Resampling("abc", resamples=2000).estimate(seen)
    assert one == Resampling(["c", "b", "a"], resamples=2000).estimate(seen)
    assert (one.n, one.mean, one.low, one.high) == (4, 0.25, 0.0, 1.0)


def test_interval_of_a_mean_is_that_of_the_normal_approximation() -> None:
    names = [str(n) for n in range(400)]
    found = Resampling(names).estimate([(name, float(int(name) % 2)) for name in names])
    assert found.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.005)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.005)


def test_differences_are_paired() -> None:
    names = [str(n) for n in range(20)]
    better = [(name, 1.0) for name in names]
    even = [(name, float(int(name) % 2)) for name in names]
    resampling = Resampling(names, resamples=2000)
    assert resampling.difference(even, even) == Estimate(20, 0.0, 0.0, 0.0)
    found = resampling.difference(better, even)
    assert found.mean == 0.5
    assert found.low is not None
    assert 0 < found.low < 0.5
    assert resampling.estimate([("0", None)]) == Estimate(0)


def test_a_report_keeps_templates_loads_and_arms_apart() -> None:
    asked = [case([1], "1"), case([1, 2, 3, 4, 5, 6], "6", template="XS1", trajectory_id="u")]
    good = [judge(c, Evidence(c["answer"], (tuple(c["gold_steps"]),))) for c in asked]
    none = [judge(c, Evidence(None)) for c in asked]
    found = report({"good": good, "none": none}, resamples=200)
    tables = found["arms"]["good"]
    assert {name: cells["right"]["n"] for name, cells in tables["template"].items()} == {
        "S1": 1, "XS1": 1,
    }  # fmt: skip
    assert set(tables["load"]) == {"1-5", "6-15"}
    assert tables["all"]["the paper's"]["right"]["n"] == 1
    assert tables["all"]["all"]["exact"]["mean"] == 1.0
    assert found["arms"]["none"]["all"]["all"]["extra"]["mean"] is None
    assert [(d["arms"], d["mean"]) for d in found["differences"]] == [(["good", "none"], 1.0)] * 2


def test_the_fixed_counter_counts_tools_within_the_bound(
    miniature: Path, cases: list[Case]
) -> None:
    asked = {(c["template"], c["bound"]): c for c in cases}
    with tallysql.open(":memory:") as memory:
        memory.load([miniature])
        half = count_by_tool(asked["E1", 5], memory)
        first = count_by_tool(asked["E5", None], memory)
        some = count_by_tool(asked["E3", 11], memory)
    assert half.answer == "2"
    assert (1, 3) in half.candidates
    assert first.answer == "5"
    assert some.answer == "3", "it knows tools, not targets"


def test_any_compiler_plugs_in(miniature: Path, cases: list[Case]) -> None:
    with tallysql.open(":memory:") as memory:
        memory.load([miniature])
        declining = compiled(lambda *_: Compilation(Declined("no")), REFINED, memory)
        named = arm_named("tallysql.compiling.rules:compile_question:lite", memory)
        assert declining(cases[0]) == Evidence(None)
        assert named(cases[0]) == arm_named("rules:lite", memory)(cases[0])
        for wrong in ("nonsense", "json:nothing"):
            with pytest.raises(ValueError, match="no arm"):
                arm_named(wrong, memory)


def test_generate_and_score_the_bundled_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions, answers, out = (tmp_path / name for name in ("q.jsonl", "a.jsonl", "r.json"))
    assert main(["generate", str(BUNDLED), "-o", str(questions), "--paper"]) == 0
    with tallysql.open(":memory:") as memory:
        memory.load([BUNDLED])
        list(memory.answer(questions, answers))
    arms = ["rules:refined", "counter", f"answers:{answers}"]
    flags = [flag for arm in arms for flag in ("--arm", arm)]
    source = ["score", str(questions), "--trajectories", str(BUNDLED), "--resamples", "200"]
    assert main([*source, *flags, "--json", str(out), "--wrong", str(tmp_path / "w")]) == 0
    shown = capsys.readouterr().out
    found = json.loads(out.read_text("utf-8"))
    refined, counter, recorded = (found["arms"][arm] for arm in arms)
    assert refined == recorded, "answers on file measure like the arm that gave them"
    for template in ("S1", "S2", "S3"):
        assert refined["template"][template]["right"]["mean"] == 1.0
        assert refined["template"][template]["exact"]["mean"] == 1.0
    assert counter["template"]["S1"]["right"]["mean"] == 1.0
    assert counter["template"]["S3"]["exact"]["mean"] == 0.0
    assert re.search(r"S1 +3 +100\.0 \(100\.0-100\.0\)", shown)
    assert main([*source, *flags, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == found
