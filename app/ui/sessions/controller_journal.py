"""Says in place what is amiss with the journal, and offers to keep the sessions elsewhere."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QLabel, QWidget

from app.bridge.playground import Playground
from app.engine.types import Failure
from app.i18n import tr
from app.records.types import JournalChange, Outcome
from app.state import State
from app.ui.widgets import NoticeBar, file_opening

OFFER = tr("Save elsewhere…")
OPENING = tr("The session database is still opening.")
LATE = tr("Not saved yet: the disk is slow to write the last changes.")
LOOK_MS = 1000


class JournalController(QObject):
    """Nothing is held up by it but Send, until the journal is open."""

    def __init__(self, playground: Playground, notice: NoticeBar, not_kept: QLabel, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._notice = notice
        self._not_kept = not_kept
        self._window = parent
        self._said: Failure | None = None
        playground.book.journal_changed.connect(self._on_told)
        playground.changed.connect(self._on_changed)
        notice.dismissed.connect(self._forget)
        # A disk that hangs calls no listener: each batch is checked a moment after it began.
        self._clock = QTimer(self, singleShot=True, interval=LOOK_MS)
        self._clock.timeout.connect(self._show_delay)
        playground.book.slow.connect(self._show_delay)

    @Slot(object)
    def _on_told(self, change: JournalChange) -> None:
        if change is JournalChange.TROUBLE:
            self._tell()
        elif change is JournalChange.WRITING:
            self._clock.start()

    @Slot()
    def _show_delay(self) -> None:
        """In a quiet line: it passes by itself, mostly."""
        book = self._playground.book
        said = OPENING if book.is_slow else LATE if book.is_late else ""
        self._not_kept.setText(said)
        self._not_kept.setVisible(bool(said))
        if said:
            self._clock.start()

    def _tell(self) -> None:
        failure = self._playground.book.failure
        if failure is not None and failure != self._said:
            self._notice.show_failure(failure, OFFER, self._choose)
        elif failure is None and self._said is not None and self._notice.failure == self._said:
            self._notice.clear()
        self._said = failure

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        """Another failure stood in this one's place, and is gone."""
        gone = old.failure is not None and new.failure is None
        if gone and self._said is not None and self._notice.isHidden():
            self._notice.show_failure(self._said, OFFER, self._choose)

    @Slot(object)
    def _forget(self, failure: Failure | None) -> None:
        """It has been read: a failure that comes later does not bring it back."""
        if failure == self._said:
            self._said = None

    @Slot()
    def _choose(self) -> None:
        file_opening.ask_folder(self._window, tr("Keep the Sessions in a Folder"), self.save_elsewhere)

    def save_elsewhere(self, folder: Path) -> None:
        """Go on in this folder, with everything that there is so far."""
        self._playground.book.save_elsewhere(folder, partial(self._on_saved, folder))

    def _on_saved(self, folder: Path, outcome: Outcome) -> None:
        if outcome is not None:
            self._notice.show_failure(outcome, OFFER, self._choose)
        else:
            self._said = None
            said = tr("The sessions are kept in {folder} now. Start Sluice with --data-dir {folder} to see them again.")
            self._notice.show_remark(said.format(folder=folder))
