"""The window of experiments on the echo engine: sweeps from runs, export, errors, stop."""

import csv
import io
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTableView,
    QTabWidget,
    QWidget,
)

from app.actions.table import BY_NAME
from app.controls import Controls
from app.engine.echo.engine import EchoEngine
from app.engine.remote import server_probe
from app.engine.types import Limits, LoadRequest, Server
from app.experiments import sample
from app.experiments.duration import KnownSpeed
from app.files.settings import Settings
from app.library.keychain import ServerKeys
from app.state import Phase
from app.ui.document.turns import TurnAction
from app.ui.experiments.controller import ExperimentsController
from app.ui.experiments.form import ExperimentForm
from app.ui.experiments.questions import QUESTIONS
from app.ui.experiments.setup import ModelChoice, find_server_choices
from app.ui.experiments.window import ExperimentWindow
from app.ui.runs.table import RunsTable
from app.ui.sessions.column import SessionsColumn
from tests.bridge.playing import ENDLESS_TEXT
from tests.engine.remote.faults import serving
from tests.ui.alone import Alone
from tests.ui.cells import cells
from tests.ui.desk import Desk, act, named
from tests.ui.experiments import form_window
from tests.ui.experiments.form_window import start
from tests.ui.file_dialogs import answer, file_dialog, saved


def trouble(window: Alone) -> str:
    return named(window, QLabel, "experiment_trouble").text()


def figures(window: QWidget, column: int) -> list[str]:
    return [row[column] for row in cells(named(window, QTableView, "experiment_figures"))]


def conclusion(window: Alone) -> str:
    label = named(window, QLabel, "experiment_conclusion")
    window.until(lambda: bool(label.text()))
    window.until_phase(Phase.READY)
    return label.text()


def test_export_saves_each_format_or_shows_the_error(window: Alone, tmp_path: Path) -> None:
    act(window, "experiment_stops").trigger()
    start(window)
    conclusion(window)
    export, texts = named(window, QAbstractButton, "experiment_export"), {}
    for suffix, kind in ((".html", 0), (".json", 2), (".csv", 3), (".md", 1)):
        export.click()
        assert suffix in file_dialog(window).nameFilters()[kind]
        texts[suffix] = saved(window, tmp_path / f"found{suffix}")
    assert [run["arm"] for run in json.loads(texts[".json"])["runs"]] == ["without stop strings", "with them"]
    assert len(list(csv.DictReader(io.StringIO(texts[".csv"])))) == 2
    assert texts[".md"].startswith("# Stop strings and characters") and texts[".html"].startswith("<!DOCTYPE html>")
    export.click()
    answer(window, tmp_path / "nowhere" / "found.md")
    window.until(lambda: "could not be saved" in trouble(window))


@pytest.mark.slow
def test_sweep_of_chosen_runs_varies_their_differences(desk: Desk) -> None:
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
    form_window.conclusion(desk, window)
    assert figures(window, 0) == ["A  max tokens 4", "B  max tokens 8"]
    assert window.playground.state.turns[-1].role.value == "assistant", "the conversation stays"
    table.pick((1,))
    single.trigger()
    prompt = named(window, QPlainTextEdit, "experiment_prompt")
    desk.qtbot.waitUntil(lambda: prompt.toPlainText() == "One")


def test_form_says_how_many_rounds_are_needed(window: Alone) -> None:
    """As many are run as what is varied needs, unless somebody wanted another number."""
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


def test_quick_look_is_continued_without_losing_its_rounds(window: Alone) -> None:
    act(window, "experiment_kv-bits").trigger()
    named(window, QSpinBox, "experiment_max_tokens").setValue(4)
    estimate, rounds = named(window, QLabel, "experiment_estimate"), named(window, QSpinBox, "experiment_repeats")
    assert "21 runs: 3 variants" in estimate.text()
    assert estimate.text().endswith("A quick look measures 3 rounds of at most 4 tokens.")
    rounds.setValue(9)
    named(window, QAbstractButton, "experiment_quick").click()
    words = conclusion(window)
    extend = named(window, QAbstractButton, "experiment_extend")
    assert extend.isVisible() and extend.text() == "Run 6 more rounds", "the quick look keeps the rounds of the form"
    session = window.playground.experiment_runner.session
    extend.click()
    assert not extend.isVisible()
    label = named(window, QLabel, "experiment_conclusion")
    window.until(lambda: label.text() != words)
    window.until_phase(Phase.READY)
    assert figures(window, 1) == ["9", "9", "9"]
    assert window.playground.experiment_runner.session == session and not extend.isVisible()


