# `make play` and `make test` work on a machine that has only Python 3.11 or newer, make and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
LOCK := $(BIN)/uv pip compile --quiet --universal --upgrade --generate-hashes --no-header --no-annotate --python-version 3.11

DEV_EXTRAS := agents cluster secrets server
# What other people's packages leave to the garbage collector may turn up after the last test: that is no mistake of ours.
UNTIDY := -W ignore::ResourceWarning -W ignore::pytest.PytestUnraisableExceptionWarning
ADAPTERS := mcp inspect textarena jax openenv
# Of large packages little is imported: that much is compiled when it is needed.
QUICK_PIP := python -m pip --disable-pip-version-check install --quiet --no-compile

.DEFAULT_GOAL := help
.PHONY: help play serve test adapters check install format lint types torture mutants bench lock picture screenshots previews wire wasm clean fix docs site notebooks atlas

help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/make \1\t\2/' | expand -t 16

play: $(VENV)/.play ## the menu: pick a game and play
	@trap : INT; $(BIN)/numberquest || test $$? -eq 130

serve: $(VENV)/.serve ## the web page: play in the browser, with a friend or the computer
	@trap : INT; $(BIN)/numberquest serve || test $$? -eq 130

test: $(VENV)/.dev ## all tests
	@$(BIN)/python -m pytest

adapters: $(ADAPTERS:%=adapter-%) ## the tests of the adapters for language models and JAX, each in an environment of its own

