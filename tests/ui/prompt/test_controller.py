"""The prompt's half of the window on the scripted engine: modes, the exact prompt, what the lights offer."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPlainTextEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from app.bridge.playground import Playground
from app.controls import Controls, Mode
from app.engine.echo.engine import EchoEngine, Knobs
from app.engine.echo.script import END_ID
from app.engine.lights import WayOn
from app.engine.types import Capabilities, LoadRequest, Manners, Model
from app.settings import Layout, Settings
from app.state import Phase, State
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import TurnAction
from app.ui.look.theme import Theme
from app.ui.prompt.exact_prompt import ExactPromptPane
from app.ui.prompt.lights_row import LightsRow
from app.ui.shell.main_window import MainWindow
from tests.bridge.playing import read_late

Widget = TypeVar("Widget", bound=QWidget)
QUICK = Knobs(tokens_per_second=0, prefill_per_second=0, load_seconds=0)
ENDLESS = replace(QUICK, tokens_per_second=500, replies=("word " * 5000,))


class Mannered(EchoEngine):
    """The scripted engine as another model."""

    def __init__(self, knobs: Knobs, can: Capabilities, manners: Manners) -> None:
        super().__init__(knobs)
        self._given = (can, manners)

    def _model(self, request: LoadRequest) -> Model:
        can, manners = self._given
        return replace(super()._model(request), can=can, manners=manners)


class Desk:
    """A window, and hands."""

    def __init__(self, qtbot: QtBot, theme: Theme) -> None:
        self.qtbot = qtbot
        self.theme = theme
        self.kept: list[Settings] = []
        self.windows: list[MainWindow] = []

    @property
    def window(self) -> MainWindow:
        return self.windows[-1]

    @property
    def state(self) -> State:
        return self.window.playground.state

    @property
    def pane(self) -> ExactPromptPane:
        return self.find(ExactPromptPane, "exact_prompt")

    @property
    def offered(self) -> list[str]:
        return [line.way_on for line in self.find(LightsRow, "lights").lines]

    def open(
        self,
        knobs: Knobs = QUICK,
        settings: Settings | None = None,
        can: Capabilities | None = None,
        manners: Manners | None = None,
        until: Phase = Phase.READY,
    ) -> None:
        engine = Mannered(knobs, can or Capabilities(), manners or Manners())
        playground = Playground(lambda _collect: engine)
        window = MainWindow(playground, self.theme, settings or Settings(), self.kept.append, start="echo")
        self.windows.append(window)
        self.qtbot.addWidget(window)
        window.show()
        self.until(lambda: self.state.phase is until)

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition)

    def find(self, kind: type[Widget], name: str) -> Widget:
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def press(self, name: str) -> None:
        self.find(QAbstractButton, name).click()

    def type(self, text: str) -> None:
        """Type, and wait until it is known what it would be."""
        self.find(QPlainTextEdit, "prompt").setPlainText(text)
        self.until(lambda: text in self.next_text)

    def enter(self, text: str) -> None:
        """Type, and press the key that sends."""
        field = self.find(QPlainTextEdit, "prompt")
        field.setPlainText(text)
        QTest.keyClick(field, Qt.Key.Key_Return)

    @property
    def next_text(self) -> str:
        self.pane.source_chosen.emit("next")
        prompt = self.pane.tokens.prompt
        return prompt.text if prompt is not None else ""

    @property
    def text(self) -> str:
        return self.find(QPlainTextEdit, "prompt").toPlainText()

    def send(self) -> None:
        self.press("send")
        self.until(lambda: self.state.phase is Phase.READY)

    def act(self, name: str) -> QAction:
        return next(each for each in self.window.actions() if each.objectName() == f"action_{name}")


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication) -> Iterator[Desk]:
    made = Desk(qtbot, Theme(qapp))
    yield made
    for window in made.windows:
        window.close()
    vars(made).clear()


def test_the_pane_is_shown_hidden_and_remembered(desk: Desk) -> None:
    desk.open()
    assert not desk.pane.isVisible()
    desk.act("toggle_exact_prompt").trigger()
    assert desk.pane.isVisible()
    assert desk.act("toggle_exact_prompt").isChecked()
    desk.window.close()
    assert desk.kept[-1].layout.side_tab == "exact_prompt"
    desk.open(settings=desk.kept[-1])
    assert desk.pane.isVisible()
    assert desk.find(QAbstractButton, "inspector_button").isChecked()
    desk.act("toggle_exact_prompt").trigger()
    assert not desk.pane.isVisible()
    assert not desk.act("toggle_exact_prompt").isChecked()
    assert not desk.find(QAbstractButton, "inspector_button").isChecked()


def test_the_prompt_is_whole_under_lights_and_pane_in_the_smallest_window(desk: Desk) -> None:
    desk.open(replace(QUICK, context=60))
    desk.window.resize(900, 600)
    desk.act("toggle_exact_prompt").trigger()
    desk.type("first <|end|> " + "and a long story about the sea " * 40)
    assert len(desk.offered) == 2
    prompt, pane = desk.find(QPlainTextEdit, "prompt"), desk.pane
    assert prompt.height() == prompt.maximumHeight()

    def bottom(widget: QWidget) -> int:
        return widget.mapTo(desk.window, widget.rect().bottomLeft()).y()

    desk.until(lambda: bottom(prompt) < bottom(pane))


def test_a_field_that_was_sent_has_no_count_of_what_stood_in_it(desk: Desk) -> None:
    desk.open(ENDLESS)
    count = desk.find(QLabel, "prompt_tokens")
    desk.find(QPlainTextEdit, "prompt").setPlainText("Hello")
    desk.until(lambda: bool(count.text()))
    desk.press("send")
    desk.until(lambda: desk.state.phase is Phase.GENERATING)
    assert (desk.text, count.text()) == ("", "")
    desk.find(QPlainTextEdit, "prompt").setPlainText("And then?")
    desk.press("stop")
    desk.until(lambda: bool(count.text()))


def test_the_next_prompt_follows_the_keyboard_and_the_controls(desk: Desk) -> None:
    desk.open()
    desk.press("more_controls")
    desk.act("toggle_exact_prompt").trigger()
    desk.type("Hello")
    prompt = desk.pane.tokens.prompt
    assert prompt is not None
    assert desk.find(QLabel, "prompt_tokens").text() == f"{len(prompt.ids)} tok"
    desk.find(QPlainTextEdit, "system_prompt").setPlainText("Be brief.")
    desk.until(lambda: "Be brief." in desk.next_text)
    desk.find(QPlainTextEdit, "reply_start").setPlainText("Well,")
    desk.until(lambda: desk.next_text.endswith("Well,"))
    desk.find(QPlainTextEdit, "prompt").clear()
    desk.until(lambda: desk.next_text == "")
    assert desk.find(QLabel, "prompt_tokens").text() == ""


def test_what_was_sent_is_shown_while_the_model_answers(desk: Desk) -> None:
    desk.open(ENDLESS)
    desk.act("toggle_exact_prompt").trigger()
    desk.find(QSpinBox, "max_tokens").setValue(4000)
    desk.type("Hello")
    desk.press("send")
    desk.until(lambda: desk.pane.source == "sent")
    assert "finished" in desk.find(QLabel, "exact_prompt_notes").text()
    desk.find(QPlainTextEdit, "prompt").setPlainText("Next words")
    assert desk.pane.source == "sent"
    desk.press("stop")
    desk.until(lambda: desk.state.phase is Phase.READY)
    assert desk.find(QLabel, "exact_prompt_notes").text() == ""
    run = desk.state.last_run
    assert run is not None
    assert desk.pane.tokens.prompt == run.prompt
    desk.until(lambda: "Next words" in desk.next_text)


def test_what_is_sent_before_the_model_is_ready_goes_when_it_is(desk: Desk) -> None:
    desk.open(replace(QUICK, load_seconds=0.2), until=Phase.LOADING)
    hint = desk.find(QWidget, "edit_hint")
    desk.enter("Hello")
    assert (hint.isVisible(), desk.text) == (True, "Hello")
    desk.until(lambda: len(desk.state.turns) == 2)
    assert (hint.isVisible(), desk.text, desk.state.turns[0].text) == (False, "", "Hello")
    desk.until(lambda: desk.state.phase is Phase.READY)


def test_what_is_sent_while_a_session_is_read_goes_to_that_session(desk: Desk) -> None:
    desk.open(QUICK)
    desk.enter("Hello")
    desk.until(lambda: len(desk.state.turns) == 2 and desk.state.phase is Phase.READY)
    first = desk.state.session
    desk.window.playground.new_session()
    assert desk.window.playground.open_session(first)
    desk.enter("And then")
    assert (desk.state.opening, desk.find(QWidget, "edit_hint").isVisible(), desk.text) == (first, True, "And then")
    desk.until(lambda: len(desk.state.turns) == 4 and desk.state.phase is Phase.READY)
    assert (desk.state.session, desk.state.turns[2].text, desk.text) == (first, "And then", "")


def two_sessions(desk: Desk) -> tuple[int, int]:
    """The second is on the page."""
    desk.open(replace(QUICK, load_seconds=0.2))
    sessions = []
    for words in ("One", "Two"):
        desk.window.playground.new_session()
        desk.enter(words)
        desk.until(lambda: len(desk.state.turns) == 2 and desk.state.phase is Phase.READY)
        sessions.append(desk.state.session)
    return sessions[0], sessions[1]


@pytest.mark.parametrize("instead", ["deleted", "gone", "another"])
def test_what_waits_for_a_session_is_sent_in_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, instead: str
) -> None:
    first, second = two_sessions(desk)
    playground = desk.window.playground
    may_come = read_late(monkeypatch)
    if instead == "gone" and playground.book.journal is not None:
        playground.book.journal.sessions.delete(first)
    assert playground.open_session(first)
    desk.enter("Meant for the first")
    assert desk.find(QWidget, "edit_hint").isVisible()
    if instead == "deleted":
        playground.forget(first)
    elif instead == "another":
        assert playground.open_session(second)
    may_come.set()
    desk.until(lambda: not desk.state.opening)
    assert (desk.state.session, desk.state.phase, len(desk.state.turns)) == (second, Phase.READY, 2)
    assert not desk.find(QWidget, "edit_hint").isVisible()
    assert desk.text == "Meant for the first"


def test_what_waits_for_the_model_is_sent_in_no_other_session(desk: Desk) -> None:
    first = two_sessions(desk)[0]
    assert desk.window.playground.load(LoadRequest("other"))
    desk.enter("Meant for the second")
    assert desk.state.phase is Phase.LOADING and desk.window.playground.open_session(first)
    desk.until(lambda: desk.state.session == first and desk.state.phase is Phase.READY)
    assert len(desk.state.turns) == 2 and not desk.find(QWidget, "edit_hint").isVisible()


@pytest.mark.parametrize("second", ["a word", "cancel_wait", "stop"])
def test_what_waits_for_the_model_stays_if_it_is_typed_on_or_held_back_or_the_model_does_not_come(
    desk: Desk, second: str
) -> None:
    desk.open(replace(QUICK, load_seconds=0.2), until=Phase.LOADING)
    desk.enter("Hello")
    if second == "a word":
        desk.find(QPlainTextEdit, "prompt").insertPlainText(" you")
    else:
        desk.press(second)
    desk.until(lambda: desk.state.phase in (Phase.READY, Phase.EMPTY))
    assert not desk.find(QWidget, "edit_hint").isVisible()
    assert desk.text.endswith("Hello") or desk.text.endswith(" you")
    assert desk.state.turns == ()


def test_an_edited_turn_waits_for_the_model_and_then_takes_its_place(desk: Desk) -> None:
    desk.open(replace(QUICK, load_seconds=0.2))
    desk.find(QPlainTextEdit, "prompt").setPlainText("Hello")
    desk.send()
    desk.find(Transcript, "transcript").wanted.emit(TurnAction.EDIT, 0)
    assert desk.window.playground.load(LoadRequest("other"))
    desk.enter("Well met")
    assert desk.state.turns[0].text == "Hello"
    desk.until(lambda: desk.state.phase is Phase.READY and desk.state.turns[0].text == "Well met")
    assert not desk.find(QWidget, "edit_hint").isVisible()
    desk.until(lambda: desk.state.phase is Phase.READY)


def test_an_edited_turn_is_foreseen_in_its_place(desk: Desk) -> None:
    desk.open()
    desk.act("toggle_exact_prompt").trigger()
    desk.type("Hello")
    desk.send()
    desk.type("More")
    assert "Hello" in desk.next_text
    desk.find(Transcript, "transcript").wanted.emit(TurnAction.EDIT, 0)
    desk.until(lambda: "More" not in desk.next_text and "Hello" in desk.next_text)


def test_the_page_takes_the_conversation_s_place_and_chat_comes_back(desk: Desk) -> None:
    desk.open()
    desk.press("more_controls")
    desk.type("Hello")
    desk.send()
    said = desk.state.turns
    desk.find(QPlainTextEdit, "prompt").setPlainText("A draft")
    desk.press("mode_raw")
    assert desk.state.controls.mode is Mode.RAW
    assert desk.text == ""
    assert not desk.find(Transcript, "transcript").isVisible()
    assert not desk.find(QPlainTextEdit, "system_prompt").isEnabled()
    assert not desk.find(QPlainTextEdit, "reply_start").isEnabled()
    assert not desk.find(QAbstractButton, "exact_prompt_source_sent").isEnabled(), "no page was sent yet"
    desk.type("Once upon")
    desk.send()
    assert desk.text == "Once upon" + desk.state.turns[-1].text
    assert desk.find(QLabel, "finish_reason").isVisible()
    desk.press("mode_chat")
    assert desk.text == "A draft"
    assert desk.state.turns == said
    assert desk.find(QPlainTextEdit, "reply_start").isEnabled()
    desk.pane.source_chosen.emit("sent")
    assert desk.pane.tokens.prompt == said[-1].runs[-1].prompt
    assert desk.find(Transcript, "transcript").isVisible()
    desk.press("mode_raw")
    assert desk.text.startswith("Once upon")


def test_a_page_edited_since_is_sent_instead_of_continued(desk: Desk) -> None:
    desk.open()
    desk.press("mode_raw")
    desk.find(QSpinBox, "max_tokens").setValue(5)
    desk.type("Once upon")
    desk.send()
    first = desk.state.turns[-1].text
    desk.act("continue_run").trigger()
    desk.until(lambda: desk.state.phase is Phase.READY)
    assert len(desk.state.turns[-1].runs) == 2
    assert desk.text == "Once upon" + desk.state.turns[-1].text
    assert desk.state.turns[-1].text.startswith(first)
    desk.find(QPlainTextEdit, "prompt").undo()
    assert desk.text == "Once upon" + first
    desk.act("continue_run").trigger()
    desk.until(lambda: desk.state.phase is Phase.READY)
    assert desk.state.turns[0].text == "Once upon" + first


def test_so_it_is_where_continue_is_chosen_for_the_turn(desk: Desk) -> None:
    desk.open()
    desk.press("mode_raw")
    desk.find(QSpinBox, "max_tokens").setValue(5)
    desk.type("Once upon")
    desk.send()
    desk.type("Twice upon")
    desk.find(Transcript, "transcript").wanted.emit(TurnAction.CONTINUE, 1)
    desk.until(lambda: desk.state.phase is Phase.READY)
    assert [turn.text for turn in desk.state.turns][:1] == ["Twice upon"]


def test_what_the_model_thought_stays_on_the_page_when_it_is_put_there_anew(desk: Desk) -> None:
    desk.open(replace(QUICK, replies=("the gate. <think>Or of</think> Of it.",), reasoning="Of water, then of "))
    desk.press("mode_raw")
    desk.type("Think: ")
    desk.send()
    written = desk.text
    assert written == "Think: <think>Of water, then of </think>the gate. <think>Or of</think> Of it."
    answer = desk.state.turns[1]
    assert (answer.text, answer.reasoning) == (written.removeprefix("Think: "), "")
    desk.window.playground.delete(1)
    assert desk.text == "Think: "
    desk.window.playground.undo()
    assert desk.text == written
    desk.send()
    sent = desk.state.turns[1].runs[0].prompt
    assert sent is not None and sent.text == written


def test_a_page_goes_on_byte_for_byte_in_the_middle_of_a_thought(desk: Desk) -> None:
    desk.open(replace(QUICK, replies=("Out it goes.",), reasoning="In and out"))
    desk.press("mode_raw")
    desk.find(QSpinBox, "max_tokens").setValue(2)
    desk.type("Breathe: ")
    desk.send()
    cut = desk.text
    assert cut.startswith("Breathe: <think>") and not cut.endswith("out")
    desk.find(QSpinBox, "max_tokens").setValue(50)
    desk.act("continue_run").trigger()
    desk.until(lambda: desk.state.phase is Phase.READY)
    sent = desk.state.turns[1].runs[1].prompt
    assert sent is not None and sent.text == cut
    assert desk.text == "Breathe: <think>In and out</think>Out it goes."


def test_regenerating_and_undoing_put_the_page_as_it_was(desk: Desk) -> None:
    desk.open()
    desk.press("mode_raw")
    desk.type("Once upon")
    desk.send()
    whole = desk.text
    desk.act("regenerate").trigger()
    desk.until(lambda: desk.state.phase is Phase.READY)
    assert desk.text.startswith("Once upon")
    assert desk.text == "".join(turn.text for turn in desk.state.turns)
    desk.act("undo").trigger()
    assert desk.text == whole


def test_the_mode_can_not_change_in_the_middle_of_a_run(desk: Desk) -> None:
    desk.open(ENDLESS)
    desk.find(QSpinBox, "max_tokens").setValue(4000)
    desk.type("Hello")
    desk.press("send")
    assert not desk.find(QAbstractButton, "mode_raw").isEnabled()
    desk.press("stop")
    desk.until(lambda: desk.state.phase is Phase.READY)
    assert desk.find(QAbstractButton, "mode_raw").isEnabled()


def test_a_chat_model_used_raw_may_be_asked_in_the_chat(desk: Desk) -> None:
    desk.open()
    desk.type("Hello")
    assert desk.offered == []
    desk.press("mode_raw")
    desk.type("Tell me")
    assert desk.offered == [WayOn.USE_CHAT]
    desk.find(LightsRow, "lights").taken.emit(WayOn.USE_CHAT.value)
    assert desk.state.controls.mode is Mode.CHAT
    assert desk.text == "Hello", "what was written there is not replaced"
    desk.until(lambda: desk.offered == [])


def test_a_model_without_a_template_goes_raw_and_the_text_comes_along(desk: Desk) -> None:
    desk.open(can=Capabilities(chat=False))
    desk.until(lambda: desk.offered == [WayOn.USE_RAW])
    desk.type("Once upon")
    desk.find(LightsRow, "lights").taken.emit(WayOn.USE_RAW.value)
    assert desk.state.controls.mode is Mode.RAW
    assert desk.text == "Once upon"
    desk.until(lambda: desk.offered == [])


def test_a_template_without_a_cue_leads_to_the_reply(desk: Desk) -> None:
    desk.open(manners=Manners(cue_missing=True))
    desk.type("Hello")
    assert desk.offered == [WayOn.START_REPLY]
    desk.act("toggle_controls").trigger()
    desk.find(LightsRow, "lights").taken.emit(WayOn.START_REPLY.value)
    assert desk.find(QPlainTextEdit, "reply_start").isVisible()
    desk.find(QPlainTextEdit, "reply_start").setPlainText("Well,")
    desk.until(lambda: desk.offered == [])


def test_a_prompt_beyond_the_context_may_lose_its_oldest_turn(desk: Desk) -> None:
    desk.open(replace(QUICK, context=60, replies=("short",)))
    desk.type("Hello there " * 6)
    assert desk.offered == []
    desk.send()
    desk.type("And now something rather longer than that, " * 5)
    assert desk.offered == [WayOn.DROP_OLDEST]
    desk.find(LightsRow, "lights").taken.emit(WayOn.DROP_OLDEST.value)
    assert desk.state.turns == ()
    desk.until(lambda: desk.offered == [""] or desk.offered == [])
    desk.act("undo").trigger()
    assert len(desk.state.turns) == 2


def test_two_beginnings_become_one(desk: Desk) -> None:
    desk.open()
    desk.press("mode_raw")
    desk.type("<|user|><|user|>Hello")
    assert WayOn.DROP_BOS in desk.offered
    desk.find(LightsRow, "lights").taken.emit(WayOn.DROP_BOS.value)
    assert desk.text == "<|user|>Hello"
    desk.find(QPlainTextEdit, "prompt").undo()
    assert desk.text == "<|user|><|user|>Hello"


def test_control_tokens_in_one_s_own_words_are_shown(desk: Desk) -> None:
    desk.open()
    desk.type("first\nsecond <|end|> third")
    assert desk.offered == [WayOn.SHOW_TOKENS]
    desk.find(LightsRow, "lights").taken.emit(WayOn.SHOW_TOKENS.value)
    assert desk.pane.isVisible()
    told = desk.find(QLabel, "exact_prompt_legend").text()
    assert "'<|end|>', special token" in told
    prompt = desk.pane.tokens.prompt
    assert prompt is not None
    assert told.startswith(f"{prompt.ids.index(END_ID) + 1} of ")


def test_only_the_model_that_wrote_an_answer_is_offered_to_write_it_without_the_cache(desk: Desk) -> None:
    desk.open(settings=Settings(layout=Layout(side_tab="exact_prompt")))
    for text in ("One and more", "Two and more"):
        desk.type(text)
        desk.send()
    compare, words = desk.find(QAbstractButton, "compare_reuse"), desk.find(QLabel, "cache_words")
    said = words.text()
    assert "came from the cache" in said
    for folder, offered in (("echo", True), ("another", False), ("echo", True)):
        if desk.state.model is not None and str(desk.state.model.folder) != folder:
            assert desk.window.playground.load(LoadRequest(folder))
            desk.until(lambda: desk.state.phase is Phase.LOADING)
            desk.until(lambda: desk.state.phase is Phase.READY)
        desk.pane.source_chosen.emit("sent")
        assert (compare.isVisible(), words.text()) == (offered, said)


def test_template_and_reply_survive_a_restart(desk: Desk) -> None:
    arguments = (("enable_thinking", False), ("size", 3))
    desk.open(settings=Settings(controls=Controls(reply_start="Well,", arguments=arguments, mode=Mode.RAW)))
    desk.press("more_controls")
    assert desk.find(QPlainTextEdit, "reply_start").toPlainText() == "Well,"
    desk.window.close()
    kept = desk.kept[-1].controls
    assert (kept.reply_start, kept.arguments, kept.mode) == ("Well,", arguments, "raw")
