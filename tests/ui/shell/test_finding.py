"""The key of Find opens the bar of the window that is in front; that of the runs is their filter."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QWidget

from app.i18n import tr
from tests.ui.desk import Desk, act, named

pytestmark = pytest.mark.in_korean

FIELDS = {
    "view_code": ("code_dialog", "code_python_search"),
    "show_runs": ("runs_window", "runs_filter"),
}


@pytest.mark.slow
@pytest.mark.parametrize("action", FIELDS)
def test_the_key_of_find_is_that_of_the_window_in_front(desk: Desk, action: str) -> None:
    window = desk.ready()
    desk.send(window, "hello")
    desk.qtbot.waitUntil(act(window, action).isEnabled)
    act(window, action).trigger()
    name, field = FIELDS[action]
    desk.qtbot.waitUntil(lambda: window.findChild(QWidget, name) is not None)
    other = named(window, QWidget, name)
    desk.qtbot.waitUntil(other.isActiveWindow)
    for each in other.findChildren(QLineEdit):
        each.clearFocus()
    QTest.keyClick(other, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.focusWidget() is named(window, QLineEdit, field)
    other.close()


@pytest.mark.slow
def test_code_is_looked_through(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "hello")
    desk.qtbot.waitUntil(act(window, "view_code").isEnabled)
    act(window, "view_code").trigger()
    desk.qtbot.waitUntil(lambda: window.findChild(QWidget, "code_dialog") is not None)
    dialog = named(window, QWidget, "code_dialog")
    desk.qtbot.waitUntil(dialog.isActiveWindow)
    QTest.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    field = named(window, QLineEdit, "code_python_search")
    field.setText("import")
    assert (
        named(window, QLabel, "code_python_found")
        .text()
        .startswith(tr("{number} of {count}").format(number=1, count=""))
    )
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert (dialog.isVisible(), field.isVisible()) == (True, False)
    dialog.close()
