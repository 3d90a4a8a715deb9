"""Plots of scores as SVG text: accuracy by load, access against aggregation, templates, cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallysql.scoring.load import BIN_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.runs.folder import Row

Chart = Any
WIDTH = 620
FITS = ("fits", "does not fit")
LEVELS = ("low", "high")


def by_load(rows: Sequence[Row], metric: str, by: str = "load") -> str | None:
    """Plot accuracy over bins of the aggregation load, with 95 % intervals."""
    import altair as alt

    chosen = _rows(rows, metric, by)
    if not chosen:
        return None
    base = alt.Chart(_data(chosen)).encode(
        x=alt.X("group:N", sort=list(BIN_NAMES), title=by.replace("-", " "), axis=_flat()),
        xOffset="system:N",
        color=alt.Color("system:N", title=None),
    )
    ends = base.mark_rule().encode(y="low:Q", y2="high:Q")
    points = base.mark_point(filled=True, size=50).encode(y=_percent())
    return _svg((ends + points).properties(width=WIDTH, height=260))


def access_by_aggregation(rows: Sequence[Row], metric: str) -> str | None:
    """Plot accuracy where the history fits the context and where not, at low and at high load."""
    import altair as alt

    chosen = []
    for row in _rows(rows, metric, "fits*load-level"):
        fits, level = row["group"].split(" * ")
        if fits in FITS and level in LEVELS:
            cell = f"history {fits}, {level} load"
            chosen.append(row | {"cell": cell, "place": FITS.index(fits) * 2 + LEVELS.index(level)})
    if not chosen:
        return None
    order = alt.EncodingSortField("place", order="ascending")
    base = alt.Chart(_data(chosen)).encode(
        x=alt.X("system:N", title=None, axis=alt.Axis(labelAngle=-35)),
        color=alt.Color("system:N", legend=None),
    )
    bars = base.mark_bar().encode(y=_percent())
    ends = base.mark_rule(color="black").encode(y="low:Q", y2="high:Q", color=alt.value("black"))
    counts = base.mark_text(dy=-4, fontSize=9).encode(
        y="high:Q", text="questions:Q", color=alt.value("#555")
    )
    facet = (bars + ends + counts).properties(width=300, height=150)
    cells = facet.facet(alt.Facet("cell:N", title=None, sort=order), columns=2)
    return _svg(cells)


def by_group(rows: Sequence[Row], metric: str, by: str) -> str | None:
    """Plot a bar for each system in each group."""
    import altair as alt

    chosen = _rows(rows, metric, by)
    if not chosen:
        return None
    systems = len({row["system"] for row in chosen})
    chart = (
        alt.Chart(_data(chosen))
        .mark_bar()
        .encode(
            y=alt.Y("group:N", title=None, axis=alt.Axis(labelLimit=260)),
            yOffset="system:N",
            x=alt.X("percent:Q", title="%", scale=alt.Scale(domain=[0, 100])),
            color=alt.Color("system:N", title=None),
        )
        .properties(width=WIDTH - 120, height=alt.Step(max(4, 26 // systems)))
    )
    return _svg(chart)


def cost(costs: Sequence[Row], unit: str) -> str | None:
    """Plot accuracy over what a question costs.

    Args:
        costs: rows with system, cost, percent, low, high.
        unit: what the cost is counted in.
    """
    import altair as alt

    if not costs:
        return None
    base = alt.Chart(_data(costs)).encode(
        x=alt.X("cost:Q", title=f"{unit} a question"), color=alt.Color("system:N", legend=None)
    )
    ends = base.mark_rule().encode(y="low:Q", y2="high:Q")
    points = base.mark_point(filled=True, size=60).encode(y=_percent())
    names = base.mark_text(align="left", dx=7, dy=-6).encode(y="percent:Q", text="system:N")
    return _svg((ends + points + names).properties(width=WIDTH, height=240))


def _rows(rows: Sequence[Row], metric: str, by: str) -> list[Row]:
    """Return the rows of one breakdown in percent; where there is no interval it is the mean."""
    return [
        {
            "system": row["system"],
            "group": row["group"],
            "questions": row["questions"],
            "percent": 100 * row["mean"],
            "low": 100 * (row["mean"] if row["low"] is None else row["low"]),
            "high": 100 * (row["mean"] if row["high"] is None else row["high"]),
        }
        for row in rows
        if row["metric"] == metric and row["by"] == by and row["group"] not in {"none", "undefined"}
    ]


def _data(rows: Sequence[Row]) -> Any:
    """Return rows as the data of a chart; the library's constructor has no types."""
    import altair as alt

    data: Any = alt.Data
    return data(values=list(rows))


def _percent() -> Any:
    import altair as alt

    return alt.Y("percent:Q", title="%", scale=alt.Scale(domain=[0, 100]))


def _flat() -> Any:
    import altair as alt

    return alt.Axis(labelAngle=0)


def _svg(chart: Chart) -> str:
    import vl_convert

    styled = chart.configure_view(stroke="#ddd").configure(font="sans-serif", background="white")
    text: str = vl_convert.vegalite_to_svg(styled.to_dict())
    return text
