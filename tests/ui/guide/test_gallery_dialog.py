"""The gallery's window: cards that can be pressed when something can be tried."""

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.guide.gallery_dialog import Gallery
from app.ui.guide.gallery_items import Item
from app.ui.guide.try_hint import TryHint
from app.ui.look.theme import Theme

EXHIBITS = ((Item("one", "First", "Look.", "Say one"), "Sets: a."), (Item("two", "Second", "Start it."), ""))


@pytest.fixture
def gallery(qtbot: QtBot, theme: Theme) -> Gallery:
    made = Gallery(theme, EXHIBITS)
    qtbot.addWidget(made)
    made.show()
    return made


def button(gallery: Gallery, name: str) -> QPushButton:
    made = gallery.findChild(QPushButton, name)
    assert made is not None
    return made


def test_a_card_is_used_by_its_number_and_the_window_goes(gallery: Gallery, qtbot: QtBot) -> None:
    gallery.allow(True)
    with qtbot.waitSignal(gallery.used) as told:
        button(gallery, "use_two").click()
    assert told.args == [1]
    assert not gallery.isVisible()


def test_a_card_says_whether_it_fills_in_or_opens(gallery: Gallery) -> None:
    assert (button(gallery, "use_one").text(), button(gallery, "use_two").text()) == ("Use", "Open")
    assert button(gallery, "use_one").accessibleName() == "Use: First"
    texts = [label.text() for label in gallery.findChildren(QLabel)]
    assert {"First", "“Say one”", "Look.", "Sets: a.", "Start it."} <= set(texts)


def test_nothing_can_be_tried_without_a_model(gallery: Gallery) -> None:
    assert not button(gallery, "use_one").isEnabled()
    words = gallery.findChild(QLabel, "gallery_words")
    assert words is not None
    assert "when a model is open" in words.text()


def test_the_hint_says_what_was_set_and_takes_it_back(qtbot: QtBot, theme: Theme) -> None:
    hint = TryHint(theme)
    qtbot.addWidget(hint)
    hint.show_words("Sets: a.")
    assert hint.isVisible()
    undo = hint.findChild(QPushButton, "try_undo")
    assert undo is not None
    with qtbot.waitSignal(hint.undone):
        undo.click()
    close = hint.findChild(QPushButton, "try_close")
    assert close is not None
    with qtbot.waitSignal(hint.left):
        close.click()
