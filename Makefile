# Tressette arena. `make` alone lists what can be made; everything sets itself up.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PROTOS := $(wildcard proto/arena/v1/*.proto)
# LANGS=all: bots in every language, some of which take minutes to build.
LANGS ?=
EVENT ?= sample_bots/$(if $(filter all,$(LANGS)),all_languages,round_robin).toml
FOLDER ?= events/$(if $(filter all,$(LANGS)),all-languages,round-robin)
BENCH ?=
# Buf checks the wire's files; it comes as an npm package and is skipped where there is no npm.
BUF := npx --yes --package=@bufbuild/buf@1 buf

.DEFAULT_GOAL := help
.PHONY: help setup docs proto proto-check format lint types test bench tournament check clean

help: ## List what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  %-12s %s\n", $$1, $$2}'

setup: $(READY) ## Make .venv with the arena and its tools in it

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "make: no Python >= 3.11 with venv and ensurepip found; on Debian: apt install python3-venv; or make PYTHON=/path/to/python3" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

proto: $(READY) ## Make the stubs in arena/v1 from proto/
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m grpc_tools.protoc -Iproto --python_out=. --mypy_out=. --grpc_python_out=. --mypy_grpc_out=. $(PROTOS)

proto-check: $(READY) ## Lint the wire's files and see that arena/v1 is what they make
	@if command -v npx >/dev/null 2>&1; then $(BUF) lint proto; else echo "proto-check: no npx here, buf lint skipped"; fi
	@tmp=$$(mktemp -d) && PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m grpc_tools.protoc -Iproto --python_out=$$tmp --mypy_out=$$tmp --grpc_python_out=$$tmp --mypy_grpc_out=$$tmp $(PROTOS) \
		&& { diff -r -q -x __pycache__ -x __init__.py $$tmp/arena/v1 arena/v1 || { echo "proto-check: arena/v1 is stale; run make proto" >&2; rm -rf $$tmp; exit 1; }; } && rm -rf $$tmp

format: $(READY) ## Format the Python code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix-only --quiet .

lint: $(READY) ## Check format, style and the layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(READY) ## Check the types
	$(BIN)/mypy

docs: $(READY) ## Make what docs/ takes from the code: rules, conduct, protocol reference
	$(BIN)/python -m tests.rules.make_rules_document
	$(BIN)/python -m tests.referee.make_conduct_document
	$(BIN)/python -m tests.wire.make_protocol_reference

test: $(READY) ## Run all tests
	$(BIN)/python -m pytest

bench: $(READY) ## Measure speed against the floors (BENCH=NAME for one)
	$(BIN)/python -m tests.bench $(BENCH)

tournament: $(READY) ## Play a real round robin and print the standings (LANGS=all: all bots)
	$(BIN)/arena run $(EVENT) --folder $(FOLDER) --skip-missing --fresh

check: lint types proto-check ## Everything that is checked without running it

clean: ## Remove what setup, tests and events made
	rm -rf $(VENV) build *.egg-info matches .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache events
