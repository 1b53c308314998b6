"""What the template is given: fitting inputs for what it reads, and no more."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.engine.types import ArgumentKind, TemplateArgument
from app.ui.controls.template_part import TemplatePart
from app.ui.look.theme import Theme
from tests.ui.desk import named

ARGUMENTS = (
    TemplateArgument("controls", ArgumentKind.STRUCTURE),
    TemplateArgument("date_string", ArgumentKind.TEXT),
    TemplateArgument("effort", ArgumentKind.TEXT, ("low", "high")),
    TemplateArgument("enable_thinking", ArgumentKind.SWITCH),
    TemplateArgument("size", ArgumentKind.NUMBER),
)


@pytest.fixture
def part(qtbot: QtBot, theme: Theme) -> TemplatePart:
    made = TemplatePart(theme)
    qtbot.addWidget(made)
    made.show_arguments(ARGUMENTS, chat=True)
    return made


def box(part: TemplatePart, name: str) -> QComboBox:
    return named(part, QComboBox, f"argument_{name}")


def line(part: TemplatePart, name: str) -> QLineEdit:
    return named(part, QLineEdit, f"argument_{name}")


def note(part: TemplatePart) -> str:
    found = named(part, QLabel, "template_note")
    return str(found.text())


def pick(part: TemplatePart, name: str, index: int) -> None:
    box(part, name).setCurrentIndex(index)
    box(part, name).activated.emit(index)


def test_each_kind_has_a_fitting_input(part: TemplatePart) -> None:
    offered = [box(part, "enable_thinking").itemText(index) for index in range(3)]
    assert offered == ["Default", "On", "Off"]
    assert [box(part, "effort").itemText(index) for index in (1, 2)] == ["low", "high"]
    assert line(part, "date_string").accessibleName() == "date_string"
    assert part.findChild(QLineEdit, "argument_controls") is None
    assert note(part) == "Lists and mappings can't be set here: controls."


def test_changes_are_told_and_taken_back(part: TemplatePart, qtbot: QtBot) -> None:
    told: list[tuple[str, object]] = []
    part.edited.connect(lambda start, arguments: told.append((start, arguments)))
    pick(part, "enable_thinking", 2)
    assert told.pop() == ("", (("enable_thinking", False),))
    line(part, "size").setText("3")
    assert told.pop() == ("", (("enable_thinking", False), ("size", 3)))
    line(part, "size").setText("-")
    pick(part, "enable_thinking", 0)
    assert told.pop() == ("", ())
    line(part, "date_string").setText("today")
    pick(part, "effort", 2)
    assert told.pop() == ("", (("date_string", "today"), ("effort", "high")))
    reply = named(part, QPlainTextEdit, "reply_start")
    reply.setPlainText("\ufeffWell,")
    assert told.pop() == ("\ufeffWell,", (("date_string", "today"), ("effort", "high")))


def test_values_are_shown_and_nobody_is_told(part: TemplatePart, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(part.edited):
        part.show_values("Sure:", (("enable_thinking", True), ("size", 2.5), ("strange", "kept")))
    assert box(part, "enable_thinking").currentText() == "On"
    assert line(part, "size").text() == "2.5"
    with qtbot.waitSignal(part.edited) as told:
        pick(part, "enable_thinking", 0)
    assert told.args == ["Sure:", (("size", 2.5), ("strange", "kept"))], "what another model knows is kept"


def test_another_model_has_other_arguments(part: TemplatePart) -> None:
    part.show_values("", (("enable_thinking", True),))
    part.show_arguments((), chat=True)
    assert note(part) == "This model's template reads no arguments."
    assert part.findChildren(QComboBox) == []
    part.show_arguments(ARGUMENTS, chat=False)
    assert note(part) == ""
    assert box(part, "enable_thinking").currentText() == "On"


@pytest.mark.parametrize(
    ("typed", "stands", "sent"),
    [
        ("1,000", "1.000", 1),
        ("1,5", "1.5", 1.5),
        ("1000", "1000", 1000),
        ("9007199254740993", "9007199254740993", 9007199254740993),
        ("1e3", "1e3", 1000),
        ("1e400", "1e4", 10_000),
        ("18446744073709551615", "18446744073709551615", 2**64 - 1),
        ("18446744073709551616", "1844674407370955161", 1844674407370955161),
    ],
)
def test_the_number_that_is_sent_is_the_one_that_stands_there(
    part: TemplatePart, typed: str, stands: str, sent: object
) -> None:
    told: list[dict[str, object]] = []
    part.edited.connect(lambda _, arguments: told.append(dict(arguments)))
    QTest.keyClicks(line(part, "size"), typed)
    assert (line(part, "size").text(), told[-1].get("size")) == (stands, sent)


def test_a_number_with_two_commas_is_not_pasted(part: TemplatePart, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(part.edited):
        line(part, "size").insert("1,000,000")
    assert line(part, "size").text() == ""
