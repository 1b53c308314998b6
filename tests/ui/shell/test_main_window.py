import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMessageBox, QPlainTextEdit, QSpinBox, QWidget

from app.bridge import journal_reader
from app.controls import Controls
from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.types import ENDLESS, Cancellation, Capabilities, Failure, Limits, LoadRequest, Memory, Model
from app.files.regular_files import is_folder
from app.files.settings import Layout, Settings
from app.platform.packages import mlx_backend
from app.state import Phase
from app.ui.conversation.finish_explanation import NextStep
from app.ui.conversation.finish_line import FinishLine
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import AnswerView, TurnAction
from app.ui.guide import controller_help
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.shell.main_window import MainWindow
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.desk import QUICK, Desk, act, named
from tests.ui.dropping import drop, offered


@pytest.mark.slow
def test_settings_are_saved_and_restored(desk: Desk) -> None:
    """Also the columns of tables that were not opened."""
    tables = (("runs", ("=started", "-seed")),)
    window = desk.ready(Settings(layout=Layout(tables=tables)))
    graph = named(window, SpeedGraph, "speed_graph")
    assert not graph.scene.eos.is_on
    graph.set_eos(True)
    named(window, QSpinBox, "max_tokens").setValue(77)
    act(window, "view_plain").trigger()
    act(window, "enter_sends").trigger()
    act(window, "toggle_controls").trigger()
    window.close()
    kept = desk.kept[-1]
    assert (kept.controls.limits.max_tokens, kept.view, kept.enter_sends) == (77, "plain", False)
    assert (kept.layout.side_shown, kept.layout.end_probability_shown, kept.layout.tables) == (False, True, tables)
    assert kept.model == "echo"
    again = desk.ready(kept)
    assert named(again, QSpinBox, "max_tokens").value() == 77
    assert named(again, Transcript, "transcript").view is AnswerView.PLAIN
    assert not act(again, "enter_sends").isChecked()
    assert not named(again, QWidget, "controls").isVisible()
    assert named(again, SpeedGraph, "speed_graph").scene.eos.is_on


def test_window_with_an_invalid_layout_opens(desk: Desk) -> None:
    window = desk.ready(Settings(layout=Layout("\ud800", (1, 2, 3), (5,))))
    assert window.isVisible()


@pytest.mark.slow
def test_failure_is_shown_and_dismissed(desk: Desk) -> None:
    failure = Failure("The weights are cut off.", "Download the model again.")
    window = desk.open(knobs=replace(QUICK, load_failure=failure))
    desk.qtbot.waitUntil(lambda: window.playground.state.failure is not None)
    desk.until(window, Phase.EMPTY)
    bar = named(window, QWidget, "notice")
    assert bar.isVisible()
    offer = named(window, QAbstractButton, "notice_offer")
    assert offer.text() == "Open Model…"
    offer.click()
    named(window, QWidget, "model_picker").close()
    named(window, QAbstractButton, "dismiss").click()
    assert not bar.isVisible()
    assert window.playground.state.failure is None
    assert named(window, QAbstractButton, "welcome_open").isVisible()


@pytest.mark.slow
def test_failed_run_keeps_the_notice(desk: Desk) -> None:
    """Its failure is shown in place of the answer."""
    window = desk.open(notice="Not all was kept.", knobs=replace(QUICK, run_failure=Failure("It broke.", "Retry.")))
    desk.until(window, Phase.READY)
    said, dismiss = named(window, QLabel, "notice_what"), named(window, QAbstractButton, "dismiss")
    for text in ("One", "Two"):
        desk.send(window, text)
        assert (said.text(), said.isVisible()) == ("Not all was kept.", True)
    window.playground.show_failure(Failure("The disk is gone.", ""))
    assert said.text() == "The disk is gone."
    desk.send(window, "Three")
    assert (said.text(), said.isVisible()) == ("Not all was kept.", True)
    window.playground.show_failure(Failure("It is gone again.", ""))
    dismiss.click()
    assert said.text() == "Not all was kept." and window.playground.state.failure is None
    dismiss.click()
    assert not said.isVisible()


def test_actions_follow_the_state(desk: Desk) -> None:
    window = desk.ready()
    compose = named(window, QAbstractButton, "new_session")
    assert not act(window, "regenerate").isEnabled()
    assert not act(window, "new_session").isEnabled() and not compose.isEnabled()
    desk.send(window, "Hello")
    assert act(window, "regenerate").isEnabled()
    assert not act(window, "continue_run").isEnabled()
    compose.click()
    assert not window.playground.state.turns
    assert not act(window, "new_session").isEnabled() and not compose.isEnabled()
    assert not act(window, "undo").isEnabled()


@pytest.mark.slow
def test_copy_answer_during_a_run_copies_the_text_so_far(desk: Desk) -> None:
    window = desk.ready(knobs=ENDLESS_TEXT)
    window.playground.set_controls(replace(window.playground.state.controls, limits=Limits(ENDLESS)))
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("Copied before")
    assert window.playground.send("Go")
    act(window, "copy_answer").trigger()
    assert clipboard.text() == "Copied before"
    transcript = named(window, Transcript, "transcript")
    desk.qtbot.waitUntil(lambda: "word" in transcript.turn_text(1))
    act(window, "copy_answer").trigger()
    assert clipboard.text() == transcript.turn_text(1)
    window.playground.stop()
    desk.until(window, Phase.READY)
    act(window, "copy_answer").trigger()
    assert clipboard.text() == window.playground.state.turns[-1].text


