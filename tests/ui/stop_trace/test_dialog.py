from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QTableView
from shiboken6 import delete

from app.controls import Controls
from app.engine.echo.engine import EchoEngine
from app.engine.stop_strings import Markers, ReplyReader
from app.engine.text import ByteDetokenizer
from app.engine.types import Limits, LoadRequest, Sampling
from app.experiments.questions.stops import StopTraceStep, readings
from app.state import Phase
from app.ui.look.palette import Color
from app.ui.look.theme import Theme
from app.ui.stop_trace.controller import StopTraceController
from app.ui.stop_trace.dialog import NO_MODEL, TYPE, OutputPane, StopTraceDialog, step_words
from tests.ui.alone import Alone
from tests.ui.cells import cells
from tests.ui.conftest import go_dark
from tests.ui.desk import QUICK, act, named

KNOBS = replace(QUICK, replies=("One 🌊 two three four.",))
LIMITS = Controls(limits=Limits(64, stop_strings=("three f",)))
PIECES = (b"Hi", b" \xec", b"\x95", b"\x88", b"EN", b"D<", b"EN", b"D!")


@pytest.fixture
def engine() -> partial[EchoEngine]:
    return partial(EchoEngine, KNOBS)


@pytest.fixture
def window(alone: Alone, theme: Theme) -> Alone:
    alone.add(StopTraceController(alone.playground, theme, alone))
    return alone


@pytest.fixture
def dialog(alone: Alone, theme: Theme) -> StopTraceDialog:
    made = StopTraceDialog(alone.playground, theme, alone)
    made.show()
    return made


def words(window: Alone | StopTraceDialog, name: str = "steps_words") -> str:
    return named(window, QLabel, name).text()


def column(window: Alone, number: int) -> list[str]:
    return [row[number] for row in cells(named(window, QTableView, "steps_table"))]


def steps(*strings: str) -> tuple[StopTraceStep, ...]:
    stream = ByteDetokenizer(PIECES.__getitem__)
    tokens = [(at, stream.add(at)) for at in range(len(PIECES))]
    return readings(tokens, ReplyReader(strings), PIECES)


def button(dialog: StopTraceDialog | Alone, name: str) -> QAbstractButton:
    return named(dialog, QAbstractButton, name)


def test_run_ended_by_a_stop_string_is_shown(window: Alone) -> None:
    window.playground.set_controls(LIMITS)
    window.send("Go")
    act(window, "stop_steps").trigger()
    assert named(window, StopTraceDialog, "stop_steps").isVisible()
    assert column(window, 6)[-1] == "■ “three␣f”"
    assert "three" in column(window, 5)
    window.until(lambda: bool(column(window, 2)[0]))
    assert "F0" in column(window, 2)
    assert words(window)
    button(window, "steps_next_held").click()
    position = words(window, "steps_where")
    named(window, QPlainTextEdit, "steps_strings").setPlainText("three g")
    assert words(window, "steps_where") == position, "edited stop strings keep the step"
    named(window, QPlainTextEdit, "steps_strings").setPlainText("two")
    assert column(window, 6)[-1] == "■ “two”"
    assert window.playground.state.controls.limits.stop_strings == ("three f",), "it changes no setting"


def test_run_of_a_reopened_session_is_shown(window: Alone) -> None:
    window.playground.set_controls(LIMITS)
    window.send("Go")
    session = window.playground.state.session
    window.playground.new_session()
    window.playground.traces.forget()
    assert window.playground.open_session(session)
    window.until(lambda: window.playground.state.session == session)
    act(window, "stop_steps").trigger()
    window.until(lambda: len(column(window, 6)) > 1)
    assert column(window, 6)[-1] == "■ “three␣f”"


def test_typed_text_is_split(window: Alone) -> None:
    assert window.playground.unload()
    window.until_phase(Phase.EMPTY)
    act(window, "stop_steps").trigger()
    assert words(window) == NO_MODEL
    window.playground.load(LoadRequest("echo"))
    window.until_phase(Phase.READY)
    assert words(window) == TYPE
    assert not button(window, "steps_source_run").isEnabled()
    named(window, QPlainTextEdit, "steps_text").setPlainText("a b")
    window.until(lambda: column(window, 3) == ["a", "␣b"])
    named(window, QPlainTextEdit, "steps_text").setPlainText("")
    assert words(window) == TYPE


