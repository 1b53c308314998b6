"""Hands without a head: clicks, keys and menus anywhere in the windows that are open."""

from random import Random

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QTextEdit,
    QWidget,
)

Keys = Qt.Key
KEYS = (
    Keys.Key_Down, Keys.Key_Up, Keys.Key_Left, Keys.Key_Right, Keys.Key_Home, Keys.Key_End, Keys.Key_PageUp,
    Keys.Key_PageDown, Keys.Key_Tab, Keys.Key_Return, Keys.Key_Space, Keys.Key_Escape, Keys.Key_Delete,
    Keys.Key_Backspace, Keys.Key_F2, Keys.Key_A, Keys.Key_1, Keys.Key_Minus,
)  # fmt: skip
TOUCHED = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QTextEdit,
)  # fmt: skip
SPARED = ("server", "hub_search", "qt_", "close_window", "quit", "restart")
"""Names of what would leave the machine or the program."""
STUCK_MS = 200


class Monkey(QObject):
    """Closes a menu that waits for it in a loop of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._watch = QTimer(self)
        self._watch.timeout.connect(self._close_popup)
        self._busy = False

    def start(self) -> None:
        self._watch.start(STUCK_MS)

    def stop(self) -> None:
        self._watch.stop()

    def touch(self, random: Random) -> str:
        """Something that can be seen, one way or another."""
        self._busy = True
        try:
            return self._touch(random)
        finally:
            self._busy = False

    def _touch(self, random: Random) -> str:
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu):
            return _choose(popup, random)
        things = _touchable()
        if not things:
            return "nothing to touch"
        thing = random.choice(things)
        name = f"{type(thing).__name__} {thing.objectName()!r}"
        if isinstance(thing, QLineEdit) and random.random() < 0.5:
            thing.setText(random.choice(("", "a", "12", "<b>", "-5", "sea 🌊", "1e9")))
            return f"wrote into {name}"
        kind = random.randrange(4)
        if kind == 0:
            key = random.choice(KEYS)
            QTest.keyClick(thing, key)
            return f"{key.name} in {name}"
        at = QPoint(random.randrange(max(1, thing.width())), random.randrange(max(1, thing.height())))
        surface = thing.viewport() if isinstance(thing, QAbstractItemView | QTextEdit) else thing
        if kind == 1:
            event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, surface.mapToGlobal(at))
            QApplication.sendEvent(surface, event)
            return f"menu of {name}"
        QTest.mouseClick(surface, Qt.MouseButton.LeftButton, pos=at)
        return f"click on {name} at {at.x()},{at.y()}"

    @Slot()
    def _close_popup(self) -> None:
        """A click that does not come back has opened a menu."""
        popup = QApplication.activePopupWidget()
        if self._busy and popup is not None:
            popup.close()


def _choose(menu: QMenu, random: Random) -> str:
    entries = [each for each in menu.actions() if each.isEnabled() and not each.isSeparator() and each.menu() is None]
    entries = [each for each in entries if not _is_spared(each.objectName())]
    if not entries or random.random() < 0.3:
        menu.close()
        return "left a menu"
    entry = random.choice(entries)
    text = entry.text()
    menu.setActiveAction(entry)
    QTest.keyClick(menu, Keys.Key_Return)
    if menu.isVisible():
        menu.close()
    return f"chose {text!r} in a menu"


def _touchable() -> list[QWidget]:
    """In the windows that can be touched, always in the same order."""
    front = QApplication.activeModalWidget()
    # Not by findChildren: it would make each of them a child of the window in PySide's own book, which dies with it.
    things = [each for each in QApplication.allWidgets() if isinstance(each, TOUCHED) and _can_be_touched(each, front)]
    return sorted(
        things, key=lambda each: (each.objectName(), type(each).__name__, each.mapToGlobal(QPoint()).toTuple())
    )


def _can_be_touched(thing: QWidget, front: QWidget | None) -> bool:
    window = thing.window()
    if (front is not None and window is not front) or isinstance(window, QFileDialog):
        return False
    return thing.isVisible() and thing.isEnabled() and not _is_spared(thing.objectName())


def _is_spared(name: str) -> bool:
    return any(part in name for part in SPARED)
