import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView
from pytestqt.qtbot import QtBot

from app.engine.types import Reason
from app.ui.sessions import SessionsColumn
from tests.journeys import crashing
from tests.journeys.journey import Journey, started
from tests.records.crash import LOG, PUT, killed_well

pytestmark = pytest.mark.slow

STREAMED = 40
"""Tokens of a run that have to be there when the program is killed: a second's."""
OLD_S = 2.0
"""And so old they have to be. Half a second is what is promised, and what `tests.records.crash` looks at."""


def test_conversation_after_a_restart_can_be_continued(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    with started(qtbot, tmp_path) as user:
        user.cold()
        whole = user.send("Count 1 to 9").text
        user.act("new_session")
        user.limit(6)
        user.cold()
        first = user.send("Count 1 to 9")
        page = user.page
        assert first.finish.reason is Reason.LENGTH
    with started(qtbot, tmp_path) as user:
        user.until(lambda: user.page == page)
        assert user.reason.startswith("length, the limit of 6 tokens")
        user.limit(100)
        user.press("step_continue")
        second = user.last()
        assert user.state.turns[-1].text == first.text + second.text == whole
        _search_and_delete(user)


def _search_and_delete(user: Journey) -> None:
    """The two sessions are found by a word; the one that is deleted comes back."""
    user.window.resize(1300, 850)
    session = user.state.session
    column, sessions = user.find(SessionsColumn, "sessions"), user.find(QListView, "session_list")
    QTest.keyClicks(user.find(QLineEdit, "session_search"), "coun")
    user.until(lambda: sessions.model().rowCount() >= 2)
    column.search.clear()
    user.until(lambda: column.list.model().rowCount() == 3)

    def selected() -> bool:
        column.list.select(session)
        return column.list.current() == session

    user.until(selected)
    QTest.keyClick(sessions, Qt.Key.Key_Delete)
    assert user.state.turns == ()
    user.press("session_undo")
    user.until(lambda: user.state.session == session and "Count 1 to 9" in user.page)


def test_program_killed_while_streaming_loses_nothing_older_than_half_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(crashing.ENGINE, "echo")
    assert killed_well(2, seeds=(5, 6, 7), program=crashing.PROGRAM)


def test_killed_run_is_marked_as_interrupted_and_can_be_continued(qtbot: QtBot, tmp_path: Path) -> None:
    data, log = tmp_path / "data", tmp_path / LOG
    child = subprocess.Popen(
        [sys.executable, "-m", crashing.PROGRAM, "--stream", str(tmp_path)],
        env=os.environ | {crashing.ENGINE: "echo"},
    )
    due = list[int]()

    def is_old() -> bool:
        due.append(_due(log))
        return due[-1] >= STREAMED

    qtbot.waitUntil(is_old)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    with started(qtbot, data, "--engine", "echo") as user:
        user.until(lambda: bool(user.state.turns))
        cut = user.state.last_run
        assert cut is not None and cut.interrupted
        assert len(cut.ids) >= due[-1]
        assert user.state.turns[-1].text
        assert user.reason.startswith("interrupted, ")
        assert "Interrupted: Sluice ended unexpectedly during this run · " in user.page
        before = user.state.turns[-1].text
        user.press("step_continue")
        run = user.last()
        assert user.state.turns[-1].text == before + run.text
        assert run.text


def _due(log: Path) -> int:
    """How many tokens of the last run have to be there if it is killed now."""
    told, before = _told(log), time.monotonic() - OLD_S
    return max((tokens for run, tokens, at in told if run == told[-1][0] and at <= before), default=0)


def _told(log: Path) -> list[tuple[int, int, float]]:
    """Run, tokens by then, and when."""
    content = log.read_bytes() if log.exists() else b""
    return list(PUT.iter_unpack(content[: len(content) // PUT.size * PUT.size]))
