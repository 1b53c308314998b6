"""A user before the real window: types, presses and reads."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.__main__ import build
from app.engine.meter.trace import Trace
from app.records.journal import Journal
from app.state import Phase, Run, State
from app.ui.conversation.transcript import Transcript
from app.ui.shell.main_window import MainWindow
from tests.ui import desk
from tests.ui.desk import Widget


class Journey:
    """Everything is found by the names that were promised."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot = qtbot
        self.window = window
        self.runs: list[Run] = []
        self.phases: list[Phase] = []
        window.playground.finished.connect(self._on_finished)
        window.playground.changed.connect(self._on_changed)

    @property
    def state(self) -> State:
        return self.window.playground.state

    @property
    def journal(self) -> Journal:
        """The journal, with everything written."""
        journal = self.window.playground.book.journal
        assert journal is not None and journal.flush()
        return journal

    @property
    def trace(self) -> Trace:
        """The tokens of the last answer."""
        trace = self.window.playground.traces.of(self.state.turns[-1].id)
        assert trace is not None
        return trace

    @property
    def page(self) -> str:
        """All that is to be read in the transcript."""
        return self.find(Transcript, "transcript").plain_text()

    @property
    def reason(self) -> str:
        """Why the run ended, as a screen reader has it."""
        said = self.find(QLabel, "finish_reason").accessibleName().removeprefix("Finish reason: ")
        return "" if said == "none yet" else said

    @property
    def details(self) -> dict[str, str]:
        """What is told of the run besides, in sight or not."""
        labels = self.find(QWidget, "run_details").findChildren(QLabel)
        told = [label.accessibleName().partition(": ") for label in labels if not label.isHidden()]
        return {name: words for name, between, words in told if between}

    def find(self, kind: type[Widget], name: str) -> Widget:
        return desk.named(self.window, kind, name)

    def button(self, name: str) -> QAbstractButton:
        return self.find(QAbstractButton, name)

    def press(self, name: str) -> None:
        button = self.button(name)
        assert button.isVisible(), f"{name} is not to be seen"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def type(self, text: str) -> None:
        self.find(QPlainTextEdit, "prompt").setPlainText(text)

    def choose(self, name: str, text: str) -> None:
        """Choose the line of this text in a combo box."""
        box = self.find(QComboBox, name)
        box.setCurrentIndex(box.findText(text))
        assert box.currentText() == text, f"{name} has no line {text}"
        box.activated.emit(box.currentIndex())

    def limit(self, tokens: int) -> None:
        self.find(QSpinBox, "max_tokens").setValue(tokens)

    def seed(self, seed: int) -> None:
        self.find(QSpinBox, "seed").setValue(seed)

    def cold(self) -> None:
        """Temperature 0: the same tokens each time."""
        controls = self.state.controls
        self.window.playground.set_controls(replace(controls, sampling=replace(controls.sampling, temperature=0.0)))

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition)

    def until_ready(self) -> None:
        self.until(lambda: self.state.phase is Phase.READY)

    def until_tokens(self, count: int) -> None:
        """Until so many visible characters of the open answer are on the page."""
        start = len(self.page)
        self.until(lambda: len(self.page) >= start + count)

    def send(self, text: str) -> Run:
        self.type(text)
        self.press("send")
        return self.last()

    def last(self) -> Run:
        """The run that is going on, when it has finished."""
        count = len(self.runs)
        self.until(lambda: len(self.runs) > count)
        return self.runs[-1]

    def act(self, name: str) -> None:
        action = desk.act(self.window, name)
        assert action.isEnabled(), f"{name} can't be chosen now"
        action.trigger()

    def _on_finished(self, run: Run) -> None:
        self.runs.append(run)

    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is not old.phase:
            self.phases.append(new.phase)


@contextmanager
def journey(qtbot: QtBot, switches: Sequence[str]) -> Iterator[Journey]:
    """The whole program, shown; closed at the end whatever happened."""
    window = build(switches)
    qtbot.addWidget(window)
    window.show()
    user = Journey(qtbot, window)
    try:
        yield user
    finally:
        window.close()
        # pytest keeps the journey for a while longer, which must not keep the window's parts.
        vars(user).clear()


@contextmanager
def started(qtbot: QtBot, folder: Path, *switches: str) -> Iterator[Journey]:
    """The program on this folder, with its model and its last session open."""
    with journey(qtbot, ["--data-dir", str(folder), *switches]) as user:
        ready: list[bool] = []
        user.window.playground.book.ready.connect(lambda: ready.append(True))
        user.until(lambda: bool(ready) and not user.state.opening)
        user.until_ready()
        yield user
