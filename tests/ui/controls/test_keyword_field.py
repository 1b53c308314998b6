"""Words are completed as every editor does it: Enter takes one, Esc closes the list, typing goes on."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QCompleter
from pytestqt.qtbot import QtBot

from app.engine.errors import UserError
from app.engine.forms.grammar import ENFORCED, KEYWORDS, REMARKS, check_form, grammar_of
from app.engine.types import Form, FormKind
from app.ui.controls.form_part import KeywordField
from app.ui.look.theme import Theme


@pytest.fixture
def field(qtbot: QtBot, theme: Theme) -> KeywordField:
    made = KeywordField(theme, "form_text", 5)
    qtbot.addWidget(made)
    made.show_keywords(KEYWORDS[FormKind.SCHEMA])
    made.show()
    made.setFocus()
    return made


def popup(field: KeywordField) -> QAbstractItemView:
    completer = field.findChild(QCompleter)
    assert completer is not None
    found = completer.popup()
    assert found is not None
    return found


def offered(field: KeywordField) -> list[str]:
    if not popup(field).isVisible():
        return []
    rows = popup(field).model()
    return [rows.index(row, 0).data() for row in range(rows.rowCount())]


def press(field: KeywordField, *keys: Qt.Key) -> None:
    """As the window system would: an open list has the keyboard."""
    for key in keys:
        QTest.keyClick(popup(field) if popup(field).isVisible() else field, key)


def test_the_keywords_that_begin_so_are_offered(field: KeywordField) -> None:
    QTest.keyClicks(field, '{"min')
    assert offered(field) == ["minimum", "minItems", "minLength", "minProperties"]
    QTest.keyClicks(popup(field), "L")
    assert (offered(field), field.toPlainText()) == (["minLength"], '{"minL')
    press(field, Qt.Key.Key_Return)
    assert (field.toPlainText(), offered(field)) == ('{"minLength', [])
    QTest.keyClicks(field, '": 3')
    assert offered(field) == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab])
def test_arrows_choose_and_enter_or_tab_takes(field: KeywordField, key: Qt.Key) -> None:
    QTest.keyClicks(field, '"min')
    press(field, Qt.Key.Key_Down, key)
    assert field.toPlainText() == '"minItems'


def test_esc_closes_the_list_and_enter_is_a_line_again(field: KeywordField) -> None:
    QTest.keyClicks(field, '"min')
    press(field, Qt.Key.Key_Escape)
    assert offered(field) == [] and QApplication.focusWidget() is field
    press(field, Qt.Key.Key_Return)
    assert field.toPlainText() == '"min\n'


def test_nothing_is_offered_outside_of_quotes_or_for_a_whole_word(field: KeywordField) -> None:
    QTest.keyClicks(field, "min")
    assert offered(field) == []
    QTest.keyClicks(field, ' "type')
    assert offered(field) == []
    field.show_keywords(KEYWORDS[FormKind.GRAMMAR])
    field.moveCursor(QTextCursor.MoveOperation.End)
    press(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "%im")
    assert offered(field) == ["%import"]


@pytest.mark.slow
def test_what_is_offered_is_what_is_enforced() -> None:
    """A keyword that is not is refused before anybody tries the schema."""
    for word in (ENFORCED | REMARKS) & KEYWORDS[FormKind.SCHEMA]:
        try:
            grammar_of(Form(FormKind.SCHEMA, schema=json.dumps({word: {}})))
        except UserError as refused:
            assert f"“{word}”" not in refused.failure.what
    lark = 'start: A "x"\nA: /a/\n%ignore /[ ]+/\n%import common.INT\n'
    check_form(Form(FormKind.GRAMMAR, grammar=lark))
