import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import PROJECT

TEXTS = PROJECT / "resources" / "languages" / "sluice_ko.ts"
PLACE = re.compile(r"\{\w+[^{}]*\}|%n|\n")
HANGUL = re.compile(r"[가-힣]")
VALUE = re.compile(r"\{[^{}]*\}|%n")
A_WORD = re.compile(r"[A-Za-z]{2,}(?<!MM)(?<!yy)(?<!mm)(?<!dd)(?<!HH)")
"""Patterns of dates are none."""


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
