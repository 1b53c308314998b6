"""Earlier studies: listed when their page is turned to, deleted and brought back by the sessions of their answers."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.evaluation.journal_entries import listed
from app.evaluation.types import EvaluationSummary
from app.records.journal import Journal
from app.records.types import SessionId
from app.ui.evaluation.view import EARLIER, SetsView


class EarlierController(QObject):
    """`delete` gets each session that goes."""

    def __init__(
        self,
        playground: Playground,
        view: SetsView,
        tasks: Tasks,
        delete: Callable[[SessionId], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._playground, self._view, self._tasks, self._delete_session = playground, view, tasks, delete
        view.tabs.currentChanged.connect(self._look)
        view.opened.connect(self._look)
        playground.book.ready.connect(self._look)
        view.studies.deleted.connect(self._delete)
        view.studies.restored.connect(self._restore)

    @property
    def _journal(self) -> Journal | None:
        return self._playground.book.journal

    @Slot()
    def _look(self) -> None:
        if self._journal is not None and self._view.tabs.currentIndex() == EARLIER:
            self._tasks.start(self._list(self._journal), "earlier")

    async def _list(self, journal: Journal) -> None:
        """What is being written is waited for: what was deleted just now is not there any more."""
        await self._tasks.in_thread(journal.flush)
        found = await self._tasks.tried(listed, journal)
        if isinstance(found, Failure):
            self._view.foot.show_failure(found)
        else:
            self._view.studies.show_studies(found)

    @Slot(object)
    def _delete(self, study: EvaluationSummary) -> None:
        if self._journal is not None:
            self._tasks.start(self._take_away(self._journal, study))

    async def _take_away(self, journal: Journal, study: EvaluationSummary) -> None:
        sessions = await self._tasks.in_thread(journal.studies.sessions, study.number)
        for session in sessions:
            self._delete_session(session)
        self._view.studies.offer_back(sessions, study.title)
        self._look()

    @Slot(object)
    def _restore(self, sessions: tuple[SessionId, ...]) -> None:
        if self._journal is not None:
            for session in sessions:
                self._journal.sessions.restore(session)
            self._look()
