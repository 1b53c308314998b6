"""The real window for an attack, on an engine of the attack's own."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, SignalInstance

from app.__main__ import build
from app.engine.echo.engine import EchoEngine, Knobs
from app.engine.protocol import Engine
from app.records.journal import Journal
from app.state import SETTLED, Phase, State
from app.ui.shell.main_window import MainWindow
from tests.faults.soak.waiting import Waiting

QUICK = Knobs(tokens_per_second=0, prefill_per_second=0, load_seconds=0)
ENDLESS_TEXT = replace(QUICK, tokens_per_second=2_000, replies=("word " * 200_000,), context=1_000_000)


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
    folder: Path, engine: Callable[[], Engine] = lambda: EchoEngine(QUICK), settled: Phase = Phase.READY
) -> Iterator[Scene]:
    """Opened on this folder's journal, ready or otherwise settled, and closed whatever happens."""
    window = build(["--data-dir", str(folder), "--engine", "echo"], lambda _collect: engine())
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
