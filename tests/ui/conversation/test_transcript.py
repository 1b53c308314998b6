"""The transcript appends only, follows only a reader at the end, copies the source, and shows any text."""

from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QTextEdit, QToolButton
from pytestqt.qtbot import QtBot

from app.engine.types import Channel, Role, VisibleText
from app.ui.conversation.transcript import Transcript
from app.ui.document.page import MOST_LINES_SHOWN
from app.ui.document.turns import AnswerView, Branch, TurnAction
from app.ui.look.palette import Color
from app.ui.look.theme import Theme
from tests.conftest import PROJECT
from tests.standins.samples import Samples
from tests.ui.desk import named
from tests.ui.document.blocks import blocks, fragments

ALSO = [pytest.param(view, marks=pytest.mark.slow) for view in (AnswerView.MONO, AnswerView.TOKENS)]
VIEWS = pytest.mark.parametrize("view", [AnswerView.MARKDOWN, AnswerView.PLAIN, *ALSO])
PROSE = "Some words of an answer that goes on and on, line after line.\n"
ODD = "é \ufeff 한국어 👩‍👩‍👧 שלום \u00a0 a\r\nb\rc \u2028 \u2029 \ufffc \x00 end"


def normal(text: str) -> tuple[VisibleText, ...]:
    return (VisibleText(Channel.NORMAL, text),)


@pytest.fixture
def transcript(qtbot: QtBot, theme: Theme) -> Transcript:
    transcript = Transcript(theme)
    qtbot.addWidget(transcript)
    transcript.resize(600, 300)
    transcript.show()
    return transcript


def stream(transcript: Transcript, text: str, step: int = 29) -> None:
    for at in range(0, len(text), step):
        transcript.append_shown(normal(text[at : at + step]))


def select(transcript: Transcript, anchor: int, position: int) -> None:
    cursor = transcript.textCursor()
    cursor.setPosition(anchor)
    cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
    transcript.setTextCursor(cursor)


def latest_button(transcript: Transcript) -> QToolButton:
    return named(transcript, QToolButton, "latest")


def body_of(transcript: Transcript) -> int:
    """Position of the text of the first answer on an empty page."""
    return len("Model\n")


@VIEWS
def test_append_shown_makes_one_edit(transcript: Transcript, view: AnswerView, monkeypatch: pytest.MonkeyPatch) -> None:
    document = transcript.document()
    whole: list[str] = []
    for owner, name in [
        (QTextDocument, "setMarkdown"),
        (QTextDocument, "setPlainText"),
        (QTextDocument, "toPlainText"),
        (QTextDocument, "clear"),
        (QTextEdit, "setMarkdown"),
        (QTextEdit, "setPlainText"),
        (QTextEdit, "toPlainText"),
    ]:
        monkeypatch.setattr(owner, name, _noting(getattr(owner, name), name, (document, transcript), whole))
    transcript.set_view(view)
    transcript.begin_answer(0)
    whole.clear()
    edits: list[int] = []
    document.contentsChanged.connect(lambda: edits.append(1))
    for _ in range(50):
        transcript.append_shown(
            (*normal("some **words** and\n\n"), VisibleText(Channel.REASONING, "hm"), *normal("- more"))
        )
    assert len(edits) == 50
    assert whole == []
    assert not document.isUndoRedoEnabled()


def _noting(original: Any, name: str, watched: tuple[object, ...], notes: list[str]) -> Any:
    def noting(self: object, *arguments: object) -> object:
        if any(self is one for one in watched):
            notes.append(name)
        return original(self, *arguments)

    return noting


@VIEWS
def test_transcript_at_the_end_follows_it(transcript: Transcript, view: AnswerView) -> None:
    transcript.set_view(view)
    transcript.begin_answer(0)
    bar = transcript.verticalScrollBar()
    for _ in range(30):
        transcript.append_shown(normal(PROSE))
        assert bar.value() == bar.maximum()
    assert bar.maximum() > 0
    assert not latest_button(transcript).isVisible()


@VIEWS
def test_transcript_elsewhere_stays(transcript: Transcript, view: AnswerView) -> None:
    transcript.set_view(view)
    transcript.begin_answer(0)
    stream(transcript, PROSE * 40)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    position = bar.value()
    stream(transcript, PROSE * 40)
    transcript.end_answer("stop")
    assert bar.value() == position
    button = latest_button(transcript)
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()
    assert not button.isVisible()
    transcript.begin_answer(1)
    stream(transcript, PROSE * 3)
    assert bar.value() == bar.maximum()


