"""The sheet of shortcuts: all are listed and found, those of actions are pressed anew, a refusal changes nothing."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QStyleOptionViewItem,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.actions import shown
from app.ui.commands.keys_sheet import NOT_CHANGEABLE, NOTHING, KeysSheet
from app.ui.commands.ranking import KeyRow
from app.ui.look.palette import DARK, LIGHT, Colour
from app.ui.look.theme import Theme
from tests.ui.conftest import go_dark
from tests.ui.desk import named

Key, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier
NEW = KeyRow("new", "New Session", "File", ("Ctrl+N",), "Begin an empty page.")
OPEN = KeyRow("open", "Open Model…", "File", ("Ctrl+J", "Ctrl+L"), "Open a model.", changed=True)
BARE = KeyRow("bare", "Sweep Settings…", "Experiments", (), "Try any settings.")
SEND = KeyRow("", "Send", "Prompt", ("Return",))
ROWS = (NEW, OPEN, BARE, SEND)


@pytest.fixture
def sheet(qtbot: QtBot, theme: Theme) -> Iterator[KeysSheet]:
    behind = QWidget()
    behind.resize(1000, 700)
    qtbot.addWidget(behind)
    made = KeysSheet(theme, behind)
    made.show_rows(ROWS)
    made.open_fitted()
    yield made
    made.close()


def listed(sheet: KeysSheet) -> list[tuple[str, ...]]:
    """The rows as they are read, under their groups."""
    model = sheet.tree.model()
    rows: list[tuple[str, ...]] = []
    for group in range(model.rowCount()):
        above = model.index(group, 0)
        rows.append((above.data(),))
        rows += [
            tuple(model.index(row, column, above).data() for column in range(3)) for row in range(model.rowCount(above))
        ]
    return rows


def test_every_key_is_listed_under_its_menu(sheet: KeysSheet) -> None:
    assert listed(sheet) == [
        ("File",),
        ("New Session", shown(("Ctrl+N",)), ""),
        ("Open Model…", shown(("Ctrl+J", "Ctrl+L")), "changed"),
        ("Experiments",),
        ("Sweep Settings…", "", ""),
        ("Prompt",),
        ("Send", shown(("Return",)), "fixed"),
    ]
    assert sheet.tree.current == NEW


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("session", [NEW]),
        ("FILE", [NEW, OPEN]),
        ("ctrl+l", [OPEN]),
        ("prompt", [SEND]),
        ("file new", [NEW]),
        ("x", [BARE]),
    ],
)
def test_what_is_sought_is_found_by_words_and_by_keys(sheet: KeysSheet, typed: str, found: list[KeyRow]) -> None:
    named(sheet, QLineEdit, "shortcuts_search").setText(typed)
    assert [row[0] for row in listed(sheet) if len(row) > 1] == [row.text for row in found]
    assert sheet.tree.current == found[0]


def test_in_large_text_the_state_steps_aside_for_the_names(sheet: KeysSheet, theme: Theme) -> None:
    long = replace(NEW, text="Copy Session as Markdown")
    tree, cell = sheet.tree, QStyleOptionViewItem()
    tree.initViewItemOption(cell)
    for percent, aside in ((100, False), (200, True), (100, False)):
        theme.resize(percent)
        sheet.show_rows((long, OPEN, SEND))
        QApplication.processEvents()
        assert tree.isColumnHidden(2) is aside
        index = tree.currentIndex()
        assert tree.itemDelegate().sizeHint(cell, index).width() <= tree.visualRect(index).width()
        assert sum(tree.columnWidth(column) for column in range(3)) == tree.viewport().width()


def test_nothing_found_is_said_and_nothing_can_be_pressed(sheet: KeysSheet) -> None:
    named(sheet, QLineEdit, "shortcuts_search").setText("nowhere")
    assert sheet.tree.current is None
    assert named(sheet, QLabel, "shortcut_words").text() == NOTHING
    assert not named(sheet, QKeySequenceEdit, "shortcut_first").isEnabled()


def test_pressed_keys_are_wanted_for_the_current_action(qtbot: QtBot, sheet: KeysSheet) -> None:
    sheet.tree.select(OPEN)
    second = named(sheet, QKeySequenceEdit, "shortcut_second")
    with qtbot.waitSignal(sheet.keys_wanted) as wanted:
        QTest.keyClick(second, Key.Key_Y, CONTROL)
    name, first, other = wanted.args
    assert (name, first.toString(), other.toString()) == ("open", "Ctrl+J", "Ctrl+Y")


def test_a_refusal_is_said_and_puts_back_what_was_there(qtbot: QtBot, sheet: KeysSheet) -> None:
    first = named(sheet, QKeySequenceEdit, "shortcut_first")
    QTest.keyClick(first, Key.Key_J, CONTROL)
    sheet.refuse("Ctrl+J is the shortcut of “Open Model…”.")
    assert first.keySequence().toString() == "Ctrl+N"
    assert named(sheet, QLabel, "shortcut_words").text() == "Ctrl+J is the shortcut of “Open Model…”."
    sheet.tree.select(OPEN)
    assert named(sheet, QLabel, "shortcut_words").text() == "Open a model."


def test_keys_are_removed_and_reset(qtbot: QtBot, sheet: KeysSheet) -> None:
    reset = named(sheet, QAbstractButton, "shortcut_reset")
    assert not reset.isEnabled()
    sheet.tree.select(OPEN)
    with qtbot.waitSignal(sheet.reset_wanted) as one:
        reset.click()
    assert one.args == ["open"]
    with qtbot.waitSignal(sheet.keys_wanted) as wanted:
        named(sheet, QAbstractButton, "shortcut_remove").click()
    assert [wanted.args[0], wanted.args[1].isEmpty(), wanted.args[2].isEmpty()] == ["open", True, True]
    with qtbot.waitSignal(sheet.reset_all_wanted):
        named(sheet, QAbstractButton, "shortcuts_reset_all").click()
    sheet.show_rows((NEW, BARE))
    assert not named(sheet, QAbstractButton, "shortcuts_reset_all").isEnabled()


def test_a_fixed_key_can_be_read_but_not_be_changed(sheet: KeysSheet) -> None:
    sheet.tree.select(SEND)
    assert named(sheet, QLabel, "shortcut_words").text() == NOT_CHANGEABLE
    assert not named(sheet, QKeySequenceEdit, "shortcut_first").isEnabled()
    group = sheet.tree.model().index(0, 0)
    sheet.tree.selectionModel().setCurrentIndex(group, QItemSelectionModel.SelectionFlag.NoUpdate)
    assert sheet.tree.current is None


def test_the_keyboard_goes_from_the_search_to_the_fields(qtbot: QtBot, sheet: KeysSheet) -> None:
    search = named(sheet, QLineEdit, "shortcuts_search")
    qtbot.waitUntil(search.hasFocus)
    QTest.keyClick(search, Key.Key_Return)
    assert sheet.isVisible()
    QTest.keyClick(search, Key.Key_Down)
    assert sheet.tree.hasFocus()
    QTest.keyClick(sheet.tree, Key.Key_Tab)
    first = named(sheet, QKeySequenceEdit, "shortcut_first")
    assert QApplication.focusWidget() in (first, *first.findChildren(QLineEdit))
    QTest.keyClick(first, Key.Key_Tab)
    assert QApplication.focusWidget() not in (first, *first.findChildren(QLineEdit)), "Tab is no trap"
    QTest.keyClick(search, Key.Key_Escape)
    assert not sheet.isVisible()


def test_what_is_muted_follows_the_theme(theme: Theme, sheet: KeysSheet) -> None:
    def muted() -> str:
        model = sheet.tree.model()
        return str(model.index(0, 1, model.index(0, 0)).data(Qt.ItemDataRole.ForegroundRole).color().name())

    assert muted() == LIGHT[Colour.MUTED]
    sheet.tree.select(OPEN)
    go_dark(theme)
    assert muted() == DARK[Colour.MUTED]
    assert sheet.tree.current == OPEN
    sheet.close()
    theme.prefer(Qt.ColorScheme.Light)
    assert muted() == DARK[Colour.MUTED], "put in anew when it is seen, not before"
    sheet.open_fitted()
    assert muted() == LIGHT[Colour.MUTED]
    assert sheet.tree.current == OPEN


def test_rows_that_change_leave_the_keyboard_where_it_is(qtbot: QtBot, sheet: KeysSheet) -> None:
    first = named(sheet, QKeySequenceEdit, "shortcut_first")
    first.setFocus()
    QTest.keyClick(first, Key.Key_Y, CONTROL)
    sheet.show_rows((KeyRow("new", "New Session", "File", ("Ctrl+Y",), changed=True), *ROWS[1:]))
    assert QApplication.focusWidget() in (first, *first.findChildren(QLineEdit))
    assert first.keySequence().toString() == "Ctrl+Y"
    spoken = sheet.tree.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == f"New Session, {shown(('Ctrl+Y',))}, changed"