def test_last_result_of_each_experiment_is_shown_again_and_continued_in_its_session(window: Alone) -> None:
    def look_quickly(name: str, tokens: int) -> str:
        act(window, f"experiment_{name}").trigger()
        named(window, QSpinBox, "experiment_max_tokens").setValue(tokens)
        named(window, QAbstractButton, "experiment_quick").click()
        return conclusion(window)

    words = look_quickly("kv-bits", 4)
    label = named(window, QLabel, "experiment_conclusion")
    extend = named(window, QAbstractButton, "experiment_extend")
    session = window.playground.experiment_runner.session
    act(window, "experiment_length").trigger()
    assert label.text() == "" and not extend.isVisible()
    look_quickly("length", 60)
    assert window.playground.experiment_runner.session != session
    act(window, "experiment_kv-bits").trigger()
    assert label.text() == words and extend.text() == "Run 4 more rounds"
    named(window, QAbstractButton, "experiment_session").click()
    window.until(lambda: window.playground.state.session == session)
    extend.click()
    window.until(lambda: label.text() not in ("", words))
    window.until_phase(Phase.READY)
    assert figures(window, 1) == ["7", "7", "7"]
    assert window.playground.experiment_runner.session == session


def test_sample_is_of_an_experiment_that_can_start(window: Alone) -> None:
    act(window, "experiment_models").trigger()
    named(window, QAbstractButton, "experiment_empty_sample").click()
    assert conclusion(window)
    outcome = named(window, ExperimentWindow, "experiment_window")._outcome
    assert outcome is not None
    assert (outcome.plan.name, outcome.plan.repeats) == ("length", sample.ROUNDS)
    assert max(len(each.tokens) for each in outcome.results) == sample.TOKENS
    assert named(window, QSpinBox, "experiment_max_tokens").value() == 600, "Start runs the whole experiment"
    assert "This is a sample" in named(window, QLabel, "experiment_caution").text()


def test_sample_on_a_slow_model_runs_on_the_bundled_one(window: Alone) -> None:
    act(window, "experiment_cache").trigger()
    view, before = named(window, ExperimentWindow, "experiment_window"), window.playground.state.model
    view._known = KnownSpeed(0.1)
    named(window, QAbstractButton, "experiment_empty_sample").click()
    assert conclusion(window)
    assert view._outcome is not None and view._outcome.model.folder.name == "demo"
    window.until(lambda: window.playground.state.model == before)


def test_question_opens_its_tool(window: Alone) -> None:
    assert {each.action for each in QUESTIONS} <= BY_NAME.keys()
    act(window, "questions").trigger()
    named(window, QAbstractButton, "question_experiment_sweep").click()
    assert not named(window, QDialog, "questions_window").isVisible()
    assert named(window, QComboBox, "experiment_name").currentData() == "sweep"


def test_form_notes_on_models_appear_only_where_models_are_chosen(window: Alone) -> None:
    act(window, "experiment_models").trigger()
    form = window.findChild(ExperimentForm)
    assert isinstance(form, ExperimentForm)
    form.show_models((ModelChoice("bad", "/bad", "Its vocabulary differs."),), ())
    assert named(window, QLabel, "experiment_draft_words").isHidden()
    act(window, "experiment_draft").trigger()
    assert named(window, QLabel, "experiment_draft_words").isVisible()


def test_form_typed_prompt_stays_for_another_experiment(window: Alone) -> None:
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


def test_form_stays_when_the_same_experiment_is_opened_again(window: Alone) -> None:
    act(window, "experiment_sweep").trigger()
    values = named(window, QLineEdit, "experiment_values_0")
    values.setText("0.1, 0.2")
    act(window, "experiment_sweep").trigger()
    box = named(window, QComboBox, "experiment_name")
    box.activated.emit(box.currentIndex())
    values.window().close()
    act(window, "experiment_sweep").trigger()
    assert values.text() == "0.1, 0.2"


def test_form_takes_prompt_of_any_turn(window: Alone, controller: ExperimentsController) -> None:
    window.send("One")
    window.send("Two")
    controller.run_turn_action(TurnAction.TRY, 1)
    prompt = named(window, QPlainTextEdit, "experiment_prompt")
    assert prompt.toPlainText() == "One"
    controller.try_last()
    assert prompt.toPlainText() == "Two"
    assert "(2)" in named(window, QLabel, "experiment_about").text()


