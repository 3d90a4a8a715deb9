from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tallysql.archive.load import LoadReport, load
from tallysql.archive.staging import Staging
from tallysql.errors import ConflictError, InputError, StoreError
from tallysql.store import Store, open_store

Rows = Callable[..., list[tuple[Any, ...]]]
Write = Callable[..., Path]


def row(step: int | str | None, action: str = "go", run: str = "a", **more: Any) -> dict[str, Any]:
    base = {"trajectory_id": run, "step": step, "action": action, "observation": "seen"}
    return {**base, **more}


def loaded(store: Store, *paths: Path, **options: Any) -> LoadReport:
    return load(store, [str(path) for path in paths], **options)


def snapshot(store: Store) -> list[list[tuple[Any, ...]]]:
    tables = ("trajectories", "steps", "sources", "ledger", "file_events")
    return [store.relation("FROM query_table($t)", {"t": t}).fetchall() for t in tables]


def test_ama_keeps_everything_but_the_questions(store: Store, ama: Write, archived: Rows) -> None:
    report = loaded(store, ama(a=[("go", "x"), ("—", ""), ("stop", None)], b=[("look", "y")]))
    assert (report.trajectories, report.steps, report.clean) == (2, 4, True)
    assert archived() == [
        ("a", 0, 0, "go", "x"),
        ("a", 1, 0, "—", ""),
        ("a", 2, 0, "stop", None),
        ("b", 0, 0, "look", "y"),
    ]
    (found,) = store.rows(
        "SELECT task, domain, n_steps, metadata FROM trajectories WHERE trajectory_id = 'a'"
    )
    assert found[:3] == ("task of a", "test", 3)
    assert json.loads(found[3]) == {"num_turns": 3}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("as_list", [False, True])
def test_ama_as_one_document(
    store: Store, tmp_path: Path, archived: Rows, indent: int | None, as_list: bool
) -> None:
    record = {"episode_id": 7, "trajectory": [{"turn_idx": 1, "action": "x", "observation": "y"}]}
    path = tmp_path / "one.json"
    path.write_text(json.dumps([record] if as_list else record, indent=indent))
    report = loaded(store, path)
    assert report.files[0].format == "ama"
    assert archived() == [("7", 1, 0, "x", "y")]


def test_the_same_again_changes_nothing(store: Store, ama: Write, tmp_path: Path) -> None:
    path = ama(a=[("go", "x")], b=[("go", None)])
    loaded(store, path)
    before = snapshot(store)
    assert loaded(store, path).files[0].state == "unchanged"
    assert snapshot(store) == before
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(path.read_bytes())
    report = loaded(store, copy)
    assert (report.files[0].unchanged, report.steps) == (2, 0)
    assert snapshot(store)[:2] == before[:2]


def test_a_longer_version_appends(store: Store, ama: Write, archived: Rows) -> None:
    steps = [("go", "x"), ("look", ""), ("stop", None)]
    loaded(store, ama(a=steps[:1], b=steps))
    told: list[list[tuple[Any, ...]]] = []
    report = loaded(
        store,
        ama(a=steps, b=steps),
        build=lambda s: told.append(s.rows("SELECT trajectory_id FROM touched")),
    )
    assert (report.files[0].grown, report.files[0].unchanged, report.steps) == (1, 1, 2)
    assert told == [[("a",)]]
    assert [r[3] for r in archived() if r[0] == "a"] == ["go", "look", "stop"]
    with open_store() as fresh:
        loaded(fresh, ama(a=steps, b=steps))
        hashes = "SELECT trajectory_id, n_steps, content_hash FROM trajectories ORDER BY ALL"
        assert fresh.rows(hashes) == store.rows(hashes)


def test_a_shorter_version_changes_nothing(store: Store, ama: Write) -> None:
    loaded(store, ama(a=[("go", "x"), ("look", "y")]))
    before = snapshot(store)
    for _ in range(2):  # told again, too
        (file,) = loaded(store, ama("short.jsonl", a=[("go", "x")])).files
        assert (file.state, file.trajectories, file.shorter, file.unchanged) == ("loaded", 1, 1, 0)
        assert snapshot(store)[:2] == before[:2]


