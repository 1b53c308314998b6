"""The raw page: the model's text is tinted, and one undo step."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QCursor, QGuiApplication, QInputMethodEvent, QMouseEvent, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.actions.keys import WITH_ENTER
from app.ui.look.palette import Color
from app.ui.look.theme import Theme
from app.ui.prompt.answer_writer import MAX_AT_ONCE
from app.ui.prompt.editor import PromptEditor
from tests.ui.conftest import go_dark
from tests.ui.desk import named
from tests.ui.document.blocks import blocks

LONG = "words without an end " * 1500


@pytest.fixture
def editor(qtbot: QtBot, theme: Theme) -> PromptEditor:
    made = PromptEditor(theme)
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.set_ready(True)
    made.set_paged(True)
    made.show()
    return made


def answer(editor: PromptEditor, text: str, step: int = 7) -> None:
    editor.field.begin_answer()
    for at in range(0, len(text), step):
        editor.field.write_answer(text[at : at + step])
    editor.field.end_answer()


def tinted(editor: PromptEditor, theme: Theme) -> str:
    """Return the text in the model's color, as painted."""
    wanted = theme.hex(Color.MODEL)
    found = ""
    for block in blocks(editor.field.document()):
        for each in block.layout().formats():
            if each.format.foreground().color().name() == wanted:
                found += block.text()[each.start : each.start + each.length]
    return found


def test_answer_continues_in_place_and_undo_restores_the_prompt(editor: PromptEditor, theme: Theme) -> None:
    editor.set_text("Once upon")
    answer(editor, " a time,\nlong ago")
    assert editor.text() == "Once upon a time,\nlong ago"
    assert tinted(editor, theme) == " a time,long ago"
    editor.field.undo()
    assert editor.text() == "Once upon"
    editor.field.redo()
    assert editor.text() == "Once upon a time,\nlong ago"
    assert tinted(editor, theme) == " a time,long ago"
    answer(editor, " there was")
    editor.field.undo()
    assert editor.text() == "Once upon a time,\nlong ago", "each answer is a step of its own"


def test_tint_of_a_long_page_works_in_steps_while_edited(qtbot: QtBot, editor: PromptEditor, theme: Theme) -> None:
    said = "".join(f"line {number}\n" for number in range(3 * MAX_AT_ONCE))
    editor.field.show_page([("Go:\n", False), (said, True)])
    assert tinted(editor, theme) == "", "none of it yet"
    text = editor.field
    cursor = QTextCursor(text.document().findBlockByNumber(2 * MAX_AT_ONCE))
    cursor.insertText("by hand ", QTextCharFormat())
    cursor.movePosition(QTextCursor.MoveOperation.Start)
    cursor.insertText("Now. ", QTextCharFormat())
    flat = said.replace("\n", "")
    qtbot.waitUntil(lambda: tinted(editor, theme) == flat)
    go_dark(theme)
    qtbot.waitUntil(lambda: tinted(editor, theme) == flat)
    text.undo()
    text.undo()
    assert editor.text() == f"Go:\n{said}"
    text.undo()
    assert editor.text() == ""
    text.redo()
    qtbot.waitUntil(lambda: tinted(editor, theme) == flat)
    editor.set_text("All by hand\n" * 3 * MAX_AT_ONCE)
    assert tinted(editor, theme) == ""


@pytest.mark.slow
def test_sent_text_is_the_visible_text_after_any_edit(editor: PromptEditor) -> None:
    text = editor.field
    editor.set_text(LONG + "\nend")
    assert editor.text() == LONG + "\nend"
    text.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClicks(text, "x")
    assert editor.text() == f"x{LONG}\nend"
    text.undo()
    assert editor.text() == LONG + "\nend"
    answer(editor, LONG)
    assert editor.text() == f"{LONG}\nend{LONG}"
    editor.set_paged(False)
    assert editor.text() == ""
    editor.set_paged(True)
    assert editor.text() == f"{LONG}\nend{LONG}"
    text.selectAll()
    text.cut()
    assert editor.text() == ""


@pytest.mark.parametrize("step", [1, 2, 3, 50])
def test_newline_of_two_characters_is_one(editor: PromptEditor, step: int) -> None:
    answer(editor, "a\r\nb\r\n\nc\r\rd\n", step)
    assert editor.text() == "a\nb\n\nc\n\nd\n"


