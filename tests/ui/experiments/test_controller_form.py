"""The window of experiments on the scripted engine: rows begin a sweep, results are saved, failures are said."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTableView,
)

from app.controls import Controls
from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Failure, Limits, LoadRequest, Model, Stopped
from app.settings import Settings
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import TurnAction
from app.ui.runs.table import RunsTable
from app.ui.sessions.column import SessionsColumn
from app.ui.shell.main_window import MainWindow
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.desk import Desk, act, named
from tests.ui.experiments.form_window import conclusion, start


def trouble(window: MainWindow) -> str:
    return named(window, QLabel, "experiment_trouble").text()


def measured(desk: Desk) -> MainWindow:
    """A window in which the shortest of experiments was done."""
    window = desk.ready()
    act(window, "experiment_stops").trigger()
    start(window)
    conclusion(desk, window)
    return window


def test_start_becomes_stop_under_the_same_finger(desk: Desk) -> None:
    window = desk.ready(knobs=ENDLESS_TEXT)
    act(window, "experiment_stops").trigger()
    button = named(window, QAbstractButton, "experiment_start")
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert button.text() == "Stop" and button.window().focusWidget() is button
    QTest.keyClick(button, Qt.Key.Key_Space)
    desk.qtbot.waitUntil(lambda: window.playground.state.phase is Phase.READY)
    assert button.text() == "Start"


@pytest.mark.parametrize(("suffix", "kind"), [(".json", 1), (".csv", 2), (".md", 0)])
def test_what_was_found_is_saved(desk: Desk, tmp_path: Path, suffix: str, kind: int) -> None:
    window = measured(desk)
    named(window, QAbstractButton, "experiment_export").click()
    dialog = named(window, QFileDialog, "save_dialog")
    assert suffix in dialog.nameFilters()[kind]
    path = tmp_path / f"found{suffix}"
    dialog.fileSelected.emit(str(path))
    dialog.done(0)
    desk.qtbot.waitUntil(path.exists)
    text = path.read_text("utf-8")
    if suffix == ".json":
        assert [run["arm"] for run in json.loads(text)["runs"]] == ["without stop strings", "with them"]
    elif suffix == ".csv":
        assert len(list(csv.DictReader(io.StringIO(text)))) == 2
    else:
        assert text.startswith("# Stop strings and characters")


def test_what_can_t_be_saved_is_said(desk: Desk, tmp_path: Path) -> None:
    window = measured(desk)
    named(window, QAbstractButton, "experiment_export").click()
    dialog = named(window, QFileDialog, "save_dialog")
    dialog.fileSelected.emit(str(tmp_path / "nowhere" / "found.md"))
    dialog.done(0)
    desk.qtbot.waitUntil(lambda: "could not be saved" in trouble(window))


def test_chosen_runs_begin_a_sweep_over_what_they_differ_in(desk: Desk) -> None:
    window = desk.ready(Settings(controls=Controls(limits=Limits(8), seed=3)))
    desk.send(window, "One")
    controls = window.playground.state.controls
    window.playground.set_controls(replace(controls, limits=Limits(4)))
    desk.send(window, "Two")
    act(window, "show_runs").trigger()
    table = named(window, RunsTable, "runs")
    desk.qtbot.waitUntil(lambda: len(table.rows) == 2)
    sweep = window.findChild(QAction, "sweep_runs")
    single = window.findChild(QAction, "try_run")
    assert isinstance(sweep, QAction) and isinstance(single, QAction) and not sweep.isEnabled()
    table.pick((1, 2))
    assert not single.isEnabled()
    sweep.trigger()
    axis = named(window, QComboBox, "experiment_axis_0")
    desk.qtbot.waitUntil(lambda: axis.currentData() == "limits.max_tokens")
    assert named(window, QLineEdit, "experiment_values_0").text() == "4, 8"
    named(window, QSpinBox, "experiment_repeats").setValue(2)
    start(window)
    conclusion(desk, window)
    figures = named(window, QTableView, "experiment_figures").model()
    assert [figures.index(row, 0).data() for row in range(2)] == ["A  max tokens 4", "B  max tokens 8"]
    assert window.playground.state.turns[-1].role.value == "assistant", "the conversation stays"
    table.pick((1,))
    single.trigger()
    prompt = named(window, QPlainTextEdit, "experiment_prompt")
    desk.qtbot.waitUntil(lambda: prompt.toPlainText() == "One")


def test_how_many_rounds_can_tell_a_difference_is_said_before(desk: Desk) -> None:
    """As many are run as what is varied needs, unless somebody wanted another number."""
    window = desk.ready()
    act(window, "experiment_sweep").trigger()
    rounds, words = named(window, QSpinBox, "experiment_repeats"), named(window, QLabel, "experiment_rounds_words")
    values = named(window, QLineEdit, "experiment_values_0")

    def vary(text: str) -> tuple[int, str]:
        values.setText(text)
        values.textEdited.emit(text)
        return rounds.value(), words.text()

    assert vary("0, 0.7, 1") == (8, "At least 8 rounds are needed for a significant result.")
    assert vary("0, 0.2, 0.4, 0.6, 0.8, 1") == (10, "At least 10 rounds are needed for a significant result.")
    assert vary(", ".join(map(str, range(900)))) == (20, "At least 20 rounds are needed for a significant result.")
    assert vary("0, 1") == (6, "At least 6 rounds are needed for a significant result.")
    rounds.setValue(12)
    assert vary("0, 1") == (12, "At least 6 rounds are needed for a significant result.")
    enough = words.palette().windowText().color()
    rounds.setValue(3)
    assert words.palette().windowText().color() != enough, "a warning"
    act(window, "experiment_template").trigger()
    assert rounds.value() == 1 and words.isHidden(), "what it tells needs no more than one"


def test_a_prompt_that_was_typed_stays_with_the_next_question(desk: Desk) -> None:
    window = desk.ready()
    act(window, "experiment_cache").trigger()
    prompt = named(window, QPlainTextEdit, "experiment_prompt")
    before = prompt.toPlainText()
    act(window, "experiment_stops").trigger()
    assert prompt.toPlainText() != before, "each question has a prompt of its own"
    prompt.setPlainText("Mine")
    box = named(window, QComboBox, "experiment_name")
    box.setCurrentIndex(0)
    box.activated.emit(0)
    assert prompt.toPlainText() == "Mine"


def test_what_was_typed_stays_where_the_same_question_is_asked_for_again(desk: Desk) -> None:
    window = desk.ready()
    act(window, "experiment_sweep").trigger()
    values = named(window, QLineEdit, "experiment_values_0")
    values.setText("0.1, 0.2")
    act(window, "experiment_sweep").trigger()
    box = named(window, QComboBox, "experiment_name")
    box.activated.emit(box.currentIndex())
    values.window().close()
    act(window, "experiment_sweep").trigger()
    assert values.text() == "0.1, 0.2"


def test_any_answer_of_the_page_can_be_tried(desk: Desk) -> None:
    window = desk.ready(Settings(controls=Controls(limits=Limits(8), seed=3)))
    desk.send(window, "One")
    desk.send(window, "Two")
    named(window, Transcript, "transcript").wanted.emit(TurnAction.TRY, 1)
    prompt = named(window, QPlainTextEdit, "experiment_prompt")
    assert prompt.toPlainText() == "One"
    named(window, QAbstractButton, "more_about_run").click()
    named(window, QAbstractButton, "try_run_with").click()
    assert prompt.toPlainText() == "Two"
    assert "(2)" in named(window, QLabel, "experiment_about").text()


class Named(EchoEngine):
    """Each model is called by what was opened."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
        model = super().load(request, emit, stop)
        return replace(model, name=request.model) if isinstance(model, Model) else model