@pytest.mark.parametrize("other", [[("go", "z"), ("look", "y")], [("go", "")]])
def test_other_content_is_a_conflict(store: Store, ama: Write, other: list[Any]) -> None:
    loaded(store, ama(a=[("go", "x"), ("look", "y")], b=[("go", "x")]))
    before = snapshot(store)
    with pytest.raises(ConflictError, match=r"trajectory a: differs .* step 0"):
        loaded(store, ama("other.jsonl", a=other, c=[("new", "n")]))
    assert snapshot(store) == before


def test_results_may_come_later(store: Store, ama: Write, archived: Rows) -> None:
    first = ama("1.jsonl", a=[("go", "x"), ("look", None)])
    second = ama("2.jsonl", a=[("go", "x"), ("look", "y"), ("stop", None)])
    loaded(store, first)
    report = loaded(store, second).files[0]
    assert (report.grown, report.steps) == (1, 1)
    assert [r[4] for r in archived()] == ["x", "y", None]
    assert loaded(store, ama("3.jsonl", a=[("go", None)])).files[0].shorter == 1
    assert [r[4] for r in archived()] == ["x", "y", None]
    with pytest.raises(ConflictError):
        loaded(store, ama("4.jsonl", a=[("go", None), ("look", "y"), ("stop", "z")]))


def test_replace_takes_the_new_content(store: Store, ama: Write, archived: Rows) -> None:
    first = ama(a=[("go", "x"), ("look", "y")], b=[("go", "x")])
    loaded(store, first)
    for run in ("a", "b"):
        store.run(
            "INSERT INTO file_events BY NAME SELECT $t AS trajectory_id, 0 AS step, 0 AS call, "
            "'p' AS path, 'view' AS command, 'read' AS kind, true AS confirmed",
            {"t": run},
        )
    report = loaded(store, ama("other.jsonl", a=[("run", "z")]), replace=True)
    assert report.files[0].replaced == 1
    assert archived() == [("a", 0, 0, "run", "z"), ("b", 0, 0, "go", "x")]
    assert store.rows("SELECT trajectory_id FROM file_events") == [("b",)]
    with pytest.raises(ConflictError):
        loaded(store, first)


def test_gaps_are_legal(store: Store, jsonl: Write, archived: Rows) -> None:
    report = loaded(store, jsonl(row(3), row(7), row(1000)))
    assert [r[1] for r in archived()] == [3, 7, 1000]
    assert not report.files[0].warnings


@pytest.mark.parametrize("steps", [[1, 2, 2], [1, 3, 2], [5, 5, 5]])
def test_repeated_or_falling_numbers_are_replaced_by_positions(
    store: Store, jsonl: Write, archived: Rows, steps: list[int]
) -> None:
    report = loaded(store, jsonl(*map(row, steps), row(9, run="b")))
    assert archived("trajectory_id, step, source_ref") == [
        *(("a", place, str(step)) for place, step in enumerate(steps)),
        ("b", 9, None),
    ]
    assert len(report.files[0].warnings) == 1
    assert "trajectory a" in report.files[0].warnings[0]


def test_ids_that_are_no_numbers_stay_as_references(
    store: Store, jsonl: Write, archived: Rows
) -> None:
    (file,) = loaded(store, jsonl(row("u-1"), row("u-2"), row(None))).files
    assert archived("step, source_ref") == [(0, "u-1"), (1, "u-2"), (2, None)]
    (warning,) = file.warnings
    assert "step ids that are no integers" in warning


def test_the_exact_name_of_a_column_wins(store: Store, jsonl: Write, archived: Rows) -> None:
    loaded(store, jsonl({"Obs": "alias", "Observation": "case"} | row(0) | {"OBSERVATION": "x"}))
    assert archived("observation") == [(row(0)["observation"],)]


def test_calls_share_their_step(store: Store, jsonl: Write, archived: Rows) -> None:
    calls = [row(4, "x", call=0), row(4, "y", call=1), row(5, "z")]
    assert not loaded(store, jsonl(*calls)).files[0].warnings
    assert [r[1:4] for r in archived()] == [(4, 0, "x"), (4, 1, "y"), (5, 0, "z")]


