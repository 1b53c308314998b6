"""English and Korean are complete: no text stands outside of `tr`, none is untranslated, none is clipped."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import PROJECT
from tests.languages.unsaid import unsaid

TEXTS = PROJECT / "resources" / "languages" / "sluice_ko.ts"
PLACE = re.compile(r"\{\w+[^{}]*\}|%n|\n")
HANGUL = re.compile(r"[가-힣]")
VALUE = re.compile(r"\{[^{}]*\}|%n")
A_WORD = re.compile(r"[A-Za-z]{2,}(?<!MM)(?<!yy)(?<!mm)(?<!dd)(?<!HH)")
"""Patterns of dates are none."""
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


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[ElementTree.Element]:
    """Every text of the code as it stands now, with what the translators wrote."""
    now = shutil.copy(TEXTS, tmp_path_factory.mktemp("languages"))
    sources = [str(each) for each in sorted((PROJECT / "app").rglob("*.py"))]
    update = [str(Path(sys.executable).with_name("pyside6-lupdate")), *sources, "-ts", str(now), "-locations", "none"]
    subprocess.run(update, check=True, capture_output=True)
    return list(ElementTree.parse(now).iter("message"))


def source(message: ElementTree.Element) -> str:
    return message.findtext("source", "")


def translations(message: ElementTree.Element) -> list[str]:
    made = message.find("translation")
    assert made is not None
    return [form.text or "" for form in made.iter("numerusform")] or [made.text or ""]


def state(message: ElementTree.Element) -> str | None:
    made = message.find("translation")
    return made.get("type") if made is not None else None


def test_korean_file_has_exactly_the_texts_of_the_code(messages: list[ElementTree.Element]) -> None:
    assert len(messages) > 1_000
    assert [source(each) for each in messages if state(each) == "unfinished"] == [], "make languages, then translate"
    assert [source(each) for each in messages if state(each) in ("obsolete", "vanished")] == [], "make languages"
    assert [source(each) for each in messages if not all(translations(each))] == []


def test_translations_have_the_placeholders_of_their_sources(messages: list[ElementTree.Element]) -> None:
    wrong = [
        (source(each), made)
        for each in messages
        for made in translations(each)
        if Counter(PLACE.findall(source(each))) != Counter(PLACE.findall(made))
    ]
    assert wrong == []


def test_translations_of_texts_with_words_are_korean(messages: list[ElementTree.Element]) -> None:
    """Names and signs stay; a sentence that was left as it is would not."""
    left = [
        source(each)
        for each in messages
        if len(A_WORD.findall(VALUE.sub(" ", source(each)))) > 2 and not any(map(HANGUL.search, translations(each)))
    ]
    assert left == []