def test_the_session_of_the_runs_is_on_offer_while_there_is_one(desk: Desk) -> None:
    window = measured(desk)
    runs = named(window, QAbstractButton, "experiment_session")
    assert runs.isEnabled()
    column, session = named(window, SessionsColumn, "sessions"), window.playground.experimenting.session
    column.deleted.emit(session)
    desk.qtbot.waitUntil(lambda: not runs.isEnabled())
    column.restored.emit(session)
    desk.qtbot.waitUntil(runs.isEnabled)


def test_it_is_said_as_soon_as_another_model_is_what_is_measured(desk: Desk) -> None:
    window = desk.open(engine=Named)
    desk.until(window, Phase.READY)
    desk.send(window, "One")
    named(window, Transcript, "transcript").wanted.emit(TurnAction.TRY, 1)
    about = named(window, QLabel, "experiment_about")
    first = about.text()
    assert first == "From a run on echo, with its settings."
    for model, said in (("bigger", "bigger is open now, and is what is measured"), ("echo", first)):
        window.playground.load(LoadRequest(model))
        desk.until(window, Phase.READY)
        assert said in about.text()


def test_esc_stops_and_then_closes(desk: Desk) -> None:
    window = desk.ready(knobs=ENDLESS_TEXT)
    act(window, "experiment_sweep").trigger()
    named(window, QSpinBox, "experiment_max_tokens").setValue(100_000)
    start(window)
    view = named(window, QDialog, "experiment_window")
    progress = named(window, QLabel, "experiment_progress")
    desk.qtbot.waitUntil(lambda: progress.text().startswith("Run 1"))
    assert named(window, QLabel, "progress_words").text().startswith("Experiment: Run 1")
    QTest.keyClick(view, Qt.Key.Key_Escape)
    desk.until(window, Phase.READY)
    desk.qtbot.waitUntil(lambda: trouble(window) == "It was stopped before a run had ended.")
    assert view.isVisible()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.isVisible()


def test_without_a_model_and_beside_a_run_it_can_t_start(desk: Desk) -> None:
    window = desk.ready(Settings(controls=Controls(limits=Limits(100_000))), ENDLESS_TEXT)
    act(window, "experiment_cache").trigger()
    button = named(window, QAbstractButton, "experiment_start")
    assert button.isEnabled()
    window.playground.send("Go")
    assert not button.isEnabled()
    window.playground.stop()
    desk.until(window, Phase.READY)
    assert button.isEnabled()
    window.playground.unload()
    desk.until(window, Phase.EMPTY)
    named(window, QAbstractButton, "experiment_command").click()
    assert trouble(window) == "Open a model first."
    window.playground.load(LoadRequest("echo"))
    desk.until(window, Phase.READY)


def test_the_window_closes_in_the_middle(desk: Desk) -> None:
    window = desk.ready(knobs=ENDLESS_TEXT)
    act(window, "experiment_cache").trigger()
    named(window, QSpinBox, "experiment_max_tokens").setValue(100_000)
    start(window)
    desk.qtbot.waitUntil(lambda: bool(window.playground.state.experiment))
    window.close()
