"""The documents name what exists, all of it.

`python -m tests.test_docs > docs/queries.md` writes the list of named queries.
"""

from __future__ import annotations

import json
import pkgutil
import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest

from tallysql.cli import COMMANDS, commands, main
from tallysql.plan.profiles import PROFILES
from tallysql.plan.schema import MEANING
from tallysql.sqlfiles import query, query_names

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
CITATION = re.compile(r'docs/architecture\.md,\s+"([^"]+)"(?:\s+and\s+"([^"]+)")?')
EXAMPLES = re.findall(r"^ {4}(?:\$ )?(tallysql .*?)(?:\s{2,}#.*)?$", README, re.MULTILINE)
CODE = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
HEAD = """# Named queries

`tallysql query NAME` runs one of these; `-p NAME=VALUE` sets a parameter, and one that is not set
does not restrict. Each is a file in `queries/inspect/`.

| query | what it shows | parameters | columns |
|---|---|---|---|
"""


def listing() -> str:
    """Return the text of docs/queries.md."""
    return HEAD + "".join(map(_row, query_names("inspect")))


def _row(name: str) -> str:
    file = query(name)
    params, columns = (", ".join(f"`{n}`" for n in names) for names in (file.params, file.columns))
    return f"| `{name.removeprefix('inspect/')}` | {file.purpose} | {params} | {columns} |\n"


def test_every_named_query_is_listed() -> None:
    assert (ROOT / "docs" / "queries.md").read_text("utf-8") == listing()
    assert len(query_names("inspect")) >= 10


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name: str) -> None:
    assert re.search(rf"^\| `{name}\b", ARCHITECTURE, re.MULTILINE)
    assert re.search(rf"tallysql {name}\b|`{name}`", README)


def test_the_readme_has_examples() -> None:
    assert len(EXAMPLES) >= 7


@pytest.mark.parametrize("line", EXAMPLES)
def test_examples_in_the_readme_parse(line: str) -> None:
    """Names of commands and options exist; what they would do is tested elsewhere."""
    _, *arguments = shlex.split(line)
    if arguments[0] == "--db":
        del arguments[:2]
    name, *arguments = arguments
    command = commands.get_command(click.Context(commands), name)
    assert command is not None
    command.make_context(name, list(arguments))
    if name == "query":
        assert f"inspect/{arguments[0]}" in query_names("inspect")


def test_python_in_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a question that is answered, and with one that is declined."""
    monkeypatch.chdir(tmp_path)
    step = {"trajectory_id": "run-1", "step": 0, "action": "pytest", "observation": "ok"}
    Path("runs.jsonl").write_text(json.dumps(step) + "\n")
    Path("questions.jsonl").write_text('{"question": "Why?", "trajectory_id": "run-1"}\n')
    (code,) = CODE
    exec(code, {})
    exec(code.replace("How many times was pytest run?", "Why so?"), {})


@pytest.mark.parametrize(("line", "completed"), [("ann", "annotate"), ("ask --pro", "--profile")])
def test_the_shell_completes(
    line: str, completed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "_TALLYSQL_COMPLETE=bash_source" in README
    words = f"tallysql {line}"
    monkeypatch.setenv("_TALLYSQL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    with pytest.raises(SystemExit):
        main([])
    assert f"plain,{completed}\n" in capsys.readouterr().out


NAMED = re.compile(r"`(tallysql(?:\.(?!toml)\w+)+)`")


def test_docstrings_name_what_exists() -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "tallysql").rglob("*.py")]
    names = {name for text in texts for name in NAMED.findall(text)}
    assert names
    for name in names:
        assert pkgutil.resolve_name(name) is not None


def test_docstrings_cite_sections_that_exist() -> None:
    headings = set(re.findall(r"^## (.+)$", ARCHITECTURE, re.MULTILINE))
    folders = ("tallysql", "schema", "queries")
    sources = [p for folder in folders for p in (ROOT / folder).rglob("*") if p.is_file()]
    texts = [p.read_text("utf-8") for p in sources if p.suffix in {".py", ".sql"}]
    cited = {name for text in texts for pair in CITATION.findall(text) for name in pair if name}
    assert cited
    assert cited <= headings


def test_the_plan_language_is_documented_whole() -> None:
    for word in [*MEANING, *PROFILES]:
        assert f"`{word}`" in ARCHITECTURE


def test_every_dependency_has_a_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for requirement in project["dependencies"]:
        name = re.split(r"[<>=~ ]", requirement)[0]
        assert re.search(rf"^\| {name} \| \S", README, re.MULTILINE)


if __name__ == "__main__":
    print(listing(), end="")