adapter-%: .venv-%/.ready
	@NUMBERQUEST_ADAPTER=$* .venv-$*/bin/python -m pytest -n 0 $(UNTIDY) tests/*/test_$*.py

check: format lint types test ## format, lint, strict types and tests

install: $(VENV)/.play ## put the commands numberquest and nq into .venv/bin
	@echo "Installed. Start it with $(BIN)/numberquest"

format: $(VENV)/.dev ## check the format (make fix mends it)
	@$(BIN)/ruff format --check .

lint: $(VENV)/.dev ## check the style
	@$(BIN)/ruff check .

types: $(VENV)/.dev ## check the types, of Python and of the page
	@$(BIN)/mypy
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory node_modules/.ready && node_modules/.bin/tsc -p .; \
	else echo "SKIPPED: the types of the page: npm is not on this machine"; test -z "$$NUMBERQUEST_REQUIRE_ALL"; fi

node_modules/.ready: package.json package-lock.json
	@npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

fix: $(VENV)/.dev ## mend format and style where that can be done by itself
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

torture: $(VENV)/.dev ## before a release: the long campaigns, 300 examples of each property, every notebook (an hour)
	@NUMBERQUEST_TORTURE=1 $(BIN)/python -m pytest -m "long or hypothesis" --timeout 3600
	@NUMBERQUEST_TORTURE=1 $(MAKE) --no-print-directory docs
	@$(MAKE) --no-print-directory adapter-gambit

mutants: $(VENV)/.dev ## plant small mistakes in every room, and see which the tests do not notice (an hour)
	@$(BIN)/python -m tests.mutants

bench: $(VENV)/.bench ## measure speed against named references; prints a table and JSON
	@$(BIN)/python -m benchmarks
	@$(BIN)/python -m benchmarks.load

lock: $(VENV)/.dev $(BIN)/uv ## pin the newest versions of what the tests and benchmarks need
	@$(LOCK) -o requirements/base.lock pyproject.toml
	@$(LOCK) --extra server -o requirements/server.lock pyproject.toml
	@$(LOCK) $(DEV_EXTRAS:%=--extra %) --group dev -o requirements/dev.lock pyproject.toml
	@$(LOCK) --group bench -o requirements/bench.lock pyproject.toml
	@$(LOCK) -o requirements/build.lock requirements/build.in
	@echo uv | $(LOCK) -o requirements/uv.lock -
	@for adapter in $(ADAPTERS); do \
		$(LOCK) --extra $$adapter -o requirements/$$adapter.lock pyproject.toml requirements/adapters.in || exit 1; \
	done
	@$(LOCK) --extra secrets --group gambit -o requirements/gambit.lock pyproject.toml requirements/adapters.in
	@$(LOCK) --group docs -o requirements/docs.lock pyproject.toml requirements/adapters.in

docs: .venv-docs/.ready ## the documentation as a site, with its notebooks run and every link followed
	@rm -rf build/site
	@.venv-docs/bin/sphinx-build -q -E -W --keep-going -n -c docs/site . build/site
	@NUMBERQUEST_DOCS=build/site .venv-docs/bin/python -m pytest -n 0 tests/docs
	@echo "The site is in build/site: open build/site/index.html"

notebooks: .venv-docs/.ready ## run the notebooks of examples/notebooks, and keep what they show
	@.venv-docs/bin/python -m tests.docs.notebooks

site: $(VENV)/.serve build/pyodide/.ready ## the page as plain files, which need no server: build/play
	@rm -rf build/play && $(BIN)/numberquest site build/play --pyodide build/pyodide

# Pyodide as npm has it, and the one package that has a wheel for it.
build/pyodide/.ready: requirements/page.lock node_modules/.ready $(BIN)/python
	@rm -rf build/pyodide && mkdir -p build && cp -r node_modules/pyodide build/pyodide
	@$(BIN)/python -m pip --disable-pip-version-check download --quiet --require-hashes --no-deps --only-binary=:all: \
		--platform pyemscripten_2026_0_wasm32 --python-version 3.14 -d build/pyodide -r requirements/page.lock
	@touch $@

screenshots: $(VENV)/.dev ## pictures of every screen of the page, light, dark and on a phone (needs Chromium)
	@$(BIN)/python docs/screenshots.py

previews: $(VENV)/.dev ## the pictures that links to matches show where they are pasted (needs Chromium)
	@$(BIN)/python docs/previews.py

# Debian's clang 14: another one may make other bytes of the same source.
CLANG ?= clang
KERNEL ?= src/numberquest/solver/pools.wasm
wasm: ## compile the kernel with which the page solves games over pools (needs clang and lld)
	@$(CLANG) --target=wasm32 -O2 -fno-unroll-loops -msimd128 -mbulk-memory -nostdlib -fno-builtin -ffp-contract=off \
		-Wall -Wextra -Wl,--no-entry -Wl,--import-memory -Wl,-s -o $(KERNEL) src/numberquest/solver/pools.c

wire: $(VENV)/.dev ## the types of the page's messages, from those of the server
	@$(BIN)/python -m tests.server.typescript

atlas: $(VENV)/.dev ## what every rule set of every game is worth: goes on where it was, and uses a CUDA card where there is one
	@$(BIN)/python -m numberquest.study.atlas
	@$(BIN)/python docs/atlas.py

picture: $(VENV)/.dev ## draw the picture of the README from a real game, and that of an environment
	@$(BIN)/python docs/picture.py
	@$(BIN)/python docs/frame.py

clean: ## remove what the commands above have made
	rm -rf $(VENV) $(ADAPTERS:%=.venv-%) .venv-gambit .venv-trl .venv-docs node_modules screenshots build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Number Quest needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another one: make PYTHON=python3.12 ...")'
	@echo "Setting up $(VENV), once ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.play: pyproject.toml requirements/build.lock requirements/base.lock | $(BIN)/python
	@$(PIP) --require-hashes -r requirements/build.lock -r requirements/base.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.serve: requirements/server.lock $(VENV)/.play
	@echo "Installing what the server needs, once ..."
	@$(PIP) --require-hashes -r requirements/server.lock
	@touch $@

$(VENV)/.dev: requirements/dev.lock $(VENV)/.play
	@echo "Installing what the tests need, once ..."
	@$(PIP) --require-hashes -r requirements/dev.lock
	@touch $@

$(VENV)/.bench: requirements/bench.lock $(VENV)/.dev
	@echo "Installing what the benchmarks compare with, once ..."
	@$(PIP) --require-hashes -r requirements/bench.lock
	@touch $@

# Installs many packages ten times as fast as pip, and does not read where pip looks for them: then pip does it.
$(BIN)/uv: requirements/uv.lock | $(BIN)/python
	@$(PIP) --require-hashes -r $<
	@touch $@

# Gambit is under the GPL: tests alone use it. For Linux there is its source alone, which takes minutes to compile.
.venv-gambit/.ready: export CFLAGS = -O0 -g0

# Their packages clash with each other's, and with ours for the tests: an environment for each.
.venv-%/.ready: requirements/%.lock requirements/build.lock pyproject.toml $(BIN)/uv
	@echo "Installing what $* needs, once ..."
	@test -x .venv-$*/bin/python || $(PYTHON) -m venv .venv-$*
	@$(BIN)/uv pip install --quiet --system-certs --require-hashes --python .venv-$*/bin/python \
		-r requirements/build.lock -r requirements/$*.lock 2>/dev/null || \
		for lock in build $*; do .venv-$*/bin/$(QUICK_PIP) --require-hashes -r requirements/$$lock.lock || exit 1; done
	@.venv-$*/bin/$(QUICK_PIP) --no-deps --no-build-isolation -e .
	@touch $@

# Too large for every run of all tests (PyTorch): `make adapter-trl` trains for real when somebody asks for it.
.venv-trl/.ready: pyproject.toml
	@echo "Installing what trl needs, once: some gigabytes, unless pip finds a PyTorch for the processor alone ..."
	@test -x .venv-trl/bin/python || $(PYTHON) -m venv .venv-trl
	@.venv-trl/bin/$(QUICK_PIP) -r requirements/adapters.in -e '.[trl]'
	@touch $@

.PRECIOUS: .venv-%/.ready
