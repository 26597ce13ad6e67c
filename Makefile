# `make demo` and `make test` need Python 3.11 or later and nothing else.
PYTHON ?= python3
BIN := .venv/bin
# What running needs, and what the tests need besides.
RUN := .venv/.run
DEV := .venv/.dev
# pip installs uv from its lock; uv takes a seventh of pip's time for all the rest. Where only pip is
# told of an index, pip installs that, too.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV_INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python
INSTALL = $(UV_INSTALL) $(1) || $(PIP_INSTALL) $(1)
# A lock is complete: no resolver is asked, so no later release of anything can break it.
LOCKED := --no-deps --require-hashes
# Tests start some hundred processes: they need not compile our modules each anew.
export PYTHONDONTWRITEBYTECODE :=
# Many tests wait for another process or a clock: three workers keep two cores busy.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(-(-3 * os.cpu_count() // 2))')

.DEFAULT_GOAL := help
.PHONY: help demo warm wheel test test-all passed-whole check static lint types rooms measure bench signature load docs lock clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

$(RUN): requirements/run.txt requirements/build.txt pyproject.toml papers/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Railbird needs Python 3.11 or later, this is %d.%d" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@echo "installing into .venv, a minute or two the first time"
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP_INSTALL) $(LOCKED) -r requirements/build.txt
	$(call INSTALL,$(LOCKED) -r requirements/run.txt)
	$(call INSTALL,--no-deps --no-build-isolation -e . -e papers)
	touch $@

$(DEV): $(RUN) requirements/dev.txt
	@echo "installing what tests need into .venv"
	$(call INSTALL,$(LOCKED) -r requirements/dev.txt)
	touch $@

demo: $(RUN) ## play a match, assess it, write demo-report/report.html
	$(BIN)/railbird demo --force --out demo-report

# A file's tests stay in one worker: its examples build on each other, its fixtures are shared.
# The order of the files is ours (`helpers.tiers`).
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist loadscope --no-loadscope-reorder

warm: $(DEV)
	$(BIN)/railbird machine warm

test: warm ## every test but the slow ones
	$(PYTEST)

test-all: warm ## every test; goes on where it was stopped; tests/passed_whole.txt says what passed
	$(PYTEST) --resume -m "slow or not slow"
	@echo "all tests passed on $$(git describe --always --dirty)"
	@git log -1 --format='%H %cs' >tests/passed_whole.txt

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# On a machine with much to do mypy's workers may greet it too late, which is no finding.
types: $(DEV)
	$(BIN)/mypy --num-workers auto || { test $$? -ne 1 && $(BIN)/mypy; }

rooms: $(DEV)
	$(BIN)/lint-imports

static: $(DEV)
	@$(MAKE) --no-print-directory --jobs 3 --output-sync lint types rooms

# The longer ago, the more of what is slow may have broken since.
passed-whole:
	@if read -r commit day 2>/dev/null <tests/passed_whole.txt; then \
		echo "make test-all passed last on $$commit of $$day, $$(git rev-list --count $$commit..HEAD 2>/dev/null || echo an unknown number of) commits ago"; \
	else echo "make test-all has not passed yet"; fi

check: passed-whole static test ## what CI runs: lint, types, order of the rooms, every test but the slow ones

measure: $(DEV) ## the structure of the source in figures: files, imports, circles
	$(BIN)/python tests/measure

bench: $(DEV) ## speeds, beside the peers that PyPI has
	$(call INSTALL,$(LOCKED) -r requirements/bench.txt)
	$(BIN)/python tests/bench

signature: ## one number over the golden files; commits that claim to change none
	$(PYTHON) tests/golden/signature.py
	$(PYTHON) tests/golden/signature.py --claims

load: $(DEV) ## the tournament server under load, beside its goals; an hour
	PYTHONPATH=tests $(BIN)/python -m load

wheel: $(RUN) ## a wheel with machine code, for this Python and kind of processor, into dist/
	$(BIN)/python release/platform_wheel.py dist

docs: $(DEV) ## the manual, into site/
	$(BIN)/zensical build

LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --no-strip-extras \
	--no-emit-package railbird --no-emit-package railbird-papers

# All that has a wheel for every Python; the group dev has the others, for those where they have one.
EXTRAS := --extra all --extra gymnasium --extra mcp --extra pandas --extra pettingzoo --extra postgresql

lock: $(DEV) ## requirements/*.txt anew from pyproject.toml
	$(LOCK) pyproject.toml --extra all -o requirements/run.txt
	$(LOCK) --group build -c requirements/run.txt -o requirements/build.txt
	$(LOCK) pyproject.toml $(EXTRAS) --group dev -c requirements/run.txt -o requirements/dev.txt
	$(LOCK) pyproject.toml $(EXTRAS) --group dev --group bench -c requirements/dev.txt -o requirements/bench.txt

clean:
	rm -rf .venv demo-report site
