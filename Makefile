# make demo   environment, install, three questions answered from the sample contracts
# make test   lint, types and every test that needs nothing but the package
# make help   everything else

VENV ?= .venv
TORCH ?= torch==2.13.0
NEWEST := $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
PYTHON ?= $(NEWEST)
PIP := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check
BIN := $(VENV)/bin
PARALLEL ?= -n auto --dist loadscope

.DEFAULT_GOAL := help
.PHONY: help demo test test-long test-torch test-cluster cluster cluster-down test-integrations lint docs lock bench torture clean check-python

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

demo: $(VENV)/.installed ## set everything up and answer three questions from the sample contracts
	@$(BIN)/pincite demo

test: $(VENV)/.installed-dev lint ## lint, types and all tests that need nothing but the package
	$(BIN)/python -m pytest $(PARALLEL) -m "not data and not torch and not slow and not cluster" src tests

test-long: $(VENV)/.installed-dev ## the long tests, and those on the data folder ($$PINCITE_DATA)
	$(BIN)/python -m pytest $(PARALLEL) -m "(data or slow) and not torch and not cluster" src tests

test-torch: $(VENV)/.installed-torch ## what needs torch: training, export, parity
	$(BIN)/python -m pytest -m torch src tests

cluster: ## start a real OpenSearch cluster of three nodes on this machine (Java and Maven)
	cluster/run up

cluster-down: ## end that cluster and delete its data
	cluster/run down

test-cluster: $(VENV)/.installed-dev ## the engine on OpenSearch, on $$PINCITE_OPENSEARCH or on a cluster that is started for it
	cluster/test $(abspath $(BIN)/python)

test-integrations: $(VENV)/bin/python ## the adapters and a generated client, each in a fresh environment (NAMES="langchain-pincite")
	$(PIP) uv
	integrations/run $(abspath $(BIN)/python) $(NAMES)

lint: $(VENV)/.installed-dev ## style and types
	$(BIN)/ruff check src tests benchmarks integrations
	$(BIN)/ruff format --check src tests benchmarks integrations
	$(BIN)/mypy

docs: $(VENV)/.installed-dev ## write the generated pages of docs/
	$(BIN)/python -m pincite.measures.page docs/measures.md

lock: $(VENV)/.installed-dev ## write requirements/*.lock again, with hashes, from pyproject.toml
	$(PIP) uv
	for name in base serve dev; do \
		extra=$$(test $$name = base || echo "--extra $$name"); \
		$(BIN)/uv pip compile pyproject.toml $$extra --universal --python-version 3.11 --generate-hashes \
			--no-header --no-annotate --quiet --output-file requirements/$$name.lock || exit 1; done

bench: $(VENV)/.installed-torch ## the speed benchmarks, peers beside us in one run
	$(PIP) -e '.[bench]'
	$(BIN)/python benchmarks/lexical.py
	$(BIN)/python benchmarks/encode.py
	$(BIN)/python benchmarks/context.py
	$(BIN)/python benchmarks/index.py
	$(BIN)/python benchmarks/neighbours.py
	$(BIN)/python benchmarks/models.py
	$(BIN)/python benchmarks/cases.py
	$(BIN)/python benchmarks/serve.py

torture: $(VENV)/.installed-dev ## kills, full disks, damage, hostile files; fails on any loss (TORTURE="--kills 1000 --files 3000")
	$(BIN)/python benchmarks/torture.py $(TORTURE)

clean: ## remove the environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist

check-python:
	@test -n "$(PYTHON)" && "$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	echo "Pincite needs Python 3.11 or newer, found: $$($(or $(PYTHON),python3) --version 2>&1 | head -n 1). Install a newer one, or name it: make PYTHON=/path/to/python3.11" >&2; exit 1; }

$(VENV)/bin/python: | check-python
	@"$(PYTHON)" -m venv "$(VENV)" >/dev/null 2>&1 || { rm -rf "$(VENV)"; \
	echo "Python's venv module is missing or broken; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.installed: pyproject.toml requirements/base.lock | $(VENV)/bin/python
	@echo "Installing Pincite into $(VENV) (a minute, once) ..."
	@$(PIP) --require-hashes -r requirements/base.lock
	@$(PIP) --no-deps -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml requirements/dev.lock | $(VENV)/bin/python
	$(PIP) --require-hashes -r requirements/dev.lock
	$(PIP) --no-deps -e .
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-torch: $(VENV)/.installed-dev
	$(PIP) '$(TORCH)'
	$(PIP) -e '.[dev,minilm,train]'
	@touch $@
