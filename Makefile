# The project's commands; README.md says what each is for.

PYTHON := .venv/bin/python
READY := .venv/ready

.PHONY: setup run test bench app app-check lock demo-models

setup: $(READY)

# Made anew whenever the lock changes; touched last, so that an interrupted set-up starts over.
$(READY): packaging/requirements.lock
	@packaging/setup.sh
	@touch $@

run: $(READY)
	@$(PYTHON) packaging/qt_libraries.py screen
	$(PYTHON) -m app

test: $(READY)
	@$(PYTHON) packaging/qt_libraries.py offscreen
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m mypy
	.venv/bin/lint-imports --no-logo
	$(PYTHON) -m pytest

bench: $(READY)
	@$(PYTHON) packaging/qt_libraries.py offscreen
	$(PYTHON) -m tests.bench

app: $(READY)
	packaging/app.sh

app-check: app
	packaging/app_check.sh

lock:
	packaging/lock.sh

demo-models: $(READY)
	packaging/demo_models/build.sh
