from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.sessions import SessionsColumn
from tests.journeys.journey import Journey, started

pytestmark = pytest.mark.slow

LONG = 1200
"""Tokens of a run that lasts for several seconds with the demo model."""


def begin_long_run(user: Journey, text: str) -> int:
    user.limit(LONG)
    user.type(text)
    user.press("send")
    user.until(lambda: user.state.phase is Phase.GENERATING)
    return user.state.session


def queue(user: Journey, text: str) -> None:
    user.type(text)
    QTest.keyClick(user.find(QPlainTextEdit, "prompt"), Qt.Key.Key_Return)
    assert user.find(QPlainTextEdit, "prompt").toPlainText() == ""


def raw(user: Journey) -> None:
    """Without the chat template, the demo model doesn't end by itself."""
    user.press("mode_raw")


def open_in_list(user: Journey, session: int) -> None:
    column = user.find(SessionsColumn, "sessions")
    column.list.select(session)
    QTest.keyClick(column.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    user.until(lambda: user.state.session == session and not user.state.opening)


def test_another_session_is_read_while_a_page_is_continued(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    with started(qtbot, tmp_path) as user:
        user.window.resize(1300, 850)
        user.cold()
        read = user.send("Count 1 to 9")
        chat = user.state.session
        raw(user)
        running = begin_long_run(user, "Once upon a time")
        open_in_list(user, chat)
        assert read.text in user.page and user.state.running_session == running
        transcript = user.find(Transcript, "transcript")
        transcript.selectAll()
        transcript.copy()
        assert read.text in QApplication.clipboard().text()
        QApplication.clipboard().clear()
        queue(user, "Count 1 to 3")
        user.until(lambda: user.find(QLabel, "running_elsewhere").isVisible())
        user.press("show_running")
        field = user.find(QPlainTextEdit, "prompt")
        user.until(lambda: user.state.session == running and field.isReadOnly())
        start = len(field.toPlainText())
        user.until(lambda: len(field.toPlainText()) > start)
        user.press("stop")
        user.until_ready()
        assert field.toPlainText() == "".join(turn.text for turn in user.state.turns)
        user.until(lambda: user.button("send_queue").isVisible())
        user.press("send_queue")
        user.until(lambda: not user.state.queue and user.state.phase is Phase.READY)
        assert user.state.session == running, "the page that the user reads stays"
        open_in_list(user, chat)
        assert [turn.text for turn in user.state.turns][2] == "Count 1 to 3" and user.state.turns[3].text
        assert "Count 1 to 3" in user.page
