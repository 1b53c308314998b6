"""Lengths that follow the text size."""

from collections.abc import Callable
from typing import Generic, TypeVar, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.ui.look.theme import GAP_PX, Theme

UNLIMITED_PX = (1 << 24) - 1
"""Qt's QWIDGETSIZE_MAX, which PySide doesn't have."""
Thing = TypeVar("Thing", bound=QObject)


class TextSizeFollower(QObject, Generic[Thing]):
    """Calls `measure` with `thing` after each change of the text size, while `thing` exists. Holds no reference."""

    def __init__(self, theme: Theme, thing: Thing, measure: Callable[[Thing], object]) -> None:
        super().__init__(thing)
        self._measure = measure
        self._again()
        theme.resized.connect(self._again)

    def _again(self) -> None:
        # Qt's parent: PySide drops its wrapper of a table's header when the table gets another parent.
        self._measure(cast(Thing, self.parent()))


def scaled(theme: Theme, thing: Thing, setter: Callable[[Thing, int], object], pixels: int) -> None:
    """Call `setter` of `thing` with a number of pixels, scaled by the text size."""
    TextSizeFollower(theme, thing, lambda thing: setter(thing, theme.scaled(pixels)))


def show_lines(theme: Theme, field: QWidget, lines: int, least: int = 0) -> None:
    """Set the height to a number of lines, at least to `least` of them."""

    def measure(field: QWidget) -> None:
        low, high = (field.fontMetrics().lineSpacing() * each + 2 * GAP_PX for each in (least or lines, lines))
        field.setMinimumHeight(low)
        field.setMaximumHeight(high)

    TextSizeFollower(theme, field, measure)


def open_at(theme: Theme, window: QWidget, width: int, height: int) -> None:
    """Set the first size of a window, scaled by the text size up to the screen."""

    def enlarge(window: QWidget) -> None:
        room = window.screen().availableSize()
        pairs = ((width, room.width()), (height, room.height()))
        window.resize(*(max(first, min(theme.scaled(first), most)) for first, most in pairs))

    TextSizeFollower(theme, window, enlarge)
