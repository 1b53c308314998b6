"""The dialog of steps: one at a time, by button and by key."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QTableView
from pytestqt.qtbot import QtBot

from app.engine.stop_strings import Markers, ReplyReader
from app.engine.text import ByteStream
from app.experiments.questions.stops import StopTraceStep, readings
from app.ui.look.palette import Colour
from app.ui.look.theme import Theme
from app.ui.stop_trace.dialog import RUN, TEXT, StopTraceDialog, step_words
from tests.ui.conftest import go_dark
from tests.ui.desk import named

CALLS: list[str] = []
"""The arguments of the dialog's callbacks."""
PIECES = (b"Hi", b" \xec", b"\x95", b"\x88", b"EN", b"D<", b"EN", b"D!")


def steps(*strings: str) -> tuple[StopTraceStep, ...]:
    stream = ByteStream(PIECES.__getitem__)
    tokens = [(at, stream.add(at)) for at in range(len(PIECES))]
    return readings(tokens, ReplyReader(strings), PIECES)


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> StopTraceDialog:
    made = StopTraceDialog(theme, None, CALLS.append, CALLS.append, lambda: CALLS.append("strings"))
    CALLS.clear()
    qtbot.addWidget(made)
    made.show()
    return made


def words(dialog: StopTraceDialog, name: str) -> str:
    label = dialog.findChild(QLabel, name)
    assert label is not None
    return label.text() if label.isVisible() else ""


def spoken(dialog: StopTraceDialog) -> str:
    label = named(dialog, QPlainTextEdit, "steps_so_far")
    return label.accessibleName()


def button(dialog: StopTraceDialog, name: str) -> QAbstractButton:
    found = dialog.findChild(QAbstractButton, name)
    assert found is not None
    return found


def table(dialog: StopTraceDialog) -> QTableView:
    return named(dialog, QTableView, "steps_table")


def test_dialog_begins_at_a_waiting_step_and_moves_by_button_and_key(dialog: StopTraceDialog) -> None:
    dialog.show_steps(steps("ENDE", "END!"), "")
    assert words(dialog, "steps_where") == "Step 2 of 8"
    assert spoken(dialog) == "Released: Hi , bytes waiting: EC"
    button(dialog, "steps_next_held").click()
    assert words(dialog, "steps_where") == "Step 5 of 8"
    assert spoken(dialog) == "Released: Hi 안, held back: EN"
    assert "“ENDE” or “END!” may have begun" in words(dialog, "steps_words")
    table(dialog).setFocus()
    QTest.keyClick(table(dialog), Qt.Key.Key_Down)
    assert spoken(dialog) == "Released: Hi 안END<"
    QTest.keyClick(table(dialog), Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert spoken(dialog) == "Released: Hi 안END<, stop string: END!"
    assert not button(dialog, "steps_next").isEnabled()
    assert not button(dialog, "steps_next_held").isEnabled()
    button(dialog, "steps_previous").click()
    assert words(dialog, "steps_where") == "Step 7 of 8"


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
    model = table(dialog).model()
    role = Qt.ItemDataRole
    assert [model.index(1, column).data() for column in range(7)] == ["2", "1", "20 EC", "␣", "␣", "", ""]
    assert model.index(4, 5).data(role.AccessibleTextRole) == "Held back: EN"
    assert model.index(7, 6).data() == "■ “END!”"
    for _ in range(2):
        assert model.index(4, 5).data(role.ForegroundRole) == theme.colour(Colour.MUTED)
        assert model.index(3, 5).data(role.ForegroundRole) is None
        go_dark(theme)


def test_edited_stop_strings_keep_the_step(dialog: StopTraceDialog) -> None:
    dialog.show_strings(("END!", "a\nb"))
    assert dialog.strings() == ("END!", "a\nb")
    dialog.show_steps(steps("END!"), "")
    button(dialog, "steps_next_held").click()
    field = named(dialog, QPlainTextEdit, "steps_strings")
    field.setPlainText("END?")
    assert CALLS == ["strings"] and dialog.strings() == ("END?",)
    dialog.show_steps(steps("END?"), "")
    assert words(dialog, "steps_where") == "Step 5 of 8"


def test_text_source_has_a_field_and_a_hint(dialog: StopTraceDialog) -> None:
    dialog.allow_run(False)
    dialog.show_source(TEXT)
    dialog.show_steps((), "Type a text.")
    assert words(dialog, "steps_words") == "Type a text."
    assert not button(dialog, "steps_previous").isEnabled()
    assert not button(dialog, "steps_source_run").isEnabled()
    field = named(dialog, QPlainTextEdit, "steps_text")
    assert field.isVisible()
    field.setPlainText("\ufeffHi")
    dialog.allow_run(True)
    button(dialog, "steps_source_run").click()
    assert CALLS == ["\ufeffHi", RUN]
