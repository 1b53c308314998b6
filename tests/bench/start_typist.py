"""Somebody at a window of the program: types as soon as there is a field, or only lets it rest."""

import os
import time

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from app.engine.meter.meter import Frame
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.shell.main_window import MainWindow
from tests.bench.lengths import length
from tests.bench.window_stage import PATIENCE_S, PaintWatch, Part, live, wait

REST_S = length(5.0, 0.1)


class Typist(QObject):
    """Types when there is a field to type in, and presses Enter as soon as a model is being opened."""

    def __init__(self, window: MainWindow, prompt: str, began: float) -> None:
        super().__init__()
        self._text = prompt
        self._began = began
        self._window = window
        self._typed = self._pressed = self._answered = False
        self._prompt = _part(window, QPlainTextEdit, "prompt")
        PaintWatch(window, self._type)
        PaintWatch(_part(window, Transcript, "transcript").viewport(), self._tell_answer)
        window.playground.changed.connect(self._press)
        window.playground.advanced.connect(self._note)

    def _type(self) -> None:
        if not self._typed and self._prompt.isVisible() and self._prompt.isEnabled():
            self._typed = True
            self._tell()
            self._prompt.setPlainText(self._text)
            self._press()

    @Slot(object, object)
    def _press(self, *_states: object) -> None:
        if self._typed and not self._pressed and self._window.playground.state.phase in (Phase.LOADING, Phase.READY):
            self._pressed = True
            key = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
            QApplication.sendEvent(self._prompt, key)

    @Slot(object)
    def _note(self, frame: Frame) -> None:
        self._answered = self._answered or bool(frame.tokens)

    def _tell_answer(self) -> None:
        if self._answered:
            self._tell()
            os._exit(0)

    def _tell(self) -> None:
        print(time.time() - self._began, flush=True)


def type_at_once(window: MainWindow, prompt: str, began: float) -> None:
    """Tells seconds since it began, when there is a field to type in and when an answer is there, and ends all."""
    typist = Typist(window, prompt, began)
    window.show()
    live(PATIENCE_S)
    del typist
    os._exit(1)


def rest(window: MainWindow) -> None:
    """Says so when the model has been there for a while, and goes on with it: others see what it takes."""
    window.show()
    if window.playground.state.phase is not Phase.READY:
        wait(window.playground.changed, lambda: window.playground.state.phase is Phase.READY)()
    live(REST_S)
    print("at rest", flush=True)
    live(PATIENCE_S)
    os._exit(1)


def _part(window: MainWindow, kind: type[Part], name: str) -> Part:
    part = window.findChild(kind, name)
    assert part is not None, name
    return part
