"""A window with all there is in it, and all of it that a pointer or the keyboard can use."""

from collections.abc import Iterator

from PySide6.QtCore import QObject, QSignalBlocker, Qt
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
    QScrollBar,
    QTabBar,
    QWidget,
)

from app.records.attachments import Attachment
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, make_pages, named

PANES = ("sessions", "controls", "inspector", "exact_prompt")
DIALOGS = (
    *("open_model", "show_runs", "show_tables", "view_code", "licences", "help", "gallery"),
    *("settings", "change_shortcuts", "command_palette", "show_branches", "experiment_length", "serve_model"),
    *("weigh_text", "prompt_sets"),
)
# What Qt makes by itself within a control, and answers for.
WITHIN = (QAbstractSpinBox, QComboBox, QHeaderView, QTabBar, QMenu)


def whole_window(desk: Desk) -> MainWindow:
    """A window with an answer in it, all its panes shown and its dialogs made."""
    window = desk.ready()
    window.resize(1600, 1000)
    for pane in PANES:
        if not act(window, f"toggle_{pane}").isChecked():
            act(window, f"toggle_{pane}").trigger()
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


def controls(window: MainWindow) -> Iterator[QWidget]:
    """Everything that a pointer or the keyboard can use."""
    kinds = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QAbstractSlider, QAbstractItemView)
    for each in window.findChildren(QWidget):
        used = isinstance(each, kinds) or bool(each.focusPolicy() & Qt.FocusPolicy.TabFocus)
        part = isinstance(each, (QScrollBar, QHeaderView, QMenuBar, QMenu, QGroupBox)) or each.objectName()[:3] == "qt_"
        # What hands the keyboard on is no control itself.
        if used and not part and each.focusProxy() is None and not _is_within(each):
            yield each


def _is_within(widget: QObject) -> bool:
    above = widget.parent()
    return isinstance(above, WITHIN) or (isinstance(above, QWidget) and _is_within(above))
