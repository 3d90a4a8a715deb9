"""`score`: a file of answers against a file of questions with their references."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tallysql.cli.models import jobs_option, model_options
from tallysql.cli.output import json_text, output_format_option, say, write_rows
from tallysql.scoring.metrics import JUDGES, METRICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tallysql.cli.output import OutputFormat
    from tallysql.llm.models import Models
    from tallysql.scoring.judging import Bench
    from tallysql.scoring.references import Pair, Reference
    from tallysql.scoring.score import Scored

Document = dict[str, Any]
DEFAULT_BY = "domain,type,load"


@click.command()
@click.argument("answers")
@click.option(
    "--reference",
    required=True,
    metavar="QUESTIONS",
    help="Questions with reference answers: JSONL, CSV, Parquet or AMA-Bench's own file.",
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    type=click.Choice([*METRICS, JUDGES[0]]),
    help="May be given again; default: exact.",
)
@click.option("--against", metavar="ANSWERS", help="Count wins and losses against this file.")
@click.option(
    "--by",
    default=DEFAULT_BY,
    show_default=True,
    metavar="DIMENSIONS",
    help="Groups, by comma; a*b crosses two.",
)
@click.option("--between", default="", metavar="DIMENSIONS", help="Compare these groups' means.")
@click.option("--loads", metavar="ANSWERS", help="Take aggregation loads from this file's records.")
@click.option("--resamples", type=click.IntRange(100), default=10_000, show_default=True)
@click.option("--details", metavar="OUT", help="Also write a JSON line for each question.")
@click.option("--second-judge", metavar="NAME", help="A second model to judge; tells agreement.")
@click.option(
    "--judge-prompt",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Another wording for the judges: a text with $question, $reference, $prediction.",
)
@jobs_option
@model_options("judge")
@output_format_option
@click.pass_obj
def score(
    settings: Any,
    /,
    answers: str,
    reference: str,
    metrics: tuple[str, ...],
    against: str | None,
    **given: Any,
) -> None:
    """Score answers against references, in all and by group, with 95 % intervals.

    A question without a record is missing, one without an answer unanswered, one without a judge's
    verdict unjudged: all are counted, and worth nothing. With --metric judge a model is asked.
    """
    document, failures = scores_of(answers, reference, metrics or ("exact",), against, given)
    _write(document, given["output_format"])
    for line in failures:
        say(f"error: {line}")
    if failures:
        click.get_current_context().exit(1)


def scores_of(
    answers: str, reference: str, metrics: Sequence[str], against: str | None, given: dict[str, Any]
) -> tuple[Document, list[str]]:
    """Return the scores as one document, and a line for each judgement that failed."""
    from tallysql.answering.questions import question_records
    from tallysql.scoring.judging import judges_agree
    from tallysql.scoring.references import references_from
    from tallysql.scoring.score import Breakdown, counts, details, permutations, summary

    breakdown = Breakdown(_listed(given["by"]), _listed(given["between"]), given["resamples"])
    _check(breakdown)
    references = references_from(question_records(reference), reference)
    loads = _loads(given["loads"])
    bench = _bench(given, answers) if JUDGES[0] in metrics else None
    scored, failures, unknown = _scored(answers, references, metrics, bench, loads)
    others = None
    if against is not None:
        others, more, _ = _scored(against, references, metrics, bench, loads)
        failures += more
    judging = [name for name in JUDGES if any(name in one.scores for one in scored[:1])]
    shown = [*(name for name in metrics if name not in JUDGES), *judging]
    document: Document = {
        "answers": answers,
        "reference": reference,
        **({"against": against} if against is not None else {}),
        **counts(scored),
        "without_question": unknown,
        "resamples": breakdown.resamples,
        "scores": summary(scored, shown, breakdown, others),
        "permutations": permutations(scored, shown, breakdown),
    }
    if len(judging) > 1:
        document["agreement"] = asdict(judges_agree(scored))
    if given["details"]:
        lines = (json_text(row) for row in details(scored, breakdown.by))
        Path(given["details"]).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    if bench is not None:
        from tallysql.cli.models import say_account

        say_account(bench.models.account)
        bench.models.close()
    return document, failures


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _check(breakdown: Any) -> None:
    """Refuse dimensions that do not exist, and a machine without scipy, before any work."""
    from tallysql.scoring.dimensions import dimension
    from tallysql.scoring.statistics import scipy_stats

    for name in (*breakdown.by, *breakdown.between):
        dimension(name)
    scipy_stats()


def _scored(
    file: str,
    references: Sequence[Reference],
    metrics: Sequence[str],
    bench: Bench | None,
    loads: dict[str, Any] | None,
) -> tuple[list[Scored], list[str], int]:
    from tallysql.scoring.judging import judged
    from tallysql.scoring.references import pair_up
    from tallysql.scoring.score import score_pairs

    pairs, unknown = pair_up(references, _answers(file), file)
    scored = score_pairs([_with_load(pair, loads) for pair in pairs], metrics)
    if bench is None:
        return scored, [], unknown
    found, failures = judged(scored, bench)
    return found, [f"{file}: {line}" for line in failures], unknown


def _answers(file: str) -> list[dict[str, Any]]:
    from tallysql.answering.questions import records_of
    from tallysql.errors import InputError

    found = []
    for number, record in records_of(file):
        if not isinstance(record, dict):
            raise InputError.at(file, "not an object", record=number)
        found.append(record)
    return found


def _loads(file: str | None) -> dict[str, Any] | None:
    if file is None:
        return None
    return {str(r.get("question_id")): r.get("aggregation_load") for r in _answers(file)}


def _with_load(pair: Pair, loads: dict[str, Any] | None) -> Pair:
    """Give a record the load that another file's record states for the same question."""
    from dataclasses import replace

    if loads is None or pair.record is None:
        return pair
    load = loads.get(pair.reference.question.question_id)
    return replace(pair, record={**pair.record, "aggregation_load": load})


