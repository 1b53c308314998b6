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

from app.actions import BY_NAME, shown
from app.ui.commands.keys_sheet import NOT_CHANGEABLE, NOTHING, KeysSheet
from app.ui.commands.ranking import KeyRow
from app.ui.look.palette import DARK, LIGHT, Color
from app.ui.look.theme import Theme
from tests.ui.conftest import go_dark
from tests.ui.desk import named

Key, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier
NEW = KeyRow("new", "New Session", "File", ("Ctrl+N",), "Begin an empty page.")
OPEN = KeyRow("open_model", "Open Model…", "File", ("Ctrl+J", "Ctrl+L"), "Open a model.", changed=True)
BARE = KeyRow("bare", "Sweep Settings…", "Experiments", (), "Try any settings.")
SEND = KeyRow("", "Send", "Prompt", ("Return",))
ROWS = (NEW, OPEN, BARE, SEND)


TAKEN = "Ctrl+J is the shortcut of “Open Model…”."


class Changes(list[tuple[str, tuple[str, ...]]]):
    """The changes that the window asked for. Ctrl+J is refused."""

    def add(self, name: str, keys: tuple[str, ...]) -> str:
        self.append((name, keys))
        return TAKEN if keys[:1] == ("Ctrl+J",) and name != "open_model" else ""


@pytest.fixture
def changes() -> Changes:
    return Changes()


@pytest.fixture
def sheet(qtbot: QtBot, theme: Theme, changes: Changes) -> Iterator[KeysSheet]:
    behind = QWidget()
    behind.resize(1000, 700)
    qtbot.addWidget(behind)
    made = KeysSheet(theme, behind, changes.add, lambda: changes.append(("all", ())))
    made.show_rows(ROWS)
    made.open_fitted()
    yield made
    made.close()


def listed(sheet: KeysSheet) -> list[tuple[str, ...]]:
    model = sheet.tree.model()
    rows: list[tuple[str, ...]] = []
    for group in range(model.rowCount()):
        above = model.index(group, 0)
        rows.append((above.data(),))
        rows += [
            tuple(model.index(row, column, above).data() for column in range(3)) for row in range(model.rowCount(above))
        ]
    return rows


def test_sheet_lists_every_key_under_its_menu(sheet: KeysSheet) -> None:
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
def test_sheet_search_matches_words_and_keys(sheet: KeysSheet, typed: str, found: list[KeyRow]) -> None:
    named(sheet, QLineEdit, "shortcuts_search").setText(typed)
    assert [row[0] for row in listed(sheet) if len(row) > 1] == [row.text for row in found]
    assert sheet.tree.current == found[0]


def test_sheet_large_text_hides_the_state_column(sheet: KeysSheet, theme: Theme) -> None:
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


def test_sheet_without_a_match_says_so_and_disables_the_fields(sheet: KeysSheet) -> None:
    named(sheet, QLineEdit, "shortcuts_search").setText("nowhere")
    assert sheet.tree.current is None
    assert named(sheet, QLabel, "shortcut_words").text() == NOTHING
    assert not named(sheet, QKeySequenceEdit, "shortcut_first").isEnabled()


def test_sheet_pressed_keys_change_the_current_action(sheet: KeysSheet, changes: Changes) -> None:
    sheet.tree.select(OPEN)
    QTest.keyClick(named(sheet, QKeySequenceEdit, "shortcut_second"), Key.Key_Y, CONTROL)
    assert changes[-1] == ("open_model", ("Ctrl+J", "Ctrl+Y"))


def test_sheet_refused_keys_show_the_reason_and_the_previous_keys(sheet: KeysSheet) -> None:
    first = named(sheet, QKeySequenceEdit, "shortcut_first")
    QTest.keyClick(first, Key.Key_J, CONTROL)
    assert first.keySequence().toString() == "Ctrl+N"
    assert named(sheet, QLabel, "shortcut_words").text() == TAKEN
    sheet.tree.select(OPEN)
    assert named(sheet, QLabel, "shortcut_words").text() == "Open a model."


def test_sheet_removes_and_resets_keys(sheet: KeysSheet, changes: Changes) -> None:
    reset = named(sheet, QAbstractButton, "shortcut_reset")
    assert not reset.isEnabled()
    sheet.tree.select(OPEN)
    reset.click()
    named(sheet, QAbstractButton, "shortcut_remove").click()
    named(sheet, QAbstractButton, "shortcuts_reset_all").click()
    assert changes == [("open_model", BY_NAME["open_model"].shortcuts), ("open_model", ()), ("all", ())]
    sheet.show_rows((NEW, BARE))
    assert not named(sheet, QAbstractButton, "shortcuts_reset_all").isEnabled()


def test_sheet_fixed_key_is_read_only(sheet: KeysSheet) -> None:
    sheet.tree.select(SEND)
    assert named(sheet, QLabel, "shortcut_words").text() == NOT_CHANGEABLE
    assert not named(sheet, QKeySequenceEdit, "shortcut_first").isEnabled()
    group = sheet.tree.model().index(0, 0)
    sheet.tree.selectionModel().setCurrentIndex(group, QItemSelectionModel.SelectionFlag.NoUpdate)
    assert sheet.tree.current is None


def test_sheet_focus_moves_from_the_search_to_the_fields(qtbot: QtBot, sheet: KeysSheet) -> None:
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


def test_sheet_muted_rows_follow_the_theme(theme: Theme, sheet: KeysSheet) -> None:
    def muted() -> str:
        model = sheet.tree.model()
        return str(model.index(0, 1, model.index(0, 0)).data(Qt.ItemDataRole.ForegroundRole).color().name())

    assert muted() == LIGHT[Color.MUTED]
    sheet.tree.select(OPEN)
    go_dark(theme)
    assert muted() == DARK[Color.MUTED]
    assert sheet.tree.current == OPEN


def test_sheet_new_rows_keep_the_focus(qtbot: QtBot, sheet: KeysSheet) -> None:
    first = named(sheet, QKeySequenceEdit, "shortcut_first")
    first.setFocus()
    QTest.keyClick(first, Key.Key_Y, CONTROL)
    sheet.show_rows((KeyRow("new", "New Session", "File", ("Ctrl+Y",), changed=True), *ROWS[1:]))
    assert QApplication.focusWidget() in (first, *first.findChildren(QLineEdit))
    assert first.keySequence().toString() == "Ctrl+Y"
    spoken = sheet.tree.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == f"New Session, {shown(('Ctrl+Y',))}, changed"
