# Everything runs in a virtual environment of its own; PYTHON names the interpreter to make it with.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: setup demo test check lint types imports format wheel-test clean

setup: $(STAMP)

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(STAMP)

demo: setup
	$(BIN)/python -m benchmarks.demo

test: setup
	$(BIN)/python -m pytest -n 2 -q

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

imports: setup
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: lint types imports test

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .import_linter_cache
