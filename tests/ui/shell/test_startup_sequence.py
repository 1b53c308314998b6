import sys
from importlib import import_module
from importlib.util import find_spec

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QWidget

from app.engine.crash_guard import EngineStep, UnfinishedStep
from app.engine.echo.engine import EchoOptions
from app.files.settings import Settings
from app.state import Phase
from app.ui.feature import Feature
from app.ui.shell import startup_sequence
from app.ui.shell.startup_sequence import EarlyImports
from tests.ui.desk import Desk, named, words

NAMES = {
    "/models/Hostile": "Hostile",
    "/cache/models--org--name/snapshots/1": "org/name",
    "org/name": "org/name",
    "http://localhost:9#m": "m",
    "/models/<b>x": "<b>x",
}


@pytest.mark.parametrize("model", NAMES)
def test_sentence_of_a_crash_names_the_model(model: str) -> None:
    told = startup_sequence._sentence(UnfinishedStep(EngineStep.OPENING, model), "echo")
    assert told == f"Sluice crashed while it loaded {NAMES[model]}. The bundled model is open instead."


def test_sentence_of_a_crash_without_another_model_says_so() -> None:
    told = startup_sequence._sentence(UnfinishedStep(EngineStep.READING, "/models/demo"), "")
    assert "while it processed the draft for demo" in told and told.endswith("No model is open.")


@pytest.mark.slow
def test_try_again_loads_the_model_of_the_crash(desk: Desk) -> None:
    """Until then drafts are tokenized as usual: the draft did not crash the program."""
    window = desk.open(unfinished=UnfinishedStep(EngineStep.OPENING, "other", "beside"))
    desk.until(window, Phase.READY)
    assert "other" in words(window, "notice_what")
    named(window, QPlainTextEdit, "prompt").setPlainText("Hello")
    desk.qtbot.waitUntil(lambda: named(window, QLabel, "prompt_tokens").text() != "")
    named(window, QAbstractButton, "notice_offer").click()
    desk.qtbot.waitUntil(lambda: window.playground.state.wanted == "other")
    desk.until(window, Phase.READY)
    assert not named(window, QAbstractButton, "notice_offer").isVisible()


@pytest.mark.slow
def test_notice_of_a_missing_model_offers_the_picker(desk: Desk) -> None:
    window = desk.open(Settings(model="/models/gone"), notice="It is gone.")
    desk.until(window, Phase.READY)
    offer = named(window, QAbstractButton, "notice_offer")
    assert (words(window, "notice_what"), offer.text(), offer.isVisible()) == ("It is gone.", "Open Model…", True)
    offer.click()
    desk.qtbot.waitUntil(lambda: named(window, QWidget, "model_picker").isVisible())


def test_notice_about_something_else_offers_no_model(desk: Desk) -> None:
    window = desk.open(notice="The settings could not be read.")
    desk.until(window, Phase.READY)
    assert not named(window, QAbstractButton, "notice_offer").isVisible()


@pytest.mark.slow
def test_draft_of_a_crash_is_not_tokenized_until_it_changes(desk: Desk) -> None:
    window = desk.open(unfinished=UnfinishedStep(EngineStep.READING, "other"))
    desk.until(window, Phase.READY)
    prompt, count = named(window, QPlainTextEdit, "prompt"), named(window, QLabel, "prompt_tokens")
    foreseen = window.playground.preview.previewed
    with desk.qtbot.waitSignal(foreseen):
        prompt.setPlainText("The text that crashed")
    assert count.text() == ""
    prompt.setPlainText("Something else")
    desk.qtbot.waitUntil(lambda: count.text() != "")
    with desk.qtbot.waitSignal(foreseen):
        prompt.setPlainText("The text that crashed")
    assert count.text() == ""
    named(window, QAbstractButton, "notice_offer").click()
    desk.qtbot.waitUntil(lambda: count.text() != "")


@pytest.mark.slow
def test_send_before_the_model_loads_waits_for_it(desk: Desk) -> None:
    window = desk.open()
    assert window.playground.state.phase is Phase.EMPTY
    named(window, QPlainTextEdit, "prompt").setPlainText("Hello")
    QTest.keyClick(named(window, QPlainTextEdit, "prompt"), Qt.Key.Key_Return)
    desk.qtbot.waitUntil(lambda: [turn.text for turn in window.playground.state.turns][:1] == ["Hello"])
    assert named(window, QPlainTextEdit, "prompt").toPlainText() == ""
    desk.until(window, Phase.READY)


@pytest.mark.slow
def test_early_imports_pause_during_a_run(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[tuple[str, Phase]] = []
    knobs = EchoOptions(tokens_per_second=100, prefill_per_second=0, load_seconds=0, replies=("a " * 8,))
    window = desk.ready(knobs=knobs)
    monkeypatch.setattr(
        startup_sequence, "import_module", lambda name: imported.append((name, window.playground.state.phase))
    )
    desk.send(window, "before")
    found = window.findChild(EarlyImports)
    assert found is not None and not found.is_complete
    desk.send(window, "next")
    desk.qtbot.waitUntil(lambda: found.is_complete)
    assert {phase for _, phase in imported} == {Phase.READY}
    names = [name for name, _ in imported]
    assert len(names) == len(set(names)) and "app.ui.settings.window" in names


def test_early_import_that_fails_is_reported_once_and_holds_up_no_other(desk: Desk) -> None:
    window = desk.ready()
    sys.modules.pop("app.records.problem_report", None)
    early = EarlyImports(window.playground, ["app.nowhere_to_be_found", "app.records.problem_report"], window)
    with desk.qtbot.captureExceptions() as told:
        desk.qtbot.waitUntil(lambda: early.is_complete)
    assert [kind for kind, *_ in told] == [ModuleNotFoundError]
    assert "app.records.problem_report" in sys.modules


def test_modules_to_import_ahead_exist() -> None:
    import_module("app.ui.shell.features")
    names = {name for feature in Feature.__subclasses__() for name in feature.ahead}
    assert "app.ui.settings.window" in names
    assert {name for name in names if find_spec(name) is None} == set()
