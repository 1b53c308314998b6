import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu, QPlainTextEdit, QPushButton, QSpinBox, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from app.actions import FIXED
from app.actions.keys import TEXT, portable
from app.i18n import tr
from app.ui.commands.menus import EDITS, Key, abilities
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, named
from tests.ui.program import Program

pytestmark = pytest.mark.in_korean

ALL = {name for name, *_ in EDITS.values()}


def menu(window: MainWindow) -> QMenu:
    return next(each for each in window.menuBar().findChildren(QMenu) if act(window, "undo") in each.actions())


def edit(window: MainWindow, name: str) -> QAction:
    return next(each for each in menu(window).actions() if each.objectName() == f"edit_{name}")


def offered(window: MainWindow) -> set[str]:
    """The enabled commands while the menu is open."""
    menu(window).popup(window.mapToGlobal(window.rect().center()))
    there = {name for name in ALL if edit(window, name).isEnabled()}
    menu(window).close()
    return there


def opened(desk: Desk) -> MainWindow:
    window = desk.ready()
    window.activateWindow()
    QGuiApplication.clipboard().clear()
    return window


@pytest.mark.slow
def test_edit_menu_commands_follow_the_prompt(desk: Desk) -> None:
    window = opened(desk)
    head = menu(window).actions()[:9]
    words = [each.text() for each in head if not each.isSeparator()]
    assert words == [tr(each) for each in ("Undo", "Redo", "Cut", "Copy", "Paste", "Select All")]
    assert [at for at, each in enumerate(head) if each.isSeparator()] == [2, 6, 8]
    fixed = {key for each in FIXED if each.where == TEXT for key in each.keys}
    assert {portable(each.shortcut()) for each in head if not each.isSeparator()} <= fixed
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
    window.menuBar().setFocus()
    assert "undo" in offered(window), "the focus is in the menu bar: the commands are for the field before"
    edit(window, "undo").trigger()
    assert prompt.toPlainText() == "words"


@pytest.mark.parametrize("kind", [QLineEdit, QSpinBox])
def test_edit_menu_of_a_field_follows_its_selection(qtbot: QtBot, kind: type[QLineEdit | QSpinBox]) -> None:
    field = kind()
    qtbot.addWidget(field)
    QGuiApplication.clipboard().clear()
    line = field if isinstance(field, QLineEdit) else field.lineEdit()
    line.setText("99")
    line.deselect()
    assert abilities(field) == {Key.SelectAll}
    line.selectAll()
    assert abilities(field) == {Key.SelectAll, Key.Copy, Key.Cut}
    assert abilities(QPushButton()) == set()


def test_edit_menu_copies_from_a_read_only_page(desk: Desk) -> None:
    window = opened(desk)
    desk.send(window, "hello")
    page = named(window, QTextBrowser, "transcript")
    page.setFocus()
    assert offered(window) == {"select_all"}
    edit(window, "select_all").trigger()
    assert offered(window) == {"select_all", "copy"}
    edit(window, "copy").trigger()
    assert "hello" in QGuiApplication.clipboard().text()
    QGuiApplication.clipboard().clear()
    page.moveCursor(page.textCursor().MoveOperation.End)
    for name in ALL:
        keys = [each.toString() for each in edit(window, name).shortcuts()]
        assert len(keys) == len(set(keys)), name
    QTest.keyClick(page, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert page.textCursor().hasSelection()
    QTest.keyClick(page, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "hello" in QGuiApplication.clipboard().text()


@pytest.mark.slow
def test_edit_menu_undo_restores_a_deleted_session(program: Program) -> None:
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


def listed(window: MainWindow) -> list[QAction]:
    """The entries below the actions, when the menu is open."""
    menu = next(each for each in window.menuBar().findChildren(QMenu) if act(window, "minimise") in each.actions())
    menu.aboutToShow.emit()
    acts = menu.actions()
    return acts[next(at for at, each in enumerate(acts) if each.isSeparator()) + 1 :]


@pytest.mark.slow
def test_window_menu_lists_windows_and_raises_the_chosen_one(desk: Desk) -> None:
    window = desk.ready()
    window.activateWindow()
    desk.send(window, "salt & pepper [*]")
    desk.qtbot.waitUntil(lambda: "salt" in window.windowTitle())
    assert [(each.text(), each.isChecked()) for each in listed(window)] == [("salt && pepper [*] — echo", True)]
    act(window, "show_runs").trigger()
    runs = named(window, QWidget, "runs_window")
    desk.qtbot.waitUntil(runs.isActiveWindow)
    assert {each.text(): each.isChecked() for each in listed(window)} == {
        "salt && pepper [*] — echo": False,
        runs.windowTitle(): True,
    }
    window.showMinimized()
    next(each for each in listed(window) if not each.isChecked()).trigger()
    desk.qtbot.waitUntil(window.isActiveWindow)
    assert not window.isMinimized()
    runs.close()
    assert len(listed(window)) == 1
