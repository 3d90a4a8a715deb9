"""Readings of values: files, directories, element labels, parts of addresses, value nouns.

Each reads the token at i and returns how many tokens it claimed, 0 for none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tallysql.compiling.rules.lexicon import data, lexicon
from tallysql.compiling.rules.mentions import Mention, plain, words_of
from tallysql.compiling.rules.refusal import Refused
from tallysql.compiling.rules.shells import shell_tools
from tallysql.compiling.rules.tokens import lemmas
from tallysql.compiling.rules.vocabulary import kind_acts
from tallysql.plan.nodes import Term

if TYPE_CHECKING:
    from tallysql.compiling.rules.reading_pass import Pass


_DIRECTIONS = frozenset(("north", "south", "east", "west", "up", "down", "left", "right"))


def read_file(at: Pass, i: int, _: int) -> int:
    """Read a file name or path."""
    token = at.board.tokens[i]
    named = token.kind == "code" and re.search(r"[./]", token.text)
    if not named and token.kind != "word":
        return 0
    if token.text.endswith("/"):
        return _directory(at, i, token.text)
    paths = at.vocabulary.paths_named(token.text)
    if not named:  # Makefile, Dockerfile: only as they are written
        spelled = token.text[:1].isupper() and i > 0
        paths = tuple(p for p in paths if spelled and p.rsplit("/", 1)[-1] == token.text)
    return claim_path(at, i, i + 1, paths) if paths else 0


def claim_path(at: Pass, first: int, last: int, paths: tuple[str, ...]) -> int:
    """Claim tokens as files, by their exact paths."""
    known = [path for path in paths if path in at.vocabulary.catalog.paths]
    often = [path for path in known if at.vocabulary.catalog.paths[path] > 1]
    if len({tuple(path.split("/")[-3:]) for path in often}) > 1:
        raise Refused(f"{at.board.tokens[first].text!r} may be {' or '.join(often[:3])}")
    terms = [Term(path, "exact") for path in (known or paths)]
    length = at.condition(first, last, "path" if known else "target", terms)
    everywhere = tuple(Term(path, "exact") for path in paths)
    at.mentions[-1] = replace(at.mentions[-1], spellings=everywhere)
    return length


def _directory(at: Pass, i: int, text: str) -> int:
    name = text.rstrip("/").lower()
    said = set(at.board.canon) & {"directory", "folder", "directories", "folders"}
    if not text.endswith("/") and not said:
        return 0
    paths = at.vocabulary.catalog.paths
    tops = {
        path[: start + len(name) + 1]
        for path in paths
        if (start := f"/{path.lower()}".find(f"/{name}/")) >= 0
    }
    if not name or not tops:
        return 0
    return at.condition(i, i + 1, "path", [Term(top, "prefix") for top in sorted(tops)])


def read_file_sort(at: Pass, i: int, last: int) -> int:
    """Read a sort of file (`JSON files`) as the files of that ending."""
    said = at.board.canon[i]
    suffix = said if re.fullmatch(r"\.\w{1,5}", said) else None
    ending = data()["extensions"].get(said) or suffix
    follows = at.board.canon[i + 1] if i + 1 < last else ""
    if not ending or lexicon().values.get(follows) != "path":
        return 0
    if at.board.canon[i] in at.vocabulary.entries and follows not in {"file", "files"}:
        return 0  # python scripts are run by python
    names = [*at.vocabulary.catalog.paths, *at.vocabulary.catalog.targets]
    values = tuple(dict.fromkeys(name for name in names if name.lower().endswith(ending)))
    if not values:
        return 0
    return at.condition(i, i + 1, "target", [Term(value, "exact") for value in values])


def read_code(at: Pass, i: int, _: int) -> int:
    """Read an identifier: a target, a directory, part of an address, an element id."""
    token = at.board.tokens[i]
    if token.kind not in {"code", "word"}:
        return 0
    lowered = token.text.lower()
    if token.kind == "code" and lowered in at.vocabulary.exact:
        return at.condition(i, i + 1, "target", [Term(first_spelling(at, lowered), "exact")])
    if directory := _directory(at, i, token.text):
        return directory
    if (
        token.kind == "code"
        and re.search(r"[./]", token.text)
        and claim_part_of_target(at, i, i + 1, token.text)
    ):
        return 1
    if token.text.startswith(("[", "(")):
        return at.condition(i, i + 1, "action", [Term(token.text)])
    return 0


def read_partial(at: Pass, i: int, last: int) -> int:
    """Read a name inside longer ones: a domain in addresses, `search` in `the search field`."""
    token = at.board.tokens[i]
    beside = set().union(*(lemmas(word) for word in at.board.canon[i + 1 : i + 2]), set())
    if at.board.canon[i - 1] in {"from", "on", "of", "to", "at"} and _in_addresses(at, token.text):
        return claim_part_of_target(at, i, i + 1, token.text)
    telling = (
        token.kind == "code"
        or any(c.isupper() for c in token.text)
        or beside & words_of("fixtures")
    )
    if not telling or len(token.text) < 3:
        return 0
    for stop in range(min(last, i + 6), i, -1):
        text = at.board.question[token.start : at.board.tokens[stop - 1].end]
        if claim_part_of_target(at, i, stop, text):
            return stop - i
    return 0


def _in_addresses(at: Pass, word: str) -> bool:
    """Whether all names that hold a word are addresses: pages from wikipedia."""
    inside = re.compile(rf"(?<![^\W_]){re.escape(word.lower())}(?![^\W_])")
    known = [t for t in at.vocabulary.catalog.targets if inside.search(t.lower())]
    return len(word) > 3 and bool(known) and all("://" in name for name in known)


def claim_part_of_target(at: Pass, first: int, last: int, text: str) -> int:
    """Claim tokens whose text stands inside targets, at word bounds; 0 if none has it."""
    inside = re.compile(rf"(?<![^\W_]){re.escape(text.strip().lower())}(?![^\W_])")
    known = [t for t in at.vocabulary.catalog.targets if inside.search(t.lower())]
    if not known:
        return 0
    loose = [t for t in at.vocabulary.catalog.targets if text.lower() in t.lower()]
    same = len(loose) == len(known)
    terms = [Term(text.strip(), "substring")] if same else [Term(t, "exact") for t in known[:60]]
    return at.condition(first, last, "target", terms)


def read_begun(at: Pass, i: int, _: int) -> int:
    """Read a longer form of a word in a tool's name: wikipedia for search_wiki."""
    found = (
        at.vocabulary.begins(at.board.canon[i])
        if at.board.tokens[i].kind == "word" and not plain(at.board.canon[i])
        else None
    )
    return at.acts(i, i + 1, found) if found else 0


