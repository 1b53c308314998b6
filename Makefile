# The project's commands; CONTRIBUTING.md says what each is for.

PYTHON := .venv/bin/python
READY := .venv/ready
# The backend of MLX in .venv.
IN_USE := $(or $(shell cat .venv/backend 2>/dev/null),cpu)

LANGUAGES := $(patsubst %.ts,%.qm,$(wildcard resources/languages/*.ts))

.PHONY: setup run test test-all lint steady bench faults examples soak nightly audit app app-check deb release mac-check gpu-check lock real-model demo-models languages pictures

setup: $(READY) $(LANGUAGES)

# Made again whenever the lock changes or BACKEND names another backend; touched last, so that an interrupted set-up
# starts over.
$(READY): packaging/requirements$(addprefix -,$(filter-out cpu,$(IN_USE))).lock $(if $(filter-out $(IN_USE),$(BACKEND)),FORCE)
	@packaging/setup.sh
	@touch $@

FORCE:

# What the program says, as Qt reads it.
%.qm: %.ts | $(READY)
	.venv/bin/pyside6-lrelease -silent $< -qm $@

# The texts of the code into the files of the translators, who then fill in what is new.
languages: $(READY)
	.venv/bin/pyside6-lupdate $(sort $(shell find app -name '*.py')) -ts resources/languages/sluice_ko.ts -no-obsolete -locations none -source-language en -target-language ko

run: setup
	@$(PYTHON) -m app.platform.qt_libraries screen
	packaging/linux/preload.sh $(PYTHON) -m app

# Three processes on two cores, since tests also wait. Folders in order, so that the slow ones don't run last and alone.
# PYTHONDONTWRITEBYTECODE is emptied, since otherwise each child process compiles the program and its libraries.
# A worker that crashes isn't replaced: xdist would wait for ever at the end.
PYTEST := PYTHONDONTWRITEBYTECODE= $(PYTHON) -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder \
	--max-worker-restart 0

# Lint, types, import contracts and the fast tests.
test: lint
	$(PYTEST) -m "not slow" --junitxml=build/tests.xml

# The same with every test. `python -m tests.durations build/tests.xml` says where the time goes.
test-all: lint
	$(PYTEST) --junitxml=build/tests.xml

# The fast tests 20 times, every second time beside busy programs; STEADY="--late 300 --times 3" delays threads.
steady: setup
	@$(PYTHON) -m app.platform.qt_libraries offscreen
	$(PYTHON) -m tests.steady $(STEADY)

SCRIPTS := .ci/run $(wildcard packaging/*.sh packaging/*/*.sh)

lint: setup
	@$(PYTHON) -m app.platform.qt_libraries offscreen
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check
	$(PYTHON) -m mypy
	.venv/bin/lint-imports --no-logo
	@if command -v shellcheck >/dev/null; then shellcheck $(SCRIPTS); else echo "Without shellcheck: $(SCRIPTS)"; fi

bench: setup
	@$(PYTHON) -m app.platform.qt_libraries offscreen
	$(PYTHON) -m tests.bench

# The attacks of tests/faults in full, for hours; POINTS selects some, as pytest's -k does.
faults: setup
	@$(PYTHON) -m app.platform.qt_libraries offscreen
	SLUICE_FAULTS=full SLUICE_EXAMPLES=random $(PYTHON) -m pytest -o faulthandler_timeout=0 tests/faults -k "$(POINTS)"

# The tests that make up their own examples, with other ones each time.
examples: setup
	@$(PYTHON) -m app.platform.qt_libraries offscreen
	SLUICE_EXAMPLES=random $(PYTEST) -m hypothesis

# Ten minutes of a random user at the window, with other steps each day; SOAK_LANGUAGE=ko in Korean.
soak: setup
	@$(PYTHON) -m app.platform.qt_libraries offscreen
	SLUICE_SOAK_MINUTES=10 SLUICE_SOAK_SEED=$(shell date +%j)000 $(PYTHON) -m pytest -o faulthandler_timeout=0 \
		$(if $(filter ko,$(SOAK_LANGUAGE)),-p tests.languages.korean) tests/faults/test_soak.py

# Tests that take too long for each commit. A failure doesn't stop the others.
nightly:
	$(MAKE) --keep-going STEADY="--late 300 --times 3" test-all examples steady soak

# Those of README.md and docs, of the real program; then each state in every look, which is also checked.
pictures: setup
	@$(PYTHON) -m app.platform.qt_libraries offscreen
	$(PYTHON) -m tests.pictures
	$(PYTHON) -m tests.pictures --states --into build/pictures

# Whether anything is known against the versions in the locks.
audit: setup
	$(PYTHON) packaging/audit.py

app: setup
	packaging/app.sh

app-check: app
	packaging/app_check.sh

# A Debian package of the frozen program.
deb: app
	packaging/linux/deb.sh

# Checks, tests and builds what this system can build, then prints what a person has to do.
release: setup
	$(PYTHON) packaging/release.py
	$(MAKE) $(if $(filter Linux,$(shell uname -s)),deb,app)
	$(MAKE) test-all
	uv build --quiet --out-dir dist
	$(PYTHON) packaging/release.py --done

# All that a Mac can tell, as a report; MAC_CHECK has switches of the script, as "--only truth".
mac-check:
	packaging/mac_check.sh $(MAC_CHECK)

# All that needs an NVIDIA GPU, as a table; GPU_CHECK has switches of the script, as "--minutes 8".
gpu-check:
	packaging/gpu_check.sh $(GPU_CHECK)

lock:
	packaging/lock.sh

# The real model of tests/real, 93 MB to download, into the user's cache.
real-model: $(READY)
	packaging/real_model/build.sh

demo-models: $(READY)
	packaging/demo_models/build.sh