@VIEWS
@pytest.mark.parametrize("text", [PROSE * 30, "no newline " * 400], ids=["lines", "one line"])
def test_selection_survives_new_text(transcript: Transcript, view: AnswerView, text: str) -> None:
    transcript.set_view(view)
    transcript.begin_answer(0)
    stream(transcript, text)
    end = transcript.document().characterCount() - 1
    select(transcript, end - 3, end)
    chosen = transcript.createMimeDataFromSelection().text()
    assert len(chosen) == 3
    for piece in ("more", " words ", "**bold** and `code`\n", "\nnext\n"):
        transcript.append_shown(normal(piece))
        assert transcript.createMimeDataFromSelection().text() == chosen
    transcript.end_answer("stop")
    assert transcript.createMimeDataFromSelection().text() == chosen


@pytest.mark.parametrize("view", [AnswerView.PLAIN, ALSO[0]])
@pytest.mark.parametrize(
    "text", [ODD * 3, f"\ufeff{ODD}", f"\ufffe{ODD}", "x" * 9_000 + ODD, "one two " * 2_000, "한국어" * 3_000]
)
def test_copy_of_an_answer_is_its_source(transcript: Transcript, view: AnswerView, text: str) -> None:
    transcript.set_view(view)
    transcript.begin_answer(0)
    stream(transcript, text, 31)
    select(transcript, body_of(transcript), transcript.document().characterCount() - 1)
    assert transcript.createMimeDataFromSelection().text() == text
    assert transcript.turn_text(0) == text


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.lists(st.text(max_size=20) | st.text(alphabet="ab ", min_size=300, max_size=900), min_size=1, max_size=8),
    st.data(),
)
def test_copy_of_any_range_is_its_source(transcript: Transcript, portions: list[str], data: st.DataObject) -> None:
    transcript.remove_from(0)
    transcript.set_view(AnswerView.PLAIN)
    transcript.begin_answer(0)
    for portion in portions:
        transcript.append_shown(normal(portion))
    text = "".join(portions)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    part = text[start:end]
    select(transcript, _on_page(transcript, text[:start]), _on_page(transcript, text[:end]))
    assert transcript.createMimeDataFromSelection().text() == part


def _on_page(transcript: Transcript, before: str) -> int:
    """Position on the page after this beginning of the answer, in UTF-16 units with soft breaks."""
    position = body_of(transcript) + len(before.encode("utf-16-le", "surrogatepass")) // 2
    for block in blocks(transcript.document()):
        position += block.position() <= position and block.userState() == 1
    return position


def test_copy_of_several_turns_is_what_is_visible(transcript: Transcript) -> None:
    transcript.set_view(AnswerView.PLAIN)
    transcript.add_turn(0, Role.USER, "Hello")
    transcript.add_turn(1, Role.ASSISTANT, "word " * 1_000, "stop")
    select(transcript, 0, transcript.document().characterCount() - 1)
    assert transcript.createMimeDataFromSelection().text() == f"You\nHello\nModel\n{'word ' * 1_000}\nstop"


MARKDOWN = """# Title

Text with **bold**, `code` and [a link](https://example.org/a).

1. one
2. two

```python
x = 1  # comment
```

| a | b |
|---|---|
| 1 | 2 |

<b>not bold</b> ![picture](https://example.org/p.png)
"""


def test_markdown_is_rendered(transcript: Transcript) -> None:
    transcript.begin_answer(0)
    stream(transcript, MARKDOWN, 3)
    transcript.end_answer("")
    shown = "Title\nText with bold, code and a link.\none\ntwo\nx = 1  # comment\na\nb\n1\n2\n<b>not bold</b> picture"
    assert transcript.plain_text() == f"Model\n{shown}"


