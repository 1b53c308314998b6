"""The window's tokens: their traces come where they are shown, and only there; the legend comes with them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QComboBox, QStackedWidget

from app.controls import Mode
from app.engine.echo import Knobs
from app.engine.trace import Trace
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import View
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.tokens.colours import Colouring
from app.ui.tokens.layer import TokenLayer
from app.ui.tokens.legend import TokenLegend
from tests.ui.sessions.test_controller import Desk, desk

__all__ = ["desk"]

TEXT = "Some words 🌊 of an answer."
QUICK = Knobs(tokens_per_second=0, prefill_per_second=0, load_seconds=0, replies=(TEXT,))


def text(desk: Desk) -> Transcript:
    return desk.find(Transcript, "transcript")


def layer(desk: Desk) -> TokenLayer:
    return text(desk)._layer


def legend(desk: Desk) -> TokenLegend:
    return desk.find(TokenLegend, "token_legend")


def trace(desk: Desk, index: int) -> Trace:
    """When it is there."""
    desk.until(lambda: index in layer(desk).traces)
    return layer(desk).traces[index]


def test_tokens_and_their_legend_come_with_their_view(desk: Desk) -> None:
    desk.start(QUICK)
    assert not legend(desk).isVisible()
    desk.act("view_tokens")
    assert not legend(desk).isVisible(), "nothing is said yet"
    desk.send("Hello")
    assert legend(desk).isVisible()
    assert trace(desk, 1).text == TEXT
    desk.act("view_plain")
    assert not legend(desk).isVisible()


def test_other_views_ask_for_nothing(desk: Desk) -> None:
    desk.start(QUICK)
    desk.send("Hello")
    desk.send("Hello")
    assert layer(desk).traces == {}
    desk.act("view_tokens")
    assert set(layer(desk).traces) == {1, 3}


def test_an_answer_that_goes_on_has_one_trace(desk: Desk) -> None:
    desk.start(QUICK)
    desk.act("view_tokens")
    playground = desk.window.playground
    playground.set_controls(
        replace(playground.state.controls, limits=replace(playground.state.controls.limits, max_tokens=3))
    )
    desk.send("Hello")
    before = len(trace(desk, 1))
    playground.continue_run()
    desk.until(lambda: desk.state.phase is Phase.READY)
    assert before == 3
    assert len(trace(desk, 1)) == 6


def test_what_is_not_there_any_more_has_no_trace(desk: Desk) -> None:
    desk.start(QUICK)
    desk.act("view_tokens")
    desk.send("Hello")
    desk.send("Hello")
    desk.window.playground.delete(2)
    assert set(layer(desk).traces) == {1}
    desk.act("new_session")
    assert layer(desk).traces == {}
    assert not legend(desk).isVisible()


def test_choice_and_view_are_kept_and_old_answers_are_read_again(desk: Desk) -> None:
    desk.start(QUICK)
    desk.act("view_tokens")
    desk.send("Hello")
    choice = desk.find(QComboBox, "token_colouring")
    choice.setCurrentIndex(list(Colouring).index(Colouring.GAP))
    choice.activated.emit(choice.currentIndex())
    assert text(desk).scale.colouring is Colouring.GAP
    desk.quit()
    desk.start(QUICK)
    assert text(desk).view is View.TOKENS
    assert text(desk).scale.colouring is Colouring.GAP
    assert legend(desk).colouring is Colouring.GAP
    assert trace(desk, 1).text == TEXT


def test_an_answer_of_last_time_has_its_run_on_the_graph_when_it_is_inspected(desk: Desk) -> None:
    desk.start(QUICK)
    desk.send("Hello")
    desk.quit()
    desk.start(QUICK)
    graph = desk.find(SpeedGraph, "speed_graph")
    assert graph.accessibleDescription() == "No speed yet."
    desk.act("toggle_inspector")
    desk.until(lambda: "Mean" in graph.accessibleDescription())
    desk.send("Hello")
    drawn = graph.accessibleDescription()
    desk.act("toggle_inspector")
    desk.act("toggle_inspector")
    assert graph.accessibleDescription() == drawn, "the run that has just ended stays"


def test_in_raw_mode_the_tokens_stand_below_the_page(desk: Desk) -> None:
    desk.start(QUICK)
    playground = desk.window.playground
    playground.set_controls(replace(playground.state.controls, mode=Mode.RAW))
    desk.send("Once upon")
    pages = desk.find(QStackedWidget, "pages")
    assert not pages.isVisible()
    desk.act("view_tokens")
    assert pages.isVisible()
    assert text(desk).isVisible()
    assert len(trace(desk, 1)) > 2
    desk.act("view_markdown")
    assert not pages.isVisible()


def test_a_long_conversation_that_is_put_down_bit_by_bit_keeps_its_tokens(desk: Desk) -> None:
    desk.start(replace(QUICK, context=100_000))
    desk.act("view_tokens")
    desk.send("Hello " * 4_000)
    desk.send("Hello")
    session = desk.state.session
    desk.act("new_session")
    assert layer(desk).traces == {}
    desk.open(session)
    desk.until(lambda: len(text(desk).plain_text()) > 24_000)
    trace(desk, 3)
    text(desk).verticalScrollBar().setValue(0)
    text(desk).verticalScrollBar().setValue(text(desk).verticalScrollBar().maximum())
    trace(desk, 1)
