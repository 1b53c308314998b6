"""The conversation's controller: branches and forks, tool calls, and the finish of the last run."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QPlainTextEdit, QStackedWidget, QWidget

from app.controls import Controls, Mode
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.meter.trace import Trace
from app.engine.protocol import Emit, StopFlag
from app.engine.tools import EXAMPLE
from app.engine.types import (
    Cancellation,
    ChatPrompt,
    Failure,
    Finish,
    Limits,
    LoadRequest,
    Model,
    Request,
    Role,
    ToolCall,
)
from app.files.settings import Settings
from app.records.journal import open_journal
from app.records.types import Fork
from app.state import Phase
from app.ui.conversation.branches_dialog import BranchesDialog, describe_fork
from app.ui.conversation.first_prompts import FirstPrompt
from app.ui.conversation.transcript import Transcript
from app.ui.document.formulas import OBJECT
from app.ui.document.turns import AnswerView
from app.ui.tokens.colors import Coloring
from tests.ui.conversation.room import ConversationRoom
from tests.ui.desk import Desk, named
from tests.ui.program import Program
from tests.ui.room import QUICK, Rooms

COUNTED = replace(QUICK, replies=("One two three four.",))
CALLS = (ToolCall("weather", '{"place": "Seoul", "unit": "kelvin"}', "Hello"), ToolCall("clock", '{"zone": "KST"}'))


TEXT = "Some words 🌊 of an answer."
KNOBS = replace(QUICK, replies=(TEXT,))
Enter = Callable[..., ConversationRoom]


@pytest.fixture
def enter(rooms: Rooms) -> Enter:
    def entered(knobs: EchoOptions = KNOBS, settings: Settings | None = None, **others: Any) -> ConversationRoom:
        room = ConversationRoom(rooms, knobs, settings, **others)
        room.enter()
        return room

    return entered


@pytest.fixture
def counted(enter: Enter) -> ConversationRoom:
    room = enter(COUNTED, Settings(controls=Controls(observe=3)))
    room.send("Count")
    return room


def page(room: ConversationRoom) -> str:
    return room.text.toPlainText()


def fork(room: ConversationRoom, text: str) -> None:
    room.conversation.fork_with(1, 2, text)
    room.until_phase(Phase.READY)


def test_fork_continues_from_an_alternative_and_from_text(counted: ConversationRoom) -> None:
    trace = counted.playground.traces.of(counted.state.turns[1].id)
    observed = trace.logprobs_at(1) if trace is not None else None
    assert observed is not None
    counted.conversation.fork(1, 1, observed.top[1].id)
    counted.until_phase(Phase.READY)
    assert "One two1 three four." in page(counted)
    assert "Model  ‹ 2/2 ›" in page(counted)
    fork(counted, " 3")
    assert "One two1 3 four." in page(counted)
    assert "‹ 3/3 ›" in page(counted)
    labels = counted.details.findChildren(QLabel)
    assert any(" reused, " in each.accessibleName() for each in labels), "the details say what was cached"


def test_switcher_and_actions_show_other_branches(counted: ConversationRoom) -> None:
    assert not counted.act("previous_branch").isEnabled()
    assert not counted.act("show_branches").isEnabled()
    fork(counted, " 3")
    counted.text.branch_wanted.emit(1, -1)
    assert "One two three four." in page(counted) and "‹ 1/2 ›" in page(counted)
    counted.text.branch_wanted.emit(1, -1)
    assert "‹ 1/2 ›" in page(counted), "there is none before the first"
    counted.act("next_branch").trigger()
    assert "One two 3 four." in page(counted)
    counted.act("previous_branch").trigger()
    assert "One two three four." in page(counted)


@pytest.mark.slow
def test_branch_shortcuts_work_wherever_the_focus_is(desk: Desk) -> None:
    window = desk.ready(knobs=COUNTED)
    desk.send(window, "Count")
    assert window.playground.fork(1, 2, text=" 3")
    desk.until(window, Phase.READY)
    text = named(window, Transcript, "transcript")
    with desk.qtbot.waitActive(window):
        window.activateWindow()
    for where in ("transcript", "prompt"):
        field = named(window, QWidget, where)
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert "‹ 1/2 ›" in text.toPlainText(), where
        QTest.keyClick(field, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
        assert "‹ 2/2 ›" in text.toPlainText(), where


def test_branches_dialog_shows_each_turn_and_its_diff(counted: ConversationRoom) -> None:
    fork(counted, " 3")
    old, new = counted.state.turns[1].siblings
    counted.act("show_branches").trigger()
    dialog = counted.part(BranchesDialog, "branches_dialog")
    diff, show = counted.part(QPlainTextEdit, "branches_diff"), counted.part(QAbstractButton, "branches_show")
    assert dialog.tree.current == new
    assert diff.toPlainText().startswith("Select a turn") and not show.isEnabled(), "it is shown already"
    dialog.tree.select(old)
    assert diff.toPlainText() == "One two 3three four."
    assert counted.part(QLabel, "branches_legend").isVisible()
    show.click()
    assert counted.state.turns[1].id == old
    assert dialog.tree.current == old
    dialog.tree.select(new)
    assert dialog.tree.currentIndex().siblingAtColumn(1).data() == "at token 3: “␣3” instead of “␣three”"


def test_describe_fork_omits_unknown_tokens() -> None:
    assert describe_fork(Fork(1, 16, " the", " a")) == "at token 17: “␣the” instead of “␣a”"
    assert describe_fork(Fork(1, 16, "\n")) == "at token 17: “⏎”"
    assert describe_fork(Fork(1, 1016)) == "at token 1,017"


class Calling(EchoEngine):
    """An engine that calls two tools for each question, and records the last prompt."""

    asked: ChatPrompt | None = None

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        found = super().load(request, emit, stop)
        return replace(found, can=replace(found.can, tools=True)) if isinstance(found, Model) else found

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        assert isinstance(request.prompt, ChatPrompt)
        type(self).asked = request.prompt
        finish = super().generate(request, emit, stop)
        return replace(finish, calls=CALLS) if request.prompt.messages[-1].role is Role.USER else finish


@pytest.fixture
def calling(enter: Enter) -> ConversationRoom:
    knobs, settings = replace(QUICK, replies=("Hello you",)), Settings(controls=Controls(tools=EXAMPLE))
    room = enter(knobs, settings, engine=Calling)
    assert room.card.isHidden()
    room.send("How is it?")
    return room


def words(room: ConversationRoom, name: str) -> str:
    return room.part(QLabel, name).text()


def submit_tool_result(room: ConversationRoom, text: str) -> None:
    room.part(QPlainTextEdit, "call_result").setPlainText(text)
    room.press("call_send")


def test_tool_calls_continue_after_the_last_result(calling: ConversationRoom) -> None:
    assert not calling.card.isHidden()
    assert words(calling, "call_arguments") == 'place: "Seoul"\nunit: "kelvin"'
    assert words(calling, "call_fits") == 'unit: must be one of ["celsius", "fahrenheit"].'
    submit_tool_result(calling, "rain")
    assert words(calling, "call_title") == "The model calls clock, 2 of 2"
    assert words(calling, "call_fits") == "The arguments match the tool's description."
    submit_tool_result(calling, " nine ")
    calling.until_phase(Phase.READY)
    assert [(turn.role, turn.text) for turn in calling.state.turns[2:]] == [
        (Role.TOOL, "rain"),
        (Role.TOOL, "nine"),
        (Role.ASSISTANT, "Hello you"),
    ]
    assert calling.card.isHidden()
    assert Calling.asked is not None and Calling.asked.tools == EXAMPLE
    assert [message.calls for message in Calling.asked.messages] == [(), CALLS, (), ()]
    assert calling.playground.edit(2, "snow")
    assert calling.state.phase is Phase.READY, "one call has no result"
    assert [turn.text for turn in calling.state.turns[2:]] == ["snow"]
    assert words(calling, "call_title") == "The model calls clock, 2 of 2"


def test_typed_result_returns_with_its_call(calling: ConversationRoom) -> None:
    field = calling.part(QPlainTextEdit, "call_result")
    field.setPlainText("half a resu")
    calling.send("Never mind. And now?")
    assert field.toPlainText() == "", "another call"
    calling.playground.delete(2)
    assert field.toPlainText() == "half a resu"
    calling.playground.new_session()
    assert calling.card.isHidden()


def test_unparsable_call_is_reported(calling: ConversationRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(__name__ + ".CALLS", (ToolCall("", "{}", "Hello", "mlx-lm can't read this call: no"),))
    calling.playground.new_session()
    calling.send("How is it?")
    assert words(calling, "call_title") == "The model's call can't be parsed"
    assert calling.part(QPlainTextEdit, "call_result").isHidden()
    calling.send("Say it in words.")
    assert Calling.asked is not None and Calling.asked.messages[1].text == "Hello you"


def test_finish_without_logprobs_offers_to_record_them(enter: Enter) -> None:
    room = enter(settings=Settings(controls=Controls(observe=0)))
    room.send("One")
    assert room.reason.endswith("token <|end|>")
    room.press("more_about_run")
    button = room.part(QAbstractButton, "record_from_now")
    assert button.isVisible()
    with room.qtbot.waitSignal(room.details.recording_wanted):
        button.click()
    room.playground.set_controls(replace(room.state.controls, observe=3))
    room.send("Two")
    assert " %" in room.reason.partition("token <|end|>, ")[2]
    assert not button.isVisible()


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


def test_restored_view_loads_traces_of_old_answers(enter: Enter, tmp_path: Path) -> None:
    opener = partial(open_journal, tmp_path)
    room = enter(opener=opener)
    room.act("view_tokens").trigger()
    room.send("Hello")
    session, choice = room.state.session, room.part(QComboBox, "token_colouring")
    choice.setCurrentIndex(list(Coloring).index(Coloring.GAP))
    choice.activated.emit(choice.currentIndex())
    assert room.text.scale.coloring is Coloring.GAP
    room.close()
    room = enter(settings=room.kept, opener=opener)
    assert room.playground.open_session(session)
    assert room.text.view is AnswerView.TOKENS
    assert room.text.scale.coloring is room.legend.coloring is Coloring.GAP
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


def test_first_prompt_sets_the_controls_until_they_are_restored(enter: Enter) -> None:
    room = enter()
    before, told = room.state.controls, list[str]()
    room.conversation.controls_replaced.connect(lambda words, _: told.append(words))

    def send() -> None:
        room.conversation._send_first_prompt(FirstPrompt("Count", "Count", "", max_tokens=7, temperature=0.0))
        room.until_phase(Phase.READY)

    send()
    run = room.state.last_run
    assert run is not None and run.request.limits == room.state.controls.limits == replace(before.limits, max_tokens=7)
    assert told == ["This example has set max tokens 7, temperature 0."]
    room.conversation.undo_example()
    assert room.state.controls == before
    room.playground.new_session()
    send()
    own = replace(room.state.controls, sampling=replace(before.sampling, temperature=0.3))
    room.playground.set_controls(own)
    room.playground.new_session()
    assert room.state.controls == replace(own, limits=before.limits), "what the user has changed since stays"


def test_formulas_are_drawn_after_the_answer_and_later_turns_keep_their_places(enter: Enter) -> None:
    room = enter(replace(QUICK, replies=("The area $a^2$ is\n\n$$\\pi r^2$$\n\nhere.",)))
    room.send("Hello")
    room.send("And?")
    room.until(lambda: room.text.toPlainText().count(OBJECT) == 4)
    assert room.text.plain_text().count("$$\\pi r^2$$") == 2
    for turn in room.text._turns:
        assert turn.start is not None
        assert (room.text._page.box_of(turn) is None) is (turn.role is Role.ASSISTANT)
        assert room.text.turn_of(turn.start.position) == turn.index
    assert room.text.ending_rect(1).height() > 0


def test_empty_session_names_controls_from_before_and_resets_them(enter: Enter) -> None:
    room = enter()
    label, changes = room.part(QLabel, "welcome_settings"), list[object]()
    assert label.text() == ""
    before = replace(room.state.controls, limits=Limits(7), system="Be brief.")
    room.playground.set_controls(before)
    assert label.text() == "This session uses system prompt “Be brief.”, max tokens 7."
    room.conversation.controls_replaced.connect(lambda _, restore: changes.append(restore))
    room.press("welcome_reset")
    assert room.state.controls == Controls() and label.text() == ""
    (restore,) = changes
    assert callable(restore)
    restore()
    assert room.state.controls == before
    room.send("Hello")
    assert label.text() == "", "an answer names its settings itself"