ANSWERS = [
    "# One\n\nText *with* **marks** and `code`.\nGoes on.\n\n## Two\n\nEnd.\n",
    "Intro:\n\n1. one\n2. two\n   - inner\n   - more\n3. three\n\nAfter.\n",
    "- loose\n\n- list\n\n- here\n\n> quote\n> goes on\n\n---\n\nend",
    "| a | b |\n|---|--:|\n| 1 | **2** |\n\nText after a table with ~~one~~ two.\n",
    "Steps:\n* a\n* b\n\nNow [a link](https://example.org) and 3 < 4 & 5 > 2.\n\n1. x\n\n   still x\n\n2. y\n",
    "Setext\n======\n\nSecond\n------\n\nשלום **עולם** 한국어 👩‍👩‍👧\n",
]
LONG_ANSWER = (PROJECT / "tests" / "bench" / "answer.md").read_text("utf-8")


@pytest.mark.parametrize(("answer", "step"), [*product(ANSWERS, (1, 5, 30)), pytest.param(LONG_ANSWER, 29, id="long")])
def test_text_in_blocks_equals_the_whole(transcript: Transcript, answer: str, step: int) -> None:
    transcript.begin_answer(0)
    stream(transcript, answer, step)
    transcript.end_answer("")
    whole = QTextDocument()
    features = QTextDocument.MarkdownFeature
    whole.setMarkdown(answer, features.MarkdownNoHTML | features.MarkdownDialectGitHub)
    assert transcript.plain_text().removeprefix("Model\n").split() == whole.toPlainText().split()


@pytest.mark.slow
def test_naughty_strings_break_no_view(transcript: Transcript, samples: Samples) -> None:
    for number, string in enumerate(samples.naughty()):
        transcript.add_turn(2 * number, Role.USER, string)
        transcript.add_turn(2 * number + 1, Role.ASSISTANT, string)
    for view in (AnswerView.PLAIN, AnswerView.MONO, AnswerView.MARKDOWN):
        transcript.set_view(view)
    assert transcript.turn_text(21) == samples.naughty()[10]
    transcript.remove_from(0)
    assert transcript.plain_text() == ""


def test_transcript_loads_no_resource(transcript: Transcript) -> None:
    transcript.begin_answer(0)
    stream(transcript, "![a](https://example.org/a.png) ![b](file:///etc/hostname) `![c](d)`\n\n")
    assert "\ufffc" not in transcript.document().toRawText()
    assert "![c](d)" in transcript.plain_text()
    found = transcript.document().resource(QTextDocument.ResourceType.ImageResource, QUrl("file:///etc/hostname"))
    assert isinstance(found, QImage) and found.width() == 1


DISGUISED = (
    *("!![a](c.png)", "!!![a][b] x\n\n[b]: c.png", "`![a](c.png)``", "``![a](c.png)`", "\\`![a](c.png)`"),
    *("| a | b |\n| - | - |\n| `x | ![a](c.png)` |", "`x\n![a](c.png)\n\n`", "- `x\n- ![a](c.png)`"),
)
"""Behind another mark, or in code that is none."""


@pytest.mark.parametrize("text", DISGUISED)
def test_disguised_image_is_not_loaded(transcript: Transcript, text: str) -> None:
    transcript.begin_answer(0)
    stream(transcript, f"{text}\n\n")
    assert "\ufffc" not in transcript.document().toRawText()


def test_code_is_colored_once_its_line_is_complete(transcript: Transcript, theme: Theme) -> None:
    transcript.begin_answer(0)
    transcript.append_shown(normal("```python\nreturn"))
    keyword = theme.hex(Color.KEYWORD)
    assert keyword not in _colors(transcript)
    transcript.append_shown(normal(" 1\n"))
    assert keyword in _colors(transcript)


def test_json_answer_is_colored_as_code_across_the_breaks_of_a_long_line(transcript: Transcript, theme: Theme) -> None:
    value = '{"words": ["' + '", "'.join(["ten letter"] * 60) + '"]}'
    transcript.begin_answer(0)
    stream(transcript, value, 40)
    transcript.end_answer("Complete")
    assert transcript.turn_text(0) == value
    transcript.anchorClicked.emit(QUrl(code_links(transcript)[0]))
    assert QGuiApplication.clipboard().text() == value
    colored = [(text, form.foreground().color().name()) for text, form in fragments(transcript.document())]
    strings = "".join(text for text, color in colored if color == theme.hex(Color.STRING))
    assert strings == '"words"' + '"ten letter"' * 60


def _colors(transcript: Transcript) -> set[str]:
    used = [form.foreground().color() for _, form in fragments(transcript.document())]
    return {color.name() for color in used if color.alpha()}


