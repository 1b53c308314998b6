from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app.engine.meter.meter import Frame
from app.engine.types import Reason, Tuning
from app.records.journal import open_journal
from app.state import Phase
from app.ui.instruments.gauges import ContextGauge
from tests.journeys.journey import Journey, journey
from tests.ui.program import Program

STORY = "Tell me a long story about the sea."


def endless(user: Journey) -> None:
    """The raw page has no end, so that a run lasts until it is stopped."""
    user.press("offer_2")
    user.last()
    user.limit(0)


@pytest.fixture
def writing(program: Program) -> Program:
    """A first start on the scripted engine, and an answer that goes on until it is stopped."""
    program.go()
    program.until(lambda: "word word" in program.page)
    return program


def test_first_answer_stopped_is_on_the_page_and_saved(writing: Program) -> None:
    assert writing.find(QAbstractButton, "stop").isEnabled()
    writing.find(QAbstractButton, "stop").click()
    writing.until(lambda: writing.state.phase is Phase.READY)
    question, answer = (turn.text for turn in writing.state.turns)
    assert question == "Go" and answer.strip() in writing.page
    reason = writing.find(QLabel, "finish_reason")
    assert reason.accessibleName().startswith("Finish reason: stopped by you, in ")
    writing.quit()
    journal = open_journal(writing.folder)
    session = journal.sessions.latest()
    assert session is not None
    assert [turn.text for turn in journal.sessions.turns(session.id)] == [question, answer]
    journal.close()


@pytest.mark.slow
def test_stop_while_decoding_keeps_the_text(demo: Journey) -> None:
    endless(demo)
    demo.type(STORY)
    demo.press("send")
    demo.until_tokens(40)
    demo.press("stop")
    run = demo.last()
    assert run.finish.reason is Reason.STOPPED
    assert run.text
    assert run.text.strip()[:30] in demo.page
    assert demo.reason.startswith("stopped by you, in ")
    assert not demo.button("stop").isVisible()
    assert demo.button("send").isVisible()
    demo.press("step_continue")
    demo.until_tokens(5)
    demo.press("stop")
    assert demo.last().finish.new <= 1


@pytest.mark.slow
def test_stop_during_prefill_ends_the_run(demo: Journey) -> None:
    """All that is shown tells of what was read, which the cache has, and not of the whole prompt."""
    frames: list[Frame] = []
    demo.window.playground.advanced.connect(frames.append)
    demo.window.playground.tune(Tuning(prefill_chunk=8))
    demo.until_ready()
    demo.type("The cat sat on the mat. " * 200)
    demo.press("send")
    assert demo.state.phase is Phase.PREFILLING
    demo.until(lambda: any(frame.prefill and frame.prefill.done for frame in frames))
    demo.press("stop")
    run = demo.last()
    assert run.finish.reason is Reason.STOPPED
    assert run.text == ""
    assert demo.reason.endswith("before the first token")
    assert run.prompt is not None
    read, whole = run.finish.new, len(run.prompt.ids)
    assert 0 < read < whole and run.finish.reused == 0
    assert demo.find(ContextGauge, "context_gauge").accessibleName() == f"Context: {read:,} / 2,048"
    assert demo.find(QLabel, "cache_words").text() == f"{read:,} of {whole:,} tokens were processed."
    assert demo.details["Prompt"] == f"0 reused, {read} new"
    demo.press("step_retry")
    assert demo.last().finish.reused == read
    demo.act("new_session")
    assert demo.send("Count 1 to 3").finish.reason is Reason.STOP


@pytest.mark.slow
def test_stop_during_a_load_ends_the_load(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    with journey(qtbot, ["--data-dir", str(tmp_path)]) as user:
        user.until(lambda: user.state.phase is Phase.LOADING)
        user.press("cancel")
        user.until(lambda: user.state.phase in (Phase.EMPTY, Phase.READY))
        assert Phase.STOPPING in user.phases
        assert user.state.failure is None
