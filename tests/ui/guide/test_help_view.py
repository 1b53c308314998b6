"""The help page: its contents, its search, and links, which are only emitted."""

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QTextBrowser
from pytestqt.qtbot import QtBot

from app.ui.guide.help_view import HelpView
from app.ui.look.theme import Theme
from tests.ui.conftest import go_dark
from tests.ui.desk import named

LONG = "<p>filling</p>" * 60
PAGE = f'<h1>Help</h1><h2 id="one">One</h2>{LONG}<h2 id="two">Two</h2><p>a Needle</p>{LONG}<p>a needle again</p>'


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> HelpView:
    made = HelpView(theme)
    qtbot.addWidget(made)
    made.show_page(PAGE)
    made.show()
    return made


def contents(view: HelpView) -> QListWidget:
    return named(view, QListWidget, "help_contents")


def page(view: HelpView) -> QTextBrowser:
    return named(view, QTextBrowser, "help_page")


def test_section_is_scrolled_to_and_announced(view: HelpView) -> None:
    assert [contents(view).item(row).text() for row in range(contents(view).count())] == ["One", "Two"]
    assert contents(view).currentRow() == 0
    contents(view).setCurrentRow(1)
    top = page(view).cursorForPosition(page(view).viewport().rect().topLeft())
    assert top.block().text() in ("Two", "filling")
    assert page(view).verticalScrollBar().value() > 0
    page(view).verticalScrollBar().setValue(0)
    assert contents(view).currentRow() == 0


def test_search_selects_the_next_match(view: HelpView) -> None:
    line = named(view, QLineEdit, "help_search")
    line.setText("needle")
    assert named(view, QLabel, "help_found").text() == "1 of 2"
    QTest.keyClicks(line, "\r")
    assert page(view).textCursor().selectedText() == "needle"


def test_external_link_is_only_emitted(view: HelpView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.link_requested) as told:
        page(view).anchorClicked.emit(QUrl("https://sluice.example/issues"))
    assert told.args == ["https://sluice.example/issues"]
    with qtbot.assertNotEmitted(view.link_requested):
        page(view).anchorClicked.emit(QUrl("#two"))
    assert page(view).verticalScrollBar().value() > 0


def test_changed_theme_keeps_the_section(view: HelpView, theme: Theme) -> None:
    contents(view).setCurrentRow(1)
    go_dark(theme)
    assert contents(view).currentRow() == 1
