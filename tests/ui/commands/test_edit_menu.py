"""The head of the Edit menu does what the keys do, for whatever has the keyboard, and is grey where they would not."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QPlainTextEdit, QSpinBox, QTextBrowser, QWidget

from app.actions import FIXED
from app.actions.fixed import TEXT
from app.actions.keys import portable
from app.ui.commands.edit_menu import EDITS
from app.ui.shell.main_window import MainWindow
from app.words import tr
from tests.ui.desk import Desk, act, named
from tests.ui.program import Program

pytestmark = pytest.mark.in_korean

ALL = {name for name, *_ in EDITS.values()}


def menu(window: MainWindow) -> QMenu:
    return next(each for each in window.menuBar().findChildren(QMenu) if act(window, "undo") in each.actions())


def edit(window: MainWindow, name: str) -> QAction:
    return next(each for each in menu(window).actions() if each.objectName() == f"edit_{name}")


def offered(window: MainWindow) -> set[str]:
    """What can be chosen while the menu stands open."""
    menu(window).popup(window.mapToGlobal(window.rect().center()))
    there = {name for name in ALL if edit(window, name).isEnabled()}
    menu(window).close()
    return there


def opened(desk: Desk) -> MainWindow:
    window = desk.ready()
    window.activateWindow()
    QGuiApplication.clipboard().clear()
    return window


def test_the_menu_begins_with_what_every_program_has(desk: Desk) -> None:
    window = opened(desk)
    head = menu(window).actions()[:9]
    words = [each.text() for each in head if not each.isSeparator()]
    assert words == [tr(each) for each in ("Undo", "Redo", "Cut", "Copy", "Paste", "Select All")]
    assert [at for at, each in enumerate(head) if each.isSeparator()] == [2, 6, 8]
    fixed = {key for each in FIXED if each.where == TEXT for key in each.keys}
    assert {portable(each.shortcut()) for each in head if not each.isSeparator()} <= fixed


def test_a_field_offers_what_can_be_done_in_it(desk: Desk) -> None:
    window = opened(desk)
    prompt = named(window, QPlainTextEdit, "prompt")
    prompt.setFocus()
    assert offered(window) == set()
    QTest.keyClicks(prompt, "words")
    assert offered(window) == {"undo", "select_all"}
    edit(window, "select_all").trigger()
    assert offered(window) == {"undo", "select_all", "cut", "copy"}
    edit(window, "cut").trigger()
    assert (prompt.toPlainText(), QGuiApplication.clipboard().text()) == ("", "words")
    edit(window, "undo").trigger()
    assert prompt.toPlainText() == "words"
    assert "redo" in offered(window)
    edit(window, "redo").trigger()
    edit(window, "paste").trigger()
    edit(window, "paste").trigger()
    assert prompt.toPlainText() == "wordswords"


def test_its_keys_reach_what_can_only_be_read(desk: Desk) -> None:
    """A page takes no keys from the menu, as a field does: they have to be the menu's, and each there once."""
    window = opened(desk)
    desk.send(window, "hello")
    page = named(window, QTextBrowser, "transcript")
    page.setFocus()
    for name in ALL:
        keys = [each.toString() for each in edit(window, name).shortcuts()]
        assert len(keys) == len(set(keys)), name
    QTest.keyClick(page, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert page.textCursor().hasSelection()
    QTest.keyClick(page, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "hello" in QGuiApplication.clipboard().text()


@pytest.mark.parametrize("field", ["session_search", "max_tokens"])
def test_a_line_is_a_field_too(desk: Desk, field: str) -> None:
    window = opened(desk)
    widget = named(window, QWidget, field)
    widget.setFocus()
    line = widget if isinstance(widget, QLineEdit) else named(window, QSpinBox, field).lineEdit()
    line.setText("128")
    line.deselect()
    assert offered(window) == {"select_all"}
    edit(window, "select_all").trigger()
    edit(window, "copy").trigger()
    assert QGuiApplication.clipboard().text() == "128"


def test_a_page_that_is_read_is_only_copied(desk: Desk) -> None:
    window = opened(desk)
    desk.send(window, "hello")
    named(window, QWidget, "transcript").setFocus()
    assert offered(window) == {"select_all"}
    edit(window, "select_all").trigger()
    assert offered(window) == {"select_all", "copy"}
    edit(window, "copy").trigger()
    assert "hello" in QGuiApplication.clipboard().text()


def test_a_button_offers_nothing(desk: Desk) -> None:
    window = opened(desk)
    named(window, QWidget, "model_button").setFocus()
    assert offered(window) == set()
    edit(window, "paste").trigger()


def test_a_menu_bar_that_is_gone_through_by_keys_speaks_for_the_field_before(desk: Desk) -> None:
    window = opened(desk)
    prompt = named(window, QPlainTextEdit, "prompt")
    prompt.setFocus()
    QTest.keyClicks(prompt, "words")
    window.menuBar().setFocus()
    assert offered(window) == {"undo", "select_all"}
    edit(window, "undo").trigger()
    assert prompt.toPlainText() == ""


def test_a_session_that_was_deleted_comes_back_with_undo(program: Program) -> None:
    program.start()
    program.send("first")
    first = program.state.session
    program.act("new_session")
    program.send("second")
    program.select(first)
    program.column.list.setFocus()
    QTest.keyClick(program.column.list, Qt.Key.Key_Delete)
    program.until(lambda: first not in {each.id for each in program.listed()})
    assert "undo" in offered(program.window)
    edit(program.window, "undo").trigger()
    program.until(lambda: first in {each.id for each in program.listed()})
