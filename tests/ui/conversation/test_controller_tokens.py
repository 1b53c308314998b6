"""The window's tokens: their traces come where they are shown, and only there; the legend comes with them."""

from dataclasses import replace

from PySide6.QtWidgets import QAbstractButton, QComboBox, QStackedWidget

from app.controls import Mode
from app.engine.echo.engine import Knobs
from app.engine.meter.trace import Trace
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import View
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.tokens.colours import Colouring
from app.ui.tokens.layer import TokenLayer
from app.ui.tokens.legend import TokenLegend
from tests.ui.program import Program

TEXT = "Some words 🌊 of an answer."
QUICK = Knobs(tokens_per_second=0, prefill_per_second=0, load_seconds=0, replies=(TEXT,))


def text(program: Program) -> Transcript:
    return program.find(Transcript, "transcript")


def layer(program: Program) -> TokenLayer:
    return text(program)._layer


def legend(program: Program) -> TokenLegend:
    return program.find(TokenLegend, "token_legend")


def trace(program: Program, index: int) -> Trace:
    """When it is there."""
    program.until(lambda: index in layer(program).traces)
    return layer(program).traces[index]


def test_tokens_and_their_legend_come_with_their_view(program: Program) -> None:
    program.start(QUICK)
    assert not legend(program).isVisible()
    program.act("view_tokens")
    assert not legend(program).isVisible(), "nothing is said yet"
    program.send("Hello")
    assert legend(program).isVisible()
    assert trace(program, 1).text == TEXT
    program.act("view_plain")
    assert not legend(program).isVisible()


def test_the_tokens_are_left_for_the_text_as_it_was_read_before(program: Program) -> None:
    program.start(QUICK)
    program.send("Hello")
    for view, name in ((View.PLAIN, "view_plain"), (View.MARKDOWN, "view_markdown")):
        program.act(name)
        program.act("view_tokens")
        leave = program.find(QAbstractButton, "token_legend_leave")
        leave.setFocus()
        leave.click()
        assert (text(program).view, legend(program).isVisible()) == (view, False)
        assert text(program).hasFocus(), "no field has the keyboard unasked"


def test_other_views_ask_for_nothing(program: Program) -> None:
    program.start(QUICK)
    program.send("Hello")
    program.send("Hello")
    assert layer(program).traces == {}
    program.act("view_tokens")
    assert set(layer(program).traces) == {1, 3}


def test_an_answer_that_goes_on_has_one_trace(program: Program) -> None:
    program.start(QUICK)
    program.act("view_tokens")
    playground = program.window.playground
    playground.set_controls(
        replace(playground.state.controls, limits=replace(playground.state.controls.limits, max_tokens=3))
    )
    program.send("Hello")
    before = len(trace(program, 1))
    playground.continue_run()
    program.until(lambda: program.state.phase is Phase.READY)
    assert before == 3
    assert len(trace(program, 1)) == 6


def test_what_is_not_there_any_more_has_no_trace(program: Program) -> None:
    program.start(QUICK)
    program.act("view_tokens")
    program.send("Hello")
    program.send("Hello")
    program.window.playground.delete(2)
    assert set(layer(program).traces) == {1}
    program.act("new_session")
    assert layer(program).traces == {}
    assert not legend(program).isVisible()


def test_choice_and_view_are_kept_and_old_answers_are_read_again(program: Program) -> None:
    program.start(QUICK)
    program.act("view_tokens")
    program.send("Hello")
    choice = program.find(QComboBox, "token_colouring")
    choice.setCurrentIndex(list(Colouring).index(Colouring.GAP))
    choice.activated.emit(choice.currentIndex())
    assert text(program).scale.colouring is Colouring.GAP
    program.quit()
    program.start(QUICK)
    assert text(program).view is View.TOKENS
    assert text(program).scale.colouring is Colouring.GAP
    assert legend(program).colouring is Colouring.GAP
    assert trace(program, 1).text == TEXT


def test_an_answer_of_last_time_has_its_run_on_the_graph(program: Program) -> None:
    program.start(QUICK)
    program.send("Hello")
    program.quit()
    program.start(QUICK)
    graph = program.find(SpeedGraph, "speed_graph")
    program.until(lambda: "lowest" in graph.accessibleDescription())
    before = graph.accessibleDescription()
    program.act("toggle_inspector")
    assert graph.accessibleDescription() == before
    program.send("Hello")
    drawn = graph.accessibleDescription()
    program.act("toggle_inspector")
    program.act("toggle_inspector")
    assert graph.accessibleDescription() == drawn, "the run that has just ended stays"


def test_in_raw_mode_the_tokens_stand_below_the_page(program: Program) -> None:
    program.start(QUICK)
    playground = program.window.playground
    playground.set_controls(replace(playground.state.controls, mode=Mode.RAW))
    program.send("Once upon")
    pages = program.find(QStackedWidget, "pages")
    assert not pages.isVisible()
    program.act("view_tokens")
    assert pages.isVisible()
    assert text(program).isVisible()
    assert len(trace(program, 1)) > 2
    program.act("view_markdown")
    assert not pages.isVisible()


def test_a_long_conversation_that_is_put_down_bit_by_bit_keeps_its_tokens(program: Program) -> None:
    program.start(replace(QUICK, context=100_000))
    program.act("view_tokens")
    program.send("Hello " * 4_000)
    program.send("Hello")
    session = program.state.session
    program.act("new_session")
    assert layer(program).traces == {}
    program.open(session)
    program.until(lambda: len(text(program).plain_text()) > 24_000)
    trace(program, 3)
    text(program).verticalScrollBar().setValue(0)
    text(program).verticalScrollBar().setValue(text(program).verticalScrollBar().maximum())
    trace(program, 1)
