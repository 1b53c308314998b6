"""A failure of the playground: told at the top of the window, until it is past or was read.

That of a run is told where its answer would have stood, and not here as well.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from app.bridge.playground import Playground
from app.state import State
from app.ui.widgets import NoticeBar


class FailureNotice(QObject):
    """Follows the playground."""

    def __init__(self, playground: Playground, notice: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._notice = notice
        playground.changed.connect(self._on_changed)
        notice.dismissed.connect(self._dismiss)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.failure is old.failure:
            return
        run = new.last_run
        if new.failure is not None and (run is None or run.finish.failure is not new.failure):
            self._notice.show_failure(new.failure)
        else:
            self._notice.clear()

    @Slot()
    def _dismiss(self) -> None:
        self._playground.dismiss_failure()
        self._notice.clear()
