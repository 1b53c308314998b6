"""Rows and columns of widgets: what stands in them, in what order, and how far apart."""

from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.ui.look import GAP_PX
from app.ui.widgets.naming import named

Part = QWidget | QLayout | int | EllipsisType | tuple[QWidget | QLayout, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""A number is so many pixels of room, `...` all the room there is; a pair says how much of that a part has."""
Cell = QWidget | QLayout | tuple[QWidget, Qt.AlignmentFlag] | None
"""Of a line of a grid; None: nothing."""
Margins = int | tuple[int, int, int, int]
WIDE = {0: 1}
Box = TypeVar("Box", bound=QBoxLayout)


def in_row(*parts: Part, on: QWidget | None = None, gap: int = GAP_PX, margins: Margins = 0) -> QHBoxLayout:
    """Side by side, from left to right."""
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), parts, gap, margins)


def in_column(*parts: Part, on: QWidget | None = None, gap: int = GAP_PX, margins: Margins = 0) -> QVBoxLayout:
    """One below the other."""
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), parts, gap, margins)


def in_grid(
    *lines: Sequence[Cell] | QWidget | QLayout,
    on: QWidget | None = None,
    gap: int | tuple[int, int] = GAP_PX,
    margins: Margins = 0,
    wide: Mapping[int, int] = WIDE,
    tall: int = -1,
) -> QGridLayout:
    """Line by line, what stands alone all across. `gap` may be one between columns and one between lines.

    `wide`: how much of the room each column has; `tall`: the line that has what is left below.
    """
    grid = QGridLayout() if on is None else QGridLayout(on)
    across, down = (gap, gap) if isinstance(gap, int) else gap
    grid.setHorizontalSpacing(across)
    grid.setVerticalSpacing(down)
    _leave(grid, margins)
    for column, share in wide.items():
        grid.setColumnStretch(column, share)
    if tall >= 0:
        grid.setRowStretch(tall, 1)
    across_all = max((len(line) for line in lines if isinstance(line, Sequence)), default=1)
    for number, line in enumerate(lines):
        cells, span = (line, 1) if isinstance(line, Sequence) else ([line], across_all)
        for column, cell in enumerate(cells):
            _set(grid, cell, (number, column, 1, span))
    return grid


def split(way: Qt.Orientation, first: QWidget, second: QWidget, sizes_px: tuple[int, int], name: str = "") -> QSplitter:
    """Two parts whose border can be moved; neither is ever gone."""
    halves = named(QSplitter(way, childrenCollapsible=False), name)
    halves.addWidget(first)
    halves.addWidget(second)
    halves.setSizes(list(sizes_px))
    return halves


def held(layout: QLayout) -> QWidget:
    """Return a widget that has nothing but this in it."""
    holder = QWidget()
    holder.setLayout(layout)
    return holder


def scrolling(name: str, spoken: str, within: QWidget, told: str = "") -> QScrollArea:
    """As high as there is room for, and with a scroll bar where what is in it needs more."""
    room = named(QScrollArea(), name, spoken, told=told)
    room.setFrameShape(QScrollArea.Shape.NoFrame)
    room.setWidgetResizable(True)
    room.setWidget(within)
    return room


class ScrollColumn(QScrollArea):
    """Scrolls up and down alone: what is in it is as wide as there is room.

    The keyboard goes from one part in it to the next, and what it comes to is scrolled into sight.
    """

    def __init__(self, name: str, spoken: str = "", told: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent, widgetResizable=True)
        named(self, name, spoken, told=told)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


def emptied(layout: QLayout) -> None:
    """Remove and hide the widgets in it."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


def _filled(box: Box, parts: tuple[Part, ...], gap: int, margins: Margins) -> Box:
    box.setSpacing(gap)
    _leave(box, margins)
    for part in parts:
        _put(box, part)
    return box


def _put(box: QBoxLayout, part: Part) -> None:
    if isinstance(part, EllipsisType):
        box.addStretch(1)
    elif isinstance(part, int):
        box.addSpacing(part)
    else:
        each, stretch, *place = part if isinstance(part, tuple) else (part, 0)
        if isinstance(each, QLayout):
            box.addLayout(each, stretch)
        else:
            box.addWidget(each, stretch, *place)


def _set(grid: QGridLayout, cell: Cell, place: tuple[int, int, int, int]) -> None:
    if isinstance(cell, QLayout):
        grid.addLayout(cell, *place)
    elif isinstance(cell, tuple):
        grid.addWidget(cell[0], *place, cell[1])
    elif cell is not None:
        grid.addWidget(cell, *place)


def _leave(layout: QLayout, margins: Margins) -> None:
    layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
