"""Failures are told in place, and the program goes on."""

import shutil
from pathlib import Path

from PySide6.QtWidgets import QLabel, QWidget

from app.engine.types import LoadRequest, Reason
from app.state import Phase
from tests.journeys.journey import Journey


def test_a_folder_that_is_gone_leaves_the_present_model_open(demo: Journey, tmp_path: Path) -> None:
    demo.window.playground.load(LoadRequest(str(tmp_path / "gone")))
    demo.until(lambda: demo.state.failure is not None and demo.state.phase is Phase.READY)
    assert str(tmp_path / "gone") in demo.find(QLabel, "notice_what").text()
    demo.picture("failed")
    demo.press("dismiss")
    assert not demo.find(QWidget, "notice").isVisible()
    assert demo.send("Count 1 to 3").finish.reason is Reason.STOP


def test_broken_weights_are_a_failure_that_another_model_mends(demo: Journey, demo_model: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(demo_model, broken)
    weights = broken / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    demo.window.playground.load(LoadRequest(str(broken)))
    demo.until(lambda: demo.state.failure is not None and demo.state.phase is not Phase.LOADING)
    assert demo.find(QWidget, "notice").isVisible()
    demo.window.playground.load(LoadRequest(str(demo_model)))
    demo.until_ready()
    assert demo.state.failure is None
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
