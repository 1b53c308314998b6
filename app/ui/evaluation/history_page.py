"""The list of evaluations in the session database, with Open and Delete."""

from collections.abc import Callable

from PySide6.QtWidgets import QStackedWidget, QWidget

from app.engine.types import Failure
from app.evaluation.journal_entries import listed
from app.evaluation.types import EvaluationSummary
from app.i18n import tr
from app.records.journal import Journal
from app.records.types import SessionId
from app.ui.evaluation.rows import TEXT_PX, short
from app.ui.look import GAP_PX, GRID_PX, TextSizeFollower, Theme
from app.ui.study_window import StudyWindow
from app.ui.widgets import Column, Table, TableModel, in_column, in_row, layout_widget, plain_label, push_button
from app.ui.widgets.dates import format_time
from app.ui.widgets.notices import UndoStrip

EMPTY = tr("Evaluations appear here after their first answer. You can open and resume them.")


def _answers(each: EvaluationSummary) -> str:
    if each.answers > each.total:  # the total is unknown, or rows were run again
        return f"{each.answers:,}"
    return tr("{done} of {total}").format(done=f"{each.answers:,}", total=f"{each.total:,}")


COLUMNS: tuple[Column[EvaluationSummary], ...] = (
    Column("title", tr("Set"), lambda each: short(each.title), number=False, width_px=TEXT_PX),
    Column("when", tr("When"), lambda each: format_time(each.created), number=False, width_px=TEXT_PX),
    Column("answers", tr("Answers"), _answers, tr("Finished answers"), width_px=TEXT_PX * 2 // 3),
    Column("arms", tr("Variants"), lambda each: short(", ".join(each.arms)), number=False, width_px=2 * TEXT_PX),
)


class HistoryPage(QWidget):
    """`open_summary` opens an evaluation, `delete` removes a session."""

    def __init__(
        self,
        theme: Theme,
        window: StudyWindow,
        open_summary: Callable[[EvaluationSummary], None],
        delete: Callable[[SessionId], None],
    ) -> None:
        super().__init__()
        self._window, self._open_summary, self._delete_session = window, open_summary, delete
        self._model = TableModel(COLUMNS)
        described = tr("Earlier evaluations, the latest first")
        self._table = Table(theme, self._model, "sets_studies", tr("Earlier evaluations"), description=described)
        widths = {each.name: each.width_px for each in COLUMNS}
        TextSizeFollower(
            theme, self._table, lambda table: table.set_widths({name: theme.scaled(px) for name, px in widths.items()})
        )
        self._table.activated.connect(lambda: self._open())
        self._table.selectionModel().selectionChanged.connect(lambda: self._enable())
        tip = tr("Show the results of this evaluation; Start resumes it")
        opens = push_button("sets_study_open", tr("Open"), tip, press=self._open)
        tip = tr("Delete the sessions that contain its answers; Undo restores them")
        deletes = push_button("sets_study_delete", tr("Delete"), tip, press=lambda: window.tasks.start(self._delete()))
        self._buttons = opens, deletes
        self.undo = UndoStrip("sets_study", tr("Restore its answers"))
        self.undo.restored.connect(self._restore)
        self._pages = QStackedWidget()
        self._pages.addWidget(plain_label("sets_studies_empty", EMPTY, muted=True, wraps=True))
        self._pages.addWidget(layout_widget(in_column((self._table, 1), in_row(opens, deletes, ...), gap=GRID_PX)))
        in_column((self._pages, 1), self.undo, on=self, margins=(0, GAP_PX, 0, 0))
        window.playground.book.ready.connect(self.refresh)

    def refresh(self) -> None:
        """List what is in the database, if the page is visible."""
        if (journal := self._journal) is not None and self.isVisible():
            self._window.tasks.start(self._list(journal), "earlier")

    def show_summaries(self, summaries: tuple[EvaluationSummary, ...]) -> None:
        self._model.show_rows(summaries)
        self._pages.setCurrentIndex(1 if summaries else 0)
        self._enable()

    @property
    def _journal(self) -> Journal | None:
        return self._window.playground.book.journal

    @property
    def _chosen(self) -> EvaluationSummary | None:
        index = self._table.currentIndex()
        return self._model.rows[index.row()] if index.isValid() else None

    def _enable(self) -> None:
        for button in self._buttons:
            button.setEnabled(self._chosen is not None)

    def _open(self) -> None:
        if (chosen := self._chosen) is not None:
            self._open_summary(chosen)

    async def _list(self, journal: Journal) -> None:
        # After a flush, a session that was just deleted is gone.
        await self._window.tasks.in_thread(journal.flush)
        found = await self._window.tasks.try_in_thread(listed, journal)
        if isinstance(found, Failure):
            self._window.foot.show_failure(found)
        else:
            self.show_summaries(tuple(found))

    async def _delete(self) -> None:
        chosen, journal = self._chosen, self._journal
        if chosen is None or journal is None:
            return
        sessions = await self._window.tasks.in_thread(journal.studies.sessions, chosen.number)
        for session in sessions:
            self._delete_session(session)
        self.undo.show_removed(sessions, tr("Deleted “{title}”").format(title=short(chosen.title)))
        self.refresh()

    def _restore(self, sessions: tuple[SessionId, ...]) -> None:
        if (journal := self._journal) is not None:
            for session in sessions:
                journal.sessions.restore(session)
            self.refresh()
