"""A plugin for pytest: the program speaks Korean. It comes before the program."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app import i18n
from app.i18n import translation

LANGUAGES = Path(__file__).parents[2] / "resources" / "languages"

if translation.begin("ko", LANGUAGES) != "ko":
    raise FileNotFoundError("resources/languages/sluice_ko.qm is not there: make setup")


@pytest.fixture(autouse=True)
def is_korean() -> Iterator[None]:
    """To the end: a program that is built chooses its language anew."""
    yield
    assert i18n.current_language() == "ko"