@pytest.mark.parametrize(
    "engine", [partial(EchoEngine, replace(QUICK, replies=("One two.", "One two.", "Three 🌊 four.")))]
)
def test_shown_run_follows_the_last_run(window: Alone) -> None:
    playground = window.playground
    playground.set_controls(replace(playground.state.controls, sampling=Sampling(temperature=0)))
    window.send("Go")
    act(window, "stop_steps").trigger()
    assert column(window, 3) == ["One", "␣two", "."], "without the EOS token"
    window.send("Go on")
    window.send("Go on")
    assert column(window, 3)[0] == "Three"
    assert "".join(column(window, 4)) == "Three␣🌊␣four."


def test_dialog_begins_at_a_waiting_step_and_moves_by_button_and_key(dialog: StopTraceDialog) -> None:
    dialog.show_steps(steps("ENDE", "END!"), "")
    table, output = named(dialog, QTableView, "steps_table"), named(dialog, QPlainTextEdit, "steps_so_far")
    assert words(dialog, "steps_where") == "Step 2 of 8"
    assert output.accessibleName() == "Released: Hi , bytes waiting: EC"
    button(dialog, "steps_next_held").click()
    assert words(dialog, "steps_where") == "Step 5 of 8"
    assert output.accessibleName() == "Released: Hi 안, held back: EN"
    assert "“ENDE” or “END!” may have begun" in words(dialog, "steps_words")
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert output.accessibleName() == "Released: Hi 안END<"
    QTest.keyClick(table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert output.accessibleName() == "Released: Hi 안END<, stop string: END!"
    assert not button(dialog, "steps_next").isEnabled()
    assert not button(dialog, "steps_next_held").isEnabled()
    button(dialog, "steps_previous").click()
    assert words(dialog, "steps_where") == "Step 7 of 8"


def test_deleted_output_ignores_a_changed_theme(theme: Theme) -> None:
    delete(OutputPane(theme))
    go_dark(theme)


def test_step_words_of_each_step() -> None:
    sentences = [step_words(step) for step in steps("END!")]
    assert sentences[1] == ("Token 2 (id 1) completes “␣”. EC waits for the rest of a character. “␣” is released.")
    assert sentences[2] == "Token 3 (id 2) completes no character. EC 95 wait for the rest of a character."
    assert sentences[3] == "Token 4 (id 3) completes “안”. “안” is released."
    assert sentences[4] == "Token 5 (id 4) completes “EN”. “EN” is held back: “END!” may have begun."
    assert sentences[-1].endswith("The stop string “END!” is complete: the answer ends before it.")
    thought = readings([(1, "<t"), (2, "")], ReplyReader((), Markers.reasoning("<t>", "</t>")))
    assert step_words(thought[0]).endswith("“<t” is held back: a marker of the reasoning may have begun.")
    assert step_words(thought[1]) == (
        "Token 2 (id 2) completes no character. “<t” is held back: a marker of the reasoning may have begun."
    )
    assert step_words(thought[2]) == "The reply ends here: “<t” did not become a stop string and is released."


def test_table_cells_are_spoken_and_held_text_is_muted(dialog: StopTraceDialog, theme: Theme) -> None:
    dialog.show_steps(steps("END!"), "")
    table = named(dialog, QTableView, "steps_table")
    model = table.model()
    role = Qt.ItemDataRole
    assert cells(table)[1] == ["2", "1", "20 EC", "␣", "␣", "", ""]
    assert model.index(4, 5).data(role.AccessibleTextRole) == "Held back: EN"
    assert model.index(7, 6).data() == "■ “END!”"
    for _ in range(2):
        assert model.index(4, 5).data(role.ForegroundRole) == theme.color(Color.MUTED)
        assert model.index(3, 5).data(role.ForegroundRole) is None
        go_dark(theme)
