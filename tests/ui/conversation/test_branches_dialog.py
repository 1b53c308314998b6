"""The tree of branches, indented where the conversation forks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.ui.conversation.branches_dialog import BranchRow, BranchTree, Node, arrange
from app.ui.look.theme import Theme

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
def tree(qtbot: QtBot, theme: Theme) -> BranchTree:
    made = BranchTree(theme)
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


def test_tree_when_filled_selects_the_last_shown_turn(tree: BranchTree) -> None:
    assert tree.current == 5
    index = tree.currentIndex()
    assert index.data() == "● Model: Hey"
    assert index.siblingAtColumn(1).data() == ROWS[4].fork
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == f"Model: Hey, {ROWS[4].fork}, shown"


def test_tree_by_keyboard_emits_the_branch(qtbot: QtBot, tree: BranchTree) -> None:
    with qtbot.waitSignal(tree.selection_changed) as selected:
        QTest.keyClick(tree, Qt.Key.Key_Up)
    assert selected.args == [4]
    with qtbot.waitSignal(tree.chosen) as chosen:
        QTest.keyClick(tree, Qt.Key.Key_Return)
    assert chosen.args == [4]
    tree.show_rows(ROWS[:4])
    assert tree.current == 4, "the selection stays"