def _bench(given: dict[str, Any], answers: str) -> Bench:
    from tallysql.cli.models import models_from
    from tallysql.llm.models import calls_file
    from tallysql.scoring.judge import check_wording
    from tallysql.scoring.judging import Bench

    names = ("model", "judge_model", "base_url", "calls", "fresh")
    chosen = {name: given[name] for name in names if name in given}
    kept = calls_file(answers) if answers != "-" else ":memory:"
    models: Models = models_from({**chosen, "reader": "model"}, kept)
    models.require("judge")
    wording = given["judge_prompt"]
    text = check_wording(wording.read_text("utf-8")) if wording is not None else None
    return Bench(models, given["second_judge"], text, given["jobs"])


def _write(document: Document, output_format: OutputFormat | None) -> None:
    """Write one JSON document, tables on a terminal, or the rows of the scores."""
    chosen = output_format or ("table" if sys.stdout.isatty() else "json")
    if chosen == "json":
        click.echo(json_text(document, indent=1))
        return
    rows = document["scores"]
    columns = list(rows[0]) if rows else []
    if chosen != "table":
        write_rows(columns, [[row.get(name) for name in columns] for row in rows], chosen)
        return
    _write_tables(document)


def _write_tables(document: Document) -> None:
    rows = [_told(row) for row in document["scores"]]
    if rows:
        columns = [name for name in rows[0] if any(row[name] for row in rows)]
        write_rows(columns, [[row[name] for name in columns] for row in rows], "table")
    for row in document["permutations"]:
        means = " and ".join(f"{100 * mean:.1f}" for mean in row["means"])
        click.echo(
            f"{row['metric']} by {row['by']}: {row['one']} and {row['other']}: {means}, "
            f"permutation test p {_p(row['p'])}"
        )
    if (found := document.get("agreement")) and found["n"]:
        kappa = "undefined" if found["kappa"] is None else f"{found['kappa']:.3f}"
        click.echo(f"judges: agree on {100 * found['share']:.1f} % of {found['n']}, kappa {kappa}")
    say(
        f"{document['questions']} questions: {document['missing']} missing, "
        f"{document['unanswered']} unanswered; {document['without_question']} records answer no "
        f"question; 95 % intervals resample trajectories, {document['resamples']} times"
    )


def _told(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of scores as a table shows it: shares in percent, intervals in one cell."""
    told = {name: row[name] for name in ("metric", "by", "group", "questions")}
    told["score %"] = _percent(row["mean"], row["low"], row["high"])
    told |= {name: row[name] or "" for name in ("missing", "unanswered", "unjudged")}
    if "wins" in row:
        told["other %"] = f"{100 * row['other']:.1f}"
        told["won/lost"] = f"+{row['wins']}/-{row['losses']}"
        ends = (row["difference"], row["difference_low"], row["difference_high"])
        told["difference"] = _percent(*ends, sign="+")
        told["p"] = _p(row["p"])
    return told


def _percent(mean: float, low: float | None, high: float | None, sign: str = "") -> str:
    shown = f"{100 * mean:{sign}.1f}"
    if low is None or high is None:
        return shown
    return f"{shown} [{100 * low:{sign}.1f}, {100 * high:{sign}.1f}]"


def _p(value: float | None) -> str:
    if value is None:
        return "undefined"
    return "<0.001" if value < 0.001 else f"{value:.3f}"
