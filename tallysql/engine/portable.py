"""Runs a batch of plans as a few joins on any engine, and decides with the facts as always.

An engine answers the statements of queries/portable/ over four tables (`events`, `texts`,
`selections`, `terms`). What it finds becomes the facts that `execute_query` asks a log for, so
that grounding, verified zeros and retries follow the same rules everywhere. See
docs/architecture.md, "Other engines".
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, get_type_hints

import pyarrow as pa

from tallysql.engine.execute import execute_query, relaxed, with_defaults
from tallysql.engine.ground import Log, status_where
from tallysql.errors import InputError
from tallysql.lowering.dialects import plan_sql
from tallysql.lowering.grounding import KNOWN_EXIT_CODES, KNOWN_OUTCOMES
from tallysql.lowering.portable import Selection, TermRow, portable, selections, terms
from tallysql.lowering.predicate import named_terms
from tallysql.lowering.survey import VALUED
from tallysql.plan.nodes import Query
from tallysql.sqlfiles import query as sql_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tallysql.engine.results import Result
    from tallysql.lowering.operations import Places
    from tallysql.plan.nodes import Anchor, Plan, Where
    from tallysql.plan.profiles import Profile
    from tallysql.store import Row, Store

STATEMENTS = (
    "grounding",
    "known",
    "bounds",
    "selected",
    "grouped",
    "runs",
    "turns",
    "changes",
    "valued",
)
"""What an engine is asked, over RELATIONS and the four tables."""


def dialect_sql(
    store: Store, trajectory_id: str, plan: Plan, profile: Profile, dialect: str
) -> list[str]:
    """Return one statement for each sub-query, over the tables `events` and `texts`.

    Raises:
        InputError: a sub-query has no portable form, or the dialect would answer it wrongly.
    """
    asked = _numbered([Asked(trajectory_id, plan)])
    statements = []
    for one in asked.values():
        only = replace(one, looser=None, statuses=())
        tables = _tables(store, [only], profile)
        rows = [
            [row for row in table.to_pylist() if row["query_id"] == one.query_id]
            for table in (tables.selections, tables.terms)
        ]
        statements.append(plan_sql(one.query, dialect, rows[0], rows[1] or [_NO_TERM]))
    return statements


class Asked(NamedTuple):
    """One plan over one trajectory."""

    trajectory_id: str
    plan: Plan


_NO_TERM = TermRow(-1, "", "", "", 0, 0, "", "", "", 0)._asdict() | {"folded": "", "edged": ""}
"""A row that matches nothing, for dialects that know no empty list of rows."""


@dataclass(frozen=True, slots=True)
class Tables:
    """A batch as rows.

    Attributes:
        selections: columns of `tallysql.lowering.portable.Selection`.
        terms: columns of `TermRow`, and the folded forms.
    """

    selections: pa.Table
    terms: pa.Table


class Engine(Protocol):
    """Runs the statements of queries/portable/ over a ledger in long form."""

    def answer(self, tables: Tables) -> Mapping[str, pa.Table]:
        """Return the result of each of STATEMENTS."""


def execute_batch(
    engine: Engine, store: Store, batch: Sequence[Asked], profile: Profile
) -> list[tuple[Result, ...]]:
    """Ground and run plans; one tuple of results for each, in order.

    Args:
        engine: runs the joins.
        store: the same ledger, for near values of terms that occur nowhere.
        batch: plans and trajectories; an unknown one has no rows.
        profile: the settings that the plans were checked against.

    Raises:
        InputError: a plan has no portable form.
    """
    asked = _numbered(batch)
    timelines = [i for one in asked.values() for i, q in one.asked() if q.op == "timeline"]
    found = engine.answer(_tables(store, asked.values(), profile))
    facts = _facts(store, found, timelines)
    log = partial(PortableLog, store, profile=profile, facts=facts)
    results = []
    for number, one in enumerate(batch):
        results.append(
            tuple(
                execute_query(log(one.trajectory_id, asked=asked[number, position]), query)
                for position, query in enumerate(one.plan.queries)
            )
        )
    return results


@dataclass(frozen=True, slots=True)
class Numbered:
    """A sub-query with its number, and those of what may have to be known besides.

    Attributes:
        looser: the retry that it may need, with the next number.
        statuses: what else has to occur for a missing kind of change to be a fact, with the
            numbers after that.
    """

    trajectory_id: str
    query_id: int
    query: Query
    looser: Query | None
    statuses: tuple[Where, ...]

    def asked(self) -> Iterator[tuple[int, Query]]:
        """Yield the numbers and sub-queries to ask."""
        yield self.query_id, self.query
        if self.looser is not None:
            yield self.query_id + 1, self.looser
        for number, where in enumerate(self.statuses, start=self.query_id + 2):
            yield number, Query("count", where)

    def place_of(self, where: Where) -> tuple[int, str]:
        """Return the number and the part under which the terms of a `where` were asked."""
        scope = self.query.scope
        if where == self.query.where:
            return self.query_id, "where"
        for part, anchor in (("after", scope.after), ("before", scope.before)):
            if anchor is not None and where == anchor.where:
                return self.query_id, part
        return self.query_id + 2 + self.statuses.index(where), "where"


def _statuses(query: Query) -> tuple[Where, ...]:
    anchors = (anchor.where for anchor in (query.scope.after, query.scope.before) if anchor)
    terms = (
        term.text
        for where in (query.where, *anchors)
        for clause in where
        if clause.field == "change"
        for term in clause.terms
    )
    found = (status_where(text) for text in terms)
    return tuple(dict.fromkeys(where for where in found if where is not None))


def _numbered(batch: Sequence[Asked]) -> dict[tuple[int, int], Numbered]:
    numbered, next_id = {}, 0
    for number, one in enumerate(batch):
        for position, written in enumerate(one.plan.queries):
            query = with_defaults(written)
            reason = portable(query)
            if reason is not None:
                raise InputError(f"{reason} cannot be asked in the portable form")
            made = Numbered(one.trajectory_id, next_id, query, relaxed(query), _statuses(query))
            numbered[number, position] = made
            next_id += 2 + len(made.statuses)
    return numbered


def _tables(store: Store, numbered: Iterable[Numbered], profile: Profile) -> Tables:
    chosen: list[Selection] = []
    named: list[TermRow] = []
    for one in numbered:
        for query_id, query in one.asked():
            chosen += selections(query_id, one.trajectory_id, query, profile)
            named += terms(query_id, one.trajectory_id, query, profile)
    with store.view_of("asked", _arrow(TermRow, named)):
        folded = store.arrow(sql_file("portable/folded_terms").text)
    return Tables(_arrow(Selection, chosen), folded)


def _arrow(kind: type[Selection] | type[TermRow], rows: Sequence[Any]) -> pa.Table:
    types = {int: pa.int64(), str: pa.string()}
    schema = pa.schema([(name, types[of]) for name, of in get_type_hints(kind).items()])
    return pa.Table.from_pylist([row._asdict() for row in rows], schema=schema)


@dataclass(frozen=True, slots=True)
class Facts:
    """What an engine found for a batch, by the numbers of its sub-queries.

    Attributes:
        terms: (sub-query, part, clause, term) → rows in which the term occurs.
        known: trajectory → rows that state an outcome, rows that state an exit code.
        bounds: (sub-query, part) → step and call of the anchor's event.
        valued: sub-query → selected events that have a value.
        selected: sub-query → (outcome, error, count, steps).
        groups: sub-query → (key, count, steps, outcomes, total), in order.
        timelines: sub-query → (step, tool, outcome, changes, raw), in order.
    """

    terms: Mapping[tuple[int, str, int, int], int]
    known: Mapping[str, tuple[int, int]]
    bounds: Mapping[tuple[int, str], tuple[int, int]]
    valued: Mapping[int, int]
    selected: Mapping[int, list[Row]]
    groups: Mapping[int, list[Row]]
    timelines: Mapping[int, list[Row]]


def _facts(store: Store, found: Mapping[str, pa.Table], timelines: Sequence[int]) -> Facts:
    """Collect what an engine found; SQL makes lists of its rows."""
    found = {name: _declared(name, table) for name, table in found.items()}
    grouped = pa.concat_tables([found[name] for name in ("grouped", "runs", "turns")])
    asked = pa.table({"query_id": pa.array(timelines, pa.int64())})
    with (
        store.view_of("found", found["selected"]),
        store.view_of("changes", found["changes"]),
        store.view_of("timelines", asked),
    ):
        selected = store.rows(sql_file("portable/collect_selection").text)
        told = store.rows(sql_file("portable/collect_timeline").text)
    with store.view_of("found", grouped):
        groups = store.rows(sql_file("portable/collect_groups").text)
    return Facts(
        terms={
            (query_id, part, clause, term): rows
            for query_id, part, kind, clause, term, rows in _rows(found["grounding"])
            if kind == "where"
        },
        known={name: (outcomes, codes) for name, outcomes, codes in _rows(found["known"])},
        bounds={(i, part): (step, call) for i, part, step, call in _rows(found["bounds"])},
        valued=dict(_rows(found["valued"])),
        selected=_by_query(selected),
        groups=_by_query(groups),
        timelines=_by_query(told),
    )


TYPES = {"BIGINT": pa.int64(), "INTEGER": pa.int64(), "VARCHAR": pa.string()}


def _declared(name: str, table: pa.Table) -> pa.Table:
    """Give a result the types that its statement declares; engines differ in widths."""
    columns = sql_file(f"portable/{name}").columns
    return table.cast(pa.schema([(column, TYPES[of]) for column, of in columns.items()]))


def _rows(table: pa.Table) -> Iterator[Any]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def _by_query(rows: Sequence[Row]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for query_id, *rest in rows:
        found[query_id].append(tuple(rest))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableLog(Log):
    """A log whose facts were found beforehand, for one sub-query."""

    facts: Facts
    asked: Numbered

    def survey(self, query: Query, places: Places) -> dict[str, Any]:
        """Return the counts of terms, and what the sub-query selects."""
        number = self._number(query)
        rows = self.facts.selected.get(number, [])
        known = self.counts(query.where) if number == self.asked.query_id else {}
        return known | {
            "matched": sum(count for _, _, count, _ in rows),
            "steps": [step for *_, steps in rows for step in steps],
            "outcomes": [outcome for outcome, _, count, _ in rows for _ in range(count)],
            "errors": [error for _, error, count, _ in rows if error for _ in range(count)],
            VALUED: self.facts.valued.get(number, 0),
        }

    def counts(self, where: Where) -> dict[str, Any]:
        """Return the rows of the whole ledger in which each term occurs, and the known ones."""
        place = self.asked.place_of(where)
        outcomes, codes = self.facts.known.get(self.trajectory_id, (0, 0))
        return {
            named.name: self.facts.terms.get((*place, clause, term), 0)
            for clause, found in enumerate(where)
            for term, named in enumerate(named_terms((found,)))
        } | {KNOWN_OUTCOMES: outcomes, KNOWN_EXIT_CODES: codes}

    def event(self, anchor: Anchor) -> tuple[int, int] | None:
        """Return step and call of the event that an anchor names."""
        part = "after" if anchor == self.asked.query.scope.after else "before"
        return self.facts.bounds.get((self.asked.query_id, part))

    def values(self, query: Query, places: Places) -> Sequence[Row]:
        """Return the rows of an operation that says more than the selection."""
        number = self._number(query)
        if query.op == "timeline":
            rows = self.facts.timelines.get(number, [])[: query.limit]
            # The paper's timeline shows no raw action.
            return rows if self.profile.extensions else [row[:-1] for row in rows]
        groups = self.facts.groups.get(number, [])
        if query.op == "count":
            return [(sum(count for _, count, *_ in groups),)]
        return groups

    def without_value(self, query: Query, places: Places) -> int:
        """Return how many selected rows lack a value."""
        number = self._number(query)
        matched: int = sum(count for _, _, count, _ in self.facts.selected.get(number, []))
        return matched - self.facts.valued.get(number, 0)

    def _number(self, query: Query) -> int:
        return self.asked.query_id + (query != self.asked.query)
