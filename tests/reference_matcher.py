"""The plan language once more, in plain Python over dicts, for comparison with the executor.

Written from the language's description alone; it imports nothing of the package. A plan is its
JSON form, a row is a dict of the ledger's columns plus `observation`.
"""

from __future__ import annotations

import re
from typing import Any

Row = dict[str, Any]

WORD_CHARACTERS = set("abcdefghijklmnopqrstuvwxyz0123456789_./-")
OUTCOMES = {"success", "failure", "no_effect", "unknown"}
LIST_COLUMNS = {"target": "targets", "path": "paths", "delta": "delta"}


def fold(text: str) -> str:
    """Lower-case as DuckDB does: character by character, dotted capital I to plain i."""
    return "".join("i" if c == "İ" else c.lower() for c in text)


def change_text(change: dict[str, Any]) -> str:
    parts = [change["object"], ".", change["property"], " → ", change["value"]]
    return "".join(part for part in parts if part is not None)


def occurs(term: str, text: str | None, match: str) -> bool:
    if text is None:
        return False
    needle, hay = fold(term), fold(text)
    if match.startswith("verbatim"):
        needle, hay, match = term, text, match.replace("verbatim_", "").replace("verbatim", "exact")
    if match == "exact":
        return needle == hay
    if match == "prefix":
        return hay.startswith(needle)
    if match == "substring":
        return needle in hay
    start = hay.find(needle)
    while start >= 0:
        end = start + len(needle)
        free_before = start == 0 or hay[start - 1] not in WORD_CHARACTERS
        free_after = end == len(hay) or hay[end] not in WORD_CHARACTERS
        if free_before and free_after:
            return True
        start = hay.find(needle, start + 1)
    return False


def field_texts(row: Row, field: str, match: str = "") -> list[str | None]:
    """Return every text of a row that a term of a field may match."""
    if field == "tool":
        texts = [row["tool"], row["act"]]
        if row["tool"] is not None and row["act"] is not None:
            lead = row["tool"] + "."
            if row["act"].startswith(lead):
                texts.append(row["act"][len(lead) :])
        return texts
    if field == "action":
        return [row["act"], row["raw"]]
    if field in LIST_COLUMNS:
        return list(row[LIST_COLUMNS[field]])
    if field == "change":
        texts = []
        for change in row["changes"]:
            half = {**change, "object": None}
            texts += [change_text(change), change["object"], change["property"], change["value"]]
            texts.append(change_text(half).removeprefix("."))
            if match == "verbatim_prefix":
                texts.append(f"{texts[-1]}: {change['object'] or ''}")
        return texts
    return [row[field]]


def satisfies(row: Row, field: str, term: Any, profile: str) -> bool:
    text, match = (term, None) if isinstance(term, str) else (term["term"], term.get("match"))
    if field == "exit_code":
        code = row["exit_code"]
        if text == "none":
            return code is None
        if text == "nonzero":
            return code is not None and code != 0
        return code is not None and str(code) == text
    if field == "outcome":
        return fold(row["outcome"]) == fold(text)
    match = match or ("word" if profile == "refined" else "substring")
    return any(occurs(text, value, match) for value in field_texts(row, field, match))


def satisfies_all(row: Row, where: dict[str, Any], profile: str) -> bool:
    return all(
        any(satisfies(row, field, term, profile) for term in terms)
        for field, terms in where.items()
    )


def is_event(row: Row, where: dict[str, Any], profile: str) -> bool:
    if profile == "principal":
        return True
    if row["act"] is None or row["is_copied"]:
        return False
    if row["act"] != "malformed":
        return True
    named = [
        term if isinstance(term, str) else term["term"]
        for field in ("tool", "action")
        for term in where.get(field, [])
    ]
    return any(term.lower() == "malformed" for term in named)


def ungrounded(rows: list[Row], where: dict[str, Any], profile: str) -> list[str]:
    """Return the fields of the terms that the log cannot support."""
    known_outcome = any(row["outcome"] != "unknown" for row in rows)
    known_code = any(row["exit_code"] is not None for row in rows)
    missing = []
    for field, terms in where.items():
        for term in terms:
            text = term if isinstance(term, str) else term["term"]
            if any(satisfies(row, field, term, profile) for row in rows):
                continue
            if field == "exit_code" and (text == "nonzero" or known_code):
                continue
            checkable = field == "outcome" and known_outcome and text.lower() in OUTCOMES
            if profile == "refined" and checkable:
                continue
            missing.append(field)
    return missing


def anchor_event(rows: list[Row], anchor: dict[str, Any], profile: str) -> tuple[int, int] | None:
    found = [
        (row["step"], row["call"])
        for row in rows
        if is_event(row, anchor["where"], profile) and satisfies_all(row, anchor["where"], profile)
    ]
    pick = anchor.get("pick", "first")
    if pick == "last":
        return found[-1] if found else None
    position = 0 if pick == "first" else pick - 1
    return found[position] if position < len(found) else None


