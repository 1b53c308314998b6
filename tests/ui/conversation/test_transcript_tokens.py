"""The token view of the transcript: pointer, clicks and arrow keys."""

from collections.abc import Sequence
from itertools import product
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QHelpEvent, QImage, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.engine.meter.trace import Trace
from app.engine.types import Channel, RejectedTokens, Role, Token, VisibleText
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import AnswerView
from app.ui.look.palette import Color
from app.ui.look.theme import Theme
from app.ui.tokens.colors import LEVELS, PLAIN, Coloring, Scale, ground
from app.ui.tokens.layer import TokenLayer, TokenRef
from tests.ui.conftest import go_dark
from tests.ui.tokens.answers import observed, traced

Key = Qt.Key
TEXTS = ["One", " two", ".", "\n", "\n", "Three", " ", "", "", "한", "."]
SURE = [0.5, 1e-6, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]


class Reader:
    """A transcript, and the signals that it emits."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.pointed: list[tuple[int, int]] = []
        self.picked: list[tuple[int, int]] = []
        self.missed: list[int] = []
        self.scales: list[Scale] = []
        transcript.token_pointed.connect(lambda index, position: self.pointed.append((index, position)))
        transcript.token_picked.connect(lambda index, position: self.picked.append((index, position)))
        transcript.trace_missed.connect(self.missed.append)
        transcript.scale_changed.connect(self.scales.append)

    @property
    def layer(self) -> TokenLayer:
        return self.transcript._layer

    def answer(self, texts: Sequence[str], sure: Sequence[float] = (), index: int = 1) -> Trace:
        trace, shown = traced(texts, sure=sure)
        self.transcript.add_turn(index - 1, Role.USER, "Say something.")
        self.transcript.add_turn(index, Role.ASSISTANT, shown, "stop")
        self.transcript.show_trace(index, trace)
        return trace

    def where(self, position: int, index: int = 1) -> QPoint:
        """Position of a token in the viewport."""
        middle = self.layer.rects(TokenRef(index, position))[0].center().toPoint()
        return middle - QPoint(0, self.transcript.verticalScrollBar().value())

    def point(self, position: int, index: int = 1) -> None:
        QTest.mouseMove(self.transcript.viewport(), self.where(position, index))

    def click(self, position: int, index: int = 1) -> None:
        QTest.mouseClick(self.transcript.viewport(), Qt.MouseButton.LeftButton, pos=self.where(position, index))

    def keys(self, *keys: Key) -> list[int]:
        """Press keys, and return the places that they pick."""
        before = len(self.picked)
        for key in keys:
            QTest.keyClick(self.transcript, key)
        return [position for _, position in self.picked[before:]]

    def color_at(self, position: int, inset: int = 2) -> str:
        """Background color of a token, above its letters."""
        rect = self.layer.rects(TokenRef(1, position))[0]
        at = QPoint(round(rect.left()) + 1, round(rect.top()) + inset)
        picture = self.transcript.viewport().grab().toImage()
        return QColor(picture.pixelColor(at - QPoint(0, self.transcript.verticalScrollBar().value()))).name()


@pytest.fixture
def reader(qtbot: QtBot, theme: Theme) -> Reader:
    transcript = Transcript(theme)
    qtbot.addWidget(transcript)
    transcript.resize(600, 300)
    transcript.set_view(AnswerView.TOKENS)
    transcript.show()
    return Reader(transcript)


def test_ground_shows_the_value_in_both_themes(reader: Reader, theme: Theme) -> None:
    reader.answer(TEXTS, SURE)
    for _ in range(2):
        assert reader.color_at(1) == ground(LEVELS - 1, theme).name()
        assert reader.color_at(2) == ground(0, theme).name()
        reader.transcript.set_coloring(Coloring.NONE)
        assert reader.color_at(1) == ground(PLAIN, theme).name()
        reader.transcript.set_coloring(Coloring.PROBABILITY)
        go_dark(theme)


def test_answer_without_a_trace_has_no_ground(reader: Reader, theme: Theme) -> None:
    reader.answer(TEXTS, SURE)
    reader.color_at(1)
    at = reader.where(1)
    reader.transcript.show_trace(1, None)
    picture = reader.transcript.viewport().grab().toImage()
    assert picture.pixelColor(at - QPoint(0, 8)).name() == theme.hex(Color.SURFACE)
    assert reader.missed == [1], "it is asked for, once"
    reader.transcript.viewport().grab()
    assert reader.missed == [1]


def test_pointer_emits_its_token(reader: Reader) -> None:
    reader.answer(TEXTS)
    reader.point(0)
    reader.point(1)
    reader.point(1)
    reader.point(9)
    QTest.mouseMove(reader.transcript.viewport(), QPoint(590, 5))
    assert reader.pointed == [(1, 0), (1, 1), (1, 9), (1, -1)]


def test_resting_pointer_follows_scrolling(reader: Reader, qtbot: QtBot) -> None:
    reader.answer([" word", ".\n"] * 200)
    reader.transcript.verticalScrollBar().setValue(0)
    position = QPoint(30, 200)
    QTest.mouseMove(reader.transcript.viewport(), position)
    (first,) = reader.pointed
    at = QPointF(position)
    there = QPointF(reader.transcript.viewport().mapToGlobal(position))
    none, still = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    turn = QWheelEvent(at, there, QPoint(), QPoint(0, -240), none, Qt.KeyboardModifier.NoModifier, still, False)
    QApplication.sendEvent(reader.transcript.viewport(), turn)
    assert reader.transcript.verticalScrollBar().value() > 0
    assert reader.pointed[-1] > first


def test_click_picks_and_drag_selects(reader: Reader) -> None:
    reader.answer(TEXTS)
    reader.click(1)
    assert reader.picked == [(1, 1)]
    view = reader.transcript.viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=reader.where(0))
    QTest.mouseMove(view, reader.where(5))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=reader.where(5))
    assert reader.picked == [(1, 1)]
    assert reader.transcript.textCursor().hasSelection()
    assert "two" in reader.transcript.createMimeDataFromSelection().text()


def test_arrows_reach_every_token(reader: Reader) -> None:
    reader.answer([*TEXTS, ""])
    assert reader.keys(*[Key.Key_Right] * 14) == [*range(12), 11, 11]
    assert reader.keys(Key.Key_Left, Key.Key_Left) == [10, 9]
    assert reader.transcript.accessibleDescription().startswith("Token 10 of 12: part 3 of 3 of “한”, ")


def test_arrows_between_lines_keep_the_column(reader: Reader) -> None:
    reader.answer(["One", " two", " three", "\n", "A", "\n", "Four", " five", " six", "\n", "end"])
    reader.click(2)
    assert reader.keys(Key.Key_Down, Key.Key_Down, Key.Key_Up, Key.Key_Up) == [5, 8, 5, 2]
    assert reader.keys(Key.Key_Home, Key.Key_End, Key.Key_Up) == [0, 3, 3]


def test_arrows_reach_the_next_answer(reader: Reader) -> None:
    reader.answer(["One", "."])
    reader.answer(["Two", "."], index=3)
    reader.click(1)
    reader.keys(Key.Key_Right, Key.Key_Left, Key.Key_Down, Key.Key_Up)
    assert reader.picked[1:] == [(3, 0), (1, 1), (3, 1), (1, 1)]


def test_keyboard_begins_at_the_visible_tokens(reader: Reader) -> None:
    reader.answer([" word", ".\n"] * 100)
    (position,) = reader.keys(Key.Key_Right)
    top = reader.where(position).y()
    assert 0 <= top < 40
    assert position > 100


def test_shift_selects_from_the_picked_token(reader: Reader) -> None:
    reader.answer(TEXTS)
    reader.keys(Key.Key_Right, Key.Key_Right)
    for _ in range(4):
        QTest.keyClick(reader.transcript, Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert reader.transcript.createMimeDataFromSelection().text() == " two"
    assert reader.picked[-1] == (1, 1)


def test_distant_token_is_revealed(reader: Reader) -> None:
    reader.answer([" word", ".\n"] * 400)
    for position in (5, 700, 300):
        reader.transcript.reveal_token(1, position)
        assert 0 <= reader.where(position).y() <= reader.transcript.viewport().height()
    at = reader.transcript.verticalScrollBar().value()
    reader.transcript.reveal_token(1, 302)
    assert reader.transcript.verticalScrollBar().value() == at, "what is in sight stays where it is"


@pytest.mark.slow
def test_marks_are_removed_with_their_turn(reader: Reader, theme: Theme) -> None:
    reader.answer(TEXTS)
    plain = reader.transcript.viewport().grab().toImage()
    reader.transcript.mark_token(1, 1)
    marked = reader.transcript.viewport().grab().toImage()
    reader.transcript.mark_pointed_token(1, 0)
    pointed = reader.transcript.viewport().grab().toImage()
    reader.transcript.mark_stretch(1, 0, 2)
    stretched = reader.transcript.viewport().grab().toImage()
    assert plain != marked
    assert marked != pointed
    assert pointed != stretched
    assert _has(marked, theme.hex(Color.ACCENT)) > _has(plain, theme.hex(Color.ACCENT))
    reader.transcript.mark_pointed_token(1, None)
    reader.transcript.mark_stretch(1, None, None)
    reader.transcript.mark_token(1, None)
    assert reader.transcript.viewport().grab().toImage() == plain
    reader.transcript.mark_token(1, 1)
    reader.transcript.remove_from(0)
    assert reader.keys(Key.Key_Right) == []


def _has(picture: QImage, color: str) -> int:
    places = product(range(picture.width()), range(picture.height()))
    return sum(picture.pixelColor(*place).name() == color for place in places)


def test_streaming_answer_is_colored(reader: Reader, theme: Theme) -> None:
    trace, transcript = Trace(), reader.transcript
    trace.begin_run()
    transcript.begin_answer(1)
    transcript.show_trace(1, trace)
    for position, text in enumerate(TEXTS):
        shown = (VisibleText(Channel.NORMAL, text, len(trace.text)),)
        trace.extend([Token(position, position, text, shown, 0.1 * position, False, observed(SURE[position]))])
        trace.show(shown)
        transcript.trace_grew(1)
        transcript.append_shown(shown)
        assert position < 1 or reader.color_at(1) == ground(LEVELS - 1, theme).name()
        assert reader.color_at(0) == ground(LEVELS // 2, theme).name()
    transcript.end_answer("stop")
    transcript.continue_answer()
    transcript.append_shown((VisibleText(Channel.NORMAL, " more", 999),))
    assert reader.color_at(1) == ground(LEVELS - 1, theme).name()


@pytest.mark.parametrize("before", [500, 5_000])
def test_frame_cost_is_independent_of_the_length(reader: Reader, monkeypatch: pytest.MonkeyPatch, before: int) -> None:
    trace, transcript = Trace(), reader.transcript
    trace.begin_run()
    transcript.begin_answer(1)
    transcript.show_trace(1, trace)

    def stream(count: int) -> None:
        tokens = []
        for position in range(len(trace), len(trace) + count):
            text, at = " word" if position % 30 else ".\n", 5 * position - 3 * ((position + 29) // 30)
            shown = (VisibleText(Channel.NORMAL, text, at),)
            tokens.append(Token(position, position, text, shown, 0.01 * position, False, observed(0.5)))
        trace.extend(tokens)
        for token in tokens:
            trace.show(token.shown)
        transcript.trace_grew(1)
        transcript.append_shown(tuple(piece for token in tokens for piece in token.shown))
        transcript.viewport().repaint()

    stream(before)
    asked = Mock()
    seen, position_at = Trace.seen, Trace.position_at
    monkeypatch.setattr(Trace, "seen", lambda self, position: (asked(), seen(self, position))[1])
    monkeypatch.setattr(Trace, "position_at", lambda self, *where: (asked(), position_at(self, *where))[1])
    for _ in range(10):
        stream(13)
    assert 0 < asked.call_count < 10 * 150


def test_scale_follows_the_last_answer(reader: Reader) -> None:
    reader.answer(TEXTS)
    assert reader.scales[-1].top_s == pytest.approx(0.01)
    assert not reader.scales[-1].observed
    reader.answer(TEXTS, SURE, index=3)
    assert reader.scales[-1].observed
    reader.answer(TEXTS, index=5)
    assert reader.transcript.scale.observed, "the answer before it is still coloured"
    reader.transcript.set_coloring(Coloring.ORIGIN)
    assert reader.transcript.scale.coloring is Coloring.ORIGIN


def test_tooltip_describes_the_token(reader: Reader, qtbot: QtBot) -> None:
    reader.answer(TEXTS, SURE)
    at = reader.where(1)
    view = reader.transcript.viewport()
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, at, view.mapToGlobal(at)))
    assert QToolTip.text() == "“␣two”, probability < 0.01 %, latency 10 ms"
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_folded_reasoning_is_stepped_through_at_its_fold(reader: Reader) -> None:
    reader.answer(["<think>", "Hm", ".", "</think>", "So", "."])
    assert reader.keys(Key.Key_Right, *[Key.Key_Left] * 4) == [4, 3, 2, 1, 0]
    reader.transcript.anchorClicked.emit(QUrl("fold:1/0"))
    reader.click(1)
    assert reader.picked[-1] == (1, 1)


def test_click_on_a_formatted_word_emits_its_offset_in_the_source(reader: Reader) -> None:
    transcript, clicked = reader.transcript, list[tuple[int, bool, int]]()
    transcript.word_clicked.connect(lambda *word: clicked.append(word))
    transcript.set_view(AnswerView.MARKDOWN)
    source = "The **fox** saw [a fox](https://fox.example) and `no fox` more."
    transcript.add_turn(0, Role.USER, "Which fox?")
    transcript.add_turn(1, Role.ASSISTANT, source, "stop")
    shown = transcript.toPlainText()
    for word in ("saw", "more"):
        cursor = transcript.textCursor()
        cursor.setPosition(shown.rindex(word) + 1)
        place = transcript.cursorRect(cursor).center()
        QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert clicked == [(1, False, source.index("saw")), (1, False, source.index("more"))]
    transcript.set_view(AnswerView.TOKENS)
    QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert len(clicked) == 2


@pytest.mark.parametrize("view", [AnswerView.MARKDOWN, AnswerView.PLAIN, AnswerView.MONO])
def test_other_views_ignore_tokens(reader: Reader, view: AnswerView) -> None:
    transcript = reader.transcript
    transcript.set_view(view)
    transcript.add_turn(0, Role.ASSISTANT, "One two.")
    before = transcript.viewport().grab().toImage()
    trace, _ = traced(["One", " two", "."])
    transcript.show_trace(0, trace)
    transcript.mark_token(0, 1)
    transcript.reveal_token(0, 1)
    for x in range(0, 600, 20):
        QTest.mouseMove(transcript.viewport(), QPoint(x, 45))
    assert transcript.viewport().grab().toImage() == before
    QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 45))
    assert reader.keys(Key.Key_Right, Key.Key_End) == []
    assert (reader.pointed, reader.picked, reader.missed) == ([], [], [])
    event = QKeyEvent(QKeyEvent.Type.KeyPress, Key.Key_Right, Qt.KeyboardModifier.NoModifier)
    assert not transcript.take_key(event)


def test_rejected_drafts_are_shown_beside_the_pointed_token(reader: Reader, theme: Theme) -> None:
    trace = reader.answer(TEXTS, SURE)
    trace.reject([RejectedTokens(5, (7,), (" Four score",))])
    plain = reader.transcript.viewport().grab().toImage()
    reader.point(1)
    reader.transcript.mark_pointed_token(1, None)
    assert reader.transcript.viewport().grab().toImage() == plain, "nothing was rejected there"
    rect = reader.layer.rects(TokenRef(1, 5))[0]
    above = QPoint(round(rect.left()) + 1, round(rect.top()) - 10)
    reader.point(5)
    assert reader.transcript.viewport().grab().toImage().pixelColor(above).name() == theme.hex(Color.RAISED)
    tip = QHelpEvent(QEvent.Type.ToolTip, reader.where(5), reader.transcript.mapToGlobal(reader.where(5)))
    QApplication.sendEvent(reader.transcript.viewport(), tip)
    assert "in place of the rejected draft “␣Four␣score”" in QToolTip.text()
    QToolTip.hideText()
    reader.transcript.set_coloring(Coloring.ORIGIN)
    assert reader.color_at(5, inset=1) == theme.hex(Color.DRAFT_REJECTED)
    assert reader.color_at(6) != theme.hex(Color.DRAFT_REJECTED)
