"""Damages the samples of all formats at random and loads what comes out.

Whatever a file holds, loading ends in time with a report or one of tallysql's own errors, and the
archive holds whole trajectories only.

    python -m benchmarks.mutate --cases 10000 --seed 1
"""

from __future__ import annotations

import copy
import json
import random
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallysql.archive.load import load
from tallysql.errors import TallyError
from tallysql.ledger.mechanical import build
from tallysql.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from tallysql.store import Store

SAMPLES = Path(__file__).parents[1] / "tests" / "data" / "formats"
LIMIT_SECONDS = 5
CASES_A_STORE = 250
CASES_A_LEDGER = 20
OTHER_TYPES: tuple[Any, ...] = (
    None, True, 0, -1, 10**30, 1.5, float("inf"), float("nan"), "", "x", "\x00", "\ud800",
    [], [[]], [None], {}, {"a": {}}, ["a", 1, {}],
)  # fmt: skip
WHOLE = """
    SELECT
        (SELECT count(*) FROM trajectories AS t WHERE t.n_steps <> (
            SELECT count(*) FROM steps AS s WHERE s.trajectory_id = t.trajectory_id
        ))
        + (SELECT count(*) FROM steps ANTI JOIN trajectories USING (trajectory_id))
"""
STATE = "SELECT (SELECT sum(hash(t)) FROM steps AS t), (SELECT count(*) FROM trajectories)"


def flip(raw: bytes, rng: random.Random) -> bytes:
    """Change some bytes."""
    data = bytearray(raw)
    for _ in range(rng.choice((1, 1, 3, 20))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def truncate(raw: bytes, rng: random.Random) -> bytes:
    """Cut the end off, or a piece out."""
    start = rng.randrange(len(raw))
    return raw[:start] if rng.random() < 0.7 else raw[:start] + raw[start + rng.randrange(1, 200) :]


def reorder(raw: bytes, rng: random.Random) -> bytes:
    """Drop, repeat and shuffle lines."""
    lines = raw.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines + lines[: rng.randrange(3)])


def rename(value: Any, rng: random.Random) -> Any:
    """Rename keys somewhere."""
    return _somewhere(value, rng, _renamed)


def swap(value: Any, rng: random.Random) -> Any:
    """Put values of other types somewhere."""
    return _somewhere(value, rng, lambda _, r: copy.deepcopy(r.choice(OTHER_TYPES)))


def unnest(value: Any, rng: random.Random) -> Any:
    """Replace containers somewhere by one of their parts."""
    return _somewhere(value, rng, _part)


def nest(value: Any, rng: random.Random) -> Any:
    """Wrap values somewhere once more than they should be."""
    return _somewhere(value, rng, lambda v, r: r.choice(([v], {"value": v}, [[v, None]])))


BYTES: tuple[Callable[[bytes, random.Random], bytes], ...] = (flip, truncate, reorder)
VALUES: tuple[Callable[[Any, random.Random], Any], ...] = (rename, swap, unnest, nest)


