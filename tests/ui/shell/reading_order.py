"""The order in which the eye goes over what stands in a window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QScrollArea, QWidget


def place(widget: QWidget) -> QRect:
    """Where it is in its pane, scrolled away or not."""
    above: QWidget = widget.window()
    part = widget.parentWidget()
    while part is not None and part is not above:
        holder = part.parentWidget()
        if holder is not None and isinstance(holder.parentWidget(), QScrollArea):
            above = part
        part = holder
    return QRect(widget.mapTo(above, QPoint(0, 0)), widget.size())


def goes_back(earlier: QWidget, later: QWidget) -> bool:
    """Whether the eye would have to jump back, up or to the left in a line."""
    if earlier.isAncestorOf(later):
        return False
    before, after = place(earlier), place(later)
    one_line = before.top() < after.bottom() and after.top() < before.bottom()
    return after.left() < before.left() if one_line else after.top() < before.top()
