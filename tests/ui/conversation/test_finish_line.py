"""The line under an answer, with values fed by hand."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.conversation.finish_line import EndingLine
from app.ui.conversation.next_step import Step
from app.ui.look.palette import LIGHT, Colour
from app.ui.look.theme import Theme

CUT = "Reached max tokens (256 tokens) · 1.1 s decoding · 231 tok/s"
STEPS = (Step.CONTINUE, Step.RAISE_LIMIT)
ICONS = ("copy_last", "retry_last", "edit_last", "more_about_run")


@pytest.fixture
def line(qtbot: QtBot, qapp: QApplication) -> Iterator[EndingLine]:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(1000, 200)
    made = EndingLine(Theme(qapp))
    made.setParent(page)
    page.show()
    made.resize(680, 30)
    yield made


def words(line: EndingLine) -> QLabel:
    found = line.findChild(QLabel, "finish_reason")
    assert isinstance(found, QLabel)
    return found


def button(line: EndingLine, name: str) -> QAbstractButton:
    found = line.findChild(QAbstractButton, name)
    assert isinstance(found, QAbstractButton), name
    return found


def test_what_is_read_is_plain_and_what_is_read_out_is_exact(line: EndingLine) -> None:
    line.show_ending("Complete (EOS) · 14 tokens", "stop, EOS token <|im_end|>", ())
    assert words(line).text() == "Complete (EOS) · 14 tokens"
    assert words(line).accessibleName() == "Finish reason: stop, EOS token <|im_end|>"
    assert line.isVisible()


def test_text_of_a_model_is_no_markup(line: EndingLine) -> None:
    line.show_ending("Stop string “<b>x</b>&amp;</s>” reached", "stop string", ())
    plain = QLabel("Stop string “<b>x</b>&amp;</s>” reached")
    plain.setTextFormat(words(line).textFormat())
    plain.setFont(words(line).font())
    assert words(line).sizeHint().width() == plain.sizeHint().width() > 120, "all of it has its room"
    assert words(line).textFormat().name == "PlainText"


def test_what_went_wrong_is_red_until_something_else_is_shown(line: EndingLine) -> None:
    line.show_ending("It failed", "error", (), failed=True)
    assert words(line).palette().windowText().color().name() == LIGHT[Colour.ERROR]
    line.show_ending("Complete (EOS)", "stop", ())
    assert words(line).palette().color(words(line).foregroundRole()).name() == LIGHT[Colour.MUTED]


def test_a_step_tells_its_name(line: EndingLine, qtbot: QtBot) -> None:
    line.show_ending(CUT, "length", STEPS)
    with qtbot.waitSignal(line.stepped) as told:
        button(line, "step_raise_the_limit").click()
    assert told.args == [Step.RAISE_LIMIT]


def test_the_icons_say_what_they_do(line: EndingLine, qtbot: QtBot) -> None:
    line.show_ending(CUT, "length", ())
    for name, signal in (("copy_last", line.copy_wanted), ("edit_last", line.edit_wanted)):
        with qtbot.waitSignal(signal):
            button(line, name).click()
    with qtbot.waitSignal(line.stepped) as told:
        button(line, "retry_last").click()
    assert told.args == [Step.RETRY]
    for name in ICONS:
        shown = button(line, name)
        assert shown.accessibleName() and shown.toolTip() and not shown.icon().isNull(), name
        assert shown.focusPolicy().name == "TabFocus" or shown.focusPolicy().value & 1, "it is in the tab order"


def test_retry_is_offered_once(line: EndingLine) -> None:
    line.show_ending("It failed", "error", (Step.RETRY,))
    assert button(line, "step_retry").isVisible() and not button(line, "retry_last").isVisible()


def test_what_has_no_room_is_edited_and_not_sent_again(line: EndingLine) -> None:
    line.show_ending("It is too long", "context full", (Step.EDIT,))
    assert button(line, "step_edit").isVisible()
    assert not button(line, "edit_last").isVisible() and not button(line, "retry_last").isVisible()


def test_steps_of_the_last_run_are_gone(line: EndingLine) -> None:
    line.show_ending("It failed", "error", (Step.RETRY,))
    line.show_ending("Complete (EOS)", "stop", ())
    assert [each.text() for each in line.findChildren(QPushButton) if each.isVisible()] == []


def test_beside_an_earlier_run_there_is_nothing_to_do_but_to_read(line: EndingLine) -> None:
    line.show_ending(CUT, "length", STEPS, last=False)
    assert [name for name in ICONS if button(line, name).isVisible()] == ["more_about_run"]
    assert not [each for each in line.findChildren(QPushButton) if each.isVisible()]


def test_a_page_is_edited_where_it_stands(line: EndingLine) -> None:
    line.show_ending(CUT, "length", STEPS, chat=False)
    assert not button(line, "edit_last").isVisible() and button(line, "copy_last").isVisible()


def test_without_a_run_there_is_nothing_to_see(line: EndingLine) -> None:
    line.show_ending("Complete (EOS)", "stop", (Step.RETRY,))
    button(line, "more_about_run").click()
    line.clear()
    assert not line.isVisible()
    assert words(line).accessibleName() == "Finish reason: none yet"
    assert not button(line, "more_about_run").isChecked()


@pytest.mark.parametrize(("width", "below"), [(400, True), (900, False)])
def test_the_words_are_not_broken_for_the_buttons(line: EndingLine, width: int, below: bool) -> None:
    line.show_ending(CUT, "length", STEPS)
    line.resize(width, 100)
    QApplication.processEvents()
    label, step = words(line), button(line, "step_continue")
    assert label.width() >= label.fontMetrics().horizontalAdvance(CUT)
    assert (step.y() > label.geometry().bottom()) == below
    assert (step.x() > label.geometry().right()) == (not below)