@pytest.mark.slow
def test_long_code_and_tables_stay_readable(transcript: Transcript) -> None:
    code = "".join(f"line {number}\n" for number in range(300))
    rows = "".join(f"| {number} | x |\n" for number in range(400))
    transcript.begin_answer(0)
    stream(transcript, f"```\n{code}```\n\n| a | b |\n|---|---|\n{rows}\nlast words", 100)
    text = transcript.plain_text()
    assert code in text
    assert "399" in text
    assert text.endswith("last words")


@pytest.mark.parametrize("first", [AnswerView.MARKDOWN, AnswerView.PLAIN, *ALSO])
@pytest.mark.parametrize("second", [AnswerView.MARKDOWN, AnswerView.PLAIN, *ALSO])
def test_views_switch_while_streaming(transcript: Transcript, first: AnswerView, second: AnswerView) -> None:
    transcript.set_view(first)
    transcript.add_turn(0, Role.USER, "Hello")
    transcript.begin_answer(1)
    stream(transcript, MARKDOWN[:100], 7)
    transcript.set_view(second)
    stream(transcript, MARKDOWN[100:], 7)
    transcript.end_answer("stop")
    switched = transcript.plain_text()
    transcript.set_view(AnswerView.PLAIN)
    assert MARKDOWN in transcript.plain_text()
    transcript.set_view(second)
    assert transcript.plain_text() == switched
    assert transcript.turn_text(1) == MARKDOWN


def test_view_change_keeps_the_reading_position(transcript: Transcript) -> None:
    transcript.begin_answer(0)
    stream(transcript, "".join(f"Paragraph **number** {number} of many others.\n\n" for number in range(300)), 200)
    transcript.moveCursor(QTextCursor.MoveOperation.Start)
    assert transcript.find("number 150 of")
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.value() + transcript.cursorRect().top())
    for view in (AnswerView.PLAIN, AnswerView.MONO, AnswerView.MARKDOWN):
        transcript.set_view(view)
        top = transcript.cursorForPosition(QPoint(300, 12)).block()
        seen = " ".join((top.text(), top.next().text(), top.next().next().text()))
        assert any(str(number) in seen for number in (149, 150, 151)), (view, seen)
        assert not transcript.following


def test_reasoning_without_a_count_is_folded_without_one(transcript: Transcript) -> None:
    transcript.begin_answer(3)
    transcript.append_shown((VisibleText(Channel.REASONING, "Let me see."),))
    assert transcript.plain_text() == "Model\nThinking… ▸"
    transcript.append_shown(normal("Yes"))
    assert transcript.plain_text() == "Model\nThought ▸\nYes"


