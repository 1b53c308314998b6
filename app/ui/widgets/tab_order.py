"""Where the keyboard goes: with the Tab key, and when what has it goes away."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid


def one_after_another(column: QBoxLayout, first: int = 0, end: int | None = None) -> None:
    """Come by all that each part holds before what the next one holds; the part number `first` stays where it is."""
    parts = (column.itemAt(place) for place in range(first, column.count() if end is None else end))
    widgets = [widget for part in parts if part and (widget := part.widget())]
    way = _way(widgets[0]) if widgets else []
    stops = [stop for widget in widgets for stop in _stops(widget, way)]
    for earlier, later in pairwise(stops):
        QWidget.setTabOrder(earlier, later)


def come_after(place: QWidget, part: QWidget) -> None:
    """All that `part` holds, made late, comes where this place is on the way; before it, if that is a stop."""
    way = _way(place)
    stops = list(_stops(part, way))
    others = (each for each in reversed(way) if each not in stops and each.focusPolicy() & Qt.FocusPolicy.TabFocus)
    last = next(others, place)
    for stop in stops:
        QWidget.setTabOrder(last, stop)
        last = stop


def first_stop(part: QWidget) -> QWidget:
    """Of what a part holds, which may stand elsewhere on the way than the part itself."""
    return next(_stops(part, _way(part)), part)


def keep_focus(part: QWidget, place: QWidget) -> None:
    """Before `part` is hidden: the keyboard waits at this place, or Qt would put it into the next field."""
    now = QApplication.focusWidget()
    if now is not None and part.isAncestorOf(now):
        place.setFocus()


def is_typing() -> bool:
    """Whether the keyboard is in a field: nothing that comes by itself may take it away from there."""
    return isinstance(QApplication.focusWidget(), (QLineEdit, QPlainTextEdit, QAbstractSpinBox))


class FocusHome(QObject):
    """Where the keyboard goes when what had it goes or is greyed; Qt would put it into the next field."""

    def __init__(self, within: QWidget, home: QWidget) -> None:
        super().__init__(within)
        self._within, self._home = within, home
        system = QApplication.instance()
        assert isinstance(system, QApplication)
        system.focusChanged.connect(self._look)

    def _look(self, old: QWidget | None, now: QWidget | None) -> None:
        if old is None or now is None or not isValid(self._within) or not self._within.isVisible():
            return
        inside = self._within.isAncestorOf(old) and self._within.isAncestorOf(now)
        if inside and not (old.isVisible() and old.isEnabled()) and not _is_in_row(old):
            self._home.setFocus()


def _is_in_row(editor: QWidget) -> bool:
    """Return whether the focus is in the row, whose field closes when it loses the focus."""
    around = editor.parentWidget()
    return around is not None and isinstance(around.parentWidget(), QAbstractItemView)


def hand_on(whole: QWidget, part: QWidget) -> None:
    """Forward the focus to one part; the whole must be in the tab order itself."""
    # Without this Qt leaves the whole where it is when its parts are moved, and from there Tab leads back to them.
    whole.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    whole.setFocusProxy(part)


def _way(start: QWidget) -> list[QWidget]:
    """All that the Tab key would come by in the window, and all that it leaves out: it goes round."""
    way, now = [start], _given_back(start.nextInFocusChain())
    while now is not None and now is not start:
        way.append(now)
        now = _given_back(now.nextInFocusChain())
    return way


def _stops(part: QWidget, way: list[QWidget]) -> Iterator[QWidget]:
    """Whatever takes the keyboard in a part, hidden or not, as the Tab key comes by.

    What hands the keyboard on is moved by Qt with all that it holds.
    """
    whole: QWidget | None = None
    place = way.index(part)
    for now in way[place:] + way[:place]:
        if not (now is part or part.isAncestorOf(now)) or (whole is not None and whole.isAncestorOf(now)):
            continue
        proxy = _given_back(now.focusProxy())
        if now.focusPolicy() & Qt.FocusPolicy.TabFocus and (proxy is None or now.isAncestorOf(proxy)):
            whole = now if proxy is not None else whole
            yield now


def _given_back(found: QWidget | None) -> QWidget | None:
    """PySide takes what it was asked for here for a child of whoever was asked.

    When that one went, it would declare this one dead too, with all that Qt made in it, in the midst of its life.
    """
    if found is not None:
        # To Qt nothing changes: it has this parent already.
        QObject.setParent(found, found.parent())
    return found
