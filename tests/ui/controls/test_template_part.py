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
    return named(part, QLabel, "template_note").text()


def pick(part: TemplatePart, name: str, index: int) -> None:
    box(part, name).setCurrentIndex(index)
    box(part, name).activated.emit(index)


def test_template_part_has_an_input_for_each_kind(part: TemplatePart) -> None:
    assert [box(part, "enable_thinking").itemText(index) for index in range(3)] == ["Default", "On", "Off"]
    assert [box(part, "effort").itemText(index) for index in (1, 2)] == ["low", "high"]
    assert line(part, "date_string").accessibleName() == "date_string"
    assert part.findChild(QLineEdit, "argument_controls") is None
    assert note(part) == "Lists and mappings can't be set here: controls."


def test_template_part_edit_emits_all_set_arguments(part: TemplatePart) -> None:
    edits: list[tuple[str, object]] = []
    part.edited.connect(lambda start, arguments: edits.append((start, arguments)))
    pick(part, "enable_thinking", 2)
    assert edits.pop() == ("", (("enable_thinking", False),))
    line(part, "size").setText("3")
    assert edits.pop() == ("", (("enable_thinking", False), ("size", 3)))
    line(part, "size").setText("-")
    pick(part, "enable_thinking", 0)
    assert edits.pop() == ("", ())
    line(part, "date_string").setText("today")
    pick(part, "effort", 2)
    assert edits.pop() == ("", (("date_string", "today"), ("effort", "high")))
    named(part, QPlainTextEdit, "reply_start").setPlainText("\ufeffWell,")
    assert edits.pop() == ("\ufeffWell,", (("date_string", "today"), ("effort", "high")))


def test_template_part_shown_values_are_kept_without_a_signal(part: TemplatePart, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(part.edited):
        part.show_values("Sure:", (("enable_thinking", True), ("size", 2.5), ("strange", "other")))
    assert box(part, "enable_thinking").currentText() == "On"
    assert line(part, "size").text() == "2.5"
    with qtbot.waitSignal(part.edited) as edited:
        pick(part, "enable_thinking", 0)
    assert edited.args == ["Sure:", (("size", 2.5), ("strange", "other"))], "also an argument of another model"


def test_template_part_another_model_has_other_arguments(part: TemplatePart) -> None:
    part.show_values("", (("enable_thinking", True),))
    part.show_arguments((), chat=True)
    assert note(part) == "This model's template reads no arguments."
    assert part.findChildren(QComboBox) == []
    part.show_arguments(ARGUMENTS, chat=False)
    assert note(part) == ""
    assert box(part, "enable_thinking").currentText() == "On"


@pytest.mark.parametrize(
    ("typed", "shown", "sent"),
    [
        ("1,000", "1.000", 1),
        ("1,5", "1.5", 1.5),
        ("9007199254740993", "9007199254740993", 9007199254740993),
        ("1e3", "1e3", 1000),
        ("1e400", "1e4", 10_000),
        ("18446744073709551615", "18446744073709551615", 2**64 - 1),
        ("18446744073709551616", "1844674407370955161", 1844674407370955161),
    ],
)
def test_template_part_number_sent_is_the_one_shown(part: TemplatePart, typed: str, shown: str, sent: object) -> None:
    edits: list[dict[str, object]] = []
    part.edited.connect(lambda _, arguments: edits.append(dict(arguments)))
    QTest.keyClicks(line(part, "size"), typed)
    assert (line(part, "size").text(), edits[-1].get("size")) == (shown, sent)


def test_template_part_pasted_number_with_two_commas_is_refused(part: TemplatePart, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(part.edited):
        line(part, "size").insert("1,000,000")
    assert line(part, "size").text() == ""
