"""The prompt's controller: sending, editing and waiting in chat and raw mode, previews and warnings."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QWidget

from app.bridge.preview import PromptPreview
from app.controls import Controls, Mode
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.echo.script import END_ID
from app.engine.prompt_warnings import QuickFix
from app.engine.types import (
    CacheMissReason,
    Capabilities,
    ExactPrompt,
    Limits,
    LoadRequest,
    Model,
    Reusable,
    Rewrite,
    Role,
    TemplateIssues,
)
from app.files.settings import Settings
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import TurnAction
from tests.bridge.playing import read_late
from tests.ui.chat_room import ChatRoom
from tests.ui.desk import Desk, act, named
from tests.ui.room import QUICK, Rooms

ENDLESS = replace(QUICK, tokens_per_second=500, replies=("word " * 5000,))
LONG = Settings(controls=Controls(limits=Limits(4000)))
LATE = replace(QUICK, load_seconds=0.2)
Enter = Callable[..., ChatRoom]


def mannered(can: Capabilities | None = None, manners: TemplateIssues | None = None) -> type[EchoEngine]:
    """The scripted engine as another model."""

    class Mannered(EchoEngine):
        def _model(self, request: LoadRequest) -> Model:
            return replace(super()._model(request), can=can or Capabilities(), manners=manners or TemplateIssues())

    return Mannered


@pytest.fixture
def enter(rooms: Rooms) -> Enter:
    def entered(
        knobs: EchoOptions = QUICK,
        settings: Settings | None = None,
        engine: type[EchoEngine] = EchoEngine,
        until: Phase = Phase.READY,
    ) -> ChatRoom:
        room = ChatRoom(rooms, knobs, settings, engine=engine)
        room.enter(until)
        return room

    return entered


@pytest.fixture
def room(enter: Enter) -> ChatRoom:
    return enter()


def set_limit(room: ChatRoom, tokens: int) -> None:
    room.playground.set_controls(replace(room.state.controls, limits=Limits(tokens)))


def next_prompt(room: ChatRoom) -> ExactPrompt | None:
    room.pane.source_chosen.emit("next")
    return room.pane.tokens.prompt


def next_text(room: ChatRoom) -> str:
    prompt = next_prompt(room)
    return prompt.text if prompt is not None else ""


def foresee(room: ChatRoom, text: str) -> ExactPrompt:
    """Type, and wait for the preview."""
    room.type(text)
    room.until(lambda: text in next_text(room))
    prompt = next_prompt(room)
    assert prompt is not None
    return prompt


def press_enter(room: ChatRoom, text: str) -> None:
    room.type(text)
    QTest.keyClick(room.editor.field, Qt.Key.Key_Return)


def fixes(room: ChatRoom) -> list[QuickFix | None]:
    return [warning.way_on for warning in room.lights.warnings]


def count(room: ChatRoom) -> str:
    return room.part(QLabel, "prompt_tokens").text()


def test_sent_field_has_no_token_count(enter: Enter) -> None:
    room = enter(ENDLESS)
    room.type("Hello")
    room.until(lambda: bool(count(room)))
    room.press("send")
    room.until_phase(Phase.GENERATING)
    assert (room.typed, count(room)) == ("", "")
    room.type("And then?")
    room.press("stop")
    room.until(lambda: bool(count(room)))


def test_next_prompt_follows_the_keyboard_and_the_controls(room: ChatRoom) -> None:
    prompt = foresee(room, "Hello")
    assert count(room) == f"{len(prompt.ids)} tokens"
    room.playground.set_controls(replace(room.state.controls, system="Be brief."))
    room.until(lambda: "Be brief." in next_text(room))
    room.playground.set_controls(replace(room.state.controls, reply_start="Well,"))
    room.until(lambda: next_text(room).endswith("Well,"))
    room.type("")
    room.until(lambda: next_text(room) == "")
    assert count(room) == ""


def test_next_prompt_is_the_sent_one_and_stays_while_the_model_answers(enter: Enter) -> None:
    room = enter(ENDLESS, LONG)
    foreseen = foresee(room, "Hello")
    room.press("send")
    room.until(lambda: room.pane.source == "sent")
    assert "is complete" in room.part(QLabel, "exact_prompt_notes").text()
    room.type("Next words")
    assert room.pane.source == "sent"
    room.press("stop")
    room.until_phase(Phase.READY)
    assert room.part(QLabel, "exact_prompt_notes").text() == ""
    run = room.state.last_run
    assert run is not None
    assert room.pane.tokens.prompt == run.prompt
    assert run.prompt is not None and run.prompt.ids == foreseen.ids
    room.until(lambda: "Next words" in next_text(room))


def test_prompt_sent_before_the_model_is_open_waits_for_it(enter: Enter) -> None:
    room = enter(LATE, until=Phase.LOADING)
    press_enter(room, "Hello")
    assert (room.hint.isVisible(), room.typed) == (True, "Hello")
    room.until(lambda: len(room.state.turns) == 2)
    assert (room.hint.isVisible(), room.typed, room.state.turns[0].text) == (False, "", "Hello")
    room.until_phase(Phase.READY)


def test_prompt_sent_while_a_session_loads_goes_to_that_session(room: ChatRoom) -> None:
    room.send("Hello")
    first = room.state.session
    room.playground.new_session()
    assert room.playground.open_session(first)
    press_enter(room, "And then")
    assert (room.state.opening, room.hint.isVisible(), room.typed) == (first, True, "And then")
    room.until(lambda: len(room.state.turns) == 4 and room.state.phase is Phase.READY)
    assert (room.state.session, room.state.turns[2].text, room.typed) == (first, "And then", "")


def two_sessions(room: ChatRoom) -> tuple[int, int]:
    """Start two sessions; the second stays open."""
    sessions = []
    for words in ("One", "Two"):
        room.playground.new_session()
        room.send(words)
        sessions.append(room.state.session)
    return sessions[0], sessions[1]


@pytest.mark.parametrize("instead", ["deleted", "gone", "another"])
def test_prompt_waiting_for_a_session_is_sent_in_no_other(
    room: ChatRoom, monkeypatch: pytest.MonkeyPatch, instead: str
) -> None:
    first, second = two_sessions(room)
    may_come = read_late(monkeypatch)
    if instead == "gone":
        room.journal.sessions.delete(first)
    assert room.playground.open_session(first)
    press_enter(room, "Meant for the first")
    assert room.hint.isVisible()
    if instead == "deleted":
        room.playground.forget(first)
    elif instead == "another":
        assert room.playground.open_session(second)
    may_come.set()
    room.until(lambda: not room.state.opening)
    assert (room.state.session, room.state.phase, len(room.state.turns)) == (second, Phase.READY, 2)
    assert not room.hint.isVisible()
    assert room.typed == "Meant for the first"


def test_prompt_waiting_for_the_model_is_sent_in_no_other_session(enter: Enter) -> None:
    room = enter(LATE)
    first = two_sessions(room)[0]
    assert room.playground.load(LoadRequest("other"))
    press_enter(room, "Meant for the second")
    assert room.state.phase is Phase.LOADING and room.playground.open_session(first)
    room.until(lambda: room.state.session == first and room.state.phase is Phase.READY)
    assert len(room.state.turns) == 2 and not room.hint.isVisible()


@pytest.mark.parametrize("second", ["a word", "cancel_wait", "stop"])
def test_waiting_prompt_stays_if_edited_cancelled_or_without_a_model(enter: Enter, second: str) -> None:
    room = enter(LATE, until=Phase.LOADING)
    press_enter(room, "Hello")
    if second == "a word":
        room.editor.field.insertPlainText(" you")
    else:
        room.press(second)
    room.until(lambda: room.state.phase in (Phase.READY, Phase.EMPTY))
    assert not room.hint.isVisible()
    assert room.typed.endswith("Hello") or room.typed.endswith(" you")
    assert room.state.turns == ()


def test_edited_turn_waits_for_the_model_and_then_replaces_its_turn(enter: Enter) -> None:
    room = enter(LATE)
    room.send("Hello")
    room.prompting.edit(0)
    assert room.playground.load(LoadRequest("other"))
    press_enter(room, "Well met")
    assert room.state.turns[0].text == "Hello"
    room.until(lambda: room.state.phase is Phase.READY and room.state.turns[0].text == "Well met")
    assert not room.hint.isVisible()
    room.until_phase(Phase.READY)


def test_preview_of_an_edited_turn_is_at_its_place(room: ChatRoom) -> None:
    foresee(room, "Hello")
    room.send("Hello")
    foresee(room, "More")
    assert "Hello" in next_text(room)
    room.prompting.edit(0)
    room.until(lambda: "More" not in next_text(room) and "Hello" in next_text(room))


def test_edit_follows_its_turn_and_becomes_a_new_prompt_when_that_is_deleted(room: ChatRoom) -> None:
    for words in ("one", "two", "three"):
        room.send(words)
    room.prompting.edit(2)
    room.editor.set_text("two, corrected")
    room.playground.delete(0)
    assert (room.editor.editing, room.editor.text()) == (0, "two, corrected")
    room.playground.delete(0)
    assert (room.editor.editing, room.editor.text()) == (None, "two, corrected")
    room.playground.undo()
    room.send(room.editor.text())
    texts = [turn.text for turn in room.state.turns if turn.role is Role.USER]
    assert texts == ["two", "three", "two, corrected"]


def test_modes_keep_their_texts_and_turns(room: ChatRoom) -> None:
    foresee(room, "Hello")
    room.send("Hello")
    said = room.state.turns
    room.type("A draft")
    room.set_mode(Mode.RAW)
    assert (room.state.controls.mode, room.typed) == (Mode.RAW, "")
    assert not room.part(QAbstractButton, "exact_prompt_source_sent").isEnabled(), "no page was sent yet"
    foresee(room, "Once upon")
    room.send("Once upon")
    assert room.typed == "Once upon" + room.state.turns[-1].text
    room.set_mode(Mode.CHAT)
    assert (room.typed, room.state.turns) == ("A draft", said)
    room.pane.source_chosen.emit("sent")
    assert room.pane.tokens.prompt == said[-1].runs[-1].prompt
    room.set_mode(Mode.RAW)
    assert room.typed.startswith("Once upon")


def test_edited_page_is_sent_and_not_continued(room: ChatRoom) -> None:
    room.set_mode(Mode.RAW)
    set_limit(room, 5)
    room.send("Once upon")
    first = room.state.turns[-1].text
    room.act("continue_run").trigger()
    room.until_phase(Phase.READY)
    assert len(room.state.turns[-1].runs) == 2
    assert room.typed == "Once upon" + room.state.turns[-1].text
    assert room.state.turns[-1].text.startswith(first)
    room.editor.field.undo()
    assert room.typed == "Once upon" + first
    room.act("continue_run").trigger()
    room.until_phase(Phase.READY)
    assert room.state.turns[0].text == "Once upon" + first


def test_rewritten_page_keeps_reasoning(enter: Enter) -> None:
    room = enter(replace(QUICK, replies=("the gate. <think>Or of</think> Of it.",), reasoning="Of water, then of "))
    room.set_mode(Mode.RAW)
    room.send("Think: ")
    written = room.typed
    assert written == "Think: <think>Of water, then of </think>the gate. <think>Or of</think> Of it."
    answer = room.state.turns[1]
    assert (answer.text, answer.reasoning) == (written.removeprefix("Think: "), "")
    room.playground.delete(1)
    assert room.typed == "Think: "
    room.playground.undo()
    assert room.typed == written
    room.press("send")
    room.until_phase(Phase.READY)
    sent = room.state.turns[1].runs[0].prompt
    assert sent is not None and sent.text == written


def test_page_continues_byte_for_byte_within_reasoning(enter: Enter) -> None:
    room = enter(replace(QUICK, replies=("Out it goes.",), reasoning="In and out"))
    room.set_mode(Mode.RAW)
    set_limit(room, 2)
    room.send("Breathe: ")
    cut = room.typed
    assert cut.startswith("Breathe: <think>") and not cut.endswith("out")
    set_limit(room, 50)
    room.act("continue_run").trigger()
    room.until_phase(Phase.READY)
    sent = room.state.turns[1].runs[1].prompt
    assert sent is not None and sent.text == cut
    assert room.typed == "Breathe: <think>In and out</think>Out it goes."


def test_regenerate_and_undo_restore_the_page(room: ChatRoom) -> None:
    room.set_mode(Mode.RAW)
    room.send("Once upon")
    whole = room.typed
    assert room.playground.regenerate()
    room.until_phase(Phase.READY)
    assert room.typed.startswith("Once upon")
    assert room.typed == "".join(turn.text for turn in room.state.turns)
    room.playground.undo()
    assert room.typed == whole


def test_warning_of_a_raw_chat_model_offers_the_chat(room: ChatRoom) -> None:
    foresee(room, "Hello")
    assert fixes(room) == []
    room.set_mode(Mode.RAW)
    foresee(room, "Tell me")
    assert fixes(room) == [QuickFix.USE_CHAT]
    room.lights.fix_wanted.emit(QuickFix.USE_CHAT)
    assert room.state.controls.mode is Mode.CHAT
    assert room.typed == "Hello", "what was written there is not replaced"
    room.until(lambda: fixes(room) == [])


def test_warning_of_a_model_without_a_template_offers_raw_with_the_text(enter: Enter) -> None:
    room = enter(engine=mannered(can=Capabilities(chat=False)))
    room.until(lambda: fixes(room) == [QuickFix.USE_RAW])
    foresee(room, "Once upon")
    room.lights.fix_wanted.emit(QuickFix.USE_RAW)
    assert room.state.controls.mode is Mode.RAW
    assert room.typed == "Once upon"
    room.until(lambda: fixes(room) == [])


def test_warning_of_a_template_without_a_generation_prompt_offers_the_reply_start(enter: Enter) -> None:
    room = enter(engine=mannered(manners=TemplateIssues(cue_missing=True)))
    foresee(room, "Hello")
    assert fixes(room) == [QuickFix.START_REPLY]
    with room.qtbot.waitSignal(room.prompting.reply_start_wanted):
        room.lights.fix_wanted.emit(QuickFix.START_REPLY)
    room.playground.set_controls(replace(room.state.controls, reply_start="Well,"))
    room.until(lambda: fixes(room) == [])


def test_warning_of_a_full_context_offers_to_drop_the_oldest_turn(enter: Enter) -> None:
    room = enter(replace(QUICK, context=60, replies=("short",)))
    foresee(room, "Hello there " * 6)
    assert fixes(room) == []
    room.send("Hello there " * 6)
    foresee(room, "And now something rather longer than that, " * 5)
    assert fixes(room) == [QuickFix.DROP_OLDEST]
    foresee(room, "And now something that is too long even alone, " * 20)
    assert fixes(room) == [None]
    foresee(room, "And now something rather longer than that, " * 5)
    room.lights.fix_wanted.emit(QuickFix.DROP_OLDEST)
    assert room.state.turns == ()
    room.until(lambda: fixes(room) in ([None], []))
    room.playground.undo()
    assert len(room.state.turns) == 2


def test_warning_of_two_bos_tokens_offers_to_drop_one(room: ChatRoom) -> None:
    room.set_mode(Mode.RAW)
    foresee(room, "<|user|><|user|>Hello")
    assert QuickFix.DROP_BOS in fixes(room)
    room.lights.fix_wanted.emit(QuickFix.DROP_BOS)
    assert room.typed == "<|user|>Hello"
    room.editor.field.undo()
    assert room.typed == "<|user|><|user|>Hello"


def test_warning_of_typed_control_tokens_shows_them(room: ChatRoom) -> None:
    prompt = foresee(room, "first\nsecond <|end|> third")
    assert fixes(room) == [QuickFix.SHOW_TOKENS]
    room.lights.fix_wanted.emit(QuickFix.SHOW_TOKENS)
    assert room.act("toggle_exact_prompt").isChecked()
    said = room.part(QLabel, "exact_prompt_legend").text()
    assert "'<|end|>', special token" in said
    assert said.startswith(f"{prompt.ids.index(END_ID) + 1} of ")


def test_warning_of_rewritten_turns_over_a_second_sets_the_argument(room: ChatRoom) -> None:
    room.send("One and more")
    prompt, run = foresee(room, "Two and more"), room.state.last_run
    assert run is not None and run.prompt is not None
    same = len(run.prompt.ids)
    found = Reusable(same, same, (5, "word"), CacheMissReason.DIFFERS)
    for seconds, fix in ((0.4, []), (3.0, [QuickFix.SET_ARGUMENT])):
        rewrite = Rewrite(900, seconds, None, ("keep_past", True))
        room.playground.preview.previewed.emit(PromptPreview(prompt, found, rewrite))
        assert fixes(room) == fix
        assert "900 tokens of earlier turns" in room.part(QLabel, "cache_words").text()
    room.lights.fix_wanted.emit(QuickFix.SET_ARGUMENT)
    assert room.state.controls.arguments == (("keep_past", True),)


def test_comparison_is_offered_for_the_model_of_the_run_only(room: ChatRoom) -> None:
    for text in ("One and more", "Two and more"):
        foresee(room, text)
        room.send(text)
    compare, words = room.part(QAbstractButton, "compare_reuse"), room.part(QLabel, "cache_words")
    said = words.text()
    assert "were cached" in said
    for folder, possible in (("echo", True), ("another", False), ("echo", True)):
        if room.state.model is not None and str(room.state.model.folder) != folder:
            room.load(folder)
        room.pane.source_chosen.emit("sent")
        assert (compare.isVisible(), words.text()) == (possible, said)


def surprise(room: ChatRoom, text: str) -> QAbstractButton:
    """Return the button once the pane shows this text."""
    button = room.part(QAbstractButton, "exact_prompt_surprise")
    foresee(room, text)
    room.until(button.isEnabled)
    return button


def summary(room: ChatRoom) -> QLabel:
    return room.part(QLabel, "exact_prompt_surprise_summary")


def test_surprisal_colors_the_prompt_until_it_changes(room: ChatRoom) -> None:
    surprise(room, "How surprising is this?").click()
    room.until(summary(room).isVisible)
    assert "bits" in summary(room).text()
    assert not room.state.turns
    assert not surprise(room, "Something else").isChecked()
    assert "Press “Surprisal” again" in room.part(QLabel, "exact_prompt_notes").text()


def test_surprisal_can_be_stopped(enter: Enter) -> None:
    room = enter(replace(QUICK, prefill_per_second=100.0))
    button = surprise(room, "word " * 400)
    button.click()
    assert room.state.phase is Phase.PREFILLING
    assert not button.isEnabled()
    room.act("stop").trigger()
    room.until_phase(Phase.READY)
    assert not button.isChecked()


def test_surprisal_ends_with_another_model_or_adapter_scale(room: ChatRoom) -> None:
    room.load("other", adapter="/adapters/fox")
    button = surprise(room, "How surprising is this?")
    button.click()
    room.until(summary(room).isVisible)
    sampling = replace(room.state.controls.sampling, adapter_strength=0.5)
    room.playground.set_controls(replace(room.state.controls, sampling=sampling))
    assert not button.isChecked() and not summary(room).isVisible()
    room.until(button.isEnabled)
    button.click()
    room.until(summary(room).isVisible)
    room.load("echo")
    assert not button.isChecked() and not summary(room).isVisible()


def test_raw_shows_the_prompt_of_the_conversation_and_leaves_it_unchanged(room: ChatRoom) -> None:
    rendered: list[bool] = []
    room.prompting.page_rendered.connect(lambda: rendered.append(True))
    room.send("Hello")
    chat = room.state.turns
    room.press("mode_raw")
    room.until(lambda: bool(rendered))
    run = chat[-1].runs[-1]
    assert run.prompt is not None and room.editor.text().startswith(run.prompt.text + run.text)
    assert not room.state.turns, "it is not sent yet"
    room.sessions.keep_draft()
    assert not room.state.session, "a look at the prompt begins no session"
    edited = run.prompt.text.replace("Hello", "Goodbye")
    room.editor.set_text(edited)
    room.press("mode_chat")
    assert room.state.turns == chat
    room.press("mode_raw")
    assert room.editor.text() == edited, "the conversation is the same, so the page has the edits"
    room.press("send")
    room.until_phase(Phase.READY)
    assert room.state.turns[0].text == edited
    room.press("mode_chat")
    assert room.state.turns == chat
    room.send("Again")
    room.press("mode_raw")
    room.until(lambda: len(rendered) == 2)
    assert "Again" in room.editor.text() and "Hello" in room.editor.text()


def test_new_raw_page_is_empty_and_keeps_the_pages_before_it(room: ChatRoom) -> None:
    room.send("Hello")
    room.act("new_raw_page").trigger()
    assert room.state.controls.mode is Mode.RAW and not room.editor.text()
    room.send("Once upon")
    page = room.state.session
    room.act("new_raw_page").trigger()
    assert not room.state.turns and not room.editor.text()
    assert page in {each.id for each in room.journal.sessions.rows()}


@pytest.mark.slow
def test_prompt_is_whole_under_warnings_and_pane_in_the_smallest_window(desk: Desk) -> None:
    window = desk.ready(knobs=replace(QUICK, context=60))
    window.resize(900, 600)
    act(window, "toggle_exact_prompt").trigger()
    prompt, pane, lights = (named(window, QWidget, name) for name in ("prompt", "exact_prompt", "lights"))
    named(window, QPlainTextEdit, "prompt").setPlainText("first <|end|> " + "and a long story about the sea " * 40)
    desk.qtbot.waitUntil(lambda: len(window._parts.lights.warnings) == 2 and lights.isVisible())
    assert prompt.height() == prompt.maximumHeight()

    def bottom(widget: QWidget) -> int:
        return widget.mapTo(window, widget.rect().bottomLeft()).y()

    desk.qtbot.waitUntil(lambda: bottom(prompt) < bottom(pane))


@pytest.mark.slow
def test_raw_page_replaces_the_conversation_in_the_window(desk: Desk) -> None:
    window = desk.ready()
    transcript = named(window, Transcript, "transcript")
    named(window, QAbstractButton, "more_controls").click()
    desk.send(window, "Hello")
    named(window, QAbstractButton, "mode_raw").click()
    assert not transcript.isVisible()
    for name in ("system_prompt", "reply_start"):
        assert not named(window, QPlainTextEdit, name).isEnabled()
    desk.send(window, "Once upon")
    assert named(window, QLabel, "finish_reason").isVisible()
    named(window, QPlainTextEdit, "prompt").setPlainText("Twice upon")
    transcript.wanted.emit(TurnAction.CONTINUE, 1)
    desk.until(window, Phase.READY)
    assert window.playground.state.turns[0].text == "Twice upon", "a page that was edited is sent"
    named(window, QAbstractButton, "mode_chat").click()
    assert transcript.isVisible() and named(window, QPlainTextEdit, "reply_start").isEnabled()
