"""What goes wrong in a task is shown in the window's notice and logged, wherever the task belongs."""

import pytest
from PySide6.QtWidgets import QLabel

from app.bridge import journal_reader
from app.state import Phase
from app.ui.guide import controller_help
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, named


def fail(*_: object) -> None:
    raise LookupError("not foreseen")


def told(window: MainWindow) -> bool:
    return "operation failed" in named(window, QLabel, "notice_what").text()


def test_in_a_task_of_a_controller(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controller_help, "versions", fail)
    window = desk.ready()
    with desk.qtbot.captureExceptions() as logged:
        act(window, "report_problem").trigger()
        desk.qtbot.waitUntil(lambda: told(window))
    assert [kind for kind, *_ in logged] == [LookupError]


@pytest.mark.slow
def test_in_a_task_of_the_playground(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_reader, "session_of", fail)
    window = desk.ready()
    desk.send(window, "Hello")
    session = window.playground.state.session
    act(window, "new_session").trigger()
    with desk.qtbot.captureExceptions() as logged:
        assert window.playground.open_session(session)
        desk.qtbot.waitUntil(lambda: told(window))
    assert [kind for kind, *_ in logged] == [LookupError]
    assert not window.playground.state.opening, "the page can be used as before"
    assert window.playground.send("Go on")
    desk.until(window, Phase.READY)
