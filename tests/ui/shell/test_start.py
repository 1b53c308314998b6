"""The first moment of a window whose last start ended the program: it says so once, and offers to try again."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QWidget

from app.engine.crash_guard import Act, Unfinished
from app.engine.types import Failure
from app.settings import Settings
from app.state import Phase
from app.ui.shell.main_window import MainWindow
from app.ui.shell.start import FIRST
from tests.ui.desk import Desk, named

NAMES = {
    "/models/Hostile": "Hostile",
    "/cache/models--org--name/snapshots/1": "org/name",
    "org/name": "org/name",
    "http://localhost:9#m": "m",
    "/models/<b>x": "<b>x",
}


def opened(desk: Desk, unfinished: Unfinished, start: str = "echo") -> MainWindow:
    window = desk.open(start=start, unfinished=unfinished)
    if start:
        desk.until(window, Phase.READY)
    return window


def said(window: MainWindow) -> str:
    return named(window, QLabel, "notice_what").text()


@pytest.mark.parametrize("act", Act)
def test_what_stands_in_is_told(desk: Desk, act: Act) -> None:
    window = opened(desk, Unfinished(act, "/models/Hostile"))
    assert "Hostile" in said(window)
    assert "The model that comes with Sluice is open instead." in said(window)
    assert named(window, QAbstractButton, "notice_offer").text() == "Try Again"


def test_where_nothing_stands_in_that_is_told(desk: Desk) -> None:
    window = opened(desk, Unfinished(Act.OPENING, "/models/demo"), start="")
    desk.qtbot.waitUntil(lambda: said(window) != "")
    assert said(window).endswith("No model is open.")


def test_pressing_it_opens_that_model_after_all(desk: Desk) -> None:
    window = opened(desk, Unfinished(Act.OPENING, "other", "beside"))
    named(window, QAbstractButton, "notice_offer").click()
    desk.qtbot.waitUntil(lambda: window.playground.state.wanted == "other")
    desk.until(window, Phase.READY)
    assert not named(window, QAbstractButton, "notice_offer").isVisible()


def test_where_the_model_of_last_time_is_gone_another_one_is_to_be_had(desk: Desk) -> None:
    window = desk.open(Settings(model="/models/gone"), notice="It is gone.")
    desk.until(window, Phase.READY)
    offer = named(window, QAbstractButton, "notice_offer")
    assert (said(window), offer.text(), offer.isVisible()) == ("It is gone.", "Open Model…", True)
    offer.click()
    desk.qtbot.waitUntil(lambda: named(window, QWidget, "model_picker").isVisible())


def test_what_has_nothing_to_do_with_the_model_offers_none(desk: Desk) -> None:
    window = desk.open(notice="The settings could not be read.")
    desk.until(window, Phase.READY)
    assert not named(window, QAbstractButton, "notice_offer").isVisible()


def test_what_takes_its_place_before_it_was_read_gives_it_back(desk: Desk) -> None:
    window = desk.open(Settings(model="/models/gone"), notice="It is gone.")
    desk.until(window, Phase.READY)
    window.playground.show_failure(Failure("Something failed.", "Do something."))
    assert said(window) == "Something failed."
    dismiss, offer = (named(window, QAbstractButton, name) for name in ("dismiss", "notice_offer"))
    dismiss.click()
    assert window.playground.state.failure is None
    assert (said(window), offer.isVisible()) == ("It is gone.", True)
    dismiss.click()
    assert not named(window, QWidget, "notice").isVisible()
    window.playground.show_failure(Failure("Something else failed.", "Do something."))
    dismiss.click()
    assert not named(window, QWidget, "notice").isVisible(), "it was read"


def test_a_draft_that_was_read_is_left_alone_until_it_is_another(desk: Desk) -> None:
    window = opened(desk, Unfinished(Act.READING, "other"))
    prompt, count = named(window, QPlainTextEdit, "prompt"), named(window, QLabel, "prompt_tokens")
    foreseen = window.playground.preview.foreseen
    with desk.qtbot.waitSignal(foreseen):
        prompt.setPlainText("What ended the program")
    assert count.text() == ""
    prompt.setPlainText("Something else")
    desk.qtbot.waitUntil(lambda: count.text() != "")
    with desk.qtbot.waitSignal(foreseen):
        prompt.setPlainText("What ended the program")
    assert count.text() == ""
    named(window, QAbstractButton, "notice_offer").click()
    desk.qtbot.waitUntil(lambda: count.text() != "")


def test_one_that_was_not_is_read_as_ever(desk: Desk) -> None:
    window = opened(desk, Unfinished(Act.OPENING, "other"))
    named(window, QPlainTextEdit, "prompt").setPlainText("Hello")
    desk.qtbot.waitUntil(lambda: named(window, QLabel, "prompt_tokens").text() != "")


@pytest.mark.parametrize("model", NAMES)
def test_models_are_called_as_people_call_them(desk: Desk, model: str) -> None:
    window = opened(desk, Unfinished(Act.OPENING, model))
    assert f"Sluice ended while it opened {NAMES[model]}." in said(window)


def test_the_window_comes_round_between_what_its_first_task_imports(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, rounds = list[str](), list[int]()
    beat = QTimer(interval=0)
    beat.timeout.connect(lambda: rounds.append(len(steps)))
    monkeypatch.setattr("app.ui.shell.start.import_module", steps.append)
    beat.start()
    desk.until(desk.open(), Phase.READY)
    beat.stop()
    assert tuple(steps) == FIRST
    assert {1, 2, 3} <= set(rounds)
