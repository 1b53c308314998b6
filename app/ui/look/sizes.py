"""Lengths that follow the size of the text: set now, and again whenever that changes."""

from collections.abc import Callable
from typing import Generic, TypeVar, cast

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from app.ui.look.theme import GAP_PX, Theme

UNLIMITED_PX = (1 << 24) - 1
"""Qt's own word for a widget that may be as large as it likes, which PySide does not know."""
Thing = TypeVar("Thing", bound=QObject)


class Measured(QObject, Generic[Thing]):
    """Measures `thing` as long as there is one. `measure` takes it, so as not to hold it."""

    def __init__(self, theme: Theme, thing: Thing, measure: Callable[[Thing], object]) -> None:
        super().__init__(thing)
        self._measure = measure
        self._again()
        theme.resized.connect(self._again)

    @Slot()
    def _again(self) -> None:
        # Asked of Qt: PySide drops what it has of a table's header when the table gets another parent.
        self._measure(cast(Thing, self.parent()))


def scaled(theme: Theme, thing: Thing, setter: Callable[[Thing, int], object], pixels: int) -> None:
    """`setter` of `thing` gets so many pixels, or what that is in larger text."""
    Measured(theme, thing, lambda thing: setter(thing, theme.scaled(pixels)))


def show_lines(theme: Theme, field: QWidget, lines: int, least: int = 0) -> None:
    """As high as so many lines of text, or, where there is no room, no lower than the `least` of them."""

    def measure(field: QWidget) -> None:
        low, high = (field.fontMetrics().lineSpacing() * each + 2 * GAP_PX for each in (least or lines, lines))
        field.setMinimumHeight(low)
        field.setMaximumHeight(high)

    Measured(theme, field, measure)


def open_at(theme: Theme, window: QWidget, width: int, height: int) -> None:
    """A window of its own, so large at first: larger with larger text, as far as the screen allows."""

    def enlarge(window: QWidget) -> None:
        room = window.screen().availableSize()
        pairs = ((width, room.width()), (height, room.height()))
        window.resize(*(max(first, min(theme.scaled(first), most)) for first, most in pairs))

    Measured(theme, window, enlarge)