def test_calls_share_their_position(store: Store, jsonl: Write, archived: Rows) -> None:
    calls = [row(None, "x", call=0), row(None, "y", call=1), row(None, "z")]
    loaded(store, jsonl(*calls))
    assert [r[1:4] for r in archived()] == [(0, 0, "x"), (0, 1, "y"), (1, 0, "z")]


def test_only_empty_records_are_left_out(store: Store, jsonl: Write, archived: Rows) -> None:
    nothing = row(1, observation=None) | {"action": None}
    report = loaded(store, jsonl(row(0, observation=""), nothing, row(2, "", observation="")))
    assert report.files[0].empty == 1
    assert [r[1:] for r in archived()] == [(0, 0, "go", ""), (2, 0, "", "")]


def test_a_trajectory_of_empty_records_is_not_stored(store: Store, jsonl: Write) -> None:
    nothing = row(0, run="b", observation=None) | {"action": None}
    report = loaded(store, jsonl(row(0), nothing))
    assert (report.trajectories, report.files[0].empty) == (1, 1)
    assert store.rows("SELECT trajectory_id FROM trajectories") == [("a",)]
    with pytest.raises(InputError, match="holds no trajectory"):
        loaded(store, jsonl(nothing, name="nothing.jsonl"))


def test_interleaved_trajectories_are_joined(store: Store, jsonl: Write, archived: Rows) -> None:
    report = loaded(store, jsonl(row(0), row(0, run="b"), row(1), row(1, run="b")))
    assert report.trajectories == 2
    assert [r[:2] for r in archived()] == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]


def test_args_parse_where_they_can(store: Store, jsonl: Write, archived: Rows) -> None:
    values = [{"k": [1]}, '{"k":  1}', "not json", None]
    loaded(store, jsonl(*(row(n, args=value) for n, value in enumerate(values))))
    assert archived("args, args_json") == [
        ('{"k":[1]}', '{"k":[1]}'),
        ('{"k":  1}', '{"k":  1}'),
        ("not json", None),
        (None, None),
    ]


def test_other_spellings_of_the_columns(store: Store, jsonl: Write, archived: Rows) -> None:
    named = {"Episode_ID": 3, "TURN_IDX": 2, "Action": "go", "obs": "x", "timestamp": 0, "odd": 1}
    report = loaded(store, jsonl(named))
    assert archived("trajectory_id, step, observation, epoch(ts)") == [("3", 2, "x", 0.0)]
    assert report.files[0].warnings == ["columns not read: odd"]


def test_surrogates_are_replaced_and_counted(store: Store, jsonl: Write, archived: Rows) -> None:
    line = (
        '{"trajectory_id":"a","step":0,"action":"\\ud800!","observation":"\\ud83d\\ude00\\udfff"}'
    )
    raw = json.dumps(row(1)).replace("seen", "\udc80")
    report = loaded(store, jsonl(line, raw))
    assert report.files[0].surrogates == 3
    assert [r[3:] for r in archived()] == [
        ("\ufffd!", "😀\ufffd"),
        ("go", "\ufffd"),
    ]


def test_damaged_lines_are_skipped_counted_and_named(
    store: Store, jsonl: Write, archived: Rows
) -> None:
    good = [row(n) for n in range(3)]
    path = jsonl(good[0], '"massive error"', good[1], "42", "[1]", '{"cut": ', "", good[2], "no")
    report = loaded(store, path)
    assert len(archived()) == 3
    assert not report.clean
    assert [damage.record for damage in report.files[0].skipped] == [2, 4, 5, 6, 9]
    assert "not an object" in report.files[0].skipped[0].problem
    assert "not JSON" in report.files[0].skipped[3].problem
    again = loaded(store, path)
    assert again.files[0].n_skipped == 5, "an unchanged damaged file is named every time"


def test_a_damaged_first_line(store: Store, jsonl: Write, archived: Rows) -> None:
    report = loaded(store, jsonl('{"trajectory_id": "a", "ste', row(1), row(2)))
    assert [r[1] for r in archived()] == [1, 2]
    assert report.files[0].n_skipped == 1


def test_strict_refuses_the_whole_file(store: Store, jsonl: Write) -> None:
    before = snapshot(store)
    with pytest.raises(InputError, match=r"rows\.jsonl: record 2: JSON, but not an object"):
        loaded(store, jsonl(row(0), "[1]", row(1)), strict=True)
    assert snapshot(store) == before


