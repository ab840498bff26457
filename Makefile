# The two commands: `make demo` sets up and shows a search, `make test` sets up and passes the tests.
PYTHON ?= python3
VENV ?= .venv

demo: $(VENV)/.run
	$(VENV)/bin/circlet demo

test: $(VENV)/.dev
	$(VENV)/bin/ruff check . && $(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/pytest -n 2

$(VENV)/.run: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --constraint constraints.txt --editable '.[web]'
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

.PHONY: constraints demo test
