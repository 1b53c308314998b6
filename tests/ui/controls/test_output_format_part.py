import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QCompleter,
    QLabel,
    QPlainTextEdit,
)
from pytestqt.qtbot import QtBot

from app.engine.errors import UserError
from app.engine.structured_output.grammar import ENFORCED, KEYWORDS, REMARKS, check_format, grammar_of, why_not
from app.engine.types import WRITTEN, FormatKind, OutputFormat
from app.ui.controls.output_format_part import EXAMPLES, KINDS, KeywordField, OutputFormatPart
from app.ui.look.theme import Theme
from tests.ui.desk import named


@pytest.fixture
def edits() -> list[OutputFormat]:
    return []


@pytest.fixture
def part(qtbot: QtBot, theme: Theme, edits: list[OutputFormat]) -> OutputFormatPart:
    made = OutputFormatPart(theme)
    qtbot.addWidget(made)
    made.edited.connect(edits.append)
    made.edited.connect(made.show_value)
    return made


def pick(part: OutputFormatPart, kind: FormatKind) -> None:
    box = named(part, QComboBox, "form_kind")
    box.setCurrentIndex(box.findData(kind))
    box.activated.emit(box.currentIndex())


def words(part: OutputFormatPart, name: str) -> str:
    return named(part, QLabel, name).text()


def test_output_format_part_kind_picked_again_has_its_text(part: OutputFormatPart, edits: list[OutputFormat]) -> None:
    text = named(part, QPlainTextEdit, "form_text")
    assert not text.isVisibleTo(part)
    pick(part, FormatKind.REGEX)
    text.setPlainText("a+")
    pick(part, FormatKind.CHOICES)
    assert (text.toPlainText(), text.accessibleName()) == ("", "Choices")
    text.setPlainText("yes")
    pick(part, FormatKind.NONE)
    assert not text.isVisibleTo(part)
    assert edits[-1] == OutputFormat(FormatKind.NONE, choices="yes", regex="a+")
    pick(part, FormatKind.REGEX)
    assert text.toPlainText() == "a+"


def test_output_format_part_empty_text_has_an_example(part: OutputFormatPart, edits: list[OutputFormat]) -> None:
    example = named(part, QAbstractButton, "form_example")
    for kind in FormatKind:
        pick(part, kind)
        assert example.isVisibleTo(part) == (kind in WRITTEN)
        if kind in WRITTEN:
            example.click()
            assert edits[-1].text == named(part, QPlainTextEdit, "form_text").toPlainText() == EXAMPLES[kind]
            assert not example.isVisibleTo(part)
    assert KINDS.keys() == set(FormatKind)


@pytest.mark.slow
def test_examples_are_valid_formats() -> None:
    for kind in WRITTEN:
        assert why_not(OutputFormat().put(kind, EXAMPLES[kind])) == ""


def test_output_format_part_error_of_an_earlier_format_is_ignored(part: OutputFormatPart) -> None:
    first, second = OutputFormat(FormatKind.REGEX, regex="(a"), OutputFormat(FormatKind.REGEX, regex="(ab")
    part.show_value(second)
    part.show_error(first, "too late")
    assert words(part, "form_wrong") == ""
    part.show_error(second, "unclosed")
    assert words(part, "form_wrong") == "unclosed"
    pick(part, FormatKind.JSON)
    assert words(part, "form_wrong") == ""


def test_output_format_part_refused_is_disabled_with_the_reason(part: OutputFormatPart) -> None:
    box, text = named(part, QComboBox, "form_kind"), named(part, QPlainTextEdit, "form_text")
    part.grey({"form": "A server."})
    assert not box.isEnabled() and "A server." in box.toolTip()
    assert words(part, "form_refused") == "", "no format is chosen"
    part.show_value(OutputFormat(FormatKind.REGEX, regex="a"))
    part.grey({"form": "A server."})
    assert words(part, "form_refused") == "A server." and not text.isEnabled()
    part.grey({"form_regex": "Not there."})
    rows, enabled = box.model(), Qt.ItemFlag.ItemIsEnabled
    refused = [box.itemData(row) for row in range(box.count()) if not rows.flags(rows.index(row, 0)) & enabled]
    assert refused == [FormatKind.REGEX]
    assert words(part, "form_refused") == "Not there." and text.isEnabled()
    part.show_value(OutputFormat(FormatKind.JSON))
    part.grey({"form_regex": "Not there."})
    assert words(part, "form_refused") == ""


@pytest.fixture
def field(qtbot: QtBot, theme: Theme) -> KeywordField:
    made = KeywordField(theme, "form_text", 5)
    qtbot.addWidget(made)
    made.show_keywords(KEYWORDS[FormatKind.SCHEMA])
    made.show()
    made.setFocus()
    return made


def popup(field: KeywordField) -> QAbstractItemView:
    completer = field.findChild(QCompleter)
    assert completer is not None
    found = completer.popup()
    assert found is not None
    return found


def completions(field: KeywordField) -> list[str]:
    rows = popup(field).model()
    return [rows.index(row, 0).data() for row in range(rows.rowCount())] if popup(field).isVisible() else []


def press(field: KeywordField, *keys: Qt.Key) -> None:
    """Press keys as the window system does: an open list has the keyboard."""
    for key in keys:
        QTest.keyClick(popup(field) if popup(field).isVisible() else field, key)


def test_keyword_field_typed_quote_lists_matching_keywords(field: KeywordField) -> None:
    QTest.keyClicks(field, "min")
    assert completions(field) == [], "outside of quotes"
    field.clear()
    QTest.keyClicks(field, '{"min')
    assert completions(field) == ["minimum", "minItems", "minLength", "minProperties"]
    QTest.keyClicks(popup(field), "L")
    assert (completions(field), field.toPlainText()) == (["minLength"], '{"minL')
    press(field, Qt.Key.Key_Return)
    assert (field.toPlainText(), completions(field)) == ('{"minLength', [])
    QTest.keyClicks(field, '": 3, "type')
    assert completions(field) == [], "a whole word"
    field.show_keywords(KEYWORDS[FormatKind.GRAMMAR])
    field.moveCursor(QTextCursor.MoveOperation.End)
    press(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "%im")
    assert completions(field) == ["%import"]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab])
def test_keyword_field_enter_or_tab_inserts_and_escape_closes(field: KeywordField, key: Qt.Key) -> None:
    QTest.keyClicks(field, '"min')
    press(field, Qt.Key.Key_Down, key)
    assert field.toPlainText() == '"minItems'
    QTest.keyClicks(field, ' "min')
    press(field, Qt.Key.Key_Escape)
    assert completions(field) == [] and QApplication.focusWidget() is field
    press(field, Qt.Key.Key_Return)
    assert field.toPlainText() == '"minItems "min\n'


@pytest.mark.slow
def test_keywords_are_enforced() -> None:
    for word in (ENFORCED | REMARKS) & KEYWORDS[FormatKind.SCHEMA]:
        try:
            grammar_of(OutputFormat(FormatKind.SCHEMA, schema=json.dumps({word: {}})))
        except UserError as refused:
            assert f"“{word}”" not in refused.failure.what
    lark = 'start: A "x"\nA: /a/\n%ignore /[ ]+/\n%import common.INT\n'
    check_format(OutputFormat(FormatKind.GRAMMAR, grammar=lark))
