"""The prompt editor: Enter sends, typed text is kept, input methods finish first."""

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.engine.prompt_warnings import PromptWarning, QuickFix, WarningKind
from app.records.attachments import Attachment, join_attachments
from app.ui.look.theme import Theme
from app.ui.prompt.editor import PromptEditor, WarningsRow
from app.ui.widgets.plain_text import as_mime
from tests.ui.conftest import go_dark
from tests.ui.desk import named


@pytest.fixture
def editor(qtbot: QtBot, theme: Theme) -> PromptEditor:
    editor = PromptEditor(theme)
    qtbot.addWidget(editor)
    editor.resize(500, 200)
    editor.set_ready(True)
    editor.show()
    return editor


def button_of(editor: PromptEditor, name: str) -> QPushButton:
    return named(editor, QPushButton, name)


def press(editor: PromptEditor, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(editor.field, Qt.Key.Key_Return, modifier)


@pytest.mark.parametrize(
    ("enter_sends", "modifier", "sends"),
    [
        (True, Qt.KeyboardModifier.NoModifier, True),
        (True, Qt.KeyboardModifier.ShiftModifier, False),
        (True, Qt.KeyboardModifier.ControlModifier, True),
        (True, Qt.KeyboardModifier.KeypadModifier, True),
        (False, Qt.KeyboardModifier.NoModifier, False),
        (False, Qt.KeyboardModifier.ControlModifier, True),
    ],
)
def test_enter_sends_or_adds_a_line(
    qtbot: QtBot, editor: PromptEditor, enter_sends: bool, modifier: Qt.KeyboardModifier, sends: bool
) -> None:
    editor.set_enter_sends(enter_sends)
    QTest.keyClicks(editor.field, "ab")
    sent: list[str] = []
    editor.send.connect(sent.append)
    press(editor, modifier)
    assert sent == (["ab"] if sends else [])
    assert editor.text() == ("ab" if sends else "ab\n")


def test_send_needs_a_text_and_a_ready_model(qtbot: QtBot, editor: PromptEditor) -> None:
    send = button_of(editor, "send")
    assert not send.isEnabled()
    editor.set_text("a")
    assert send.isEnabled()
    editor.set_ready(False)
    assert not send.isEnabled()
    with qtbot.assertNotEmitted(editor.send):
        press(editor)


def test_stop_replaces_send(qtbot: QtBot, editor: PromptEditor) -> None:
    editor.set_text("a")
    send, stop = button_of(editor, "send"), button_of(editor, "stop")
    QApplication.processEvents()
    index = send.geometry()
    editor.set_stoppable(True)
    QApplication.processEvents()
    assert (send.isVisible(), stop.isVisible(), stop.isEnabled()) == (False, True, True)
    assert stop.geometry() == index
    with qtbot.assertNotEmitted(editor.send), qtbot.waitSignal(editor.stop):
        press(editor)
        QTest.mouseClick(stop, Qt.MouseButton.LeftButton)
    editor.set_stoppable(False)
    assert (send.isVisible(), stop.isEnabled()) == (True, False)


def test_enter_during_composition_does_not_send(qtbot: QtBot, editor: PromptEditor) -> None:
    field = editor.field
    QApplication.sendEvent(field, QInputMethodEvent("한", []))
    with qtbot.assertNotEmitted(editor.send):
        press(editor)
    commit = QInputMethodEvent("", [])
    commit.setCommitString("한글")
    QApplication.sendEvent(field, commit)
    assert editor.text().strip() == "한글"
    with qtbot.waitSignal(editor.send):
        press(editor)


def paste(editor: PromptEditor, text: str) -> None:
    editor.field.insertFromMimeData(as_mime(text))


@pytest.mark.parametrize(
    "text",
    [
        "한국어 שלום 👩‍👩‍👧\u00a0x\n\n\ty",
        "x" * 10_000 + "\nnext",
        ("word " * 1_000 + "\n") * 5,
        "\ufeffx\n\ufeff\ufeffy\n\ufffe나룻배",
    ],
    ids=["odd", "one line", "long lines", "marks of the order of bytes"],
)
def test_pasted_text_is_sent_unchanged(qtbot: QtBot, editor: PromptEditor, text: str) -> None:
    paste(editor, text)
    with qtbot.waitSignal(editor.send) as sent:
        press(editor)
    assert sent.args == [text] == [editor.text()]
    editor.field.undo()
    assert editor.text() == ""
    editor.field.redo()
    assert editor.text() == text


@pytest.mark.parametrize("mark", ["\r\n", "\r", "\u2029", "\ufdd0"])
def test_newlines_of_each_kind_are_one_also_after_a_long_line(editor: PromptEditor, mark: str) -> None:
    paste(editor, "x" * 5_000 + mark + "next")
    assert editor.text() == "x" * 5_000 + "\nnext"


def test_lines_typed_in_a_long_line_are_lines(editor: PromptEditor) -> None:
    paste(editor, "x" * 5_000)
    field = editor.field
    cursor = field.textCursor()
    cursor.setPosition(4_500)
    field.setTextCursor(cursor)
    press(editor, Qt.KeyboardModifier.ShiftModifier)
    assert [len(line) for line in editor.text().split("\n")] == [4_498, 502]


def test_field_grows_up_to_its_maximum(editor: PromptEditor) -> None:
    field = editor.field
    heights = []
    for lines in (1, 2, 8, 9, 50):
        editor.set_text("\n".join(["a"] * lines))
        QApplication.processEvents()
        heights.append(field.height())
    assert heights[0] < heights[1] < heights[2] == heights[3] == heights[4]
    editor.set_text("wrapped " * 40)
    QApplication.processEvents()
    assert field.height() > heights[0]


def test_rich_text_is_pasted_plain(editor: PromptEditor) -> None:
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold")
    QGuiApplication.clipboard().setMimeData(data)
    editor.field.paste()
    assert editor.text() == "bold"


def test_hint_during_a_run_says_when_to_send(qtbot: QtBot, theme: Theme) -> None:
    editor = PromptEditor(theme)
    qtbot.addWidget(editor)
    editor.resize(700, 80)
    for coming, stoppable, queues, said in (
        (False, True, False, "after this run"),
        (False, True, True, "Enter queues"),
        (True, True, False, "Enter sends"),
        (False, False, False, "Enter sends"),
    ):
        editor.set_ready(not stoppable, coming)
        editor.set_queueing(queues)
        editor.set_stoppable(stoppable)
        assert said in editor.field.accessibleDescription() and said in editor.field.placeholderText()


def test_esc_ends_an_edit(editor: PromptEditor) -> None:
    editor.set_text("Something new")
    editor.edit(0, "What was asked")
    QTest.keyClick(editor.field, Qt.Key.Key_Escape)
    assert (editor.editing, editor.text()) == (None, "Something new"), "it comes back"


def test_edit_of_an_earlier_turn_is_not_lost(editor: PromptEditor) -> None:
    """It becomes part of the next prompt if another turn is edited, its turn is deleted, or the page is left."""
    notes, more = Attachment("notes.txt", "Of foxes."), Attachment("list.txt", "Of hens.")
    editor.set_text(join_attachments((notes,), "Next"))
    editor.edit(0, "First")
    assert editor.unsent == join_attachments((notes,), "Next"), "nothing was changed"
    editor.set_text(join_attachments((more,), "First, changed"))
    editor.edit(2, "Second")
    assert editor.text() == "Second"
    editor.follow_edited(None)
    assert (editor.editing, editor.text()) == (None, join_attachments((notes, more), "Next\n\nFirst, changed"))
    editor.edit(0, "First")
    editor.set_text("First, again")
    editor.end_editing()
    assert editor.text() == join_attachments((notes, more), "Next\n\nFirst, changed\n\nFirst, again")


WARNINGS = (
    PromptWarning(WarningKind.TOO_LONG, "The prompt is too long.", QuickFix.DROP_OLDEST),
    PromptWarning(WarningKind.DOUBLE_BOS, "Two <b>beginnings</b>."),
)


def sentences(row: WarningsRow) -> list[str]:
    return [each.text() for each in row.findChildren(QLabel, "light") if not each.isHidden()]


def test_warnings_are_announced_and_offered(qtbot: QtBot, theme: Theme) -> None:
    row = WarningsRow(theme)
    qtbot.addWidget(row)
    assert row.isHidden()
    row.show_warnings(WARNINGS)
    assert not row.isHidden()
    assert sentences(row) == ["The prompt is too long.", "Two <b>beginnings</b>."]
    assert row.accessibleName() == "Prompt warnings: The prompt is too long. Two <b>beginnings</b>."
    (button,) = row.findChildren(QAbstractButton)
    assert button.objectName() == "light_leave_out_the_oldest_turn"
    assert button.text() == button.accessibleName() == QuickFix.DROP_OLDEST.words
    with qtbot.waitSignal(row.fix_wanted) as emitted:
        button.click()
    assert emitted.args == [QuickFix.DROP_OLDEST]


def test_gone_warnings_are_removed(qtbot: QtBot, theme: Theme) -> None:
    row = WarningsRow(theme)
    qtbot.addWidget(row)
    row.show_warnings(WARNINGS)
    go_dark(theme)
    assert row.warnings == WARNINGS
    row.show_warnings(WARNINGS[1:])
    qtbot.waitUntil(lambda: sentences(row) == ["Two <b>beginnings</b>."])
    row.show_warnings(())
    assert row.isHidden()
    assert row.accessibleName() == "Prompt warnings: none"
