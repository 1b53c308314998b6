"""What is kept and for how long, as the user wants it; old sessions are told of before they go."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.files.settings import Settings
from app.i18n import tr
from app.platform import log_file
from app.records.journal import Journal
from app.records.journal_size import JournalSize
from app.records.purge import Expired
from app.records.types import JournalChange, Outcome
from app.state import SETTLED, State
from app.ui.settings.values import PrivacyValues
from app.ui.widgets import NoticeBar

if TYPE_CHECKING:
    from app.ui.settings.privacy import PrivacyPage

DAY_S = 24 * 3600.0

Measured = tuple[JournalSize, int]
"""What the journal holds, and the bytes of the logs."""


class PrivacyController(QObject):
    """What goes at a start was told of by then: when the time was chosen, or at the start before."""

    changed = Signal()
    erased = Signal()
    """All sessions are gone."""

    def __init__(
        self, playground: Playground, notice: NoticeBar, log_folder: Path, settings: Settings, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._notice = notice
        self._log_folder = log_folder
        self._last = settings.session
        self._days, self._told = settings.keep_days, settings.told_before
        self._measured: Measured | None = None
        self._trouble = ""
        self._page: PrivacyPage | None = None
        self._tasks = Tasks(self)
        playground.book.ready.connect(self._on_ready)
        playground.book.told.connect(self._on_told)
        playground.changed.connect(self._on_changed)

    def kept(self, settings: Settings) -> Settings:
        """The settings with these as they stand."""
        return replace(settings, keep_days=self._days, told_before=self._told)

    def take(self, settings: Settings) -> None:
        """All of these, at once."""
        self._days, self._told = settings.keep_days, settings.told_before

    def show_in(self, page: PrivacyPage) -> None:
        self._page = page
        page.keep_wanted.connect(self._keep_for)
        page.erase_wanted.connect(self._erase)
        self.show()

    def show(self) -> None:
        if self._page is None:
            return
        held, logged = self._measured or (None, 0)
        self._page.show_values(PrivacyValues(self._days, self._due(self._told), held, logged, self._hindrance()))

    def measure(self) -> None:
        """Reads the whole journal, so elsewhere."""
        if (journal := self._journal) is not None:
            self._tasks.start(self._measure(journal), "what is kept")

    @property
    def _journal(self) -> Journal | None:
        return self._playground.book.journal

    def _due(self, before: float) -> int:
        """How many sessions were last changed before this."""
        if self._journal is None or not before:
            return 0
        return self._journal.sessions.expired(Expired(before, self._playground.state.session or self._last))

    def _hindrance(self) -> str:
        state, journal = self._playground.state, self._journal
        if journal is None:
            return tr("The session database is still opening.")
        if journal.folder is None and journal.failure is not None:
            return journal.failure.what
        if state.phase not in SETTLED or state.opening:
            return tr("Nothing can be deleted while something goes on. Stop it first.")
        return self._trouble

    async def _measure(self, journal: Journal) -> None:
        answer = await self._tasks.tried(_measured, journal, self._log_folder)
        self._trouble = answer.what if isinstance(answer, Failure) else ""
        self._measured = None if isinstance(answer, Failure) else answer
        self.show()

    @Slot(int)
    def _keep_for(self, days: int) -> None:
        """The page tells there and then how many go at the next start."""
        self._days = days
        self._told = time.time() - days * DAY_S if days else 0.0
        self.changed.emit()

    @Slot()
    def _on_ready(self) -> None:
        """What was told of at the last start is gone by now. What has become old since is told of."""
        self.measure()
        before = time.time() - self._days * DAY_S
        if not self._days or not (count := self._due(before)):
            return
        self._told = before
        words = tr(
            "%n sessions were not changed for {days} days: they are deleted for good when Sluice starts next. Pin what "
            "you want to keep, or choose another time in the settings.",
            "%n session was not changed for {days} days: it is deleted for good when Sluice starts next. Pin it to "
            "keep it, or choose another time in the settings.",
            count,
        )
        self._notice.show_remark(words.format(days=self._days))
        self.changed.emit()

    @Slot(object)
    def _on_told(self, change: JournalChange) -> None:
        if self._page is not None and self._page.isVisible() and change in (JournalChange.SESSIONS, JournalChange.RUNS):
            self.measure()

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if (old.phase, old.opening) != (new.phase, new.opening):
            self.show()

    @Slot()
    def _erase(self) -> None:
        if self._playground.erase(self._on_erased):
            self.erased.emit()
            self._last = 0

    def _on_erased(self, outcome: Outcome) -> None:
        if self._page is None:
            return
        if outcome is None:
            self._page.tell(tr("All sessions and runs are deleted."))
        else:
            self._page.tell(outcome.sentence, "warning")
        self.measure()
        self.changed.emit()


def _measured(journal: Journal, log_folder: Path) -> Measured:
    """On a thread of its own."""
    return journal.held(), log_file.size_of(log_folder)
