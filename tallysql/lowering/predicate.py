"""Lowers `where`, `not` and scope to one sqlglot condition over the ledger's columns.

See docs/architecture.md, "Plan language" and "Lowering". Values never enter the tree: every term
and bound is a named parameter, so that one statement serves all sub-queries of the same shape.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sqlglot import exp

from tallysql.plan.nodes import Anchor, Clause, Query, Scope, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tallysql.plan.nodes import By, Field, Match, Where
    from tallysql.plan.profiles import Profile

MALFORMED = "malformed"
"""The act of rows whose action slot holds error prose; no events unless named."""

EDGE = "[^a-z0-9_./-]"
"""What may stand beside a word; compared with lower-cased text."""

EXIT_CODE_WORDS = frozenset({"nonzero", "none"})

Condition = exp.Expr


class NamedTerm(NamedTuple):
    """A term, its field, and the name of its parameter (and of its column when grounded)."""

    field: Field
    term: Term
    name: str


def named_terms(where: Where, prefix: str = "") -> Iterator[NamedTerm]:
    """Number the terms of each clause: `tool_1`, `tool_2`, `target_1`."""
    for clause in where:
        for number, term in enumerate(clause.terms, start=1):
            yield NamedTerm(clause.field, term, f"{prefix}{clause.field}_{number}")


def term_parameters(where: Where, prefix: str = "") -> dict[str, str]:
    """Return the parameters that `where_condition` refers to."""
    return {
        named.name: named.term.text
        for named in named_terms(where, prefix)
        if not (named.field == "exit_code" and named.term.text in EXIT_CODE_WORDS)
    }


def shape(query: Query) -> Query:
    """Return the query with its values masked: equal shapes lower to equal statements."""
    scope = query.scope
    return replace(
        query,
        where=_masked(query.where),
        exclude=_masked(query.exclude),
        scope=Scope(
            lo=None if scope.lo is None else 0,
            hi=None if scope.hi is None else 0,
            after=scope.after and Anchor(()),
            before=scope.before and Anchor(()),
        ),
        limit=None,
        pick=None,
        label=None,
    )


def selected(query: Query, profile: Profile) -> exp.Select:
    """Return the rows that a sub-query selects, with all columns of the ledger.

    Grouped by parts of changes, a row keeps only the changes that the `change` clause names; by
    path, the paths that the `path` clause names.
    """
    conditions = [
        *scope_conditions(query.scope),
        *event_rule(query.where, profile),
        *(condition for condition in [where_condition(query.where, profile)] if condition),
    ]
    excluded = where_condition(query.exclude, profile, prefix="not_")
    if excluded is not None:
        # A NULL field does not satisfy a clause, so the row stays.
        conditions.append(exp.not_(_call("coalesce", excluded, exp.false())))
    rows = exp.select(
        exp.Column(this=columns_of(query, profile), table=exp.to_identifier("ledger"))
    )
    return ledger_rows(rows, query.where + query.exclude).where(*conditions, copy=False)


def columns_of(query: Query, profile: Profile) -> exp.Star:
    """Return the columns of a sub-query's rows: changes or paths are only those it asks for."""
    asked = asked_elements(query, profile)
    return exp.Star(replace=[exp.alias_(e, name) for name, e in asked.items()] or None)


def asked_elements(query: Query, profile: Profile) -> dict[str, exp.Expr]:
    """Return the list columns of which only some elements are asked for, and those elements.

    They are the changes that the `change` clause names, where parts of changes are the values, and
    the paths that the `path` clause names, where paths are.
    """
    field, column = ("path", "paths") if query.by == "path" else ("change", "changes")
    tests = [_element_test(n, profile) for n in named_terms(query.where) if n.field == field]
    if query.by not in CHANGE_PARTS | {"path"} or not tests:
        return {}
    return {column: _kept(_column(column), lambda element: exp.or_(*(t(element) for t in tests)))}


def ledger_rows(select: exp.Select, where: Where) -> exp.Select:
    """Let a SELECT read one trajectory's ledger, joined to observations if a clause needs them."""
    select = select.from_("ledger", copy=False)
    if any(clause.field == "observation" for clause in where):
        select = select.join("steps", using=["trajectory_id", "step", "call"], copy=False)
    return select.where(exp.EQ(this=_column("trajectory_id"), expression=_bound("trajectory_id")))


