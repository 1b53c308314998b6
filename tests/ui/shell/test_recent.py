"""What was open last, in the menu of files: sessions and models, without those that are open."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPlainTextEdit

from app.files.settings import Settings
from app.i18n import tr
from app.state import Phase
from app.ui.shell.main_window import MainWindow
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.desk import Desk, act, named

pytestmark = pytest.mark.in_korean


def opened(window: MainWindow, action: str) -> list[QAction]:
    """What the menu holds when it is pointed at."""
    menu = act(window, action).menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    return menu.actions()


@pytest.mark.slow
def test_the_last_sessions_without_the_one_that_is_open(desk: Desk) -> None:
    window = desk.ready()
    assert [(each.text(), each.isEnabled()) for each in opened(window, "recent_sessions")] == [(tr("None yet"), False)]
    for question in ("The first one", "Salt & pepper", "The third one"):
        act(window, "new_session").trigger()
        desk.send(window, question)
    desk.flush(window)
    first = opened(window, "recent_sessions")
    assert [each.text() for each in first] == ["Salt && pepper", "The first one"]
    first[1].trigger()
    desk.qtbot.waitUntil(lambda: window.playground.state.title == "The first one")
    assert opened(window, "recent_sessions")[0].text() == "The third one"


@pytest.mark.slow
def test_none_is_opened_while_a_run_goes_on(desk: Desk) -> None:
    window = desk.ready(knobs=replace(ENDLESS_TEXT, tokens_per_second=300))
    desk_text = named(window, QPlainTextEdit, "prompt")
    desk_text.setPlainText("kept")
    window._features.sessions.keep_draft()
    act(window, "new_session").trigger()
    window.playground.send("Go")
    desk.until(window, Phase.GENERATING)
    assert [each.isEnabled() for each in opened(window, "recent_sessions")] == [False]
    act(window, "stop").trigger()
    desk.until(window, Phase.READY)


def test_the_last_models_without_the_one_that_is_open(desk: Desk) -> None:
    window = desk.ready(Settings(recent_models=("/models/one", "/models/two & three")))
    wanted: list[str] = []
    window._features.title.model_wanted.disconnect()
    window._features.title.model_wanted.connect(wanted.append)
    acts = opened(window, "recent_models")
    assert [each.text() for each in acts] == ["one", "two && three"]
    acts[1].trigger()
    assert wanted == ["/models/two & three"]
