"""The model compiler: question and catalog in one prompt, a checked plan back.

See docs/architecture.md, "Model path" (paper, section 5 and appendix C). The plan is the same as
the rules compiler's, and is checked in the same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from tallysql.compiling.compilation import Compilation, TraceEntry
from tallysql.compiling.shown import SHOWN, values_line
from tallysql.compiling.shown_commits import COMMIT, commit_lines, first_commit
from tallysql.compiling.wire import wire_schema
from tallysql.llm.models import prompt_text
from tallysql.llm.structured import Unusable, without_nulls
from tallysql.plan.nodes import By, Declined, Field, Plan
from tallysql.plan.parse import parse_plan
from tallysql.plan.schema import BY_REQUIRED, MEANING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tallysql.compiling.compilation import AnswerForm
    from tallysql.ledger.catalog import Catalog
    from tallysql.llm.chat import Usage
    from tallysql.llm.models import Models
    from tallysql.plan.nodes import Op
    from tallysql.plan.profiles import Profile

TARGETS_SHOWN = 40
PROPERTIES_SHOWN = 20
"""Most frequent ones; both from the paper (appendix C)."""

ACTS_SHOWN = 60

FIELDS: dict[Field, str] = {
    "tool": "the tool, or its normalized action",
    "action": "the normalized action, or the action as logged",
    "target": "what the action names",
    "outcome": "success, failure, no_effect or unknown",
    "change": "a recorded state change, written object.property → value",
    "delta": "an argument that differs from the previous call, written parameter: old → new",
    "exit_code": '"0", another number, "nonzero" or "none"',
    "error": "the first line of a failed call's error",
    "observation": "the observation as logged",
    "path": "an exact file path",
    "author": "who made the step",
}

FORMS: dict[Op, AnswerForm] = {
    "count": "integer",
    "list": "steps",
    "first": "step",
    "last": "step",
    "group": "pairs",
    "timeline": "timeline",
    "distinct": "names",
    "top": "name",
    "runs": "pairs",
    "values": "names",
}
"""A model's plan says no answer form; the operation has a natural one."""


def compile_with_model(
    question: str,
    catalog: Catalog,
    profile: Profile,
    models: Models,
    *,
    temperature: float = 0.0,
    sample: int = 0,
) -> tuple[Compilation, Usage]:
    """Compile a question with one model call, and one more if its answer needs a repair.

    Args:
        question: as asked.
        catalog: the vocabulary of the trajectory's ledger.
        profile: what the plan may say.
        models: calls the role `compile`.
        temperature: 0 gives the greedy plan.
        sample: number of the sample, to tell equal prompts apart.

    Raises:
        ModelError: no model, a failed call, or a plan that breaks the schema twice.
    """
    request = models.request(
        "compile",
        compile_prompt(question, catalog, profile),
        schema=wire_schema(profile),
        temperature=temperature,
        sample=sample,
    )
    plan, usage = models.complete_json(request, lambda data: _plan(data, profile))
    became = "a plan by the model" if isinstance(plan, Plan) else f"declined: {plan.reason}"
    return compilation_of(plan, TraceEntry(question, became)), usage


def compilation_of(plan: Plan | Declined, *trace: TraceEntry) -> Compilation:
    """Return the compilation of a plan that says no answer forms."""
    queries = plan.queries if isinstance(plan, Plan) else ()
    return Compilation(plan, trace, tuple(FORMS[query.op] for query in queries))


def compile_prompt(question: str, catalog: Catalog, profile: Profile) -> str:
    """Return the prompt: the refined one where the profile has extensions, else the paper's.

    With extensions, a history of commits has a prompt and a catalog of its own.
    """
    name = "compile_refined" if profile.extensions else "compile_principal"
    lines, own = _catalog_lines(catalog, profile), {}
    if profile.extensions and catalog.tools.keys() == {COMMIT}:
        name, lines, own = "compile_commits", commit_lines(catalog), first_commit(catalog)
    ops = [op for op in MEANING if op in profile.ops]
    return prompt_text(
        name,
        **own,
        operations="\n".join(f"- {op}: {MEANING[op]}" for op in ops),
        grouping=", ".join(op for op in ops if op in BY_REQUIRED),
        bys=", ".join(by for by in get_args(By) if by in profile.bys),
        fields="\n".join(f"- {name}: {FIELDS[name]}" for name in FIELDS if name in profile.fields),
        catalog="\n".join(lines),
        question=question,
    )


def _plan(data: Any, profile: Profile) -> Plan | Declined:
    if not isinstance(data, dict):
        raise Unusable("not a JSON object")
    stated = without_nulls(data)
    # Models fill in the half of the form that does not apply; it says nothing.
    stated.pop("reason" if stated.get("applicable") is True else "queries", None)
    if stated.get("applicable") is False:
        stated.setdefault("reason", "the model gave no reason")
    for query in stated.get("queries") or []:
        if isinstance(query, dict):
            _drop_empty(query)
    return parse_plan(stated, profile)


def _drop_empty(query: dict[str, Any]) -> None:
    """Take out fields without a term: in a form with every field, they mean nothing."""
    for place in ("where", "not"):
        where = query.get(place)
        if isinstance(where, dict):
            query[place] = {name: terms for name, terms in where.items() if terms != []}


def _catalog_lines(catalog: Catalog, profile: Profile) -> Iterator[str]:
    if catalog.first_step is not None:
        yield f"steps: {catalog.first_step} to {catalog.last_step}, {catalog.n_events} events"
    yield from values_line("tools", catalog.tools, SHOWN)
    yield from values_line("actions", catalog.acts, ACTS_SHOWN)
    if "target" in profile.fields:
        yield from values_line("targets", catalog.targets, TARGETS_SHOWN)
    if "outcome" in profile.fields:
        yield from values_line("outcomes", catalog.outcomes, SHOWN)
    if "change" in profile.fields:
        yield from values_line("properties of changes", catalog.properties, PROPERTIES_SHOWN)
    if "exit_code" in profile.fields:
        codes = {str(code): count for code, count in catalog.exit_codes.items()}
        yield from values_line("exit codes", codes, SHOWN)
    if "path" in profile.fields:
        known = {
            path: count for path, count in catalog.paths.items() if path not in catalog.targets
        }
        yield from values_line("further paths", known, SHOWN)
    if "author" in profile.fields:
        yield from values_line("authors", catalog.authors, SHOWN)