def clauses_hold(where: Where) -> Iterator[Condition]:
    """Yield each clause over rows that carry one Boolean column per term."""
    for clause in where:
        yield exp.or_(*(exp.column(n.name) for n in named_terms((clause,))), copy=False)


def where_condition(where: Where, profile: Profile, prefix: str = "") -> Condition | None:
    """Return the conjunction over clauses of the disjunctions of their terms; None if empty."""
    conditions = {n.name: term_condition(n, profile) for n in named_terms(where, prefix)}
    clauses = [
        exp.or_(*(conditions[n.name] for n in named_terms((clause,), prefix)), copy=False)
        for clause in where
    ]
    return exp.and_(*clauses, copy=False) if clauses else None


def marking_condition(named: NamedTerm, profile: Profile) -> Condition:
    """Return `term_condition` for rows by the million, most of which do not have the term.

    The part of an act behind its tool takes two columns, so that DuckDB finds it row by row and
    not once a distinct value. It is looked at only where the act itself has the text.
    """
    if named.field != "tool":
        return term_condition(named, profile)
    test = _matches(named.term.match or profile.match, named.name)
    needle = _call("lower", _bound(named.name))
    has_text = _call("contains", _call("lower", _column("act")), needle)
    in_own_part = exp.and_(has_text, test(own_part()), copy=False)
    return exp.or_(test(_column("tool")), test(_column("act")), in_own_part, copy=False)


def term_condition(named: NamedTerm, profile: Profile) -> Condition:
    """Return the condition under which one term occurs in its field."""
    if named.field == "exit_code":
        return _exit_code_condition(named)
    if named.field == "outcome":
        return _matches("exact", named.name)(_column("outcome"))
    test = _element_test(named, profile)
    if named.field in LISTS:
        return any_element(_column(LISTS[named.field]), test)
    if named.field == "change":
        return any_element(_column("changes"), test)
    return _either(_texts(named.field), test)


def _element_test(named: NamedTerm, profile: Profile) -> Callable[[exp.Expr], Condition]:
    """Return the test of a text, or of a change, against a term."""
    match = named.term.match or profile.match
    test = _matches(match, named.name)
    if named.field != "change":
        return test
    return lambda change: _either(_change_texts(change, match), test)


CHANGE_PARTS: frozenset[By] = frozenset({"object", "value"})
LISTS: dict[Field, str] = {"target": "targets", "delta": "delta", "path": "paths"}


def _texts(field: Field) -> list[exp.Expr]:
    """Return the columns that a term of a scalar field may match."""
    if field == "tool":
        return [_column("tool"), _column("act"), own_part()]
    if field == "action":
        return [_column("act"), _column("raw")]
    if field == "observation":
        return [exp.column("observation", table="steps")]
    return [_column(field)]


def own_part() -> exp.Expr:
    """Return the act without its tool: `pytest` of `execute_bash.pytest`; NULL where it has none.

    The dot is no word edge, so without this a tool term `pytest` would match no act.
    """
    lead = exp.DPipe(this=_column("tool"), expression=exp.Literal.string("."))
    rest = exp.Add(this=_call("length", _column("tool")), expression=exp.Literal.number(2))
    return exp.Case().when(
        _call("starts_with", _column("act"), lead), _call("substr", _column("act"), rest)
    )


def _change_texts(change: exp.Expr, match: Match) -> list[exp.Expr]:
    """Return what a change term may match: `object.property → value` and its parts.

    The parts count because the dot between object and property is no word edge. A verbatim prefix
    also reads `property → value: object`, which selects changes of a kind below a directory.
    """
    owner, name, value = (
        exp.Dot(this=change.copy(), expression=exp.to_identifier(part, quoted=True))
        for part in ("object", "property", "value")
    )
    dot, arrow = exp.Literal.string("."), exp.Literal.string(" → ")
    texts = [
        _call("concat", owner, dot, name, arrow, value),
        owner.copy(),
        name.copy(),
        value.copy(),
        _call("concat", name.copy(), arrow.copy(), value.copy()),
    ]
    if match == "verbatim_prefix":
        colon = exp.Literal.string(": ")
        parts = (name, arrow, value, colon, owner)
        texts.append(_call("concat", *(part.copy() for part in parts)))
    return texts


