"""The output format among the controls: no text is lost, and what is refused is greyed with the reason."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.engine.forms.grammar import why_not
from app.engine.types import WRITTEN, Form, FormKind
from app.ui.controls.form_part import EXAMPLES, KINDS, FormPart
from app.ui.look.theme import Theme
from tests.ui.desk import named

ENABLED = Qt.ItemFlag.ItemIsEnabled


def pick(part: FormPart, kind: FormKind) -> None:
    box = named(part, QComboBox, "form_kind")
    box.setCurrentIndex(box.findData(kind))
    box.activated.emit(box.currentIndex())


def shown(qtbot: QtBot, theme: Theme) -> tuple[FormPart, list[Form], QPlainTextEdit]:
    part, told = FormPart(theme), list[Form]()
    qtbot.addWidget(part)
    part.edited.connect(told.append)
    part.edited.connect(part.show_value)
    return part, told, named(part, QPlainTextEdit, "form_text")


def test_the_text_of_each_kind_comes_back(qtbot: QtBot, theme: Theme) -> None:
    part, told, text = shown(qtbot, theme)
    assert not text.isVisibleTo(part)
    pick(part, FormKind.REGEX)
    text.setPlainText("a+")
    pick(part, FormKind.CHOICES)
    assert (text.toPlainText(), text.accessibleName()) == ("", "Choices")
    text.setPlainText("yes")
    pick(part, FormKind.NONE)
    assert not text.isVisibleTo(part)
    assert told[-1] == Form(FormKind.NONE, choices="yes", regex="a+")
    pick(part, FormKind.REGEX)
    assert text.toPlainText() == "a+"


def test_an_example_is_there_while_nothing_is_written(qtbot: QtBot, theme: Theme) -> None:
    part, told, text = shown(qtbot, theme)
    example = named(part, QAbstractButton, "form_example")
    for kind in FormKind:
        pick(part, kind)
        assert example.isVisibleTo(part) == (kind in WRITTEN)
        if kind in WRITTEN:
            example.click()
            assert told[-1].text == text.toPlainText() == EXAMPLES[kind]
            assert not example.isVisibleTo(part)
    assert KINDS.keys() == set(FormKind)


@pytest.mark.slow
def test_each_example_can_be_used() -> None:
    for kind in WRITTEN:
        assert why_not(Form().put(kind, EXAMPLES[kind])) == ""


def test_what_is_wrong_is_said_of_the_form_that_is_there(qtbot: QtBot, theme: Theme) -> None:
    part, _, _ = shown(qtbot, theme)
    wrong = named(part, QLabel, "form_wrong")
    first, second = Form(FormKind.REGEX, regex="(a"), Form(FormKind.REGEX, regex="(ab")
    part.show_value(second)
    part.show_error(first, "too late")
    assert wrong.text() == ""
    part.show_error(second, "unclosed")
    assert wrong.text() == "unclosed"
    pick(part, FormKind.JSON)
    assert wrong.text() == ""


def test_it_is_greyed_with_the_reason(qtbot: QtBot, theme: Theme) -> None:
    part, _, text = shown(qtbot, theme)
    box, refused = named(part, QComboBox, "form_kind"), named(part, QLabel, "form_refused")
    part.grey({"form": "A server."})
    assert not box.isEnabled() and "A server." in box.toolTip()
    assert refused.text() == "", "nothing was asked of it"
    part.show_value(Form(FormKind.REGEX, regex="a"))
    part.grey({"form": "A server."})
    assert refused.text() == "A server." and not text.isEnabled()
    part.grey({})
    assert box.isEnabled() and refused.text() == ""


def test_a_kind_that_a_server_lacks_is_greyed_alone(qtbot: QtBot, theme: Theme) -> None:
    part, _, text = shown(qtbot, theme)
    box, refused = named(part, QComboBox, "form_kind"), named(part, QLabel, "form_refused")
    part.show_value(Form(FormKind.REGEX, regex="a"))
    part.grey({"form_regex": "Not there."})
    rows = box.model()
    allowed = {box.itemData(row): bool(rows.flags(rows.index(row, 0)) & ENABLED) for row in range(box.count())}
    assert [kind for kind, can in allowed.items() if not can] == [FormKind.REGEX]
    assert refused.text() == "Not there." and text.isEnabled()
    part.show_value(Form(FormKind.JSON))
    part.grey({"form_regex": "Not there."})
    assert refused.text() == ""
