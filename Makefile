# The two commands: `make demo` sets up and shows a search, `make test` sets up and passes the tests.
# `make docs` builds the documentation's site, `make smoke` tries the built wheel in an environment that has nothing else.
PYTHON ?= python3
VENV ?= .venv

demo: $(VENV)/.run
	$(VENV)/bin/circlet demo

test: $(VENV)/.dev
	$(VENV)/bin/ruff check . && $(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/pytest -n 2

docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict

smoke: $(VENV)/.dev
	rm -rf $(VENV)-smoke dist
	$(VENV)/bin/python -m build --outdir dist . >/dev/null
	$(VENV)/bin/twine check --strict dist/*
	$(PYTHON) -m venv $(VENV)-smoke
	$(VENV)-smoke/bin/pip install --quiet --constraint constraints.txt "$$(ls dist/circlet-*.whl)[web]"
	$(VENV)-smoke/bin/python .ci/smoke.py
	rm -rf $(VENV)-smoke

$(VENV)/.run: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --no-compile --constraint constraints.txt --editable '.[demo,web]'
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@ $(VENV)/.run

# Pin what a fresh environment takes today; any torch but the pinned one may bring a GPU build along.
constraints:
	rm -rf $(VENV)-pins
	$(PYTHON) -m venv $(VENV)-pins
	$(VENV)-pins/bin/pip install --quiet torch==2.13.0 '.[dev]'
	$(VENV)-pins/bin/pip freeze --exclude circlet | sed 's/+cpu$$//' > constraints.txt
	rm -rf $(VENV)-pins

.PHONY: constraints demo docs smoke test