def test_a_given_id(store: Store, jsonl: Write, archived: Rows) -> None:
    path = jsonl(row(0))
    loaded(store, path, trajectory_id="mine")
    loaded(store, path, trajectory_id="other")
    assert [r[0] for r in archived()] == ["mine", "other"]
    with pytest.raises(InputError, match="holds several"):
        loaded(store, jsonl(row(0), row(0, run="b")), trajectory_id="one")


@pytest.mark.parametrize("name", ["", " "])
def test_an_empty_id_is_refused(store: Store, jsonl: Write, archived: Rows, name: str) -> None:
    with pytest.raises(InputError, match="--id is empty"):
        loaded(store, jsonl(row(0)), trajectory_id=name)
    assert archived() == []


def test_a_given_id_stands_in_for_a_missing_one(store: Store, jsonl: Write, archived: Rows) -> None:
    loaded(store, jsonl({"step": 0, "action": "x", "observation": "y"}), trajectory_id="mine")
    assert [r[0] for r in archived()] == ["mine"]


def test_nothing_is_left_when_building_fails(store: Store, ama: Write) -> None:
    loaded(store, ama(a=[("go", "x")]))
    before = snapshot(store)

    def fail(_: Store) -> None:
        raise StoreError("no ledger today")

    with pytest.raises(StoreError, match="no ledger"):
        loaded(store, ama(a=[("go", "x"), ("look", "y")], b=[("go", "x")]), build=fail)
    assert snapshot(store) == before
    loaded(store, ama(a=[("go", "x"), ("look", "y")]))


def test_one_bad_file_among_good_ones(store: Store, ama: Write, jsonl: Write) -> None:
    bad = jsonl(row(0, observation=[1]), name="bad.jsonl")
    report = loaded(store, ama(a=[("go", "x")]), bad, ama("c.jsonl", c=[("go", "x")]))
    assert [file.state for file in report.files] == ["loaded", "failed", "loaded"]
    assert not report.clean
    assert store.rows("SELECT trajectory_id FROM trajectories ORDER BY 1") == [("a",), ("c",)]


def test_directories_are_read_in_order_and_other_files_ignored(
    store: Store, ama: Write, tmp_path: Path
) -> None:
    ama("2.jsonl", b=[("go", "x")])
    ama("1.jsonl", a=[("go", "x")])
    (tmp_path / "README.md").write_text("# Runs\n")
    (tmp_path / ".hidden.jsonl").write_text("{")
    report = loaded(store, tmp_path)
    assert [(Path(f.source).name, f.state) for f in report.files] == [
        ("1.jsonl", "loaded"),
        ("2.jsonl", "loaded"),
        ("README.md", "ignored"),
    ]
    assert report.clean


def test_large_observations_and_many_batches(
    store: Store, ama: Write, archived: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Staging.__init__, "__defaults__", (None, 1000))
    huge = "\u2028é\x00\r\n" * 220_000
    steps = [(f"go {n}", huge if n == 7 else f"at {n}") for n in range(50)]
    loaded(store, ama(a=steps))
    assert [r[3:] for r in archived()] == steps


def test_hashes_of_staged_rows_are_those_of_the_archived_ones(store: Store, ama: Write) -> None:
    texts = [("go", "é\u2028"), ("look", ""), ("stop", None), ("", "x" * 5000), ("\ud800", "\x00")]
    loaded(store, ama(a=texts, b=[("—", "y")]))
    recomputed = store.rows("""
        WITH hashed AS (
            SELECT trajectory_id, step_hash(
                step, call, action, observation, tool, args,
                exit_code, is_error, is_copied, ts, source_ref
            ) AS row_hash FROM steps
        )
        SELECT trajectory_id, sha256(concat_ws(
            '/', count(*),
            sum(('0x' || substr(row_hash, 1, 16))::UBIGINT),
            sum(('0x' || substr(row_hash, 17, 16))::UBIGINT),
            sum(('0x' || substr(row_hash, 33, 16))::UBIGINT),
            sum(('0x' || substr(row_hash, 49, 16))::UBIGINT)
        ))
        FROM hashed GROUP BY ALL ORDER BY 1
    """)
    assert recomputed == store.rows(
        "SELECT trajectory_id, content_hash FROM trajectories ORDER BY 1"
    )


