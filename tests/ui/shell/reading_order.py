"""The order in which the eye goes over what stands in a window."""

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QScrollArea, QWidget


def page(widget: QWidget) -> QWidget | None:
    """What scrolls with it in it, where something does."""
    found, part = None, widget.parentWidget()
    while part is not None and (holder := part.parentWidget()) is not None:
        if isinstance(holder.parentWidget(), QScrollArea):
            found = part
        part = holder
    return found


def place(widget: QWidget, within: QWidget | None) -> QRect:
    """Where it is on its page, scrolled away or not; where it is on another one, where that page is."""
    own = page(widget)
    seen = widget if own is within or own is None else own.parentWidget()
    assert seen is not None
    return QRect(seen.mapTo(within or seen.window(), QPoint(0, 0)), seen.size())


def goes_back(earlier: QWidget, later: QWidget) -> bool:
    """Whether the eye would have to jump back, up or to the left in a line."""
    if earlier.isAncestorOf(later):
        return False
    within = page(earlier) if page(earlier) is page(later) else None
    before, after = place(earlier, within), place(later, within)
    one_line = before.top() < after.bottom() and after.top() < before.bottom()
    return after.left() < before.left() if one_line else after.top() < before.top()
