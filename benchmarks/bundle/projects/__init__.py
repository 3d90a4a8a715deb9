"""What the scripted coding agent writes."""

from __future__ import annotations

from benchmarks.bundle.projects.cachebox import CACHEBOX
from benchmarks.bundle.projects.gauge import GAUGE
from benchmarks.bundle.projects.numerals import NUMERALS
from benchmarks.bundle.projects.shape import Module, Project
from benchmarks.bundle.projects.shelf import SHELF
from benchmarks.bundle.projects.ticket import TICKET

PROJECTS = (SHELF, GAUGE, CACHEBOX, NUMERALS, TICKET)

__all__ = ["PROJECTS", "Module", "Project"]
