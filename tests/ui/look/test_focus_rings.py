"""A row of tabs and a box of choices show that they have the keyboard, and no longer than they have it."""

from PySide6.QtWidgets import QComboBox, QLineEdit, QTabBar, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.look.palette import Colour
from app.ui.look.style_updates import FocusRing
from app.ui.look.theme import Theme


def shown_with(qtbot: QtBot, control: QWidget, other: QWidget) -> QWidget:
    """The first of both has the keyboard."""
    window = QWidget()
    column = QVBoxLayout(window)
    column.addWidget(control)
    column.addWidget(other)
    qtbot.addWidget(window)
    control.setFocus()
    window.show()
    window.activateWindow()
    qtbot.waitUntil(control.hasFocus)
    return window


def test_the_edge_of_a_box_shows_the_keyboard(qtbot: QtBot, theme: Theme) -> None:
    box, other = QComboBox(), QLineEdit()
    window = shown_with(qtbot, box, other)
    edge = [box.width() // 2, 0]
    assert box.grab().toImage().pixelColor(*edge).name() == theme.hex(Colour.ACCENT)
    other.setFocus()
    assert window.focusWidget() is other
    assert box.grab().toImage().pixelColor(*edge).name() == theme.hex(Colour.OUTLINE)


def test_the_ring_comes_and_goes_with_the_keyboard(qtbot: QtBot, theme: Theme) -> None:
    control, other = QTabBar(), QLineEdit()
    for name in ("One", "Another one", "Third"):
        control.addTab(name)
    window = shown_with(qtbot, control, other)
    ring = control.findChild(FocusRing)
    assert ring is not None
    assert ring.isVisible()
    assert ring.geometry() == control.tabRect(0) != control.rect(), "around the tab, not around the pane"
    control.setCurrentIndex(1)
    assert ring.geometry() == control.tabRect(1)
    window.resize(600, 300)
    qtbot.waitUntil(lambda: ring.geometry() == control.tabRect(1))
    other.setFocus()
    assert control.findChild(FocusRing) is None
    control.setFocus()
    assert len(control.findChildren(FocusRing)) == 1