def _matches(match: Match, name: str) -> Callable[[exp.Expr], Condition]:
    """Return the test of a text against a term; lower() on both sides folds the case."""

    def test(text: exp.Expr) -> Condition:
        if match in {"verbatim", "verbatim_prefix"}:
            return _whole_or_prefix(match.removeprefix("verbatim"), text, _bound(name))
        folded, needle = _call("lower", text), _call("lower", _bound(name))
        if match == "exact":
            return exp.EQ(this=folded, expression=needle)
        if match == "word":
            before, after = (exp.Literal.string(f"({end}|{EDGE})") for end in "^$")
            pattern = _call("concat", before, _call("regexp_escape", needle), after)
            return _call("regexp_matches", folded, pattern)
        return _call("contains" if match == "substring" else "starts_with", folded, needle)

    return test


def _whole_or_prefix(match: str, text: exp.Expr, needle: exp.Expr) -> Condition:
    return _call("starts_with", text, needle) if match else exp.EQ(this=text, expression=needle)


def any_element(array: exp.Expr, test: Callable[[exp.Expr], Condition]) -> Condition:
    """Return the condition under which an element of a list passes a test."""
    return exp.GT(this=_call("len", _kept(array, test)), expression=exp.Literal.number(0))


def _kept(array: exp.Expr, test: Callable[[exp.Expr], Condition]) -> exp.Expr:
    element = exp.to_identifier("element")
    return _call("list_filter", array, exp.Lambda(this=test(element), expressions=[element.copy()]))


def _either(texts: list[exp.Expr], test: Callable[[exp.Expr], Condition]) -> Condition:
    return exp.or_(*map(test, texts), copy=False)


def _exit_code_condition(named: NamedTerm) -> Condition:
    code = _column("exit_code")
    if named.term.text == "none":
        return exp.Is(this=code, expression=exp.null())
    if named.term.text == "nonzero":
        return exp.NEQ(this=code, expression=exp.Literal.number(0))
    return exp.EQ(this=exp.cast(code, "VARCHAR"), expression=_bound(named.name))


def scope_conditions(scope: Scope) -> Iterator[Condition]:
    """Yield the conditions under which a row lies in scope."""
    if scope.lo is not None:
        yield exp.GTE(this=_column("step"), expression=_bound("lo"))
    if scope.hi is not None:
        yield exp.LTE(this=_column("step"), expression=_bound("hi"))
    if scope.after is not None:
        yield exp.GT(this=_place(), expression=_bound_place("after"))
    if scope.before is not None:
        yield exp.LT(this=_place(), expression=_bound_place("before"))


def event_rule(where: Where, profile: Profile) -> Iterator[Condition]:
    """Leave out rows that are no events; a term that names `malformed` keeps the malformed ones."""
    if not profile.events_only:
        return
    yield exp.not_(exp.Is(this=_column("act"), expression=exp.null()))
    yield exp.not_(_column("is_copied"))
    if not any(names_malformed(n.field, n.term) for n in named_terms(where)):
        yield exp.NEQ(this=_column("act"), expression=exp.Literal.string(MALFORMED))


def names_malformed(field: Field, term: Term) -> bool:
    """Return whether a term names the rows whose action slot holds error prose."""
    return field in {"tool", "action"} and term.text.lower() == MALFORMED


def _masked(where: Where) -> Where:
    return tuple(
        Clause(c.field, tuple(Term(_mask(c.field, t), t.match) for t in c.terms)) for c in where
    )


def _mask(field: Field, term: Term) -> str:
    """Keep of a term's text only what decides the statement."""
    if field == "exit_code" and term.text in EXIT_CODE_WORDS:
        return term.text
    return MALFORMED if names_malformed(field, term) else ""


def _place() -> exp.Expr:
    return exp.Tuple(expressions=[_column("step"), _column("call")])


def _bound_place(end: str) -> exp.Expr:
    return exp.Tuple(expressions=[_bound(f"{end}_step"), _bound(f"{end}_call")])


def _column(name: str) -> exp.Column:
    return exp.column(name, table="ledger")


def _bound(name: str) -> exp.Placeholder:
    return exp.Placeholder(this=name)


def _call(function: str, *arguments: exp.Expr) -> exp.Expr:
    """Call a DuckDB function by its own name, which sqlglot then does not translate."""
    return exp.Anonymous(this=function, expressions=list(arguments))
