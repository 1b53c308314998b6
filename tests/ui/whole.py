"""A window with all panels and dialogs, its controls, and their reading order."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, QPoint, QRect, QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QMenu,
    QMenuBar,
    QScrollArea,
    QScrollBar,
    QTabBar,
    QWidget,
)

from app.records.attachments import Attachment
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, make_pages, named

PANES = ("sessions", "controls", "inspector", "exact_prompt")
DIALOGS = (
    *("open_model", "show_runs", "show_tables", "view_code", "licences", "help", "lessons"),
    *("settings", "change_shortcuts", "command_palette", "show_branches", "experiment_length", "serve_model"),
    *("weigh_text", "prompt_sets"),
)
# Qt makes widgets of its own inside of these.
WITHIN = (QAbstractSpinBox, QComboBox, QHeaderView, QTabBar, QMenu)


def whole_window(desk: Desk) -> MainWindow:
    """Return a window with an answer, all panels shown and all dialogs made."""
    window = desk.ready()
    window.resize(1600, 1000)
    show_panes(window)
    desk.send(window, "hello")
    desk.qtbot.waitUntil(lambda: act(window, "view_code").isEnabled())
    attached = window._parts.prompt.attached
    with QSignalBlocker(attached):  # the exact prompt stays that of an empty field
        attached.show_files((Attachment("1", "12"), Attachment("2", "3456")))
    act(window, "find").trigger()
    for dialog in DIALOGS:
        act(window, dialog).trigger()
    make_pages(window)
    desk.qtbot.waitUntil(lambda: window.findChild(QWidget, "code_dialog") is not None)
    desk.qtbot.waitUntil(lambda: named(window, QListWidget, "licences_parts").count() > 0)
    return window


def show_panes(window: MainWindow) -> None:
    for pane in PANES:
        if not act(window, f"toggle_{pane}").isChecked():
            act(window, f"toggle_{pane}").trigger()


def controls(window: MainWindow) -> Iterator[QWidget]:
    """Yield the widgets that a pointer or the keyboard can use."""
    kinds = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QAbstractSlider, QAbstractItemView)
    for each in window.findChildren(QWidget):
        used = isinstance(each, kinds) or bool(each.focusPolicy() & Qt.FocusPolicy.TabFocus)
        part = isinstance(each, (QScrollBar, QHeaderView, QMenuBar, QMenu, QGroupBox)) or each.objectName()[:3] == "qt_"
        if used and not part and each.focusProxy() is None and not _is_within(each):
            yield each


def _is_within(widget: QObject) -> bool:
    above = widget.parent()
    return isinstance(above, WITHIN) or (isinstance(above, QWidget) and _is_within(above))


def page(widget: QWidget) -> QWidget | None:
    """Return the widget that scrolls with this one; None if nothing does."""
    found, part = None, widget.parentWidget()
    while part is not None and (holder := part.parentWidget()) is not None:
        if isinstance(holder.parentWidget(), QScrollArea):
            found = part
        part = holder
    return found


def index(widget: QWidget, within: QWidget | None) -> QRect:
    """Return the position on its page, or that of its page in the window."""
    own = page(widget)
    seen = widget if own is within or own is None else own.parentWidget()
    assert seen is not None
    return QRect(seen.mapTo(within or seen.window(), QPoint(0, 0)), seen.size())


def goes_back(earlier: QWidget, later: QWidget) -> bool:
    """Return whether the later one is above, or to the left in the same line."""
    if earlier.isAncestorOf(later):
        return False
    within = page(earlier) if page(earlier) is page(later) else None
    before, after = index(earlier, within), index(later, within)
    one_line = before.top() < after.bottom() and after.top() < before.bottom()
    return after.left() < before.left() if one_line else after.top() < before.top()
