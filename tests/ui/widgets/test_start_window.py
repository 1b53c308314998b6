"""A window whose foot starts and stops something: meanwhile nothing in it can be changed."""

from pathlib import Path

import pytest
from app.ui.widgets.start_window import StartWindow
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.engine.types import Failure
from app.ui.look.theme import Theme
from app.ui.widgets import in_column
from tests.ui.desk import named
from tests.ui.dropping import drop, offered

TIP, WHY = "Have it done", "Something else goes on."


@pytest.fixture
def window(qtbot: QtBot, theme: Theme) -> StartWindow:
    made = StartWindow(theme, None, "work", "Work", TIP, takes_files=True)
    qtbot.addWidget(made)
    made.fields = (QLineEdit(),)
    in_column(*made.fields, made.foot, on=made)
    with qtbot.waitSignal(made.opened):
        made.show()
    return made


def test_while_it_goes_on_nothing_can_be_set_and_escape_stops_it(qtbot: QtBot, window: StartWindow) -> None:
    (field,), button = window.fields, window.foot.button
    field.setFocus()
    with qtbot.waitSignal(window.foot.start_wanted):
        button.click()
    window.show_going(window.STARTING)
    assert not field.isEnabled() and window.focusWidget() is button and button.text() == "Stop"
    window.show_going("1 of 2", 1, 2)
    with qtbot.waitSignal(window.foot.stop_wanted):
        QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.isVisible()
    window.show_going(None)
    assert field.isEnabled() and button.text() == "Start"
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_a_failure_is_told_with_what_is_known_of_it_until_there_is_none(window: StartWindow) -> None:
    trouble, copy = named(window, QLabel, "work_trouble"), named(window, QPushButton, "work_copy_details")
    window.foot.show_failure(Failure("It broke.", "Mend it.", "line 1"))
    assert trouble.text() == "It broke. Mend it."
    copy.click()
    assert QGuiApplication.clipboard().text() == "It broke. Mend it.\nline 1"
    window.foot.show_failure(None)
    assert not trouble.isVisible() and not copy.isVisible()


def test_the_button_says_why_nothing_can_be_started(window: StartWindow) -> None:
    foot = window.foot
    foot.allow(False, why=WHY)
    assert not foot.button.isEnabled() and foot.button.toolTip() == WHY
    foot.call("Go On")
    assert foot.button.toolTip() == WHY
    foot.allow(True, why=WHY)
    assert foot.button.isEnabled() and foot.button.toolTip() == TIP
    window.show_going(window.STARTING)
    foot.allow(False, why=WHY)
    assert foot.button.isEnabled() and foot.button.toolTip() not in (TIP, WHY)
    foot.allow(False, stopping=True)
    assert not foot.button.isEnabled()


def test_a_file_is_taken_unless_it_goes_on(qtbot: QtBot, window: StartWindow, tmp_path: Path) -> None:
    with qtbot.waitSignal(window.file_taken) as taken:
        assert drop(window, offered(tmp_path))
    assert taken.args == [tmp_path]
    window.show_going(window.STARTING)
    assert not drop(window, offered(tmp_path))
