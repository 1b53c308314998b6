"""A box of choices and a row of tabs show that they have the keyboard, and no longer than they have it."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit, QTabBar, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.look.focus_rings import FocusRing
from app.ui.look.theme import Theme


@pytest.mark.parametrize("kind", [QComboBox, QTabBar])
def test_the_ring_comes_and_goes_with_the_keyboard(qtbot: QtBot, theme: Theme, kind: type[QWidget]) -> None:
    window, control, other = QWidget(), kind(), QLineEdit()
    if isinstance(control, QTabBar):
        control.addTab("One")
    column = QVBoxLayout(window)
    column.addWidget(control)
    column.addWidget(other)
    qtbot.addWidget(window)
    control.setFocus()
    window.show()
    window.activateWindow()
    qtbot.waitUntil(control.hasFocus)
    ring = control.findChild(FocusRing)
    assert ring is not None
    assert ring.isVisible()
    window.resize(400, 300)
    assert ring.size() == control.size()
    other.setFocus()
    assert control.findChild(FocusRing) is None
    control.setFocus()
    assert len(control.findChildren(FocusRing)) == 1
