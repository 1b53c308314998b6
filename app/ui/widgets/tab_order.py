"""The tab order, and the focus after the focused widget is hidden or disabled."""

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
    """Set the tab order so that each part's widgets come before those of the next; the part number `first` keeps its
    position.
    """
    parts = (column.itemAt(position) for position in range(first, column.count() if end is None else end))
    widgets = [widget for part in parts if part and (widget := part.widget())]
    way = _focus_chain(widgets[0]) if widgets else []
    stops = [stop for widget in widgets for stop in _stops(widget, way)]
    for earlier, later in pairwise(stops):
        QWidget.setTabOrder(earlier, later)


def come_after(anchor: QWidget, part: QWidget) -> None:
    """Move a part that was created late to this position in the tab order: after `anchor`, or before it if it accepts
    focus.
    """
    way = _focus_chain(anchor)
    stops = list(_stops(part, way))
    others = (each for each in reversed(way) if each not in stops and each.focusPolicy() & Qt.FocusPolicy.TabFocus)
    last = next(others, anchor)
    for stop in stops:
        QWidget.setTabOrder(last, stop)
        last = stop


def first_stop(part: QWidget) -> QWidget:
    """Return the first widget in a part that accepts focus; its position can differ from that of the part."""
    return next(_stops(part, _focus_chain(part)), part)


def keep_focus(part: QWidget, target: QWidget) -> None:
    """Move the focus to this widget before `part` is hidden, or Qt would move it to the next field."""
    now = QApplication.focusWidget()
    if now is not None and part.isAncestorOf(now):
        target.setFocus()


def is_typing() -> bool:
    """Whether a text field has the focus, so that nothing else may take it."""
    return isinstance(QApplication.focusWidget(), (QLineEdit, QPlainTextEdit, QAbstractSpinBox))


class FocusHome(QObject):
    """Moves the focus to `home` when the focused widget is hidden or disabled; Qt would move it to the next field."""

    def __init__(self, within: QWidget, home: QWidget) -> None:
        super().__init__(within)
        self._within, self._home = within, home
        system = QApplication.instance()
        assert isinstance(system, QApplication)
        system.focusChanged.connect(self._on_focus_changed)

    def _on_focus_changed(self, old: QWidget | None, now: QWidget | None) -> None:
        if old is None or now is None or not isValid(self._within) or not self._within.isVisible():
            return
        inside = self._within.isAncestorOf(old) and self._within.isAncestorOf(now)
        if inside and not (old.isVisible() and old.isEnabled()) and not _is_in_row(old):
            self._home.setFocus()


def _is_in_row(editor: QWidget) -> bool:
    """Return whether a widget is the editor of a table's row, which closes when it loses the focus."""
    around = editor.parentWidget()
    return around is not None and isinstance(around.parentWidget(), QAbstractItemView)


def forward_focus(whole: QWidget, part: QWidget) -> None:
    """Forward the focus to one part; the container must be in the tab order itself."""
    # Otherwise Qt doesn't move the container with its parts, and Tab would go from it back to them.
    whole.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    whole.setFocusProxy(part)


def _focus_chain(start: QWidget) -> list[QWidget]:
    """Return the focus chain of the window, which is a ring, beginning with `start`."""
    way, now = [start], _with_parent(start.nextInFocusChain())
    while now is not None and now is not start:
        way.append(now)
        now = _with_parent(now.nextInFocusChain())
    return way


def _stops(part: QWidget, way: list[QWidget]) -> Iterator[QWidget]:
    """Yield the widgets in a part that accept focus, hidden or not, in tab order.

    Without the children of a widget with a focus proxy, since Qt moves them together with it.
    """
    whole: QWidget | None = None
    position = way.index(part)
    for now in way[position:] + way[:position]:
        if not (now is part or part.isAncestorOf(now)) or (whole is not None and whole.isAncestorOf(now)):
            continue
        proxy = _with_parent(now.focusProxy())
        if now.focusPolicy() & Qt.FocusPolicy.TabFocus and (proxy is None or now.isAncestorOf(proxy)):
            whole = now if proxy is not None else whole
            yield now


def _with_parent(found: QWidget | None) -> QWidget | None:
    """Correct the parent that PySide assumes for a returned widget.

    PySide takes the result of nextInFocusChain and focusProxy for a child of the widget that was asked. When that
    widget is deleted, it would treat this one as deleted, too.
    """
    if found is not None:
        # No change for Qt: it is already the parent.
        QObject.setParent(found, found.parent())
    return found
