"""Measures answers and evidence on questions with known answers.

`python -m benchmarks.cases CASES.jsonl --trajectories SOURCE [--profile P] [--json] [--wrong]`

Each line of CASES has `question`, `trajectory_id`, a gold `answer` with its `format` (int, step,
list, name, pairs, yesno; or `family` and `gold` for tables and timelines), a `template`, and where
known `gold_steps`. A line with `decline` must be declined.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tallysql
from tallysql.answering.computed import computed_answer
from tallysql.compiling.rules import compile_question
from tallysql.compiling.rules.vocabulary import vocabulary_of
from tallysql.engine.execute import execute
from tallysql.plan.nodes import Declined
from tallysql.plan.parse import check_plan, plan_to_json
from tallysql.plan.profiles import profile_named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tallysql.api import Memory
    from tallysql.engine.results import Result
    from tallysql.ledger.catalog import Catalog
    from tallysql.plan.profiles import Profile

Case = dict[str, Any]


@dataclass
class Verdict:
    """One question: right, wrong or declined, and whether its steps are exactly the gold's."""

    template: str
    question: str
    trajectory_id: str
    outcome: str
    exact: bool | None
    gold: Any
    answer: str | None
    reason: str | None
    plan: Any
    milliseconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; the exit code is 0 whatever it shows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases")
    parser.add_argument("--trajectories", required=True, help="a source file, or a database")
    parser.add_argument("--profile", default="refined")
    parser.add_argument("--json", action="store_true", help="print every verdict as a JSON line")
    parser.add_argument("--wrong", action="store_true", help="list what is not right")
    options = parser.parse_args(arguments)
    cases = [
        json.loads(line) for line in Path(options.cases).read_text("utf-8").splitlines() if line
    ]
    database = options.trajectories.endswith(".duckdb")
    with tallysql.open(
        options.trajectories if database else ":memory:", read_only=database
    ) as memory:
        if not database:
            memory.load([options.trajectories])
        profile = profile_named(options.profile)
        catalogs: dict[str, Catalog] = {}
        verdicts = [judge(memory, case, profile, catalogs) for case in cases]
    if options.json:
        print("\n".join(json.dumps(asdict(verdict), ensure_ascii=False) for verdict in verdicts))
        return 0
    print(table(verdicts))
    if options.wrong:
        print("\n".join(listing(verdicts)))
    return 0


def judge(memory: Memory, case: Case, profile: Profile, catalogs: dict[str, Catalog]) -> Verdict:
    """Compile, execute and answer one question, and compare with its gold."""
    name = case["trajectory_id"]
    if name not in catalogs:
        catalogs[name] = memory.catalog(name)
        vocabulary_of(catalogs[name])
    started = time.perf_counter()
    compilation = compile_question(case["question"], catalogs[name], profile)
    elapsed = (time.perf_counter() - started) * 1000
    declined = isinstance(compilation.plan, Declined)
    results: tuple[Result, ...] = ()
    if not isinstance(compilation.plan, Declined):
        broken = check_plan(compilation.plan, profile)
        assert not broken, (case["question"], broken)
        results = execute(memory.store, name, compilation.plan, profile)
    answer = computed_answer(compilation, results)
    reason = compilation.plan.reason if declined else "; ".join(r.reason or "" for r in results)  # type: ignore[union-attr]
    return Verdict(
        case.get("template") or case.get("family") or case.get("format", ""),
        case["question"],
        name,
        outcome(case, answer, reason),
        exact(case, results),
        case.get("answer", case.get("gold")),
        answer,
        reason,
        plan_to_json(compilation.plan),
        elapsed,
    )


def outcome(case: Case, answer: str | None, reason: str | None = None) -> str:
    """Return right, wrong or declined.

    Where the question's target occurs nowhere, a refusal that names it is as right as a zero.
    """
    if case.get("decline"):
        return "right" if answer is None else "wrong"
    if answer is None:
        return "right" if case.get("decline_or_zero") and _names(case, reason) else "declined"
    check = FAMILIES.get(case.get("family", ""))
    right = (
        check(case["gold"], answer) if check else FORMATS[case["format"]](case["answer"], answer)
    )
    return "right" if right else "wrong"


def _names(case: Case, reason: str | None) -> bool:
    """Whether a refusal names words of the question."""
    quoted = re.findall(r"'([^']+)'", reason or "")
    return any(words.lower() in case["question"].lower() for words in quoted)


def exact(case: Case, results: Sequence[Result]) -> bool | None:
    """Return whether the sub-queries select exactly the gold's events; None if it has none."""
    if case.get("gold_steps") is None or not results:
        return None
    found = sorted({step for result in results if result.survives for step in result.steps})
    return found == sorted(set(case["gold_steps"]))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.strip().strip("\"'").lower())


def _integer(gold: str, answer: str) -> bool:
    found = re.search(r"-?\d+", re.sub(r"^[^:;]*: ", "", answer))
    return bool(found) and found is not None and int(found.group()) == int(gold)


def _same(gold: str, answer: str) -> bool:
    return _plain(gold) == _plain(answer) or _item(gold, gold) == _item(answer, gold)


