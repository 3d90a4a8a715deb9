"""Makes questions from a history; the answers come from git alone (history.py)."""

from __future__ import annotations

import hashlib
import random
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.commits.maker import Maker
from benchmarks.commits.more import Further

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.commits.history import History
    from benchmarks.commits.maker import Made

Question = dict[str, Any]

WORDINGS = Path(__file__).with_name("wordings.toml")


def generate(
    history: History, name: str, each: int = 8, seed: int = 0, wordings: Path = WORDINGS
) -> Iterator[Question]:
    """Yield up to `each` questions of each template, their wordings in turn.

    Args:
        history: the repository's.
        name: the trajectory id that the questions name.
        each: questions a template.
        seed: the same seed gives the same questions.
        wordings: the templates to use, and how they are worded.
    """
    stated = tomllib.loads(wordings.read_text("utf-8"))
    for template in stated.keys() - {"scopes"} - TEMPLATES.keys():
        raise ValueError(f"{wordings}: no such template '{template}'")
    for template, make in TEMPLATES.items():
        if template in stated:
            maker = Further(history, random.Random(f"{seed} {template}"))
            made = list(dict.fromkeys(map(_frozen, make(maker))))
            maker.random.shuffle(made)
            for number, (fields, answer, bound) in enumerate(made[:each]):
                wording = (seed + number) % len(stated[template]["wordings"])
                text = stated[template]["wordings"][wording]
                scope = _scope(stated["scopes"], number, bound)
                text = text.format(**dict(fields), **scope)
                text = text[0].upper() + text[1:] if scope["lead"] == "" else text
                key = hashlib.sha256(f"{name}\0{text}".encode()).hexdigest()[:12]
                yield {
                    "question_id": key, "trajectory_id": name, "question": text,
                    "answer": answer, "template": template, "wording": wording, "bound": bound,
                }  # fmt: skip


def _scope(stated: dict[str, list[str]], number: int, bound: int | None) -> dict[str, str]:
    """Return the words of a bound: behind what it bounds, and as an opening."""
    if bound is None:
        return {"scope": "", "lead": ""}
    leads = stated.get("leads", [""])
    texts = {
        "scope": stated["wordings"][number % len(stated["wordings"])],
        "lead": leads[number % len(leads)],
    }
    return {name: text.format(bound=bound, next=bound + 1) for name, text in texts.items()}


def _frozen(made: Made) -> tuple[tuple[tuple[str, Any], ...], str, int | None]:
    fields, answer, bound = made
    return tuple(sorted(fields.items())), answer, bound


TEMPLATES: dict[str, Callable[[Further], Iterator[Made]]] = {
    "C1": Maker.touched,
    "C3": Maker.order,
    "C4": lambda maker: maker.order(0),
    "C4L": lambda maker: maker.order(-1),
    "C5": lambda maker: maker.in_place(0),
    "C6": lambda maker: maker.in_place(-1, bounded=True),
    "C7": lambda maker: maker.in_place(-1, sha=True),
    "C8": Maker.renames,
    "C9": Maker.deletions,
    "C10": Maker.new_path,
    "C10B": lambda maker: maker.new_path(back=True),
    "C11": Maker.value_lists,
    "C12": Maker.value_changes,
    "C13": Maker.value_back,
    "C14": Maker.latest_value,
    "C15": Maker.directories,
    "C16": Maker.most_touched,
    "C17": Maker.several,
    "C18": Maker.by_author,
    "C19": Maker.author_of,
    "C20": lambda maker: maker.in_directory(counted=False),
    "C21": lambda maker: maker.in_directory(counted=True),
    "C22": lambda maker: maker.edge("D", -1),
    "C22A": lambda maker: maker.edge("A", -1),
    "C22F": lambda maker: maker.edge("D", 0),
    "C23": Further.setting,
    "C23S": lambda maker: maker.setting(step=True),
    "C24": lambda maker: maker.commits(lambda commit: commit.parents > 1),
    "C25": lambda maker: maker.commits(lambda commit: not commit.files),
    "C26": lambda maker: maker.distinct(lambda commit: commit.binary),
    "C26C": lambda maker: maker.commits(lambda commit: commit.binary),
    "C27": lambda maker: maker.of_author("D", counted=False),
    "C27A": lambda maker: maker.of_author("A", counted=False),
    "C27M": lambda maker: maker.of_author("MT", counted=True),
    "C27T": lambda maker: maker.of_author("AMDRT", counted=True),
    "C28": Further.first_set,
    "C28L": lambda maker: maker.first_set(last=True),
    "C29": lambda maker: maker.first_set(value=True),
    "C30": lambda maker: maker.distinct(lambda commit: maker.paths("A", [commit])),
    "C30E": Further.additions,
    "C31": lambda maker: maker.commits(lambda commit: maker.paths("D", [commit])),
    "C31R": lambda maker: maker.commits(lambda commit: maker.paths("R", [commit])),
    "C32": lambda maker: maker.directory_edge(-1, sha=True),
    "C32S": lambda maker: maker.directory_edge(0),
    "C33": lambda maker: maker.event("A", sha=True),
    "C33D": lambda maker: maker.event("D", sha=True),
    "C33S": lambda maker: maker.event("A"),
    "C33R": lambda maker: maker.event("R"),
    "C34": Further.most_active,
    "C34N": Further.people,
    "C34W": Further.most_active_on,
    "C35": Further.of_commit,
    "C35F": lambda maker: maker.of_commit(listed=True),
    "C35S": lambda maker: maker.of_commit(step=True),
    "C36": Further.touched_in,
    "C37": Further.steps_of,
    "C38": Further.ever_deleted,
    "C39": Further.most_in,
    "C40": Further.distinct_values,
    "C41": Further.value_at,
    "C42": Further.value_before,
    "C43": Further.last_author,
    "C44": lambda maker: maker.setting(who=True),
    "C45": Further.author_and_file,
    "C46": Further.table,
}
