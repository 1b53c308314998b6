"""An engine and a window that go in step through one second of a clock which only the test moves."""

import math
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot

from app.bridge.clock import FRAME_MS, FrameClock
from app.bridge.mailbox import Mailbox
from app.bridge.playground import Playground
from app.bridge.runner import Runner
from app.bridge.worker import Worker
from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Channel, Event, Finish, Reason, Request, Times, Token, VisibleText
from app.files.settings import Settings
from app.state import Phase, Run
from app.ui.conversation.transcript import Transcript
from app.ui.document.page import Page
from app.ui.look.theme import Theme
from app.ui.shell.main_window import MainWindow
from app.ui.speed_graph.labels import Scene
from app.ui.speed_graph.plot import SpeedPlot
from tests.patience import WAIT_S
from tests.ui.desk import QUICK

TOKENS = 5_000
FRAME_S = FRAME_MS / 1000
FRAMES = math.ceil(1 / FRAME_S)
WORDS = (
    "Water ",
    "runs ",
    "through ",
    "the ",
    "gate.",
    "\n\n",
    "- **It** ",
    "is ",
    "`counted` ",
    "🌊 ",
    "\n",
    "日本",
    "語 ",
)


class Clock:
    """Moves only when it is told to; the engine and the playground share it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class LockStep(EchoEngine):
    """Writes the tokens of one frame, then waits until they have been shown."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(QUICK)
        self._time = clock
        self.written = threading.Semaphore(0)
        self.shown = threading.Semaphore(0)
        self.texts = [WORDS[index % len(WORDS)] for index in range(TOKENS)]

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        self.shown.acquire(timeout=WAIT_S)
        begun = self._time.now = stop.made_at
        frame_ends = begun + FRAME_S
        for index, text in enumerate(self.texts):
            at = begun + (index + 1) / TOKENS
            if at > frame_ends:
                self.written.release()
                self.shown.acquire(timeout=WAIT_S)
                frame_ends += FRAME_S
            emit(Token(index, 7, text, (VisibleText(Channel.NORMAL, text),), at))
        self.written.release()
        self.shown.acquire(timeout=WAIT_S)
        times = Times(begun, first_token=begun + 1 / TOKENS, last_token=begun + 1, ended=begun + 1)
        return Finish(Reason.LENGTH, "length", TOKENS, times)


class Counting:
    """The real window on that engine, and how often what was done while it streamed."""

    def __init__(self, qtbot: QtBot, theme: Theme) -> None:
        self.counts: Counter[str] = Counter()
        self.tallies: list[Tally] = []
        self.longest_queue = 0
        self.runs: list[Run] = []
        self._qtbot = qtbot
        self._clock = Clock()
        self.engine = LockStep(self._clock)
        self.playground = Playground(lambda _collect: self.engine, self._clock)
        self.window = MainWindow(self.playground, theme, Settings(), lambda _settings: None, start="echo")
        self.playground.finished.connect(self.runs.append)
        qtbot.addWidget(self.window)
        self.window.show()
        qtbot.waitUntil(lambda: self.playground.state.phase is Phase.READY)

    @property
    def transcript(self) -> Transcript:
        found = self.window.findChild(Transcript, "transcript")
        assert found is not None
        return found

    @property
    def written(self) -> str:
        return "".join(self.engine.texts)

    def stream(self) -> None:
        """One second, frame by frame."""
        frames = self.playground.findChild(FrameClock)
        assert frames is not None
        self.playground.send("Go")
        self.counts.clear()
        self.engine.shown.release()
        for _ in range(FRAMES):
            assert self.engine.written.acquire(timeout=WAIT_S)
            self._clock.now += FRAME_S
            frames.tick()
            QApplication.processEvents()
            self.engine.shown.release()
        self._qtbot.waitUntil(lambda: bool(self.runs))


@contextmanager
def counting(qtbot: QtBot, theme: Theme) -> Iterator[Counting]:
    """Counts from the outside: every class keeps doing what it does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FrameClock, "start", lambda self: None)
        made = Counting(qtbot, theme)
        try:
            _watch(patch, made)
            yield made
        finally:
            made.window.close()
            vars(made).clear()


def _watch(patch: pytest.MonkeyPatch, made: Counting) -> None:
    set_markdown = QTextDocument.setMarkdown
    drain, drawing, emit, editing = Mailbox.drain, SpeedPlot.draw, Worker._emit, Page._editing

    def drained(self: Mailbox) -> list[Event]:
        events = drain(self)
        made.longest_queue = max(made.longest_queue, len(events))
        return events

    def drawn(self: SpeedPlot, scene: Scene) -> None:
        made.counts["curves"] += 1
        drawing(self, scene)

    def edited(self: Page) -> AbstractContextManager[QTextCursor]:
        made.counts["edits"] += 1
        return editing(self)

    def document_set(self: QTextDocument, *arguments: Any) -> None:
        """A block is parsed in a document of its own; only the whole page counts."""
        if self == made.transcript.document():
            made.counts["setMarkdown"] += 1
        set_markdown(self, *arguments)

    def page_set(self: QTextEdit, *arguments: object) -> None:
        made.counts["setMarkdown"] += 1

    def emitted(self: Worker, event: Event) -> None:
        made.counts[type(event).__name__] += 1
        emit(self, event)

    patch.setattr(Mailbox, "drain", drained)
    patch.setattr(SpeedPlot, "draw", drawn)
    patch.setattr(Worker, "_emit", emitted)
    patch.setattr(Page, "_editing", edited)
    patch.setattr(QTextDocument, "setMarkdown", document_set)
    patch.setattr(QTextEdit, "setMarkdown", page_set)
    runner = made.playground.findChild(Runner)
    assert runner is not None
    worker = runner.worker
    for name in ("responded", "prompted", "prefilled", "measured", "begun", "loading", "loaded", "failed"):
        # A connection holds no bound method's object alive.
        made.tallies.append(Tally(made, name))
        getattr(worker, name).connect(made.tallies[-1].hear, Qt.ConnectionType.DirectConnection)


class Tally:
    """Hears one signal where it is sent."""

    def __init__(self, made: Counting, name: str) -> None:
        self._made = made
        self._name = name

    def hear(self, *arguments: object) -> None:
        self._made.counts[self._name] += 1
