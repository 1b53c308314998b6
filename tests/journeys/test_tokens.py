"""A user looks at the tokens of an answer: by pointer, by keyboard, and in another colouring."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget

from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import View
from app.ui.tokens.colours import Colouring
from tests.journeys.journey import Journey

Key = Qt.Key


def scale(user: Journey) -> str:
    return user.find(QWidget, "token_scale").accessibleName()


def point_at(transcript: Transcript, words: str) -> None:
    """Move the pointer onto these words of the answer."""
    document = transcript.document()
    found = document.find(words, document.find("Model"))
    start = QTextCursor(document)
    start.setPosition(found.selectionStart())
    at = transcript.cursorRect(start).center()
    at.setX(at.x() + 3)
    QTest.mouseMove(transcript.viewport(), at)


def test_the_tokens_of_an_answer(demo: Journey) -> None:
    demo.cold()
    controls = demo.state.controls
    demo.window.playground.set_controls(replace(controls, observe=10))
    transcript = demo.find(Transcript, "transcript")
    demo.window.activateWindow()
    QTest.keyClick(demo.window, Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    assert transcript.view is View.TOKENS
    run = demo.send("Count 1 to 9")
    trace = demo.window.playground.traces.of(demo.state.turns[-1].id)
    assert trace is not None
    assert len(trace) == len(run.ids)
    assert scale(demo).startswith("Scale: from faint (100 %, certain)")
    pointed: list[tuple[int, int]] = []
    picked: list[tuple[int, int]] = []
    transcript.token_pointed.connect(lambda index, place: pointed.append((index, place)))
    transcript.token_picked.connect(lambda index, place: picked.append((index, place)))
    point_at(transcript, "5")
    ((index, place),) = pointed
    assert index == 1
    assert "5" in trace.token(place).text
    demo.picture("tokens")
    transcript.setFocus()
    for _ in range(len(trace) + 1):
        QTest.keyClick(transcript, Key.Key_Right)
    first = picked[0][1]
    assert [place for _, place in picked[: len(trace) - first]] == [*range(first, len(trace))], "the end token too"
    assert transcript.accessibleDescription().startswith(f"Token {len(trace)} of {len(trace)}: “<|im_end|>”, ")
    demo.find(QComboBox, "token_colouring").setFocus()
    QTest.keyClick(demo.find(QComboBox, "token_colouring"), Key.Key_End)
    QTest.keyClick(demo.find(QComboBox, "token_colouring"), Key.Key_Up)
    assert transcript.scale.colouring is Colouring.ORIGIN
    assert "the model's tokens are plain" in scale(demo)
    QTest.keyClick(demo.window, Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert not demo.find(QWidget, "token_legend").isVisible()


def test_without_recorded_candidates_the_legend_says_how_to_get_them(demo: Journey) -> None:
    demo.window.playground.observe(False)
    demo.act("view_tokens")
    demo.send("Count 1 to 3")
    assert scale(demo) == "Scale: Candidates were not recorded: switch on Record candidates"
    demo.find(QComboBox, "token_colouring").setCurrentIndex(list(Colouring).index(Colouring.GAP))
    demo.find(QComboBox, "token_colouring").activated.emit(list(Colouring).index(Colouring.GAP))
    assert "ms" in scale(demo)
