"""Hands what the engine says in a run to the journal, on the engine's own thread."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from app.engine.types import Event, Finish
from app.records.recording import RunRecorder


class Tap(QObject):
    """Connected directly to the worker's signals: each event costs one `deque.append` there, and nothing elsewhere."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._recorder: RunRecorder | None = None

    def begin(self, recorder: RunRecorder) -> None:
        """What comes from now on belongs to this run. Call it before the run is ordered."""
        self._recorder = recorder

    @Slot(object)
    def put(self, event: Event) -> None:
        recorder = self._recorder
        if recorder is not None:
            recorder.put(event)

    @Slot(object)
    def finish(self, finish: Finish) -> None:
        """The last word of a run; what comes after it belongs to none."""
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            recorder.finish(finish)
