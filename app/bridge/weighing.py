"""One pass over a prompt, beside the conversation: ordered here, stopped like a run, its outcome brought back."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot

from app.bridge.runner import Runner
from app.engine.protocol import StopFlag
from app.engine.types import Event, Failure, Prefill, Stopped, TokenPrompt, Weighed


class Weighing(QObject):
    """One pass at a time. The playground says when one may begin."""

    advanced = Signal(object)
    """Prefill: how far it has come."""
    ended = Signal(object)
    """Weighed, Failure or Stopped"""

    def __init__(self, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._flag: StopFlag | None = None
        runner.told.connect(self._on_told)
        runner.engine.worker.weighed.connect(self._on_weighed, Qt.ConnectionType.QueuedConnection)

    def begin(self, ids: tuple[int, ...]) -> None:
        """Order it, with a flag of its own."""
        self._flag = StopFlag()
        self._runner.engine.weigh_wanted.emit(TokenPrompt(ids), self._flag)

    def ask(self) -> None:
        """Ask the pass that goes on to end."""
        if self._flag is not None:
            self._flag.ask()

    def close(self) -> None:
        """The thread is gone: what it said last is told to nobody."""
        self._flag = None
        QCoreApplication.removePostedEvents(self)

    @Slot(object)
    def _on_told(self, event: Event) -> None:
        if isinstance(event, Prefill) and self._flag is not None:
            self.advanced.emit(event)

    @Slot(object)
    def _on_weighed(self, outcome: Weighed | Failure | Stopped) -> None:
        """What was told on the way must not be left for the next run to find."""
        self._runner.tell()
        self._flag = None
        self.ended.emit(outcome)
