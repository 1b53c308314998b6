"""Functions that lay out widgets in rows, columns and grids, and scroll areas."""

from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QBoxLayout,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QScrollBar,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.ui.look import GAP_PX
from app.ui.widgets.naming import named

Part = QWidget | QLayout | int | EllipsisType | tuple[QWidget | QLayout, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""A number is a gap in pixels, `...` a stretchable gap; a pair has a widget with its stretch or alignment."""
Cell = QWidget | QLayout | tuple[QWidget, Qt.AlignmentFlag] | None
"""A cell of a grid; None: empty."""
Margins = int | tuple[int, int, int, int]
WIDE = {0: 1}
Box = TypeVar("Box", bound=QBoxLayout)


def in_row(*parts: Part, on: QWidget | None = None, gap: int = GAP_PX, margins: Margins = 0) -> QHBoxLayout:
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), parts, gap, margins)


def in_column(*parts: Part, on: QWidget | None = None, gap: int = GAP_PX, margins: Margins = 0) -> QVBoxLayout:
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), parts, gap, margins)


def in_grid(
    *lines: Sequence[Cell] | QWidget | QLayout,
    on: QWidget | None = None,
    gap: int | tuple[int, int] = GAP_PX,
    margins: Margins = 0,
    wide: Mapping[int, int] = WIDE,
    tall: int = -1,
) -> QGridLayout:
    """Lay out the parts as a grid; a part that is alone in its row spans all columns.

    `gap` may be a pair, for columns and rows. `wide` is the stretch of each column, `tall` the row that gets the
    remaining height.
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
    """Make a splitter with two parts, which can't be collapsed."""
    halves = named(QSplitter(way, childrenCollapsible=False), name)
    halves.addWidget(first)
    halves.addWidget(second)
    halves.setSizes(list(sizes_px))
    return halves


def layout_widget(layout: QLayout) -> QWidget:
    """Return a widget that contains only this layout."""
    holder = QWidget()
    holder.setLayout(layout)
    return holder


def scrolling(name: str, spoken: str, within: QWidget, description: str = "") -> QScrollArea:
    room = named(QScrollArea(), name, spoken, description=description)
    room.setFrameShape(QScrollArea.Shape.NoFrame)
    room.setWidgetResizable(True)
    room.setWidget(within)
    return room


class ScrollColumn(QScrollArea):
    """A scroll area that scrolls only vertically; its content has the width of the viewport.

    When the focus moves to a widget, that widget is scrolled into view.
    """

    def __init__(self, name: str, spoken: str = "", description: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent, widgetResizable=True)
        named(self, name, spoken, description=description)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


def clear_layout(layout: QLayout) -> None:
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
        each, stretch, *alignment = part if isinstance(part, tuple) else (part, 0)
        if isinstance(each, QLayout):
            box.addLayout(each, stretch)
        else:
            box.addWidget(each, stretch, *alignment)


def _set(grid: QGridLayout, cell: Cell, area: tuple[int, int, int, int]) -> None:
    if isinstance(cell, QLayout):
        grid.addLayout(cell, *area)
    elif isinstance(cell, tuple):
        grid.addWidget(cell[0], *area, cell[1])
    elif cell is not None:
        grid.addWidget(cell, *area)


def _leave(layout: QLayout, margins: Margins) -> None:
    layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))


INPUTS = (QAbstractSpinBox, QComboBox, QAbstractSlider)


class WheelGuard(QObject):
    """An event filter that forwards the wheel from inputs to the scroll area, unless the input has the focus."""

    def watch(self, widget: QWidget) -> None:
        """Watch this input, or all inputs inside it."""
        inside = [found for kind in INPUTS for found in widget.findChildren(kind)]
        for found in (widget, *inside):
            if isinstance(found, INPUTS) and not isinstance(found, QScrollBar):
                found.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                found.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)
