# `make demo` and `make test` need Python 3.11 or later and nothing else.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
# The tests' own threads: xdist workers times Numba threads should not exceed the cores.
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo test test-all check lint types rooms bench docs lock clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

$(STAMP): requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Railbird needs Python 3.11 or later, this is %d.%d" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@echo "installing into .venv, a minute or two the first time"
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(STAMP)

demo: $(STAMP) ## play a duplicate match, assess it, write demo-report/report.html
	$(BIN)/railbird demo --force --out demo-report

# A file's tests stay in one worker: its examples build on each other, its fixtures are shared.
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist loadscope

test: $(STAMP) ## every test but the slow ones
	$(BIN)/railbird warm
	$(PYTEST)

test-all: $(STAMP) ## every test
	$(BIN)/railbird warm
	$(PYTEST) -m "slow or not slow"

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

rooms: $(STAMP)
	$(BIN)/lint-imports

check: lint types rooms test ## what CI runs

bench: $(STAMP) ## speeds, beside the peers that PyPI has
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	$(BIN)/python tests/bench

docs: $(STAMP) ## the manual, into site/
	$(BIN)/zensical build

lock: ## requirements/*.txt anew from pyproject.toml
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header pyproject.toml -o requirements/run.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header pyproject.toml --group dev -o requirements/dev.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header pyproject.toml --group dev --group bench -o requirements/bench.txt

clean:
	rm -rf .venv demo-report site