@pytest.mark.parametrize("step", [1, 2, 3])
def test_byte_order_marks_are_kept(editor: PromptEditor, step: int) -> None:
    text = "\ufeffa\ufeff\ufeffb\n\ufffec\ufffe나룻배\ufeff"
    answer(editor, text, step)
    assert editor.text() == text


def test_text_read_while_a_line_is_cut_is_correct(editor: PromptEditor) -> None:
    editor.edited.connect(editor.text)
    answer(editor, LONG, len(LONG))
    assert editor.text() == LONG


def test_page_is_touched_by_edits_only(qtbot: QtBot, editor: PromptEditor, theme: Theme) -> None:
    said = "line\n" * 2 * MAX_AT_ONCE
    editor.field.show_page([("Go:\n", False), (said, True)])
    qtbot.waitUntil(lambda: tinted(editor, theme) == said.replace("\n", ""))
    go_dark(theme)
    editor.set_paged(False)
    QTest.keyClicks(editor.field, "to the chat")
    editor.set_paged(True)
    assert not editor.page_is_touched
    QTest.keyClicks(editor.field, "x")
    assert editor.page_is_touched
    editor.field.undo()
    assert not editor.page_is_touched, "it stands there as it did"
    editor.field.setPlainText("Mine")
    assert editor.page_is_touched
    answer(editor, " and yours")
    assert not editor.page_is_touched


def test_composed_text_keeps_its_format_and_moves_the_tint(editor: PromptEditor, theme: Theme) -> None:
    editor.field.show_page([("mine ", False), ("of the model", True)])
    text, under = editor.field, QTextCharFormat()
    under.setFontUnderline(True)
    look = QInputMethodEvent.Attribute(QInputMethodEvent.AttributeType.TextFormat, 0, 2, under)
    # Before the model's words, and in the midst of them.
    for at, expected in ((2, [(2, 2), (7, 12)]), (8, [(8, 2), (5, 14)])):
        cursor = text.textCursor()
        cursor.setPosition(at)
        text.setTextCursor(cursor)
        QApplication.sendEvent(text, QInputMethodEvent("한글", [look]))
        found = text.document().firstBlock().layout().formats()
        assert [(each.start, each.length) for each in found] == expected
        assert [each.format.fontUnderline() for each in found] == [True, False]
        QApplication.sendEvent(text, QInputMethodEvent("", []))
        assert tinted(editor, theme) == "of the model"


def test_text_typed_after_the_answer_is_the_users(editor: PromptEditor, theme: Theme) -> None:
    editor.set_text("A")
    answer(editor, "B")
    QTest.keyClicks(editor.field, "cd")
    assert editor.text() == "ABcd"
    assert tinted(editor, theme) == "B"
    assert editor.page_is_touched


def test_page_is_read_only_during_an_answer(editor: PromptEditor) -> None:
    editor.set_text("A")
    editor.field.begin_answer()
    editor.field.write_answer("B")
    QTest.keyClicks(editor.field, "x")
    QTest.keyClick(editor.field, Qt.Key.Key_Return)
    QGuiApplication.clipboard().setText("pasted")
    editor.field.paste()
    assert editor.text() == "AB"
    editor.field.write_answer("C")
    editor.field.end_answer()
    assert editor.text() == "ABC" and not editor.page_is_touched
    QTest.keyClicks(editor.field, "x")
    assert editor.text() == "ABCx"


