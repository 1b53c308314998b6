"""What the program adds to its menus: the Edit menu's commands and the list of open windows."""

from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from app.actions.keys import first
from app.i18n import tr
from app.ui.widgets import as_caption, bring_up

Key = QKeySequence.StandardKey
EDITS = {
    Key.Undo: ("undo", tr("Undo"), "Ctrl+Z"),
    Key.Redo: ("redo", tr("Redo"), "Ctrl+Shift+Z"),
    Key.Cut: ("cut", tr("Cut"), "Ctrl+X"),
    Key.Copy: ("copy", tr("Copy"), "Ctrl+C"),
    Key.Paste: ("paste", tr("Paste"), "Ctrl+V"),
    Key.SelectAll: ("select_all", tr("Select All"), "Ctrl+A"),
}
"""Object name, text and main shortcut; other shortcuts of the system work, too."""
APART = (Key.Cut, Key.SelectAll)


class EditMenu(QObject):
    """An Edit menu whose entries send their shortcut to the focused widget. Entries without effect are disabled while
    it is open.
    """

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._before: QWidget | None = None
        """The focused widget before the menu bar."""
        first = menu.actions()[0]
        self._acts = {key: self._add(menu, first, key) for key in EDITS}
        menu.insertSeparator(first)
        menu.aboutToShow.connect(self._enable_possible)
        menu.aboutToHide.connect(self._enable_all)
        system = QApplication.instance()
        assert isinstance(system, QApplication)
        system.focusChanged.connect(self._note)

    def _add(self, menu: QMenu, before: QAction, key: Key) -> QAction:
        name, text, keys = EDITS[key]
        act = QAction(text, menu)
        act.setObjectName(f"edit_{name}")
        main = QKeySequence(keys)
        # Qt ignores a shortcut that is listed twice, as ambiguous.
        act.setShortcuts([main, *(each for each in QKeySequence.keyBindings(key) if each != main)])
        act.setMenuRole(QAction.MenuRole.NoRole)
        act.triggered.connect(partial(self._press, key))
        if key in APART:
            menu.insertSeparator(before)
        menu.insertAction(before, act)
        return act

    def _enable_possible(self) -> None:
        able = abilities(self._with_keyboard())
        for key, act in self._acts.items():
            act.setEnabled(key in able)

    def _enable_all(self) -> None:
        """Enable all entries: an action that was disabled when the menu opened may work now."""
        for act in self._acts.values():
            act.setEnabled(True)

    def _press(self, key: Key) -> None:
        """Send the key to the widget itself: as a shortcut it would come back here."""
        target, pressed = self._with_keyboard(), first(QKeySequence(key))
        if target is not None:
            held = pressed.keyboardModifiers()
            target.event(QKeyEvent(QEvent.Type.KeyPress, pressed.key(), held))

    def _note(self, old: QWidget | None, now: QWidget | None) -> None:
        """Remember the widget that had the focus before the menu bar."""
        if isinstance(now, QMenuBar):
            self._before = old

    def _with_keyboard(self) -> QWidget | None:
        now = QApplication.focusWidget()
        before = self._before if self._before is not None and isValid(self._before) else None
        return before if isinstance(now, QMenuBar) else now


def abilities(widget: QWidget | None) -> frozenset[Key]:
    """Return the keys that have an effect in a widget."""
    if isinstance(widget, (QAbstractSpinBox, QComboBox)):
        widget = widget.lineEdit()
    match widget:
        case QLineEdit():
            chosen, there = widget.hasSelectedText(), bool(widget.text())
            undo, redo = widget.isUndoAvailable(), widget.isRedoAvailable()
        case QPlainTextEdit() | QTextEdit():
            document, chosen = widget.document(), widget.textCursor().hasSelection()
            there, undo, redo = not document.isEmpty(), document.isUndoAvailable(), document.isRedoAvailable()
        case QAbstractItemView():
            several = widget.selectionMode() is QAbstractItemView.SelectionMode.ExtendedSelection
            undo = bool(getattr(widget, "undoable", False))
            able = {Key.Copy: widget.currentIndex().isValid(), Key.SelectAll: several, Key.Undo: undo}
            return frozenset(key for key, here in able.items() if here)
        case QLabel():
            return frozenset({Key.Copy} if widget.hasSelectedText() else ())
        case _:
            return frozenset()
    able = {Key.Copy: chosen, Key.SelectAll: there}
    if not widget.isReadOnly():
        text = bool(QGuiApplication.clipboard().text())
        able |= {Key.Undo: undo, Key.Redo: redo, Key.Cut: chosen, Key.Paste: text}
    return frozenset(key for key, here in able.items() if here)


KINDS = (Qt.WindowType.Window, Qt.WindowType.Dialog)


class WindowMenu(QObject):
    """Lists the windows each time the menu opens."""

    def __init__(self, menu: QMenu) -> None:
        super().__init__(menu)
        self._menu = menu
        self._listed: list[QAction] = []
        menu.addSeparator()
        menu.aboutToShow.connect(self._list)

    def _list(self) -> None:
        for act in self._listed:
            self._menu.removeAction(act)
            act.deleteLater()
        self._listed.clear()
        for window in QApplication.topLevelWidgets():
            if window.isVisible() and window.windowType() in KINDS:
                act = self._menu.addAction(as_caption(window.windowHandle().title()), partial(bring_up, window))
                act.setCheckable(True)
                act.setChecked(window.isActiveWindow())
                self._listed.append(act)