def select(
    rows: list[Row], query: dict[str, Any], places: dict[str, tuple[int, int]], profile: str
) -> list[Row]:
    scope, where, excluded = query.get("scope", {}), query.get("where", {}), query.get("not", {})
    chosen = []
    for row in rows:
        place = (row["step"], row["call"])
        if scope.get("lo") is not None and row["step"] < scope["lo"]:
            continue
        if scope.get("hi") is not None and row["step"] > scope["hi"]:
            continue
        if "after" in places and place <= places["after"]:
            continue
        if "before" in places and place >= places["before"]:
            continue
        if not is_event(row, where, profile) or not satisfies_all(row, where, profile):
            continue
        if excluded and satisfies_all(row, excluded, profile):
            continue
        chosen.append(row)
    return chosen


def parent(path: str) -> str | None:
    if path == "":
        return None
    stripped = path.rstrip("/")
    if "/" not in stripped:
        return "/" if path.startswith("/") else "."
    return stripped.rpartition("/")[0].rstrip("/") or "/"


def row_values(row: Row, by: str, chosen: list[Row], wanted: Any = None) -> list[str]:
    """Return the values of a row; `wanted` tests the changes or paths that are asked for."""
    if by in ("object", "value"):
        values = [c[by] for c in row["changes"] if wanted is None or wanted(c)]
    elif by == "commit":
        values = re.findall(r"\Acommit ([0-9a-f]{7,40}):", row["raw"] or "")
    elif by in LIST_COLUMNS:
        values = [v for v in row[LIST_COLUMNS[by]] if by != "path" or wanted is None or wanted(v)]
    elif by == "directory":
        values = [parent(path) for path in row["paths"] if path is not None]
    elif by == "change":
        values = [change_text(change) for change in row["changes"]]
    elif by in ("first_target", "second_target"):
        at = int(by == "second_target")
        values = row["targets"][at : at + 1]
    elif by == "exit_code":
        values = [None if row["exit_code"] is None else str(row["exit_code"])]
    elif by == "act":
        tools = {other["tool"] for other in chosen}
        act = row["act"]
        if len(tools) == 1 and None not in tools and act is not None:
            act = act.removeprefix(f"{row['tool']}.")
        values = [act]
    else:
        values = [row["raw" if by == "action" else by]]
    return [value for value in values if value]


def wanted_test(query: dict[str, Any], profile: str) -> Any:
    """Return the test whether a change satisfies a `change` term; None if there is no term.

    By path, the test whether a path satisfies a `path` term.
    """
    field = "path" if query.get("by") == "path" else "change"
    column = LIST_COLUMNS.get(field, "changes")
    terms = query.get("where", {}).get(field)
    if not terms:
        return None
    return lambda one: any(satisfies({column: [one]}, field, t, profile) for t in terms)


def succession(entries: list[tuple[str, Row]]) -> list[dict[str, Any]]:
    """Return the values in order, equal neighbours joined; an event counts once a value."""
    found: list[list[tuple[str, Row]]] = []
    for value, row in entries:
        if not found or found[-1][-1][0] != value:
            found.append([(value, row)])
        elif found[-1][-1][1] is not row:
            found[-1].append((value, row))
    return [tally(group) for group in found]


def picked(groups: list[dict[str, Any]], pick: Any) -> list[dict[str, Any]]:
    if pick is None:
        return groups
    number = {"first": 1, "last": -1}.get(pick, pick)
    position = number - 1 if number > 0 else len(groups) + number
    return [groups[position]] if 0 <= position < len(groups) else []


def tally(entries: list[tuple[str, Row]]) -> dict[str, Any]:
    counts: dict[str, int] = {}
    for _, row in entries:
        counts[row["outcome"]] = counts.get(row["outcome"], 0) + 1
    steps = sorted({row["step"] for _, row in entries})
    return {"key": entries[0][0], "count": len(entries), "steps": steps, "outcomes": counts}


def grouped(chosen: list[Row], by: str, wanted: Any) -> list[dict[str, Any]]:
    """Group in order of first mention."""
    entries: dict[str, list[tuple[str, Row]]] = {}
    for row in chosen:
        seen = set()
        for value in row_values(row, by, chosen, wanted):
            if fold(value) not in seen:
                seen.add(fold(value))
                entries.setdefault(fold(value), []).append((value, row))
    return [tally(found) for found in entries.values()]


def runs(rows: list[Row], chosen: list[Row], by: str, wanted: Any) -> list[dict[str, Any]]:
    keys = {}
    for row in chosen:
        values = row_values(row, by, chosen, wanted)
        if values:
            keys[row["step"], row["call"]] = ", ".join(values)
    found: list[list[tuple[str, Row]]] = []
    last = None
    for row in rows:
        if row["act"] is None or row["is_copied"]:
            continue
        key = keys.get((row["step"], row["call"]))
        if key is not None and last is not None and fold(key) == fold(last):
            found[-1].append((key, row))
        elif key is not None:
            found.append([(key, row)])
        last = key
    return [tally(entries) for entries in found]


