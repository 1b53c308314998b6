"""A text taken apart into its tokens, with what each of them adds: asked of the engine when it has time."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot

from app.bridge.engine_thread import EngineThread
from app.engine.types import Failure, PromptSource, Spelt


class Apart(QObject):
    """One question at a time counts: the answer to an earlier one is dropped."""

    told = Signal(object)
    """tuple[Spelt, ...], or a Failure"""

    def __init__(self, engine: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._asked: PromptSource | None = None
        self._waiting = False
        engine.worker.taken_apart.connect(self._on_answer, Qt.ConnectionType.QueuedConnection)

    def ask(self, source: PromptSource) -> None:
        """During a run the answer comes when that is over; a question asked meanwhile waits for its turn."""
        self._asked = source
        if not self._waiting:
            self._waiting = True
            self._engine.apart_wanted.emit(source)

    def drop(self) -> None:
        """Nobody waits for the answer any more."""
        self._asked = None

    def close(self) -> None:
        """The thread is gone."""
        self._asked = None
        QCoreApplication.removePostedEvents(self)

    @Slot(object, object)
    def _on_answer(self, source: PromptSource, answer: tuple[Spelt, ...] | Failure) -> None:
        self._waiting = False
        if source is self._asked:
            self._asked = None
            self.told.emit(answer)
        elif self._asked is not None:
            self.ask(self._asked)
