"""Shows problems of the session database, and offers to save the sessions in another folder."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QLabel, QWidget

from app.bridge.playground import Playground
from app.engine.types import Failure
from app.i18n import tr
from app.records.types import JournalChange, Outcome
from app.state import State
from app.ui.widgets import NoticeBar, files

OFFER = tr("Save elsewhere…")
OPENING = tr("The session database is still opening.")
LATE = tr("Not saved yet: the disk is slow to write the last changes.")
LOOK_MS = 1000


class JournalController(QObject):
    """Shows failures in the notice and slow writes in a line below."""

    def __init__(self, playground: Playground, notice: NoticeBar, not_kept: QLabel, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._notice = notice
        self._not_kept = not_kept
        self._window = parent
        self._shown: Failure | None = None
        playground.book.journal_changed.connect(self._on_journal_changed)
        playground.changed.connect(self._on_changed)
        notice.dismissed.connect(self._forget)
        # A disk that hangs emits nothing, so each write is checked after a moment.
        self._clock = QTimer(self, singleShot=True, interval=LOOK_MS)
        self._clock.timeout.connect(self._show_delay)
        playground.book.slow.connect(self._show_delay)

    def _on_journal_changed(self, change: JournalChange) -> None:
        if change is JournalChange.TROUBLE:
            self._show_failure()
        elif change is JournalChange.WRITING:
            self._clock.start()

    def _show_delay(self) -> None:
        book = self._playground.book
        text = OPENING if book.is_slow else LATE if book.is_late else ""
        self._not_kept.setText(text)
        self._not_kept.setVisible(bool(text))
        if text:
            self._clock.start()

    def _show_failure(self) -> None:
        failure = self._playground.book.failure
        if failure is not None and failure != self._shown:
            self._notice.show_failure(failure, OFFER, self._choose)
        elif failure is None and self._shown is not None and self._notice.failure == self._shown:
            self._notice.clear()
        self._shown = failure

    def _on_changed(self, old: State, new: State) -> None:
        """Show the failure again, once the one that replaced it is gone."""
        gone = old.failure is not None and new.failure is None
        if gone and self._shown is not None and self._notice.isHidden():
            self._notice.show_failure(self._shown, OFFER, self._choose)

    def _forget(self, failure: Failure | None) -> None:
        if failure == self._shown:
            self._shown = None

    def _choose(self) -> None:
        files.ask_folder(self._window, tr("Save the Sessions in a Folder"), self.save_elsewhere)

    def save_elsewhere(self, folder: Path) -> None:
        """Save the session database in this folder, and continue there."""
        self._playground.book.save_elsewhere(folder, partial(self._on_saved, folder))

    def _on_saved(self, folder: Path, outcome: Outcome) -> None:
        if outcome is not None:
            self._notice.show_failure(outcome, OFFER, self._choose)
        else:
            self._shown = None
            text = tr(
                "The sessions are saved in {folder} now. Start Sluice with --data-dir {folder} to see them again."
            )
            self._notice.show_remark(text.format(folder=folder))
