"""Rows, columns and grids of widgets."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSpacerItem, QWidget
from pytestqt.qtbot import QtBot

from app.ui.look.theme import GAP_PX
from app.ui.widgets.labels import plain_label
from app.ui.widgets.rows import in_grid, in_row, split


def test_what_stands_in_a_row_and_how_much_room_it_has(qtbot: QtBot) -> None:
    window, first, second = QWidget(), QLabel("first"), QLabel("second")
    qtbot.addWidget(window)
    row = in_row(first, ..., (second, 2), 7, on=window, margins=(1, 2, 3, 4))
    assert window.layout() is row
    assert [row.stretch(place) for place in range(row.count())] == [0, 1, 2, 0]
    assert (row.spacing(), row.contentsMargins().left(), row.contentsMargins().bottom()) == (GAP_PX, 1, 4)
    room = row.itemAt(3)
    assert isinstance(room, QSpacerItem)
    assert room.sizeHint().width() == 7
    assert first.parentWidget() is window


def place_in(grid: QGridLayout, widget: QWidget) -> tuple[int, int, int, int]:
    found = grid.getItemPosition(grid.indexOf(widget))
    assert isinstance(found, tuple)
    return found


def test_what_stands_alone_in_a_grid_is_as_wide_as_all(qtbot: QtBot) -> None:
    window, parts = QWidget(), [QLabel(f"{number}") for number in range(4)]
    qtbot.addWidget(window)
    grid = in_grid([parts[0], (parts[1], Qt.AlignmentFlag.AlignTop)], parts[2], [None, parts[3]], on=window, tall=1)
    assert [place_in(grid, part) for part in parts] == [(0, 0, 1, 1), (0, 1, 1, 1), (1, 0, 1, 2), (2, 1, 1, 1)]
    assert (grid.columnStretch(0), grid.columnStretch(1), grid.rowStretch(1)) == (1, 0, 1)


def test_a_border_that_can_be_moved_never_hides_a_part(qtbot: QtBot) -> None:
    halves = split(Qt.Orientation.Vertical, QLabel("a"), QLabel("b"), (10, 20), "halves")
    qtbot.addWidget(halves)
    assert (halves.objectName(), halves.count(), halves.childrenCollapsible()) == ("halves", 2, False)


def test_a_label_takes_no_markup(qtbot: QtBot) -> None:
    label = plain_label("words", "<b>A & B</b>", spoken="Words: A", selectable=True)
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert (label.objectName(), label.accessibleName()) == ("words", "Words: A")
    assert label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