def _item(text: str, gold: str) -> str:
    """Compare files by base name where the gold does."""
    plain = _plain(text)
    return plain if "/" in gold else plain.rsplit("/", 1)[-1]


def _list(gold: str, answer: str) -> bool:
    return [_item(x, gold) for x in gold.split(",")] == [_item(x, gold) for x in answer.split(",")]


def _pairs(gold: str, answer: str) -> bool:
    wanted, found = _counted(gold), _counted(answer.replace(";", ","))
    if [n for _, n in wanted] == [n for _, n in found] and ";" in answer:
        return True  # the labels of several quantities are free
    rest = list(found)
    for name, n in wanted:
        same = next((pair for pair in rest if pair[1] == n and _same_key(name, pair[0])), None)
        if same is None:
            return False
        rest.remove(same)
    return not rest


def _same_key(one: str, other: str) -> bool:
    """Compare keys; one may be a shorter form of the other: go for go to, kick for kicks."""
    short, long = sorted((_item(one, one).split(), _item(other, one).split()), key=len)
    starts = range(len(long) - len(short) + 1)
    plural = re.compile(r"(?<=[a-z])(?:(?<=[cs]h)e)?s$")
    inside = any(short == long[at : at + len(short)] for at in starts)
    return inside or plural.sub("", " ".join(short)) == plural.sub("", " ".join(long))


def _counted(text: str) -> list[tuple[str, str]]:
    return [(_plain(name), n) for name, n in re.findall(r"([^,]+?): (\d+)(?=,|$)", text)]


def _name(gold: str, answer: str) -> bool:
    """Compare names; a verb may come without its particle: go for go to."""
    short, long = _plain(answer), _plain(gold)
    return _same(gold, answer) or bool(re.fullmatch(rf"{re.escape(short)} [a-z ]+", long))


FORMATS: dict[str, Callable[[str, str], bool]] = {
    "int": _integer, "step": _same, "list": _list, "name": _name, "pairs": _pairs, "yesno": _same,
}  # fmt: skip


def _contains_counts(gold: dict[str, int], answer: str) -> bool:
    found = dict(_counted(answer))
    return all(found.get(name) == str(count) for name, count in gold.items())


def _table(gold: dict[str, int], answer: str) -> bool:
    return {name: str(count) for name, count in gold.items()} == dict(_counted(answer))


def _rows(answer: str) -> list[tuple[int, str, str]]:
    found = re.findall(r"step (\d+): (.*?)(?: \[(.*?)\])?(?=; step |$)", answer)
    return [(int(step), said, changes) for step, said, changes in found]


def _actions(gold: list[list[Any]], answer: str) -> bool:
    return [[step, said] for step, said, _ in _rows(answer)] == gold


def _inventory(gold: list[list[Any]], answer: str) -> bool:
    signs = {"added": "+", "removed": "-"}
    rows = _rows(answer)
    return len(rows) >= len(gold) and all(
        row[0] == step and signs[how] + name in row[2]
        for row, (step, name, how) in zip(rows, gold, strict=False)
    )


FAMILIES: dict[str, Callable[[Any, str], bool]] = {
    "action_frequency_top15": _contains_counts,
    "actions_between": _actions,
    "actions_on_object": _actions,
    "object_interactions": _table,
    "environment_changes": _actions,
    "inventory_changes_prefix": _inventory,
}


def table(verdicts: Sequence[Verdict]) -> str:
    """Return the counts by template, then in all, and the compile times."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for verdict in verdicts:
        for name in (verdict.template, "all"):
            rows[name].update(
                {
                    "n": 1,
                    verdict.outcome: 1,
                    "exact": int(bool(verdict.exact)),
                    "gold": int(verdict.exact is not None),
                }
            )
    lines = [f"{'template':<28}{'n':>5}{'right':>7}{'wrong':>7}{'declined':>10}{'steps exact':>13}"]
    for name in [*sorted(rows.keys() - {"all"}), "all"]:
        row = rows[name]
        lines.append(
            f"{name:<28}{row['n']:>5}{row['right']:>7}{row['wrong']:>7}{row['declined']:>10}{row['exact']:>7}/{row['gold']}"
        )
    times = sorted(verdict.milliseconds for verdict in verdicts)
    p50, p99 = times[len(times) // 2], times[int(len(times) * 0.99)]
    return "\n".join([*lines, f"compile: p50 {p50:.2f} ms, p99 {p99:.2f} ms"])


def listing(verdicts: Sequence[Verdict]) -> list[str]:
    """Return what is not right, or right without exactly the gold's steps."""
    lines = []
    for v in verdicts:
        if v.outcome != "right" or v.exact is False:
            steps = "" if v.exact is not False else " STEPS"
            lines.append(
                f"{v.outcome.upper()}{steps} [{v.trajectory_id} {v.template}] {v.question}"
            )
            lines.append(f"   gold {str(v.gold)[:150]} | answer {str(v.answer)[:150]} | {v.reason}")
            lines.append(f"   {json.dumps(v.plan, ensure_ascii=False)[:700]}")
    return lines


if __name__ == "__main__":
    sys.exit(main())
