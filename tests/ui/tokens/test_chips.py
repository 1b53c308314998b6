from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.engine.types import ExactPrompt
from app.ui.look.theme import Theme
from app.ui.tokens.chips import TokenChips
from app.ui.widgets import Announcer
from tests.ui.tokens.answers import prompt_of

WORDS = [f"word{number} " for number in range(12)]


@pytest.fixture
def chips(qtbot: QtBot, theme: Theme) -> TokenChips:
    made = TokenChips(theme, "some", "Some text")
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show()
    return made


def test_arcs_go_from_the_last_token_to_the_linked_ones(qtbot: QtBot, chips: TokenChips) -> None:
    chips.show_prompt(prompt_of(WORDS))
    qtbot.waitUntil(lambda: chips.laid_out)
    plain = chips.grab().toImage()
    chips.show_links({2: 1.0})
    linked = chips.grab().toImage()
    left, right = sorted(chips._top_of(at).x() for at in (2, 11))
    tops = sorted(chips._top_of(at).y() for at in (2, 11))
    places = product(range(linked.width()), range(linked.height()))
    changed = [place for place in places if plain.pixel(*place) != linked.pixel(*place)]
    assert changed
    assert min(x for x, _ in changed) >= left - 3 and max(x for x, _ in changed) <= right + 3
    assert tops[0] - chips._line_height() <= min(y for _, y in changed) <= tops[0]
    assert abs(max(y for _, y in changed) - tops[1]) <= 3
    chips.show_prompt(prompt_of(WORDS[:-1]))
    chips.show_prompt(prompt_of(WORDS))
    qtbot.waitUntil(lambda: chips.laid_out)
    assert chips.grab().toImage() == plain


def test_token_at_the_keyboard_is_announced(qtbot: QtBot, chips: TokenChips, monkeypatch: pytest.MonkeyPatch) -> None:
    said = list[str]()
    monkeypatch.setattr(Announcer, "say", lambda self, words, urgent=False: said.append(words))
    QTest.keyClick(chips, Qt.Key.Key_Right)
    assert not said, "there is nothing yet"
    chips.show_prompt(prompt_of(WORDS))
    qtbot.waitUntil(lambda: chips.laid_out)
    QTest.keyClick(chips, Qt.Key.Key_Right)
    QTest.keyClick(chips, Qt.Key.Key_Right)
    chips.reveal(5)
    assert said == [chips.describe(0), chips.describe(1)], "who brings one in sight says what it is"


def test_chips_without_tokens_ignore_keys(qtbot: QtBot, chips: TokenChips) -> None:
    chips.show_prompt(ExactPrompt("A server's", (), (), ()))
    with qtbot.assertNotEmitted(chips.pointed):
        QTest.keyClick(chips, Qt.Key.Key_Right)
