"""Stop works in every phase, keeps the text, and tells how fast it was."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.engine.types import Reason
from app.state import Phase
from tests.journeys.journey import Journey, journey

STORY = "Tell me a long story about the sea."


def endless(user: Journey) -> None:
    """The raw page has no end, so that a run lasts until it is stopped."""
    user.press("offer_2")
    user.last()
    user.limit(0)


def test_stop_in_the_decode_keeps_the_text(demo: Journey) -> None:
    endless(demo)
    demo.type(STORY)
    demo.press("send")
    demo.until_tokens(40)
    demo.picture("streaming")
    demo.press("stop")
    run = demo.last()
    assert run.finish.reason is Reason.STOPPED
    assert run.text
    assert run.text.strip()[:30] in demo.page
    assert demo.reason.startswith("stopped by you, in ")
    assert not demo.button("stop").isVisible()
    assert demo.button("send").isVisible()
    demo.picture("stopped")
    demo.press("step_continue")
    demo.until_tokens(5)
    demo.press("stop")
    assert demo.last().finish.new <= 1


def test_escape_stops_too(demo: Journey) -> None:
    endless(demo)
    demo.type(STORY)
    demo.press("send")
    demo.until_tokens(10)
    QTest.keyClick(demo.find(QPlainTextEdit, "prompt"), Qt.Key.Key_Escape)
    assert demo.last().finish.reason is Reason.STOPPED


def test_stop_in_the_prefill(demo: Journey) -> None:
    demo.type("The cat sat on the mat. " * 200)
    demo.press("send")
    assert demo.state.phase is Phase.PREFILLING
    demo.press("stop")
    run = demo.last()
    assert run.finish.reason is Reason.STOPPED
    assert run.text == ""
    assert demo.reason.endswith("before the first token")
    demo.act("new_session")
    assert demo.send("Count 1 to 3").finish.reason is Reason.STOP


def test_stop_in_the_load(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    with journey(qtbot, ["--data-dir", str(tmp_path)]) as user:
        user.until(lambda: user.state.phase is Phase.LOADING)
        user.press("cancel")
        user.until(lambda: user.state.phase in (Phase.EMPTY, Phase.READY))
        assert Phase.STOPPING in user.phases
        assert user.state.failure is None
