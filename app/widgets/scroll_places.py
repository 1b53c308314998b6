"""How far areas are scrolled, kept while what is in them is dressed anew and is smaller for a moment."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QScrollBar

Places = dict[QScrollArea, tuple[int, int]]


def scroll_places(application: QApplication) -> Places:
    """Of those areas that are scrolled at all: down, and across."""
    areas = [each for each in application.allWidgets() if isinstance(each, QScrollArea)]
    places = {each: (each.verticalScrollBar().value(), each.horizontalScrollBar().value()) for each in areas}
    return {area: values for area, values in places.items() if any(values)}


def scroll_back(places: Places) -> None:
    """Where they were, as far as there is still room."""
    if not places:
        return
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    for area, (down, across) in places.items():
        _at_least(area.verticalScrollBar(), down)
        _at_least(area.horizontalScrollBar(), across)


def _at_least(bar: QScrollBar, value: int) -> None:
    if bar.value() < value:
        bar.setValue(value)
