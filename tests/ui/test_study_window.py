from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QMainWindow, QPushButton
from pytestqt.qtbot import QtBot

from app.engine.types import Failure
from app.ui.look.theme import Theme
from app.ui.study_window import STARTING, StudyWindow
from app.ui.widgets import in_column
from app.ui.widgets.windows import bring_up
from tests.ui.alone import Alone
from tests.ui.desk import named
from tests.ui.dropping import drop, offered

TIP, WHY = "Start it", "Something else is running."


class Work(StudyWindow):
    """Notes what is asked of it."""

    def __init__(self, alone: Alone, theme: Theme) -> None:
        self.calls: list[object] = []
        super().__init__(alone.playground, theme, alone, "work", "Work", TIP, takes_files=True)
        self.field = QLineEdit()
        self.fields = (self.field,)
        in_column(self.field, self.foot, on=self)

    def start(self) -> None:
        self.calls.append("start")

    def stop(self) -> None:
        self.calls.append("stop")

    def refresh(self) -> None:
        self.calls.append("refresh")

    def take_file(self, path: Path) -> None:
        self.calls.append(path)


@pytest.fixture
def window(alone: Alone, theme: Theme) -> Work:
    made = Work(alone, theme)
    made.show()
    assert made.calls == ["refresh"]
    made.calls.clear()
    return made


def test_running_study_disables_fields_and_escape_stops_it(window: Work) -> None:
    field, button = window.field, window.foot.button
    field.setFocus()
    button.click()
    window.show_progress(STARTING)
    assert not field.isEnabled() and window.focusWidget() is button and button.text() == "Stop"
    window.show_progress("1 of 2", 1, 2)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.isVisible() and window.calls == ["start", "stop"]
    window.show_progress(None)
    assert field.isEnabled() and button.text() == "Start"
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.isVisible()


def test_window_closed_during_a_study_lets_it_go_on(window: Work) -> None:
    window.foot.button.click()
    window.show_progress("1 of 2", 1, 2)
    window.close()
    assert not window.isVisible() and window.calls == ["start"]


def test_main_window_can_be_above_a_study_window(window: Work) -> None:
    bring_up(window)
    assert window.windowHandle().transientParent() is None


def test_window_of_its_own_makes_no_widget_of_the_main_window_native(qtbot: QtBot) -> None:
    main = QMainWindow()
    qtbot.addWidget(main)
    field = QLineEdit()
    main.setCentralWidget(field)
    main.show()
    bring_up(QDialog(main, Qt.WindowType.Window))
    assert not field.testAttribute(Qt.WidgetAttribute.WA_NativeWindow)


def test_refused_study_shows_why_and_can_be_started_again(window: Work) -> None:
    assert not window.begin(lambda: False)
    assert window.foot.button.text() == "Start" and window.field.isEnabled()
    assert named(window, QLabel, "work_trouble").text() == "Wait until the model is free."
    assert window.begin(lambda: True)
    assert window.foot.button.text() == "Stop" and not named(window, QLabel, "work_trouble").text()


def test_failure_is_shown_with_details_until_there_is_none(window: Work) -> None:
    message, copy = named(window, QLabel, "work_trouble"), named(window, QPushButton, "work_copy_details")
    window.foot.show_failure(Failure("It broke.", "Mend it.", "line 1"))
    assert message.text() == "It broke. Mend it."
    copy.click()
    assert QGuiApplication.clipboard().text() == "It broke. Mend it.\nline 1"
    window.foot.show_failure(None)
    assert not message.isVisible() and not copy.isVisible()


def test_button_tooltip_says_why_start_is_disabled(window: Work) -> None:
    foot = window.foot
    foot.allow(False, why_not=WHY)
    assert not foot.button.isEnabled() and foot.button.toolTip() == WHY
    foot.label_start("Resume")
    assert foot.button.toolTip() == WHY
    foot.allow(True, why_not=WHY)
    assert foot.button.isEnabled() and foot.button.toolTip() == TIP
    window.show_progress(STARTING)
    foot.allow(False, why_not=WHY)
    assert foot.button.isEnabled() and foot.button.toolTip() not in (TIP, WHY)
    foot.allow(False, is_stopping=True)
    assert not foot.button.isEnabled()


def test_dropped_file_is_taken_unless_a_study_is_running(window: Work, tmp_path: Path) -> None:
    assert drop(window, offered(tmp_path))
    assert window.calls == [tmp_path]
    window.show_progress(STARTING)
    assert not drop(window, offered(tmp_path))
