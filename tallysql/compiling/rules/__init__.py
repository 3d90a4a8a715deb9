"""The rules compiler: deterministic, no key, no network; precise before complete."""

from tallysql.compiling.rules.compiler import compile_question
from tallysql.compiling.rules.scope import Bounds, Range, parse_scope

__all__ = ["Bounds", "Range", "compile_question", "parse_scope"]
