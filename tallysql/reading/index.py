"""What a view needs of a trajectory whatever the question is: read once, then kept.

See docs/architecture.md, "Reading view".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tallysql.sqlfiles import query

if TYPE_CHECKING:
    from tallysql.store import Store


@dataclass(frozen=True, slots=True)
class Index:
    """A trajectory as the view knows it before any question.

    Attributes:
        records: step → index record, in order of the steps.
        has_files: the file graph knows the trajectory.
    """

    trajectory_id: str
    records: dict[int, str]
    has_files: bool

    @property
    def extent(self) -> tuple[int, int]:
        """First and last step number; (0, -1) without steps."""
        return (next(iter(self.records), 0), next(reversed(self.records), -1))


def load_index(store: Store, trajectory_id: str) -> Index:
    """Read the index of one trajectory."""
    params = {"trajectory_id": trajectory_id}
    records: dict[int, str] = dict(store.rows(query("reading/index").text, params))
    ((has_files,),) = store.rows(query("reading/has_files").text, params)
    return Index(trajectory_id, records, has_files)
