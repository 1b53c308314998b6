from collections.abc import Iterator

import pytest

from app import i18n
from app.i18n import tr


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    i18n.set_translator(None)


def test_tr_untranslated_returns_the_text() -> None:
    assert tr("Send") == "Send"
    assert tr("Open", "a verb") == "Open"


@pytest.mark.parametrize(("n", "said"), [(0, "0 runs"), (1, "1 run"), (2, "2 runs"), (12_345, "12,345 runs")])
def test_tr_count_has_its_singular(n: int, said: str) -> None:
    assert tr("%n runs", "%n run", n) == said


def test_tr_asks_the_translator_for_every_text() -> None:
    i18n.set_translator(lambda text, comment, n: f"<{text}|{comment}|{n}>")
    assert tr("Send") == "<Send||-1>"
    assert tr("{n} runs", "one", 3) == "<{n} runs|one|3>"


def test_tr_unknown_to_the_translator_is_english() -> None:
    i18n.set_translator(lambda text, comment, n: "")
    assert tr("Send") == "Send"
    assert tr("%n runs", "%n run", 1) == "1 run"
