"""Lessons in the window: offered at the first start, played, saved, and left without a trace."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QDoubleSpinBox, QLabel, QPlainTextEdit, QPushButton, QRadioButton, QSpinBox, QWidget

from app.controls import Mode
from app.engine.echo.engine import EchoOptions
from app.engine.types import Failure
from app.files.settings import Settings
from app.lessons.progress import read_progress, write_progress
from app.lessons.types import LessonProgress
from app.state import Phase
from app.ui.guide.controller_lessons import LessonPlayer
from app.ui.shell.features import DataPaths
from app.ui.shell.main_window import MainWindow
from tests.conftest import PROJECT
from tests.ui.desk import QUICK, Desk, act, named

LESSON = """# A small lesson

Summary.

## Guess
step: predict
id: guess
answer: choice
compare: one.reason
option: stop | It ends
option: length | It is cut

## Count
step: predict
id: count
answer: number
compare: one.tokens

## Run
step: run
id: one
point: max_tokens
prompt: Hello
max_tokens: 3
show: one.tokens

## Raw
step: run
id: two
prompt: Once
mode: raw
max_tokens: 4
show: two.tokens

## End
step: text

You had {one.tokens} tokens.
"""


def lesson(desk: Desk, folder: Path, knobs: EchoOptions = QUICK) -> tuple[MainWindow, Path]:
    """Return a window, and the folder of a lesson."""
    desk.paths = DataPaths(folder / "data", PROJECT / "resources" / "models")
    (folder / "mine").mkdir()
    (folder / "mine" / "en.md").write_text(LESSON)
    return desk.ready(knobs=knobs), folder / "mine"


def player(window: MainWindow) -> LessonPlayer:
    return window._features.guide._player


def begin(desk: Desk, window: MainWindow, folder: Path) -> None:
    player(window).begin(folder)
    desk.qtbot.waitUntil(lambda: window.findChild(QLabel, "lesson_step") is not None)


def press(window: MainWindow, name: str) -> None:
    named(window, QPushButton, name).click()


def run(desk: Desk, window: MainWindow) -> None:
    press(window, "lesson_run")
    desk.qtbot.waitUntil(lambda: player(window)._running is None)


def texts(window: MainWindow, name: str) -> list[str]:
    return [label.text() for label in named(window, QWidget, name).findChildren(QLabel)]


@pytest.mark.parametrize("is_picked", [False, True], ids=["offered", "picked in the list"])
def test_first_start_offers_the_first_lesson(is_picked: bool, desk: Desk, tmp_path: Path) -> None:
    window, _ = lesson(desk, tmp_path)
    offer = named(window, QPushButton, "welcome_first_lesson")
    assert offer.isVisible() and not named(window, QWidget, "lesson_room").isVisible()
    if is_picked:
        act(window, "lessons").trigger()
        desk.qtbot.waitUntil(lambda: window.findChild(QPushButton, "lesson_begin_01-streaming") is not None)
        press(window, "lesson_begin_01-streaming")
    else:
        offer.click()
    desk.qtbot.waitUntil(lambda: window.findChild(QLabel, "lesson_step") is not None)
    assert named(window, QLabel, "lesson_title").text().startswith("1 · ")
    assert not offer.isVisible()
    assert window._features.guide.updated_settings(Settings()).toured


@pytest.mark.slow
def test_lesson_shows_the_measurement_beside_the_prediction(desk: Desk, tmp_path: Path) -> None:
    window, folder = lesson(desk, tmp_path)
    begin(desk, window, folder)
    window.findChildren(QRadioButton)[1].setChecked(True)
    press(window, "lesson_next")
    named(window, QDoubleSpinBox, "lesson_number").setValue(5)
    press(window, "lesson_next")
    desk.qtbot.waitUntil(named(window, QWidget, "lesson_ring").isVisible)
    run(desk, window)
    assert texts(window, "lesson_result_guess")[2:] == ["It is cut", "Measured", "It is cut", "Result", "Correct"]
    assert texts(window, "lesson_result_count")[2:] == ["5", "Measured", "3", "Measured ÷ predicted", "0.60 ×"]
    assert texts(window, "lesson_figures") == ["Tokens", "3"]
    assert named(window, QSpinBox, "max_tokens").value() == 3


@pytest.mark.slow
def test_leaving_restores_prompt_settings_and_both_sessions(desk: Desk, tmp_path: Path) -> None:
    window, folder = lesson(desk, tmp_path)
    desk.send(window, "My own question")
    prompt = named(window, QPlainTextEdit, "prompt")
    prompt.setPlainText("half a thought")
    named(window, QSpinBox, "max_tokens").setValue(77)
    before = window.playground.state
    begin(desk, window, folder)
    for _ in range(2):
        press(window, "lesson_next")
    run(desk, window)
    assert window.playground.state.session != before.session
    run(desk, window)
    assert len(window.playground.state.turns) == 2, "a run begins a new conversation"
    press(window, "lesson_next")
    run(desk, window)
    assert window.playground.state.controls.mode is Mode.RAW
    at_quit = window._features.guide.updated_settings(Settings())
    assert (at_quit.session, at_quit.controls) == (before.session, before.controls)
    press(window, "lesson_close")
    desk.qtbot.waitUntil(lambda: not player(window)._is_leaving and not window.playground.state.opening)
    after = window.playground.state
    assert (after.session, after.controls, after.inactive.turns) == (before.session, before.controls, ())
    assert [turn.text for turn in after.turns] == [turn.text for turn in before.turns]
    assert prompt.toPlainText() == "half a thought"
    assert not named(window, QWidget, "lesson_room").isVisible()


@pytest.mark.slow
def test_leaving_keeps_a_session_that_the_user_opened_meanwhile(desk: Desk, tmp_path: Path) -> None:
    window, folder = lesson(desk, tmp_path)
    desk.send(window, "My own question")
    begin(desk, window, folder)
    for _ in range(2):
        press(window, "lesson_next")
    run(desk, window)
    act(window, "new_session").trigger()
    desk.send(window, "Another question")
    session = window.playground.state.session
    press(window, "lesson_close")
    desk.qtbot.waitUntil(lambda: not player(window)._is_leaving)
    assert window.playground.state.session == session


@pytest.mark.slow
def test_leaving_during_a_run_stops_it(desk: Desk, tmp_path: Path) -> None:
    slow = EchoOptions(tokens_per_second=5, prefill_per_second=0, load_seconds=0)
    window, folder = lesson(desk, tmp_path, slow)
    begin(desk, window, folder)
    for _ in range(2):
        press(window, "lesson_next")
    press(window, "lesson_run")
    desk.until(window, Phase.GENERATING)
    press(window, "lesson_close")
    desk.qtbot.waitUntil(lambda: not player(window)._is_leaving)
    assert window.playground.state.phase is Phase.READY and not window.playground.state.turns


def test_progress_is_saved_and_resumed(desk: Desk, tmp_path: Path) -> None:
    window, folder = lesson(desk, tmp_path)
    begin(desk, window, folder)
    window.findChildren(QRadioButton)[0].setChecked(True)
    press(window, "lesson_next")
    file = tmp_path / "data" / "lessons" / "own-mine.json"
    desk.qtbot.waitUntil(lambda: not player(window)._tasks.is_running("save progress"))
    found = read_progress(file)
    assert isinstance(found, LessonProgress) and (found.step, found.predictions[0].answer) == (1, "stop")
    press(window, "lesson_list")
    desk.qtbot.waitUntil(lambda: window.findChild(QPushButton, "lesson_begin_01-streaming") is not None)
    begin(desk, window, folder)
    desk.qtbot.waitUntil(lambda: named(window, QLabel, "lesson_step").text() == "Count")
    press(window, "lesson_back")
    assert window.findChildren(QRadioButton)[0].isChecked()


def test_figures_of_another_model_are_not_displayed(desk: Desk, tmp_path: Path) -> None:
    window, folder = lesson(desk, tmp_path)
    known = LessonProgress("own-mine", step=2).measure("another model", {"one.tokens": 3.0})
    write_progress(tmp_path / "data" / "lessons", known)
    begin(desk, window, folder)
    assert named(window, QPushButton, "lesson_run").text() == "Run"
    assert window.findChild(QWidget, "lesson_figures") is None


def test_leaving_restores_the_view_of_the_controls(desk: Desk, tmp_path: Path) -> None:
    window, folder = lesson(desk, tmp_path)
    (folder / "en.md").write_text("# A\n\n## B\nstep: text\npoint: stop_strings\n\nText.\n")
    controls = window._features.controls._panel
    before = controls.view
    begin(desk, window, folder)
    assert controls.more_shown != before.more_shown
    press(window, "lesson_close")
    desk.qtbot.waitUntil(lambda: controls.view == before)


def test_wrong_folder_is_refused_with_its_line(desk: Desk, tmp_path: Path) -> None:
    window, folder = lesson(desk, tmp_path)
    (folder / "en.md").write_text("# A\n\n## B\nstep: text\n\n<script>\n")
    player(window).begin(folder)
    failure = named(window, QLabel, "lesson_failure")
    desk.qtbot.waitUntil(failure.isVisible)
    assert failure.text().startswith("en.md, line 6: ")


@pytest.mark.parametrize("size", [(1000, 700), (1440, 900)])
def test_lesson_leaves_room_for_the_conversation(size: tuple[int, int], desk: Desk, tmp_path: Path) -> None:
    window, folder = lesson(desk, tmp_path)
    window.resize(*size)
    begin(desk, window, folder)
    assert named(window, QWidget, "lesson_room").width() >= 280
    assert named(window, QWidget, "middle").width() >= 300


def test_comparison_measures_the_students_own_text_and_shows_a_failure(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, folder = lesson(desk, tmp_path)
    step = "# A\n\n## B\nstep: comparison\nid: four\nprompt: Once upon a time.\nbits: 2\nshow: four.2.size\n"
    (folder / "en.md").write_text(step)
    begin(desk, window, folder)
    field = named(window, QPlainTextEdit, "lesson_own_text")
    assert field.toPlainText() == "Once upon a time."
    field.setPlainText("My own text.")
    runner, begun = player(window)._comparison, list[tuple[str, int]]()
    monkeypatch.setattr(runner, "start", lambda *order: begun.append(order))
    press(window, "lesson_run")
    assert begun == [("My own text.", 2)] and named(window, QPushButton, "lesson_stop").isEnabled()
    runner.ended.emit(Failure("It is quantized already.", "Open another model."))
    assert named(window, QLabel, "lesson_failure").text() == "It is quantized already. Open another model."
    assert named(window, QPushButton, "lesson_run").isEnabled()
    assert named(window, QPlainTextEdit, "lesson_own_text").toPlainText() == "My own text."
