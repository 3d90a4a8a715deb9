"""Grid-world runs: MiniGrid levels walked by a seeded agent that often presses the wrong key."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import gymnasium  # type: ignore[import-not-found, unused-ignore]
import minigrid  # type: ignore[import-not-found, unused-ignore]  # noqa: F401  registers the levels

from benchmarks.bundle.run import Run

LEVELS = (
    ("grid-doorkey", "MiniGrid-DoorKey-8x8-v0", 7),
    ("grid-unlock", "MiniGrid-UnlockPickup-v0", 12),
)
KEYS = ("left", "right", "forward", "pickup", "drop", "toggle", "done")
WRONG_KEY = 0.45
LONGEST = 120
FACING = ("east", "south", "west", "north")
STEP = ((1, 0), (0, 1), (-1, 0), (0, -1))

Pose = tuple[int, int, int]


def runs() -> list[Run]:
    """Walk all levels."""
    return [_walk(*level) for level in LEVELS]


def _walk(name: str, level: str, seed: int) -> Run:
    env = gymnasium.make(level)
    env.reset(seed=seed)
    grid, rng = env.unwrapped, random.Random(seed)
    run = Run(name, grid.mission, "grid-world")
    over = False
    while not over and len(run.steps) < LONGEST:
        wrong = rng.random() < WRONG_KEY
        key = rng.choice(KEYS[:-1]) if wrong else _next_key(grid)
        _, reward, won, lost, _ = env.step(KEYS.index(key))
        over = bool(won or lost)
        run.add(key, _seen(grid, float(reward)))
    env.close()
    return run


def _seen(grid: Any, reward: float) -> str:
    """The log's observation: what the environment holds, in words, and its own drawing."""
    ahead = grid.grid.get(*grid.front_pos)
    holding = f"a {grid.carrying.color} {grid.carrying.type}" if grid.carrying else "nothing"
    return (
        f"Facing {FACING[grid.agent_dir]}. Ahead: {_named(ahead)}. Holding: {holding}. "
        f"Reward: {reward:.2f}\n{grid.pprint_grid()}"
    )


def _named(thing: Any) -> str:
    if thing is None:
        return "empty floor"
    state = ""
    if thing.type == "door":
        state = "open " if thing.is_open else "locked " if thing.is_locked else "closed "
    return f"{state}{thing.color} {thing.type}"


def _next_key(grid: Any) -> str:
    """The key that gets nearer to what the mission needs now."""
    wanted, key = _goal(grid)
    if wanted is None:
        return key
    path = _path(grid, wanted)
    return path[0] if path else key


def _goal(grid: Any) -> tuple[Any, str]:
    """What to face now, and the key to press once it is ahead; None: press it at once."""
    things = {thing.type: thing for thing in grid.grid.grid if thing is not None}
    door = things.get("door")
    holding = grid.carrying.type if grid.carrying else None
    if door is not None and not door.is_open:
        return (door, "toggle") if holding == "key" else (things["key"], "pickup")
    if holding == "key" and "box" in things:
        return None, "drop" if grid.grid.get(*grid.front_pos) is None else "left"
    return (things["goal"], "forward") if "goal" in things else (things.get("box"), "pickup")


def _path(grid: Any, wanted: Any) -> list[str]:
    """The shortest keys to stand with `wanted` ahead (breadth first); empty if it is ahead."""
    start: Pose = (int(grid.agent_pos[0]), int(grid.agent_pos[1]), int(grid.agent_dir))
    seen, todo = {start}, deque([(start, [])])  # type: ignore[var-annotated]
    while todo:
        (x, y, facing), keys = todo.popleft()
        ahead = (x + STEP[facing][0], y + STEP[facing][1])
        thing = grid.grid.get(*ahead)
        if thing is wanted:
            return keys
        moves: list[tuple[str, Pose]] = [
            ("left", (x, y, (facing - 1) % 4)),
            ("right", (x, y, (facing + 1) % 4)),
        ]
        if thing is None or thing.can_overlap():
            moves.append(("forward", (*ahead, facing)))
        for key, pose in moves:
            if pose not in seen:
                seen.add(pose)
                todo.append((pose, [*keys, key]))
    return []