@pytest.mark.slow
def test_open_runs_is_enabled_while_their_session_exists(desk: Desk) -> None:
    window = desk.ready()
    act(window, "experiment_stops").trigger()
    start(window)
    form_window.conclusion(desk, window)
    runs = named(window, QAbstractButton, "experiment_session")
    assert runs.isEnabled()
    column, session = named(window, SessionsColumn, "sessions"), window.playground.experiment_runner.session
    column.deleted.emit(session)
    desk.qtbot.waitUntil(lambda: not runs.isEnabled())
    column.restored.emit(session)
    desk.qtbot.waitUntil(runs.isEnabled)


@pytest.mark.parametrize("engine", [partial(EchoEngine, ENDLESS_TEXT)])
def test_escape_stops_then_closes(window: Alone, controller: ExperimentsController) -> None:
    progressed: list[str] = []
    controller.progressed.connect(lambda words, done, count: progressed.append(words))
    act(window, "experiment_sweep").trigger()
    named(window, QSpinBox, "experiment_max_tokens").setValue(100_000)
    start(window)
    view = named(window, QDialog, "experiment_window")
    progress = named(window, QLabel, "experiment_progress")
    window.until(lambda: progress.text().startswith("Run 1"))
    assert progressed[0].startswith("Experiment: Run 1")
    QTest.keyClick(view, Qt.Key.Key_Escape)
    window.until_phase(Phase.READY)
    window.until(lambda: trouble(window) == "The experiment was stopped before a run ended.")
    assert view.isVisible()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.isVisible()


@pytest.mark.parametrize("engine", [partial(EchoEngine, ENDLESS_TEXT)])
def test_start_is_disabled_without_a_model_and_during_a_run(window: Alone) -> None:
    window.playground.set_controls(Controls(limits=Limits(100_000)))
    act(window, "experiment_cache").trigger()
    button = named(window, QAbstractButton, "experiment_start")
    assert button.isEnabled()
    window.playground.send("Go")
    assert not button.isEnabled()
    window.playground.stop()
    window.until_phase(Phase.READY)
    assert button.isEnabled()
    window.playground.unload()
    window.until_phase(Phase.EMPTY)
    named(window, QAbstractButton, "experiment_command").click()
    assert trouble(window) == "Open a model first."
    window.playground.load(LoadRequest("echo"))
    window.until_phase(Phase.READY)


@pytest.mark.parametrize("engine", [partial(EchoEngine, ENDLESS_TEXT)])
def test_window_closed_during_an_experiment_does_not_hang(window: Alone) -> None:
    act(window, "experiment_cache").trigger()
    named(window, QSpinBox, "experiment_max_tokens").setValue(100_000)
    start(window)
    window.until(lambda: bool(window.playground.state.experiment))
    window.leave()
    assert not window.playground.stalled


def test_server_choices_omit_silent_servers() -> None:
    with serving() as faults:
        keys = ServerKeys()
        keys.give(faults.address, "hush")
        found = find_server_choices((Server("http://127.0.0.1:9/v1"), Server(faults.address, "Studio")), keys)
        assert faults.asked[0].headers["authorization"] == "Bearer hush"
    assert found == (
        ModelChoice("one on Studio", f"{faults.address}#one"),
        ModelChoice("two on Studio", f"{faults.address}#%2Fdisk%2Ftwo"),
    )


def test_server_choices_omit_servers_that_need_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_probe, "list_models", lambda *_: pytest.fail("it was asked"))
    assert find_server_choices((Server("http://192.0.2.7/v1"),), ServerKeys()) == ()


def test_window_tab_key_reaches_a_page_before_the_buttons(window: Alone) -> None:
    act(window, "experiment_stops").trigger()
    start(window)
    conclusion(window)
    tabs = named(window, QTabWidget, "experiment_tabs")
    tabs.setCurrentIndex(2)
    names, now = ["experiment_tabs"], tabs.nextInFocusChain()
    while now is not None and now.objectName() != "experiment_command":
        names.append(now.objectName())
        now = now.nextInFocusChain()
    assert [name for name in names if name.startswith("experiment_run_")] == ["experiment_run_0", "experiment_run_1"]
