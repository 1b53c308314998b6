"""Failures are told in place, and the program goes on."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from app.engine.types import LoadRequest, Reason
from app.state import Phase
from tests.journeys.journey import Journey

pytestmark = pytest.mark.slow


def test_a_folder_that_is_gone_leaves_the_present_model_open(demo: Journey, tmp_path: Path) -> None:
    demo.window.playground.load(LoadRequest(str(tmp_path / "gone")))
    demo.until(lambda: demo.state.failure is not None and demo.state.phase is Phase.READY)
    assert str(tmp_path / "gone") in demo.find(QLabel, "notice_what").text()
    demo.picture("failed")
    demo.press("dismiss")
    assert not demo.find(QWidget, "notice").isVisible()
    assert demo.send("Count 1 to 3").finish.reason is Reason.STOP


def test_a_prompt_beyond_the_context_is_explained(demo: Journey) -> None:
    demo.type("The cat sat on the mat. " * 1000)
    demo.press("send")
    run = demo.last()
    assert run.finish.reason is Reason.CONTEXT_FULL
    assert demo.reason.startswith("context full, ")
    assert run.finish.failure is not None
    told = demo.find(QLabel, "finish_reason")
    assert told.isVisible() and told.text().startswith(run.finish.failure.sentence)
    assert not demo.find(QWidget, "notice").isVisible(), "it is told once"
    demo.picture("context_full")
