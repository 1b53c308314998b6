"""One key that stops everything, and right clicks wherever there is something to be done with what is under them."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QMenu, QPlainTextEdit

from app.engine.echo.engine import EchoOptions
from app.i18n import tr
from app.library.types import DownloadState as S
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.tokens.layer import TokenRef
from tests.ui.desk import Desk, act, named
from tests.ui.picker.builders import job

pytestmark = pytest.mark.in_korean

ENDLESS = EchoOptions(tokens_per_second=1000, prefill_per_second=0, load_seconds=0, replies=("word " * 20_000,))
TOKEN = TokenRef(1, 2)


class Queue:
    """Of downloads."""

    def __init__(self) -> None:
        self.paused: list[str] = []

    def pause(self, model_id: str) -> None:
        self.paused.append(model_id)


@pytest.mark.slow
def test_one_key_stops_the_run_and_pauses_what_is_fetched(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    window = desk.ready(knobs=ENDLESS)
    window.activateWindow()
    queue, fetched = Queue(), (job(S.DOWNLOADING), job(S.PAUSED, model_id="other"))
    monkeypatch.setattr(window.downloading, "_downloads", queue)
    monkeypatch.setattr(window.downloading, "jobs", fetched)
    assert window.playground.send("hello")
    desk.until(window, Phase.GENERATING)
    held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    QTest.keyClick(named(window, QPlainTextEdit, "prompt"), Qt.Key.Key_Period, held)
    assert window.playground.state.phase is Phase.STOPPING
    desk.until(window, Phase.READY)
    assert queue.paused == [fetched[0].model_id]
    monkeypatch.undo()


@pytest.mark.slow
def test_that_key_goes_through_a_sheet(desk: Desk) -> None:
    window = desk.ready(knobs=ENDLESS)
    assert window.playground.send("hello")
    desk.until(window, Phase.GENERATING)
    act(window, "import_session").trigger()
    desk.qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
    over = QApplication.activeModalWidget()
    assert over is not None
    desk.qtbot.waitUntil(over.isActiveWindow)
    held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    QTest.keyClick(over, Qt.Key.Key_Period, held)
    assert window.playground.state.phase is Phase.STOPPING
    assert over.isVisible()
    over.close()
    desk.until(window, Phase.READY)


@pytest.mark.slow
def test_a_right_click_on_a_token_picks_it(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "hello")
    act(window, "view_tokens").trigger()
    page = named(window, Transcript, "transcript")
    desk.qtbot.waitUntil(lambda: bool(page._layer.traces))
    picked: list[TokenRef] = []
    page.token_picked.connect(lambda index, place: picked.append(TokenRef(index, place)))
    place = page._layer.rects(TOKEN)[0].translated(-page._offset()).center().toPoint()
    at = page.viewport().mapToGlobal(place)
    page.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, at))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu) and tr("Copy Turn") in [each.text() for each in menu.actions()]
    menu.close()
    assert picked == [TOKEN]


def test_the_exact_prompt_and_the_candidates_have_their_own_actions(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "hello")
    tokens = named(window, QAbstractScrollArea, "exact_prompt_tokens")
    assert [each.text() for each in tokens.actions()][:2] == [tr("Copy Text"), tr("Copy Ids")]
    act(window, "toggle_inspector").trigger()
    table = named(window, QAbstractScrollArea, "candidates")
    table.customContextMenuRequested.emit(QPoint(5, 5))
    menu = table.findChild(QMenu, "candidates_menu")
    assert menu is not None and [each.text() for each in menu.actions()] == [
        tr("Fork here with {token}").format(token="…")
    ]
    menu.close()