def test_reasoning_is_folded_with_its_count(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.begin_answer(3)
    transcript.append_shown((VisibleText(Channel.REASONING, "Let me "),), 2)
    assert transcript.plain_text() == "Model\nThinking… 2 tokens ▸"
    transcript.append_shown((VisibleText(Channel.REASONING, "see."), *normal("Yes")), 4)
    assert transcript.plain_text() == "Model\nThought for 4 tokens ▸\nYes"
    transcript.anchorClicked.emit(QUrl("fold:3/0"))
    assert transcript.plain_text() == "Model\nThought for 4 tokens ▾\nLet me see.\nYes"
    transcript.append_shown(normal(", it is."), 4)
    transcript.end_answer("stop", 4)
    transcript.anchorClicked.emit(QUrl("fold:3/0"))
    assert transcript.plain_text() == "Model\nThought for 4 tokens ▸\nYes, it is.\nstop"
    assert transcript.turn_text(3) == "Yes, it is."


def test_fold_is_reached_by_keyboard(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.begin_answer(0)
    transcript.append_shown((VisibleText(Channel.REASONING, "why"), *normal("so")), 1)
    transcript.setFocus()
    QTest.keyClick(transcript, Qt.Key.Key_Tab)
    QTest.keyClick(transcript, Qt.Key.Key_Return)
    assert "why" in transcript.plain_text()


def test_raw_answer_continues_in_place(transcript: Transcript, theme: Theme) -> None:
    transcript.set_raw(True)
    transcript.add_turn(0, Role.USER, "Once upon")
    transcript.begin_answer(1)
    stream(transcript, " a *time*", 2)
    transcript.end_answer("length")
    assert transcript.plain_text() == "Once upon a *time*\nlength"
    assert theme.hex(Color.MODEL) in _colors(transcript)


@pytest.mark.parametrize("raw", [False, True])
def test_turns_are_removed_and_continued(transcript: Transcript, raw: bool) -> None:
    transcript.set_raw(raw)
    transcript.add_turn(0, Role.USER, "Hello")
    transcript.add_turn(1, Role.ASSISTANT, "One.", "length")
    before = transcript.plain_text()
    transcript.add_turn(2, Role.USER, "More")
    transcript.begin_answer(3)
    transcript.remove_from(2)
    assert transcript.plain_text().rstrip("\n") == before
    transcript.continue_answer()
    transcript.append_shown(normal(" Two."))
    transcript.end_answer("stop")
    assert transcript.turn_text(1) == "One. Two."
    assert transcript.plain_text() == before.replace("One.", "One. Two.").replace("length", "stop")


def test_link_when_clicked_asks_before_opening(qtbot: QtBot, transcript: Transcript) -> None:
    with qtbot.waitSignal(transcript.link_requested) as asked:
        transcript.anchorClicked.emit(QUrl("https://example.org/a"))
    assert asked.args == ["https://example.org/a"]
    with qtbot.assertNotEmitted(transcript.link_requested):
        transcript.anchorClicked.emit(QUrl("file:///etc/passwd"))
        transcript.anchorClicked.emit(QUrl("javascript:alert(1)"))
    transcript.highlighted.emit(QUrl("https://example.org/a"))
    assert transcript.viewport().toolTip() == "https://example.org/a"


@pytest.mark.parametrize("address", ["branch:1/1", "fold:1/x", "turn:1", "file:///etc/passwd", "javascript:alert(1)"])
def test_model_text_makes_no_buttons(transcript: Transcript, address: str) -> None:
    transcript.add_turn(0, Role.USER, "Hello")
    transcript.add_turn(1, Role.ASSISTANT, f"[press]({address}) [go](https://example.org)")
    answer = transcript.document().toHtml().partition("press")
    assert "press" in answer
    assert f'href="{address}"' not in answer[0].rpartition("<p")[2]
    assert 'href="https://example.org"' in answer[2]


def test_menu_matches_the_turn(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.add_turn(0, Role.USER, "Hello")
    transcript.add_turn(1, Role.ASSISTANT, "**Hi**")
    menu = transcript._menu(transcript._turns[1])
    actions = {action.data()[0]: action for action in menu.actions() if action.data() is not None}
    assert set(actions) == set(TurnAction) - {TurnAction.RESEND, TurnAction.COMPARE}
    with qtbot.waitSignal(transcript.wanted) as wanted:
        actions[TurnAction.REGENERATE].trigger()
    assert wanted.args == [TurnAction.REGENERATE, 1]
    actions[TurnAction.COPY].trigger()
    assert QGuiApplication.clipboard().text() == "**Hi**"
    menu.deleteLater()


def test_menu_of_a_replaced_turn_does_nothing(transcript: Transcript) -> None:
    transcript.add_turn(0, Role.USER, "Hello")
    menu = transcript._menu(transcript._turns[0])
    wanted: list[object] = []
    transcript.wanted.connect(lambda wish, index: wanted.append(wish))
    delete = next(action for action in menu.actions() if action.data() == (TurnAction.DELETE, 0))
    transcript.remove_from(0)
    delete.trigger()
    transcript.add_turn(0, Role.USER, "Of another session")
    delete.trigger()
    assert wanted == []
    menu.deleteLater()


def test_menu_below_an_answer_is_reached_by_keyboard(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.add_turn(7, Role.USER, "Hello")
    transcript.add_turn(8, Role.ASSISTANT, "Hi", "Complete (EOS)")
    transcript.setFocus()
    QTest.keyClick(transcript, Qt.Key.Key_Tab)
    QTest.keyClick(transcript, Qt.Key.Key_Return)
    menu = transcript.findChildren(QMenu)[0]
    chosen = next(each for each in menu.actions() if each.data() == (TurnAction.DELETE, 8))
    with qtbot.waitSignal(transcript.wanted) as wanted:
        chosen.trigger()
    assert wanted.args == [TurnAction.DELETE, 8]
    menu.close()


def test_menu_of_a_prompt_is_at_the_text_cursor(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.add_turn(7, Role.USER, "Hello")
    transcript.add_turn(8, Role.ASSISTANT, "Hi")
    cursor = transcript.document().find("Hello")
    transcript.setTextCursor(cursor)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    transcript.contextMenuEvent(event)
    menu = transcript.findChildren(QMenu)[0]
    assert (TurnAction.EDIT, 7) in [action.data() for action in menu.actions()]
    menu.close()


def test_switcher_names_the_branch_and_its_siblings(qtbot: QtBot, transcript: Transcript) -> None:
    transcript.add_turn(0, Role.USER, "Hello", branch=Branch(1, 2))
    transcript.add_turn(1, Role.ASSISTANT, "Hi", branch=Branch(2, 3))
    heads = [line for line in transcript.toPlainText().splitlines() if "‹" in line]
    assert heads == ["You  ‹ 1/2 › ", "Model  ‹ 2/3 › "]
    assert transcript.plain_text() == "You\nHello\nModel\nHi", "buttons are no text"
    transcript.setFocus()
    reached: list[tuple[int, int]] = []
    transcript.branch_wanted.connect(lambda index, by: reached.append((index, by)))
    for _ in range(4):
        QTest.keyClick(transcript, Qt.Key.Key_Tab)
        link = transcript.textCursor().charFormat().anchorHref()
        if link.startswith("branch:"):
            QTest.keyClick(transcript, Qt.Key.Key_Return)
    assert reached == [(0, 1), (1, -1), (1, 1)], "the first of two has none before it"


LINES = "line\n" * MOST_LINES_SHOWN


@pytest.mark.parametrize(
    ("text", "more"), [("long line " * 1_000_000, "9,800,000"), (LINES + "and the end", "12"), (LINES[:-1], "")]
)
def test_long_prompt_is_shown_in_part(transcript: Transcript, text: str, more: str) -> None:
    transcript.add_turn(0, Role.USER, text)
    shown = transcript.plain_text()
    assert len(shown) < 300_000
    assert shown.endswith(f"… and {more} characters more, sent but not shown here" if more else "line\nline")
    assert transcript.turn_text(0) == text


def test_hidden_transcript_takes_text(qtbot: QtBot, theme: Theme) -> None:
    transcript = Transcript(theme)
    qtbot.addWidget(transcript)
    transcript.add_turn(0, Role.USER, "Hello")
    transcript.begin_answer(1)
    stream(transcript, PROSE * 20)
    transcript.resize(600, 300)
    transcript.show()
    assert transcript.plain_text().count("Some words") == 20
    bar = transcript.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    assert transcript.following


CODES = "First:\n\n```python\nx = 1\n\ny = '\u200b<b>'\n```\nThen\n\n```\nplain\n```\n```\nright behind it\n```\nLast."


def code_links(transcript: Transcript) -> list[str]:
    links = [form.anchorHref() for _, form in fragments(transcript.document())]
    return [address for address in links if address.startswith("code:")]


def test_code_is_copied_unchanged_with_its_language(transcript: Transcript) -> None:
    transcript.begin_answer(0)
    for piece in (CODES[:40], CODES[40:]):
        transcript.append_shown(normal(piece))
    links = code_links(transcript)
    assert len(set(links)) == 3
    copied = []
    for address in links:
        transcript.anchorClicked.emit(QUrl(address))
        copied.append(QGuiApplication.clipboard().text())
    assert copied == ["x = 1\n\ny = '\u200b<b>'", "plain", "right behind it"]
    heads = [line for line in transcript.toPlainText().splitlines() if line.endswith("Copy")]
    assert heads == ["python  Copy", "Copy", "Copy"]
    assert "Copy" not in transcript.plain_text(), "a button is no text"


def test_long_code_is_copied_whole(transcript: Transcript) -> None:
    code = "\n".join(f"line {number} " + "x" * (number % 7 * 100) for number in range(400))
    transcript.begin_answer(0)
    transcript.append_shown(normal(f"```\n{code}\n```\nLast."))
    transcript.anchorClicked.emit(QUrl(code_links(transcript)[0]))
    assert QGuiApplication.clipboard().text() == code


def test_language_of_code_is_short_without_markup(transcript: Transcript) -> None:
    transcript.begin_answer(0)
    transcript.append_shown(normal(f"```<b>{'x' * 500}\n1\n```\n"))
    head = next(line for line in transcript.toPlainText().splitlines() if line.endswith("Copy"))
    assert head.startswith("<b>xxx") and len(head) < 40
