"""The notice bar: in place, in words, with something to copy."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.engine.types import Failure
from app.ui.look.palette import Colour
from app.ui.look.theme import Theme
from app.ui.widgets.notices import NoticeBar
from tests.ui.desk import named

FAILURE = Failure("The weights are <b>cut off</b>.", "Download the model again.", "Traceback: …", kind="load")


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> NoticeBar:
    made = NoticeBar(theme)
    qtbot.addWidget(made)
    return made


def button(bar: NoticeBar, name: str) -> QAbstractButton:
    found = bar.findChild(QAbstractButton, name)
    assert found is not None
    return found


def test_it_says_what_happened_and_what_to_do(bar: NoticeBar) -> None:
    bar.show_failure(FAILURE)
    assert bar.isVisible()
    assert bar.accessibleName() == "Notice: The weights are <b>cut off</b>. Download the model again."
    label = named(bar, QLabel, "notice_what")
    assert label.textFormat() == Qt.TextFormat.PlainText


def test_details_are_copied_whole(bar: NoticeBar) -> None:
    bar.show_failure(FAILURE)
    button(bar, "copy_details").click()
    copied = QGuiApplication.clipboard().text()
    assert all(part in copied for part in (FAILURE.what, FAILURE.todo, FAILURE.details, FAILURE.kind))


def test_red_is_for_what_failed(bar: NoticeBar, theme: Theme) -> None:
    red = theme.hex(Colour.ERROR)
    bar.show_remark("The model of last time is not there any more.")
    assert red not in bar.styleSheet()
    bar.show_failure(FAILURE)
    assert red in bar.styleSheet()


def test_it_can_be_dismissed(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_failure(FAILURE)
    with qtbot.waitSignal(bar.dismissed) as dismissed:
        button(bar, "dismiss").click()
    assert dismissed.args == [FAILURE]
    assert not bar.isVisible()
