"""The real window on an engine of the test's own, its widgets by name, and waiting in Qt's event loop."""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QTimer, SignalInstance, Slot
from PySide6.QtWidgets import QWidget

from app.__main__ import build
from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Engine
from app.records.journal import Journal
from app.state import SETTLED, Phase, State
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import QUICK, Widget

PATIENCE_MS = 60_000
ENDLESS_TEXT = replace(QUICK, tokens_per_second=2_000, replies=("word " * 200_000,), context=1_000_000)


class Waiting(QObject):
    """One wait at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = QEventLoop(self)
        self._condition: Callable[[], bool] = lambda: False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._loop.quit)

    def live(self, milliseconds: int) -> None:
        """Let the window live for so long."""
        self._timer.start(milliseconds)
        self._loop.exec()
        self._timer.stop()

    def until(self, condition: Callable[[], bool], *signals: SignalInstance, patience_ms: int = PATIENCE_MS) -> bool:
        """Whether it came to be so in time; looked at whenever one of the signals comes."""
        if condition():
            return True
        self._condition = condition
        for signal in signals:
            signal.connect(self._look)
        end = time.monotonic() + patience_ms / 1000
        # What a signal made so may be otherwise again when the loop has ended.
        while not condition() and (left := round(1000 * (end - time.monotonic()))) > 0:
            self.live(left)
        for signal in signals:
            signal.disconnect(self._look)
        return condition()

    @Slot()
    def _look(self) -> None:
        if self._condition():
            self._loop.quit()


def part(window: QWidget, kind: type[Widget], name: str = "") -> Widget:
    """The one of this kind and name, which is there."""
    found = window.findChild(kind, name) if name else window.findChild(kind)
    assert found is not None, name or kind.__name__
    return found


class Scene:
    """A window, and the waiting for what it does."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.playground = window.playground
        self._waiting = Waiting()

    @property
    def state(self) -> State:
        return self.playground.state

    @property
    def journal(self) -> Journal:
        found = self.playground.book.journal
        assert found is not None
        return found

    def until(self, condition: Callable[[], bool], *signals: SignalInstance) -> None:
        assert self._waiting.until(condition, *signals, self.playground.changed), self.state.phase

    def live(self, milliseconds: int) -> None:
        self._waiting.live(milliseconds)

    def until_ready(self) -> None:
        self.until(lambda: self.state.phase is Phase.READY)

    def until_settled(self) -> None:
        self.until(lambda: self.state.phase in SETTLED)

    def say(self, text: str) -> bool:
        """Send it, and wait for the end of the answer; whether it was taken."""
        taken = self.playground.send(text)
        self.until_ready()
        return taken


@contextmanager
def scene(
    folder: Path,
    engine: Callable[[], Engine] = lambda: EchoEngine(QUICK),
    settled: Phase = Phase.READY,
    switches: Sequence[str] = ("--engine", "echo"),
) -> Iterator[Scene]:
    """Opened on this folder's journal, ready or otherwise settled, and closed whatever happens."""
    window = build(["--data-dir", str(folder), *switches], lambda _collect: engine())
    ready: list[bool] = []
    window.playground.book.ready.connect(lambda: ready.append(True))
    window.show()
    made = Scene(window)
    try:
        made.until(lambda: bool(ready), window.playground.book.ready)
        made.until(lambda: made.state.phase is settled)
        made.until(lambda: not made.state.opening)
        yield made
    finally:
        window.close()
        window.deleteLater()
        vars(made).clear()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
        # The next one's worker freezes what it finds: this one has to be collectable until then.
        gc.unfreeze()