def test_groups_are_archived_while_others_are_read(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tallysql.archive.load.GROUP_BYTES", 600)
    paths = [tmp_path / f"{n}.jsonl" for n in range(20)]
    for n, path in enumerate(paths):
        path.write_text("\n".join(json.dumps(row(step, run=f"run {n}")) for step in range(3)))
    paths[7].write_text(json.dumps(row(0, "changed", run="run 3")))  # conflicts with another file
    paths[11].write_text("{damaged")
    report = loaded(store, *paths)
    states = [file.state for file in report.files]
    assert [n for n, state in enumerate(states) if state == "failed"] == [7, 11]
    assert store.row("SELECT count(*), count(DISTINCT trajectory_id) FROM steps") == (54, 18)
    again = loaded(store, *paths, paths[0])
    assert [file.state for file in again.files].count("unchanged") == 19


def test_a_repeated_record_is_read_once(store: Store, ama: Write, archived: Rows) -> None:
    path = ama(a=[("go", "x"), ("look", "y")])
    path.write_bytes(path.read_bytes() * 2)
    report = loaded(store, path)
    assert [r[1] for r in archived()] == [0, 1]
    assert report.files[0].warnings == ["trajectory a occurs twice, read once"]


def test_one_id_for_several_files(store: Store, ama: Write) -> None:
    paths = ama("1.jsonl", a=[("go", "x")]), ama("2.jsonl", b=[("go", "x")])
    with pytest.raises(InputError, match="--id names one trajectory, there are 2 files"):
        loaded(store, *paths, trajectory_id="c")


def test_progress_reaches_the_end(store: Store, ama: Write, tmp_path: Path) -> None:
    one, two = ama("1.jsonl", a=[("go", "x" * 300_000)]), ama("2.jsonl", b=[("go", "x")])
    told: list[tuple[str, int, int]] = []
    loaded(store, one, two, progress=lambda *step: told.append(step))
    total = one.stat().st_size + two.stat().st_size
    assert {step[2] for step in told} == {total}
    assert [step[1] for step in told] == sorted(step[1] for step in told)
    assert told[-1] == (str(two), total, total)


def atif(folder: Path, name: str, session: str, *commands: str) -> Path:
    steps = [
        {"step_id": n, "source": "agent", "message": "", "tool_calls": [
            {"tool_call_id": f"c{n}", "function_name": "bash", "arguments": {"command": command}}
        ]}
        for n, command in enumerate(commands, 1)
    ]  # fmt: skip
    path = folder / name
    record = {"schema_version": "ATIF-v1.5", "session_id": session, "agent": {}, "steps": steps}
    path.write_text(json.dumps(record))
    return path


def test_a_placeholder_id_is_told_apart_by_the_file(
    store: Store, tmp_path: Path, archived: Rows
) -> None:
    first = atif(tmp_path, "first.json", "SESSION_ID", "ls", "pwd")
    second = atif(tmp_path, "run.second.json", "SESSION_ID", "ls", "make")
    report = loaded(store, first, second)
    assert report.clean
    ids = ["SESSION_ID", "SESSION_ID", "SESSION_ID/run.second", "SESSION_ID/run.second"]
    assert [r[0] for r in archived()] == ids
    assert "archived as SESSION_ID/run.second" in report.files[1].warnings[0]
    assert [f.state for f in loaded(store, first, second).files] == ["unchanged"] * 2
    atif(tmp_path, "run.second.json", "SESSION_ID", "ls", "make", "make test")
    assert [f.grown for f in loaded(store, first, second).files] == [0, 1]
    assert len(archived()) == 5


def test_other_content_under_an_id_that_names_a_run_is_an_error(
    store: Store, tmp_path: Path
) -> None:
    first = atif(tmp_path, "first.json", "run-7", "ls")
    second = atif(tmp_path, "second.json", "run-7", "pwd")
    report = loaded(store, first, second)
    assert [f.state for f in report.files] == ["loaded", "failed"]
    changed = atif(tmp_path, "third.json", "SESSION_ID", "ls")
    loaded(store, changed)
    with pytest.raises(ConflictError):
        loaded(store, atif(tmp_path, "third.json", "SESSION_ID", "pwd"))