def operate(
    rows: list[Row], chosen: list[Row], query: dict[str, Any], profile: str
) -> tuple[Any, list[dict[str, Any]], int]:
    """Return value, groups, and how many values the limit cut off."""
    op, limit = query["op"], query.get("limit")
    steps = sorted({row["step"] for row in chosen})
    if op == "count" and query.get("by"):
        wanted, by = wanted_test(query, profile), query["by"]
        return sum(len({fold(v) for v in row_values(r, by, chosen, wanted)}) for r in chosen), [], 0
    if op == "count":
        return len(chosen), [], 0
    if op in ("first", "last"):
        return (steps[0 if op == "first" else -1] if steps else None), [], 0
    if op == "list":
        return steps[:limit], [], len(steps) - len(steps[:limit])
    if op == "timeline":
        columns = ["step", "tool", "outcome"] + (["raw"] if profile == "refined" else [])
        table = [
            {**{c: row[c] for c in columns}, "changes": [change_text(c) for c in row["changes"]]}
            for row in chosen
        ]
        return table[:limit], [], len(table) - len(table[:limit])
    return operate_on_values(rows, chosen, query, profile)


def operate_on_values(
    rows: list[Row], chosen: list[Row], query: dict[str, Any], profile: str
) -> tuple[Any, list[dict[str, Any]], int]:
    op, limit, by = query["op"], query.get("limit"), query.get("by") or "act"
    wanted = wanted_test(query, profile)
    if op == "values":
        entries = [(v, row) for row in chosen for v in row_values(row, by, chosen, wanted)]
        groups = picked(succession(entries), query.get("pick"))
    elif op == "runs":
        groups = runs(rows, chosen, by, wanted)
    else:
        groups = grouped(chosen, by, wanted)
    if op not in ("distinct", "values"):
        groups.sort(key=lambda group: -group["count"])
    if op == "top" and limit is None:
        return top_value([g for g in groups if g["count"] == groups[0]["count"]])
    kept = groups[:limit]
    cut = len(groups) - len(kept)
    if op == "top":
        return (*top_value(kept)[:2], cut)
    if op == "distinct":
        return [group["key"] for group in kept], kept, cut
    return [{k: group[k] for k in ("key", "count", "steps")} for group in kept], kept, cut


def top_value(groups: list[dict[str, Any]]) -> tuple[Any, list[dict[str, Any]], int]:
    count = groups[0]["count"] if groups else 0
    return {"keys": [group["key"] for group in groups], "count": count}, groups, 0


def dropped(state: str) -> dict[str, Any]:
    return {"state": state, "value": None, "matched": 0, "steps": [], "groups": []}


def answer_query(rows: list[Row], query: dict[str, Any], profile: str) -> dict[str, Any]:
    places = {}
    for end in ("after", "before"):
        anchor = query.get("scope", {}).get(end)
        if anchor is None:
            continue
        if ungrounded(rows, anchor["where"], profile):
            return dropped("ungrounded")
        event = anchor_event(rows, anchor, profile)
        if event is None:
            return dropped("empty")
        places[end] = event
    where = query.get("where", {})
    missing = ungrounded(rows, where, profile)
    chosen = [] if missing else select(rows, query, places, profile)
    state = "ok"
    if not chosen and not missing and profile == "refined":
        state = "verified_zero"
    elif not chosen:
        state = "ungrounded" if missing else "empty"
        kept = {f: terms for f, terms in where.items() if f in ("target", "action")}
        looser = {**query, "where": kept, "not": {}}
        same = kept == where and not query.get("not")
        if (
            query["op"] in ("list", "timeline")
            and kept
            and not same
            and not set(missing) & set(kept)
        ):
            chosen = select(rows, looser, places, profile)
            state = "relaxed" if chosen else state
        if not chosen:
            return dropped(state)
    keyed = query["op"] == "runs" or query.get("by") is not None
    by = query.get("by") or "act"
    value, groups, cut = operate(rows, chosen, query, profile)
    return {
        "state": state,
        "value": value,
        "matched": len(chosen),
        "steps": sorted({row["step"] for row in chosen}),
        "groups": groups,
        "left_out": cut,
        "without_value": sum(
            keyed and not row_values(row, by, chosen, wanted_test(query, profile)) for row in chosen
        ),
    }


def answer(rows: list[Row], plan: dict[str, Any], profile: str) -> list[dict[str, Any]]:
    """Answer every sub-query of a plan over one trajectory's rows."""
    ordered = sorted(rows, key=lambda row: (row["step"], row["call"]))
    return [answer_query(ordered, query, profile) for query in plan["queries"]]
