# benyfits-data: `make diverse representative thorough` builds the datasets, `make test` proves the house.

# The first Python that starts and is of a supported version; a name on the path may be an empty promise.
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo $$name && break; done)
BIN := .venv/bin
RUN := $(BIN)/benyfits-data
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Installs in a fifth of pip's time, from the same files.
INSTALL = $(BIN)/uv pip install --quiet --python $(BIN)/python
# Pins all versions with the digests of their files; versions already pinned stay.
LOCK = uv pip compile pyproject.toml --quiet --universal --python-version 3.11.5 --generate-hashes \
	--no-annotate --no-header --no-strip-extras
EDITION ?= 2026
# Each edition has a folder of its own.
OUTPUT ?= output/$(EDITION)
SEED ?= 0
# More options of a build, such as `make diverse FLAGS=--record`.
FLAGS ?=
# The years whose digests are recorded.
YEARS ?= $(patsubst output/%/CHECKSUMS,%,$(sort $(wildcard output/20*/CHECKSUMS)))
# Containers often set it; every process would then compile all libraries anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help lock format check test test-all city-mutants test-vllm diverse representative thorough par eligibility population site release record prove bench clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.venv/bin/python:
	@test -n "$(PYTHON)" || \
		{ echo "benyfits-data needs Python 3.11, 3.12 or 3.13; set PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.installed: .venv/bin/python pyproject.toml constraints.txt
	@awk '/^uv==/ {here = 1} here {print} here && !/\\$$/ {exit}' constraints.txt > .venv/uv.txt
	$(PIP) --no-compile --require-hashes -r .venv/uv.txt
	$(INSTALL) --require-hashes -r constraints.txt
	$(INSTALL) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q benyfits_data
	@touch $@

.venv/.installed-dev: .venv/.installed constraints-dev.txt
	$(INSTALL) --require-hashes -r constraints-dev.txt
	$(BIN)/python -m tests.small_model
	@touch $@

diverse: .venv/.installed  ## Build the Diverse set into output/
	$(RUN) diverse --edition $(EDITION) --seed $(SEED) --output $(OUTPUT) $(FLAGS)

thorough: .venv/.installed  ## Build the thorough set, which detects every wrong checker, into output/
	$(RUN) thorough --edition $(EDITION) --seed $(SEED) --output $(OUTPUT) $(FLAGS)

representative: .venv/.installed  ## Build the Representative sets into output/
	$(RUN) representative --edition $(EDITION) --seed $(SEED) --output $(OUTPUT) $(FLAGS)
	$(RUN) representative-25 --edition $(EDITION) --seed $(SEED) --output $(OUTPUT) $(FLAGS)

eligibility: .venv/.installed  ## Count who is eligible in the city (3 minutes)
	$(RUN) population eligibility --edition $(EDITION) --seed $(SEED) --output $(OUTPUT)

par: .venv/.installed  ## Compute the fewest questions of each row, beside the sets in output/
	@for file in $$(ls $(OUTPUT)/*.manifest.json); do \
		$(RUN) par $${file%.manifest.json}.jsonl --write > /dev/null || exit 1; done

population: .venv/.installed  ## Hold a million synthetic households against every published figure
	$(RUN) population check --seed $(SEED) --output $(OUTPUT)

site: .venv/.installed  ## Write a site of whatever lies in output/ into site/
	$(RUN) site output --output site

release: .venv/.installed-dev  ## Build wheel, sdist and the data's release from a clean tree
	@test -z "$$(git status --porcelain)" || { echo "Commit or undo these changes first:"; git status --short; exit 1; }
	@for year in $(YEARS); do $(MAKE) diverse representative par eligibility EDITION=$$year || exit 1; done
	$(MAKE) check
	$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python --out-dir dist
	$(BIN)/pytest tests/evaluation/test_wheel.py tests/publishing tests/docs
	$(RUN) publish output --output release
	@test -z "$$(git status --porcelain)" || { echo "The release changed the tree:"; git status --short; exit 1; }

record: .venv/.installed-dev  ## Record the digests of the published datasets, after a change that is meant
	@small=$$(mktemp -d); set -e; \
	$(RUN) diverse --edition 2024 --households 2000 --plausible off --no-pictures --record --output $$small; \
	cp $$small/CHECKSUMS tests/rebuild/CHECKSUMS; \
	for name in diverse thorough representative representative-25; do \
		for year in $(YEARS); do $(RUN) $$name --edition $$year --record; done; \
	done; \
	for year in $(YEARS); do \
		$(RUN) population eligibility --edition $$year --output output/$$year; \
		for name in diverse representative representative-25; do \
			$(RUN) par output/$$year/$$name.jsonl --write > /dev/null; done; \
	done; \
	$(BIN)/python -m benyfits_data.publishing.packing output
	$(BIN)/python -m tests.docs.readme_row output/2026/diverse.jsonl
	$(BIN)/python -m tests.docs.measurements planner
	$(BIN)/python -m tests.docs.runner

prove: .venv/.installed  ## Prove every line and branch of every checker reachable or dead
	$(RUN) prove checkers

lock: .venv/.installed-dev  ## Pin new dependencies, with the digests of their files
	$(BIN)/$(LOCK) --extra dev --output-file constraints-dev.txt
	cp constraints-dev.txt constraints.txt
	$(BIN)/$(LOCK) --extra build --extra eval --extra package --output-file constraints.txt

format: .venv/.installed-dev  ## Format the code and mend what can be mended
	$(BIN)/ruff format benyfits_data tests
	$(BIN)/ruff check --fix benyfits_data tests
	$(BIN)/python -m benyfits_data.cli.reference docs

check: .venv/.installed-dev  ## Formatter, linters, types, layers, programs, sources, published editions
	$(BIN)/ruff format --check benyfits_data tests
	$(BIN)/ruff check benyfits_data tests
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(RUN) programs lint
	$(RUN) sources check
	$(RUN) editions verify

test: .venv/.installed-dev  ## Run the tests that take seconds each
	$(BIN)/pytest -n 2 --dist loadgroup -m 'not slow'

test-all: .venv/.installed-dev  ## Run all tests, as CI does
	$(BIN)/pytest -n 2 --dist loadgroup --durations=30

city-mutants: .venv/.installed-dev  ## Print which dependences of the city could go unnoticed by its check
	$(BIN)/python -m tests.population.mutants 50000

test-vllm: .venv/.installed-dev  ## Play the documented vLLM command on the CPU (3.5 GB)
	tests/vllm/run

bench: .venv/.installed-dev  ## Measure speed and memory, as ratios in one run
	$(BIN)/python -m tests.bench.speed
	@test -f $(OUTPUT)/diverse.jsonl || $(MAKE) diverse
	$(BIN)/python -m tests.evaluation.bench $(OUTPUT)/diverse.jsonl
	$(BIN)/python -m tests.bench.structure $(OUTPUT)/diverse.jsonl
	$(BIN)/python -m tests.bench.planner_turns
	$(BIN)/python -m tests.evaluation.rules.bench

clean:  ## Remove what was built
	find output -mindepth 2 -not -name CHECKSUMS -delete; rm -rf .mypy_cache .ruff_cache .pytest_cache
