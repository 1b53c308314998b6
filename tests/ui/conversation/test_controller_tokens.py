"""The token view loads the traces of visible answers only."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QStackedWidget

from app.controls import Controls, Mode
from app.engine.echo.engine import EchoOptions
from app.engine.meter.trace import Trace
from app.engine.types import Limits
from app.files.settings import Settings
from app.records.journal import open_journal
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import AnswerView
from app.ui.tokens.colours import Colouring
from tests.ui.conversation.room import ConversationRoom
from tests.ui.program import Program
from tests.ui.room import QUICK, Rooms

TEXT = "Some words 🌊 of an answer."
KNOBS = replace(QUICK, replies=(TEXT,))
Enter = Callable[..., ConversationRoom]


@pytest.fixture
def enter(rooms: Rooms) -> Enter:
    def entered(knobs: EchoOptions = KNOBS, settings: Settings | None = None) -> ConversationRoom:
        room = ConversationRoom(rooms, knobs, settings)
        room.enter()
        return room

    return entered


def traced(room: ConversationRoom) -> set[int]:
    return set(room.text._layer.traces)


def trace(room: ConversationRoom, index: int) -> Trace:
    room.until(lambda: index in traced(room))
    return room.text._layer.traces[index]


def test_token_view_shows_tokens_and_legend(enter: Enter) -> None:
    room = enter()
    assert not room.legend.isVisible()
    room.act("view_tokens").trigger()
    assert not room.legend.isVisible(), "nothing is said yet"
    room.send("Hello")
    assert room.legend.isVisible()
    assert trace(room, 1).text == TEXT
    room.act("view_plain").trigger()
    assert not room.legend.isVisible()


def test_legend_when_left_restores_the_earlier_view(enter: Enter) -> None:
    room = enter()
    room.send("Hello")
    for view, name in ((AnswerView.PLAIN, "view_plain"), (AnswerView.MARKDOWN, "view_markdown")):
        room.act(name).trigger()
        room.act("view_tokens").trigger()
        room.press("token_legend_leave")
        assert (room.text.view, room.legend.isVisible()) == (view, False)


def test_other_views_load_no_trace(enter: Enter) -> None:
    room = enter()
    room.send("Hello")
    room.send("Hello")
    assert traced(room) == set()
    room.act("view_tokens").trigger()
    assert traced(room) == {1, 3}
    room.playground.delete(2)
    assert traced(room) == {1}
    room.playground.new_session()
    assert traced(room) == set()
    assert not room.legend.isVisible()


def test_continued_answer_has_one_trace(enter: Enter) -> None:
    room = enter(settings=Settings(controls=Controls(limits=Limits(3))))
    room.act("view_tokens").trigger()
    room.send("Hello")
    assert len(trace(room, 1)) == 3
    assert room.playground.continue_run()
    room.until(lambda: len(trace(room, 1)) == 6)


def test_restored_view_loads_traces_of_old_answers(rooms: Rooms, tmp_path: Path) -> None:
    opener = partial(open_journal, tmp_path)
    room = ConversationRoom(rooms, KNOBS, opener=opener)
    room.enter()
    room.act("view_tokens").trigger()
    room.send("Hello")
    session, choice = room.state.session, room.part(QComboBox, "token_colouring")
    choice.setCurrentIndex(list(Colouring).index(Colouring.GAP))
    choice.activated.emit(choice.currentIndex())
    assert room.text.scale.colouring is Colouring.GAP
    room.close()
    room = ConversationRoom(rooms, KNOBS, room.kept, opener=opener)
    room.enter()
    assert room.playground.open_session(session)
    assert room.text.view is AnswerView.TOKENS
    assert room.text.scale.colouring is room.legend.colouring is Colouring.GAP
    assert trace(room, 1).text == TEXT


def test_long_conversation_added_in_steps_keeps_its_tokens(enter: Enter) -> None:
    room = enter(replace(KNOBS, context=100_000))
    room.act("view_tokens").trigger()
    room.send("Hello " * 4_000)
    room.send("Hello")
    session = room.state.session
    room.playground.new_session()
    assert traced(room) == set()
    assert room.playground.open_session(session)
    room.until(lambda: len(room.text.plain_text()) > 24_000)
    trace(room, 3)
    room.text.verticalScrollBar().setValue(0)
    room.text.verticalScrollBar().setValue(room.text.verticalScrollBar().maximum())
    trace(room, 1)


@pytest.mark.slow
def test_raw_page_shows_its_tokens_below(program: Program) -> None:
    program.start(KNOBS)
    playground = program.window.playground
    playground.set_controls(replace(playground.state.controls, mode=Mode.RAW))
    program.send("Once upon")
    pages, text = program.find(QStackedWidget, "pages"), program.find(Transcript, "transcript")
    assert not pages.isVisible()
    program.act("view_tokens")
    assert pages.isVisible() and text.isVisible()
    program.until(lambda: 1 in text._layer.traces and len(text._layer.traces[1]) > 2)
    program.act("view_markdown")
    assert not pages.isVisible()
