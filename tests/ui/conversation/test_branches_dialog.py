"""The tree of branches: it goes to the right where the conversation parts, and tells what is in sight."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.records.comparison import word_diff
from app.ui.conversation.branches_dialog import BranchesDialog
from app.ui.conversation.branches_tree import BranchRow, Node, arrange
from app.ui.look.theme import Theme
from tests.ui.conftest import go_dark

ROWS = (
    BranchRow(1, 0, "You", "Hello", shown=True),
    BranchRow(2, 1, "Model", "Hi", shown=False),
    BranchRow(3, 2, "You", "More"),
    BranchRow(4, 3, "Model", "No"),
    BranchRow(5, 1, "Model", "Hey", "at token 1: “Hey” instead of “Hi”", shown=True),
)
Shape = list[tuple[int, "Shape"]]


def shape(nodes: list[Node]) -> Shape:
    return [(node.row.number, shape(node.below)) for node in nodes]


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> BranchesDialog:
    made = BranchesDialog(theme)
    qtbot.addWidget(made)
    made.show_rows(ROWS)
    made.show()
    return made


def test_arrange_indents_only_forks() -> None:
    assert shape(arrange(ROWS)) == [(1, [(2, [(3, []), (4, [])]), (5, [])])]
    assert shape(arrange(ROWS[:4])) == [(1, []), (2, []), (3, []), (4, [])]
    beginnings = (ROWS[0], BranchRow(6, 0, "You", "Another page"))
    assert shape(arrange(beginnings)) == [(1, []), (6, [])]
    assert arrange(()) == []


def test_dialog_when_filled_selects_the_last_shown_turn(dialog: BranchesDialog) -> None:
    tree = dialog.tree
    assert tree.current == 5
    index = tree.currentIndex()
    assert index.data() == "● Model: Hey"
    assert index.siblingAtColumn(1).data() == ROWS[4].fork
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == f"Model: Hey, {ROWS[4].fork}, shown"


def test_dialog_by_keyboard_and_button_emits_the_branch(qtbot: QtBot, dialog: BranchesDialog) -> None:
    show = dialog.findChild(QPushButton, "branches_show")
    assert show is not None and not show.isEnabled(), "it is in sight already"
    dialog.tree.setFocus()
    with qtbot.waitSignal(dialog.selection_changed) as selected:
        QTest.keyClick(dialog.tree, Qt.Key.Key_Up)
    assert selected.args == [4]
    with qtbot.waitSignal(dialog.chosen) as chosen:
        QTest.keyClick(dialog.tree, Qt.Key.Key_Return)
    assert chosen.args == [4]
    with qtbot.waitSignal(dialog.chosen):
        show.click()
    dialog.show_rows(ROWS, allowed=False)
    assert dialog.tree.current == 4, "what was selected stays so"
    assert not show.isEnabled()


def test_dialog_shows_the_diff_below_the_tree(dialog: BranchesDialog, theme: Theme) -> None:
    diff = dialog.findChild(QPlainTextEdit, "branches_diff")
    assert diff is not None
    dialog.show_difference(None)
    assert diff.toPlainText().startswith("Select a turn")
    dialog.show_difference(word_diff("I say no.", "I say yes."))
    assert diff.toPlainText() == "I say noyes."
    go_dark(theme)
    assert diff.toPlainText() == "I say noyes."
