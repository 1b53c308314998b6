from unittest.mock import Mock, call

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QLabel, QLineEdit, QMenu, QPlainTextEdit, QWidget

from app.files.settings import Settings
from app.i18n import tr
from app.library.types import DownloadState
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.shell.main_window import MainWindow
from app.ui.tokens.layer import TokenRef
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.desk import Desk, act, named
from tests.ui.picker.builders import job

pytestmark = pytest.mark.in_korean

STOP_ALL = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
TOKEN = TokenRef(1, 2)


def window_of(desk: Desk, window: MainWindow, action: str, name: str) -> QWidget:
    """Open a window by its action."""
    act(window, action).trigger()
    desk.qtbot.waitUntil(lambda: window.findChild(QWidget, name) is not None)
    other = named(window, QWidget, name)
    desk.qtbot.waitUntil(other.isActiveWindow)
    return other


def recent(window: MainWindow, action: str) -> list[QAction]:
    """The entries of a menu of recent items."""
    menu = act(window, action).menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    return menu.actions()


@pytest.mark.slow
def test_find_opens_the_bar_of_the_active_window(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "hello")
    desk.qtbot.waitUntil(act(window, "view_code").isEnabled)
    for action, name, field in (
        ("view_code", "code_dialog", "code_python_search"),
        ("show_runs", "runs_window", "runs_filter"),
    ):
        other = window_of(desk, window, action, name)
        for each in other.findChildren(QLineEdit):
            each.clearFocus()
        QTest.keyClick(other, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        line = named(window, QLineEdit, field)
        assert QApplication.focusWidget() is line
        if action == "view_code":
            line.setText("import")
            found = named(window, QLabel, "code_python_found").text()
            assert found.startswith(tr("{number} of {count}").format(number=1, count=""))
            QTest.keyClick(line, Qt.Key.Key_Escape)
            assert (other.isVisible(), line.isVisible()) == (True, False)
        other.close()


@pytest.mark.slow
def test_stop_all_stops_the_run_and_pauses_downloads(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    window = desk.ready(knobs=ENDLESS_TEXT)
    window.activateWindow()
    jobs = job(DownloadState.DOWNLOADING), job(DownloadState.PAUSED, model_id="other")
    queue = Mock(**{"jobs.return_value": jobs})
    monkeypatch.setattr(window.downloading, "_downloads", queue)
    monkeypatch.setattr(window.downloading, "jobs", jobs)
    assert window.playground.send("hello")
    desk.until(window, Phase.GENERATING)
    QTest.keyClick(named(window, QPlainTextEdit, "prompt"), Qt.Key.Key_Period, STOP_ALL)
    assert window.playground.state.phase is Phase.STOPPING
    desk.until(window, Phase.READY)
    assert queue.pause.mock_calls == [call(jobs[0].model_id)]
    monkeypatch.undo()


@pytest.mark.slow
def test_stop_all_works_in_a_modal_window(desk: Desk) -> None:
    window = desk.ready(knobs=ENDLESS_TEXT)
    assert window.playground.send("hello")
    desk.until(window, Phase.GENERATING)
    act(window, "import_session").trigger()
    desk.qtbot.waitUntil(lambda: (over := QApplication.activeModalWidget()) is not None and over.isActiveWindow())
    over = QApplication.activeModalWidget()
    assert over is not None
    QTest.keyClick(over, Qt.Key.Key_Period, STOP_ALL)
    assert window.playground.state.phase is Phase.STOPPING
    assert over.isVisible()
    over.close()
    desk.until(window, Phase.READY)


@pytest.mark.slow
def test_right_click_on_a_token_picks_it(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "hello")
    act(window, "view_tokens").trigger()
    page = named(window, Transcript, "transcript")
    desk.qtbot.waitUntil(lambda: bool(page._layer.traces))
    picked: list[TokenRef] = []
    page.token_picked.connect(lambda index, position: picked.append(TokenRef(index, position)))
    position = page._layer.rects(TOKEN)[0].translated(-page._offset()).center().toPoint()
    at = page.viewport().mapToGlobal(position)
    page.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, position, at))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu) and tr("Copy Turn") in [each.text() for each in menu.actions()]
    menu.close()
    assert picked == [TOKEN]


@pytest.mark.slow
def test_context_menus_of_the_exact_prompt_and_the_alternatives_have_their_actions(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "hello")
    tokens = named(window, QAbstractScrollArea, "exact_prompt_tokens")
    assert [each.text() for each in tokens.actions()][:2] == [tr("Copy Text"), tr("Copy Ids")]
    act(window, "toggle_inspector").trigger()
    table = named(window, QAbstractScrollArea, "candidates")
    table.customContextMenuRequested.emit(QPoint(5, 5))
    menu = named(table, QMenu, "candidates_menu")
    assert [each.text() for each in menu.actions()] == [tr("Fork here with {token}").format(token="…")]
    menu.close()


@pytest.mark.slow
def test_recent_sessions_are_listed_without_the_open_one(desk: Desk) -> None:
    window = desk.ready()
    assert [(each.text(), each.isEnabled()) for each in recent(window, "recent_sessions")] == [(tr("None yet"), False)]
    for question in ("The first one", "Salt & pepper", "The third one"):
        act(window, "new_session").trigger()
        desk.send(window, question)
    journal = window.playground.book.journal
    assert journal is not None and journal.flush()
    first = recent(window, "recent_sessions")
    assert [each.text() for each in first] == ["Salt && pepper", "The first one"]
    first[1].trigger()
    desk.qtbot.waitUntil(lambda: window.playground.state.title == "The first one")
    assert recent(window, "recent_sessions")[0].text() == "The third one"


def test_recent_models_open_the_chosen_one(desk: Desk) -> None:
    window = desk.ready(Settings(recent_models=("/models/one", "/models/two & three")))
    wanted: list[str] = []
    window._features.title.model_wanted.disconnect()
    window._features.title.model_wanted.connect(wanted.append)
    acts = recent(window, "recent_models")
    assert [each.text() for each in acts] == ["one", "two && three"]
    acts[1].trigger()
    assert wanted == ["/models/two & three"]
