"""A batch on a real cluster gives the records that DuckDB gives, even if a worker dies."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tallysql.api import open_memory
from tallysql.engine.portable import Asked, execute_batch
from tallysql.lowering.portable import portable
from tallysql.plan.nodes import Plan
from tallysql.plan.parse import parse_plan
from tallysql.plan.profiles import PROFILES
from tallysql.store import open_store
from tests import reference_matcher
from tests.engine.test_against_reference import cases, comparable
from tests.ledgers import insert
from tests.spark.cluster import running_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.spark.cluster import Cluster

pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("ignore")]

BUNDLED = Path(__file__).parents[1] / "data" / "bundled"
SOURCES = (
    "textworld.parquet", "coding.jsonl.gz", "coding_ama.jsonl", "gridworld.jsonl",
    "history.parquet",
)  # fmt: skip
SMALL = {
    "spark.executor.memory": "500m",
    "spark.driver.memory": "700m",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    # The data is so small that compiling the joins would take longer than running them.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@given(made=st.lists(cases(), min_size=40, max_size=40))
@settings(
    max_examples=1,
    phases=[Phase.generate],
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_generated_plans_agree_with_reference(
    cluster: Cluster, tmp_path_factory: pytest.TempPathFactory, made: list[Any]
) -> None:
    from tallysql.archive.folder import write_folder
    from tallysql.engine.spark import spark_engine

    folder = tmp_path_factory.mktemp("generated") / "ledger"
    asked: dict[str, list[tuple[Asked, Any]]] = {name: [] for name in PROFILES}
    with open_store() as store:
        for number, (rows, document, profile) in enumerate(made):
            plan = parse_plan(document, PROFILES[profile])
            assert isinstance(plan, Plan)
            if not any(map(portable, plan.queries)):
                insert(store, f"made-up {number}", rows)
                expected = reference_matcher.answer(rows, document, profile)
                asked[profile].append((Asked(f"made-up {number}", plan), expected))
        write_folder(store, str(folder), ())
        with spark_engine(folder, cluster.master, SMALL) as engine:
            for profile, listed in asked.items():
                batch = [one for one, _ in listed]
                found = execute_batch(engine, store, batch, PROFILES[profile])
                for results, (_, expected) in zip(found, listed, strict=True):
                    assert [comparable(result) for result in results] == [
                        {"left_out": 0, "without_value": 0} | one for one in expected
                    ]


def test_records_are_the_same_though_a_worker_dies(cluster: Cluster, tmp_path: Path) -> None:
    with open_memory(tmp_path / "tally.duckdb") as memory:
        memory.load([BUNDLED / name for name in SOURCES])
    tallysql(tmp_path, "export", "all", "--partition-by", "domain", "-o", "ledger")
    questions = str(BUNDLED / "questions.jsonl")
    tallysql(tmp_path, "answer", questions, "-o", "here.jsonl")
    killing = threading.Thread(target=cluster.kill_at_work, args=(1, cluster.executors(1)))
    killing.start()
    tallysql(
        tmp_path, "answer", questions, "-o", "there.jsonl", "--ledger", "ledger",
        "--engine", "spark", "--master", cluster.master,
        *(f"--spark-option={name}={value}" for name, value in SMALL.items()),
    )  # fmt: skip
    killing.join()
    assert (tmp_path / "there.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


def tallysql(folder: Path, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tallysql", *arguments],
        check=False,
        cwd=folder,
        env=os.environ | {"SPARK_LOCAL_IP": "127.0.0.1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
