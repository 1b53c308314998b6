"""Rows and columns of widgets: what stands in them, in what order, and how far apart."""

from __future__ import annotations

from types import EllipsisType
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from app.ui.look.theme import GAP_PX

Part = QWidget | QLayout | int | EllipsisType | tuple[QWidget | QLayout, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""A number is so many pixels of room, `...` all the room there is; a pair says how much of that a part has."""
Margins = int | tuple[int, int, int, int]
Box = TypeVar("Box", bound=QBoxLayout)


def in_row(*parts: Part, on: QWidget | None = None, gap: int = GAP_PX, margins: Margins = 0) -> QHBoxLayout:
    """Side by side, from left to right."""
    return _filled(QHBoxLayout() if on is None else QHBoxLayout(on), parts, gap, margins)


def in_column(*parts: Part, on: QWidget | None = None, gap: int = GAP_PX, margins: Margins = 0) -> QVBoxLayout:
    """One below the other."""
    return _filled(QVBoxLayout() if on is None else QVBoxLayout(on), parts, gap, margins)


def in_grid(on: QWidget | None = None, gap: int | tuple[int, int] = GAP_PX, margins: Margins = 0) -> QGridLayout:
    """Still empty; `gap` may be one between columns and one between rows."""
    grid = QGridLayout(on)
    across, down = (gap, gap) if isinstance(gap, int) else gap
    grid.setHorizontalSpacing(across)
    grid.setVerticalSpacing(down)
    _leave(grid, margins)
    return grid


def held(layout: QLayout) -> QWidget:
    """A widget that has nothing but this in it."""
    holder = QWidget()
    holder.setLayout(layout)
    return holder


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


def _leave(layout: QLayout, margins: Margins) -> None:
    layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