def test_selection_and_position_survive_the_answer(editor: PromptEditor) -> None:
    editor.set_text("line\n" * 60)
    text = editor.field
    cursor = QTextCursor(text.document())
    cursor.setPosition(0)
    cursor.setPosition(4, QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    text.verticalScrollBar().setValue(0)
    editor.field.begin_answer()
    editor.field.write_answer("more\n" * 40)
    assert text.verticalScrollBar().value() == 0
    assert text.textCursor().selectedText() == "line"
    text.verticalScrollBar().setValue(text.verticalScrollBar().maximum())
    editor.field.write_answer("more\n" * 40)
    assert text.verticalScrollBar().value() == text.verticalScrollBar().maximum()


@pytest.mark.slow
def test_copied_text_is_the_source(editor: PromptEditor) -> None:
    """Also where a line is cut, and with special spaces."""
    text = f"Go: \u00a0\n12\u00a0ms\n\n{LONG}"
    editor.set_text("Go: ")
    answer(editor, text.removeprefix("Go: "), step=41)
    page = editor.field
    for start in (0, page.document().lastBlock().position() - 3):
        cursor = page.textCursor()
        cursor.setPosition(start)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        page.setTextCursor(cursor)
        page.copy()
        copied = QGuiApplication.clipboard().mimeData()
        assert text.endswith(copied.text()) and len(copied.text()) > len(LONG) * (start == 0)
        assert copied.formats() == ["text/plain"]


def test_chat_and_page_keep_their_own_texts(editor: PromptEditor, qtbot: QtBot) -> None:
    editor.set_text("A page")
    editor.set_paged(False)
    assert editor.text() == ""
    editor.set_text("A question")
    editor.accept()
    assert editor.text() == ""
    editor.field.undo()
    assert editor.text() == "A question"
    editor.set_paged(True)
    assert editor.text() == "A page"
    editor.accept()
    assert editor.text() == "A page", "a page that was sent stays"
    qtbot.waitUntil(lambda: editor.field.height() > 150)


def test_enter_adds_a_line_on_a_page(editor: PromptEditor, qtbot: QtBot) -> None:
    editor.set_enter_sends(True)
    with qtbot.assertNotEmitted(editor.send):
        QTest.keyClicks(editor.field, "a")
        QTest.keyClick(editor.field, Qt.Key.Key_Return)
    with qtbot.waitSignal(editor.send) as sent:
        QTest.keyClick(editor.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert sent.args == ["a\n"]
    assert f"{WITH_ENTER} sends" in editor.field.placeholderText()


def test_shown_page_can_be_undone(editor: PromptEditor, theme: Theme) -> None:
    editor.set_text("My own words")
    editor.field.show_page([("Once upon", False), (" a time", True)])
    assert editor.text() == "Once upon a time"
    assert tinted(editor, theme) == " a time"
    go_dark(theme)
    assert tinted(editor, theme) == " a time"
    editor.field.undo()
    assert editor.text() == "My own words"


def test_pointer_between_two_lines_is_on_the_lower_one(editor: PromptEditor) -> None:
    editor.set_text(LONG[:600])
    QApplication.processEvents()
    page = editor.field
    second = page.document().firstBlock().layout().lineAt(1)
    cursor = page.textCursor()
    cursor.setPosition(second.textStart() + 10)
    wanted = page.cursorRect(cursor)
    QTest.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(wanted.left(), wanted.top() - 2))
    assert page.textCursor().position() == second.textStart() + 10
    cursor.setPosition(3)
    QTest.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=page.cursorRect(cursor).center())
    assert page.textCursor().position() == 3


def test_selection_dragged_above_the_page_scrolls_it(qtbot: QtBot, editor: PromptEditor) -> None:
    editor.set_text("a line\n" * 100)
    page = editor.field
    bar = page.verticalScrollBar()
    bar.setValue(high := bar.maximum() // 2)
    QTest.mousePress(page.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    above, held, no_key = QPointF(50, -60), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    over, rested = page.viewport().mapToGlobal(above), QCursor.pos()
    moved = QMouseEvent(QEvent.Type.MouseMove, above, over, Qt.MouseButton.NoButton, held, no_key)
    QCursor.setPos(over.toPoint())
    QApplication.sendEvent(page.viewport(), moved)
    qtbot.waitUntil(lambda: bar.value() < high)
    QTest.mouseRelease(page.viewport(), held, pos=QPoint(50, 50))
    QCursor.setPos(rested)


def test_low_page_has_its_buttons_beside_it(editor: PromptEditor, theme: Theme) -> None:
    send = named(editor, QPushButton, "send")

    def beside() -> bool:
        QApplication.processEvents()
        page = editor.field.viewport()
        left = page.mapTo(editor, QPoint(page.width(), 0)).x()
        return send.mapTo(editor, QPoint(0, 0)).x() >= left

    for height, wanted in ((300, False), (120, True), (200, False)):
        editor.resize(700, height)
        assert beside() == wanted
    for percent, wanted in ((200, True), (100, False)):
        theme.resize(percent)
        assert beside() == wanted and editor.height() == 200
