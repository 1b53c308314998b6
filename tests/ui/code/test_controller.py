from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton

from app.controls import Controls, Mode
from app.engine.types import KV, Adapter, ChatPrompt, Failure, Limits, Model, RawPrompt, Reason, Role, Sampling
from app.files.settings import Settings
from app.records.types import FilesRef
from app.state import State, Turn
from app.ui.code.controller import NOTHING_TYPED, CodeController, RunCode, of_next, of_run
from app.ui.code.dialog import COPIED, COPY, SAVED
from app.ui.document.turns import TurnAction
from tests.ui.conversation.runs import run
from tests.ui.file_dialogs import saved
from tests.ui.room import Room, Rooms

MODEL = Model("demo", Path("/models/demo"), "llama", 1, 1, 2048, 2048, ())
OTHER = replace(MODEL, folder=Path("/models/other"))


def coded(thing: RunCode | Failure) -> RunCode:
    assert isinstance(thing, RunCode), thing
    return thing


def test_code_of_a_run_uses_its_model() -> None:
    past = run()
    assert coded(of_run(replace(past, on=MODEL), OTHER, {})).model is MODEL
    assert coded(of_run(past, OTHER, {})).model is OTHER
    assert isinstance(of_run(past, None, {}), Failure)


def test_code_of_a_run_read_from_the_database_needs_its_model_and_adapter() -> None:
    past, fox = run(), replace(MODEL, adapter=Adapter("fox", Path("/adapters/fox"), 8, 20.0))
    assert "adapter_path" not in coded(of_run(past, fox, {})).python()
    had = replace(past, adapter=FilesRef("fox", "/adapters/fox"))
    assert "adapter_path" in coded(of_run(had, fox, {})).python()
    for of, opened, todo in (
        (had, MODEL, "This run used the adapter fox: open demo with it first."),
        (past, replace(MODEL, name="other"), "Open demo to get its code."),
    ):
        refused = of_run(of, opened, {})
        assert isinstance(refused, Failure) and refused.sentence.endswith(todo)


def test_code_of_a_stopped_run_says_that_it_does_not_stop() -> None:
    assert "You stopped this run after 14 tokens" in coded(of_run(run(Reason.STOPPED), MODEL, {})).about
    assert "stopped" not in coded(of_run(run(), MODEL, {})).about


def test_code_of_the_next_run_is_what_send_would_start() -> None:
    controls = Controls(system="Be brief.", sampling=Sampling(0.5), limits=Limits(9), seed=4)
    said = (Turn(Role.USER, "Hi"), Turn(Role.ASSISTANT, "Hello"))
    made = coded(of_next(State(model=MODEL, controls=controls, turns=said), "And?"))
    assert isinstance(made.request.prompt, ChatPrompt)
    assert [message.text for message in made.request.prompt.messages] == ["Be brief.", "Hi", "Hello", "And?"]
    assert "mx.random.seed(4)" in made.python()
    assert NOTHING_TYPED not in made.python()


def test_code_of_an_empty_prompt_uses_a_placeholder() -> None:
    made = coded(of_next(State(model=MODEL, controls=Controls(mode=Mode.RAW)), ""))
    assert made.request.prompt == RawPrompt(NOTHING_TYPED)
    assert NOTHING_TYPED in made.about
    assert "\nmx.random.seed" not in made.python()


class CodeRoom(Room):
    """The window of code; nothing is typed in the prompt."""

    def __init__(self, rooms: Rooms, controls: Controls) -> None:
        super().__init__(rooms, settings=Settings(controls=controls))
        self.code = CodeController(self.playground, str, self.notice, self.theme, self)
        self.furnish((), (self.code,))

    def script(self) -> str:
        return self.part(QPlainTextEdit, "code_python").toPlainText()


def test_code_of_the_last_run_is_shown_and_copied(rooms: Rooms) -> None:
    room = CodeRoom(rooms, Controls(seed=3))
    room.enter()
    room.act("copy_python").trigger()
    assert NOTHING_TYPED in QGuiApplication.clipboard().text()
    room.send("Hello 'you'")
    room.act("view_code").trigger()
    assert "\"Hello 'you'\"" in room.script()
    assert "print(response.text" in room.script()
    room.press("code_form_exact")
    assert "text_of(ids)" in room.script()
    room.press("code_copy")
    assert QGuiApplication.clipboard().text() == room.script()
    assert room.part(QPushButton, "code_copy").text() == COPIED
    assert "mx.random.seed(3)" in room.script()
    room.act("view_code").trigger()
    assert room.part(QPushButton, "code_copy").text() == COPY


def test_code_of_a_turn_is_of_its_run(rooms: Rooms) -> None:
    room = CodeRoom(rooms, Controls(limits=Limits(64, ("END",))))
    room.enter()
    room.send("One")
    room.send("Two")
    room.code.run_turn_action(TurnAction.VIEW_CODE, 1)
    assert '"Two"' not in room.script()
    room.playground.edit(1, "Other words.")
    room.code.run_turn_action(TurnAction.VIEW_CODE, 1)
    assert room.part(QLabel, "notice_what").text() == "No run generated this turn."


def test_code_when_saved_is_the_shown_form(rooms: Rooms, tmp_path: Path) -> None:
    room = CodeRoom(rooms, Controls())
    room.enter()
    room.act("view_code").trigger()
    room.press("code_save")
    assert saved(room, tmp_path / "run.py") == room.script()
    room.until(lambda: room.part(QPushButton, "code_save").text() == SAVED)


def test_code_of_a_run_without_a_cache_has_one_form(rooms: Rooms) -> None:
    room = CodeRoom(rooms, Controls(kv=KV(enabled=False)))
    room.enter()
    room.act("view_code").trigger()
    assert not room.part(QPushButton, "code_form_streaming").isEnabled()
    assert "while len(ids) < " in room.script()