def _somewhere(value: Any, rng: random.Random, change: Callable[[Any, random.Random], Any]) -> Any:
    """Change one to three places of a JSON value."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        places = list(_places(value))
        if not places:
            return change(value, rng)
        parent, key = rng.choice(places)
        parent[key] = change(parent[key], rng)
    return value


def _places(value: Any) -> Any:
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in list(pairs):
        yield value, key
        yield from _places(item)


def _renamed(value: Any, rng: random.Random) -> Any:
    if not isinstance(value, dict) or not value:
        return value
    key = rng.choice(list(value))
    new = rng.choice((key + "s", key.upper(), "", rng.choice(list(value))))
    return {new if k == key else k: v for k, v in value.items()}


def _part(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict) and value:
        return rng.choice(list(value.values()))
    return rng.choice(value) if isinstance(value, list) and value else value


def mutated(raw: bytes, rng: random.Random) -> tuple[str, bytes]:
    """Return (the mutation's name, a damaged copy)."""
    by_value = rng.random() < 0.65
    if not by_value:
        change = rng.choice(BYTES)
        return change.__name__, change(raw, rng)
    alter = rng.choice(VALUES)
    if raw.startswith(b"PK"):
        return alter.__name__, _in_archive(raw, alter, rng)
    try:
        return alter.__name__, json.dumps(alter(json.loads(raw), rng)).encode(
            "utf-8", "surrogatepass"
        )
    except ValueError:
        pass
    lines = raw.decode("utf-8", "replace").split("\n")
    place = rng.randrange(len(lines))
    try:
        lines[place] = json.dumps(alter(json.loads(lines[place]), rng))
    except ValueError:
        return "reorder", reorder(raw, rng)
    return alter.__name__, "\n".join(lines).encode()


def _in_archive(
    raw: bytes, alter: Callable[[Any, random.Random], Any], rng: random.Random
) -> bytes:
    with tempfile.NamedTemporaryFile() as old, tempfile.NamedTemporaryFile() as new:
        Path(old.name).write_bytes(raw)
        with zipfile.ZipFile(old.name) as source, zipfile.ZipFile(new.name, "w") as target:
            chosen = rng.choice(source.namelist())
            for name in source.namelist():
                data = source.read(name)
                if name == chosen:
                    data = json.dumps(alter(json.loads(data), rng)).encode("utf-8", "surrogatepass")
                target.writestr(name, data)
        return Path(new.name).read_bytes()


class _Timeout(BaseException):
    """Loading took longer than it may; no `except Exception` can hold it up."""


def _alarm(_: int, __: FrameType | None) -> None:
    raise _Timeout


def attempt(store: Store, path: Path, *, with_ledger: bool) -> str:
    """Load one file; return what became of it.

    Raises:
        AssertionError: the archive holds a part of something, or the reader met what it did not
            foresee.
    """
    before = store.row(STATE)
    try:
        report = load(store, [str(path)], replace=True, build=build if with_ledger else None)
        outcome = "damaged" if report.files[0].n_skipped else "loaded"
    except TallyError as error:
        assert "\n" not in error.message, f"more than one line: {error.message!r}"
        assert "as tallysql knows it" not in error.message, f"unforeseen: {error.message}"
        assert store.row(STATE) == before, f"a refused file left something: {error.message}"
        outcome = "refused"
    assert store.row(WHOLE) == (0,), "a trajectory without all of its steps"
    return outcome


@click.command()
@click.option("--cases", default=1000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--keep", type=click.Path(path_type=Path), help="Folder for the files that fail.")
def main(cases: int, seed: int, keep: Path | None) -> None:
    """Run the cases; name each failure and exit 1 if there is one."""
    signal.signal(signal.SIGALRM, _alarm)
    rng = random.Random(seed)
    names = sorted(SAMPLES.iterdir())
    outcomes: Counter[str] = Counter()
    failures, slowest, store = 0, 0.0, open_store()
    with tempfile.TemporaryDirectory() as folder:
        for case in range(cases):
            if case % CASES_A_STORE == 0:
                store.close()
                store = open_store()
            sample = names[case % len(names)]
            kind, data = mutated(sample.read_bytes(), rng)
            path = Path(folder) / f"{case}{sample.suffix}"
            path.write_bytes(data)
            started = time.monotonic()
            signal.alarm(LIMIT_SECONDS)
            try:
                outcome = attempt(store, path, with_ledger=case % CASES_A_LEDGER == 0)
            except (Exception, _Timeout) as error:
                signal.alarm(0)
                outcome, failures = "failed", failures + 1
                print(f"case {case}: {sample.name} {kind}: {error!r}")
                traceback.print_exc(limit=-3)
                if keep is not None:
                    (keep / f"{case}-{sample.name}").write_bytes(data)
                store.close()
                store = open_store()
            signal.alarm(0)
            slowest = max(slowest, time.monotonic() - started)
            outcomes[outcome] += 1
            path.unlink()
    print(json.dumps({"cases": cases, **outcomes, "slowest_seconds": round(slowest, 2)}))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
