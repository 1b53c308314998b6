"""The way of the Tab key through parts that were put together in another order than they stand in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QBoxLayout, QWidget


def one_after_another(column: QBoxLayout, first: int = 0, end: int | None = None) -> None:
    """Come by all that each part holds before what the next one holds; the part number `first` stays where it is."""
    parts = (column.itemAt(place) for place in range(first, column.count() if end is None else end))
    stops = [stop for part in parts if part and (widget := part.widget()) for stop in _stops(widget)]
    for earlier, later in pairwise(stops):
        QWidget.setTabOrder(earlier, later)


def hand_on(whole: QWidget, part: QWidget) -> None:
    """The keyboard given to the whole goes to one part of it; to be moved, the whole has to be on the way itself."""
    # Without this Qt leaves the whole where it is when its parts are moved, and from there Tab leads back to them.
    whole.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    whole.setFocusProxy(part)


def _stops(part: QWidget) -> Iterator[QWidget]:
    """Whatever takes the keyboard in a part, hidden or not, as the Tab key comes by.

    What hands the keyboard on is moved by Qt with all that it holds.
    """
    now: QWidget | None = part
    whole: QWidget | None = None
    while now is not None:
        is_in = (now is part or part.isAncestorOf(now)) and not (whole is not None and whole.isAncestorOf(now))
        proxy = _given_back(now.focusProxy())
        if is_in and now.focusPolicy() & Qt.FocusPolicy.TabFocus and (proxy is None or now.isAncestorOf(proxy)):
            whole = now if proxy is not None else whole
            yield now
        now = _given_back(now.nextInFocusChain())
        if now is part:
            return


def _given_back(found: QWidget | None) -> QWidget | None:
    """PySide takes what it was asked for here for a child of whoever was asked.

    When that one went, it would declare this one dead too, with all that Qt made in it, in the midst of its life.
    """
    if found is not None:
        # To Qt nothing changes: it has this parent already.
        QObject.setParent(found, found.parent())
    return found