def read_fixture(at: Pass, i: int, _: int) -> int:
    """The sort of a labelled element: `the Go button` is Go."""
    if lemmas(at.board.canon[i]) & words_of("appositions") and _beside_code(at, i):
        at.board.claim(i, i + 1, "ignored: the sort of the thing named")
        return 1
    if not lemmas(at.board.canon[i]) & words_of("fixtures"):
        return 0
    beside = [m for m in at.mentions if m.field == "target" and m.last == i and m.noun is None]
    if beside:
        at.board.claim(i, i + 1, "ignored: the sort of the element named")
    return 1 if beside else 0


def _beside_code(at: Pass, i: int) -> bool:
    """Whether an identifier follows directly, or stands directly before."""
    after = at.board.tokens[i + 1 : i + 2]
    named = [m for m in at.mentions if m.last == i and m.field in {"action", "target", "path"}]
    return bool(named) or any(
        token.kind == "code" or (token.text.isupper() and len(token.text) > 2) for token in after
    )


def read_element(at: Pass, i: int, last: int) -> int:
    """A sort of page element: beside a label it adds nothing, alone it is a condition."""
    for length, forms in (
        (2, [" ".join(at.board.canon[i : i + 2])]),
        (1, sorted(lemmas(at.board.canon[i]))),
    ):
        for form in forms:
            told = data()["elements"].get(form) if i + length <= last else None
            if told and "click" in at.vocabulary.tool_of:
                term = Term(told, "substring")
                noun = lexicon().values.get(at.board.canon[i])
                return at.add(
                    i,
                    i + length,
                    f"element: {form}",
                    role="element",
                    field="action",
                    terms=(term,),
                    noun=noun,
                )
    return 0


def read_noun(at: Pass, i: int, _: int) -> int:
    """Read a noun that names a value of events: file, tool, exit code."""
    value = lexicon().values.get(at.board.canon[i])
    if value is None and at.board.canon[i] in words_of("named") and _asked_for(at, i):
        value = "target"
    if value is None:
        return 0
    if at.board.canon[i] in {"direction", "directions"} and _has_directions(at):
        value = "target"
    length = at.add(i, i + 1, f"value: {value}", role="noun", noun=value)
    if at.board.canon[i].removesuffix("s") in {"program", "executable"}:
        _of_shells(at, i)
    return length


def _of_shells(at: Pass, i: int) -> None:
    """Programs are those of the shell, where the log has one."""
    acts = kind_acts(at.vocabulary, shell_tools())
    if acts and not any(m.role == "act" and not m.weak for m in at.mentions):
        at.mentions.append(Mention(i, i + 1, "act", "", acts=acts, weak=True, loose=True))


def _asked_for(at: Pass, i: int) -> bool:
    """Whether `names` is a noun that is asked for: what names, the different terms."""
    before = at.board.became[i - 1] if i else None
    asked = {"what", "which", "different", "distinct", "unique", "many"}
    return at.board.canon[i - 1] in asked or (before or "").startswith("cue: distinct")


def _has_directions(at: Pass) -> bool:
    """Whether directions are targets of an act (`go north`) rather than acts themselves."""
    return bool(_DIRECTIONS & at.vocabulary.exact.keys())


def first_spelling(at: Pass, lowered: str) -> str:
    """Return the first spelling of a target."""
    return at.vocabulary.exact[lowered].values[0]
