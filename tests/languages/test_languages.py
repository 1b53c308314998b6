"""English and Korean are complete: no text stands outside of `tr`, none is untranslated, none is clipped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.languages.unsaid import unsaid

TEXTS = PROJECT / "resources" / "languages" / "sluice_ko.ts"
ENGLISH = {
    "cli/*.py": "the command line",
    "platform/licenses.py": "what packages call their licenses",
    "quantization/choice.py": "a card that goes with the model",
    "serving/proxy.py": "answers to programs",
    "evaluation/known_tests.py": "prompts: models read English",
    "experiments/questions/*.py": "prompts: models read English",
    "experiments/types.py": "a prompt",
    "experiments/pace.py": "a unit by its name",
    "experiments/metrics.py": "a unit by its name",
    "__main__.py": "printed before the language is known",
    "engine/templates/arguments.py": "a pattern",
    "engine/echo/script.py": "the scripted engine's answers",
    "engine/mlx/failures.py": "what libraries say",
    "engine/mlx/loading/import_check.py": "the self-test's report",
    "engine/remote/failures.py": "what libraries say",
    "engine/script/*.py": "Python",
    "engine/templates/template.py": "an error's detail",
    "engine/tools.py": "tools for models: they read English",
    "lessons/planning.py": "an error in the program",
    "library/download_queue.py": "a thread's name",
    "perplexity/cache_measuring.py": "a fact for models: they read English",
    "records/*.py": "SQL, and the columns that exported files explain",
    "records/schema.py": "SQL",
    "selftest.py": "the self-test's report",
    "serving/checks.py": "answers to programs",
    "ui/document/code_colors.py": "key words of languages",
    "ui/runs/table.py": "a measure of a column's width",
    "ui/settings/*.py": "threads' names",
    "ui/study_window.py": "a prompt for the demo model",
    "ui/shell/application.py": "what Qt says, and the system's list of those that keep it awake",
}
"""Where what reads like a sentence is for no one to translate, and why."""


@pytest.mark.slow
def test_sentences_of_the_code_are_inside_tr() -> None:
    app = PROJECT / "app"
    excused = {file for pattern in ENGLISH for file in app.glob(pattern)}
    found = {file: list(unsaid(file)) for file in sorted(app.rglob("*.py"))}
    assert [f"{file}:{text}" for file, texts in found.items() if file not in excused for text in texts] == []
    idle = [pattern for pattern in ENGLISH if not any(found.get(file) for file in app.glob(pattern))]
    assert idle == [], "these have nothing to be excused any more"


@pytest.mark.slow
@pytest.mark.parametrize("plugin", ["tests.languages.marking", "tests.languages.korean"])
def test_whole_window_in_a_language_is_translated_and_not_clipped(plugin: str, compiled: None) -> None:
    walk = PROJECT / "tests" / "languages" / "walk.py"
    command = [sys.executable, "-m", "pytest", "-vv", "-p", plugin, str(walk)]
    done = subprocess.run(
        command, cwd=PROJECT, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": "."}
    )
    assert done.returncode == 0, "\n".join(line for line in done.stdout.splitlines() if line.startswith("E"))


@pytest.fixture(scope="module")
def compiled() -> None:
    """What `make setup` makes of the translators' file."""
    release = Path(sys.executable).with_name("pyside6-lrelease")
    made = TEXTS.with_suffix(".qm")
    if not made.is_file() or made.stat().st_mtime < TEXTS.stat().st_mtime:
        subprocess.run([release, "-silent", TEXTS, "-qm", made], check=True)