@pytest.mark.slow
def test_reasoning_of_a_continued_answer_is_counted_once(desk: Desk) -> None:
    window = desk.ready(knobs=replace(QUICK, reasoning="Let me think about it for a while."))
    named(window, QSpinBox, "max_tokens").setValue(4)
    desk.send(window, "Hello")
    named(window, QSpinBox, "max_tokens").setValue(100)
    act(window, "continue_run").trigger()
    desk.until(window, Phase.READY)
    runs = window.playground.state.turns[-1].runs
    total = sum(run.summary.figures.reasoning for run in runs)
    assert 0 < runs[0].summary.figures.reasoning < total
    assert f"{total} tokens" in named(window, Transcript, "transcript").plain_text()


@pytest.mark.slow
def test_dropped_folder_is_inspected_on_another_thread_and_opened(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    threads: list[threading.Thread] = []

    def look(path: Path) -> bool:
        threads.append(threading.current_thread())
        return is_folder(path)

    monkeypatch.setattr("app.ui.shell.main_window.is_folder", look)
    window = desk.ready()
    drop(window, offered(tmp_path))
    desk.qtbot.waitUntil(lambda: window.playground.state.wanted == str(tmp_path))
    desk.until(window, Phase.READY)
    assert threads and threading.main_thread() not in threads


def test_open_path_of_an_unreadable_path_shows_a_failure(desk: Desk) -> None:
    window = desk.ready()
    window.open_path("/" + "a" * 300)
    said = named(window, QLabel, "notice_what")
    desk.qtbot.waitUntil(said.isVisible)
    assert "could not be read" in said.text()


def test_about_box_names_backend_and_device(desk: Desk) -> None:
    window = desk.ready()
    window.playground.measured.emit(Memory(0, 0, 0, 0, 0, 0, device="NVIDIA H100"))
    act(window, "about").trigger()
    box = window.findChild(QMessageBox)
    assert box is not None
    assert box.informativeText().endswith(f"\n{mlx_backend()}, NVIDIA H100")
    box.reject()


def test_window_closed_at_once_starts_nothing(desk: Desk) -> None:
    window = desk.open()
    window.close()
    QApplication.processEvents()
    assert window.playground.state.phase is Phase.EMPTY
    assert not window.playground.load(LoadRequest("echo"))


class Base(EchoEngine):
    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        loaded = super().load(request, emit, stop)
        return replace(loaded, can=Capabilities(chat=False)) if isinstance(loaded, Model) else loaded


@pytest.mark.slow
def test_base_model_has_example_prompts_on_its_raw_page(desk: Desk) -> None:
    window = desk.open(engine=Base)
    desk.until(window, Phase.READY)
    first = named(window, QAbstractButton, "offer_1")
    for mode in ("mode_raw", "mode_chat", "mode_raw"):
        named(window, QAbstractButton, mode).click()
        assert first.isVisible(), mode
    first.click()
    desk.until(window, Phase.READY)
    assert window.playground.state.turns and not first.isVisible()


@pytest.mark.slow
def test_step_of_a_full_context_begins_a_new_session(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "One")
    window.findChildren(FinishLine)[0].stepped.emit(NextStep.NEW_SESSION.value)
    assert not window.playground.state.turns


def fail(*_: object) -> None:
    raise LookupError("not foreseen")


def has_failed(window: MainWindow) -> bool:
    return "operation failed" in named(window, QLabel, "notice_what").text()


def test_exception_in_a_task_of_a_controller_is_shown_and_logged(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller_help, "versions", fail)
    window = desk.ready()
    with desk.qtbot.captureExceptions() as logged:
        act(window, "report_problem").trigger()
        desk.qtbot.waitUntil(lambda: has_failed(window))
    assert [kind for kind, *_ in logged] == [LookupError]


@pytest.mark.slow
def test_exception_in_a_task_of_the_playground_is_shown_and_logged(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_reader, "session_of", fail)
    window = desk.ready()
    desk.send(window, "Hello")
    session = window.playground.state.session
    act(window, "new_session").trigger()
    with desk.qtbot.captureExceptions() as logged:
        assert window.playground.open_session(session)
        desk.qtbot.waitUntil(lambda: has_failed(window))
    assert [kind for kind, *_ in logged] == [LookupError]
    assert not window.playground.state.opening
    assert window.playground.send("Go on")
    desk.until(window, Phase.READY)


@pytest.mark.slow
def test_signals_of_one_feature_reach_another(desk: Desk) -> None:
    limits = Limits(64, stop_strings=("three f",))
    window = desk.ready(Settings(controls=Controls(limits=limits)), replace(QUICK, replies=("One two three four.",)))
    desk.send(window, "Go")
    named(window, QAbstractButton, "step_step_by_step").click()
    assert named(window, QWidget, "stop_steps").isVisible()
    named(window, Transcript, "transcript").wanted.emit(TurnAction.TRY, 1)
    prompt = named(window, QPlainTextEdit, "experiment_prompt")
    assert prompt.isVisible() and prompt.toPlainText() == "Go"
    prompt.window().close()
    named(window, QAbstractButton, "more_about_run").click()
    named(window, QAbstractButton, "try_run_with").click()
    assert prompt.isVisible()
    window._features.experiments.progressed.emit("Run 1 of 2", 1, 2)
    assert named(window, QLabel, "progress_words").text().startswith("Run 1 of 2")
    window._parts.controls.draft_wanted.emit()
    assert named(window, QWidget, "model_picker").isVisible()
    window._features.serving.open_wanted.emit("another")
    desk.qtbot.waitUntil(lambda: window.playground.state.wanted == "another")
