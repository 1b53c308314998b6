import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.engine.types import Failure
from app.ui.look.palette import Color
from app.ui.look.theme import Theme
from app.ui.widgets.notices import NoticeBar
from tests.ui.desk import named

FAILURE = Failure("The weights are <b>cut off</b>.", "Download the model again.", "Traceback: …", kind="load")


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> NoticeBar:
    made = NoticeBar(theme)
    qtbot.addWidget(made)
    return made


def test_failure_is_shown_as_plain_text_and_copied_with_its_details(bar: NoticeBar) -> None:
    bar.show_failure(FAILURE)
    assert bar.isVisible()
    assert bar.accessibleName() == "Notice: The weights are <b>cut off</b>. Download the model again."
    assert named(bar, QLabel, "notice_what").textFormat() == Qt.TextFormat.PlainText
    named(bar, QAbstractButton, "copy_details").click()
    copied = QGuiApplication.clipboard().text()
    assert all(part in copied for part in (FAILURE.what, FAILURE.todo, FAILURE.details, FAILURE.kind))


def test_failure_is_red_and_a_remark_is_not(bar: NoticeBar, theme: Theme) -> None:
    red = theme.hex(Color.ERROR)
    bar.show_remark("The last model no longer exists.")
    assert red not in bar.styleSheet()
    bar.show_failure(FAILURE)
    assert red in bar.styleSheet()


def test_failure_when_dismissed_is_emitted(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_failure(FAILURE)
    with qtbot.waitSignal(bar.dismissed) as dismissed:
        named(bar, QAbstractButton, "dismiss").click()
    assert dismissed.args == [FAILURE]
    assert not bar.isVisible()
