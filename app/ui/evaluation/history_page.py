"""The studies that the journal has: to be opened with what came of them, or deleted."""

from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLocale, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.evaluation.types import EvaluationSummary
from app.i18n import tr
from app.ui.evaluation.rows import TEXT_PX, short
from app.ui.look import GAP_PX, GRID_PX, Measured, Theme
from app.ui.widgets import Column, Table, TableModel, held, in_column, in_row, plain_label, push_button
from app.ui.widgets.undo_strip import UndoStrip

EMPTY = tr("What is asked of a set stands here afterwards, to be looked at or gone on with.")


def _when(each: EvaluationSummary) -> str:
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(int(each.created)), QLocale.FormatType.ShortFormat)


def _answers(each: EvaluationSummary) -> str:
    if each.answers > each.total:  # not known, or rows were asked more often since
        return f"{each.answers:,}"
    return tr("{done} of {total}").format(done=f"{each.answers:,}", total=f"{each.total:,}")


COLUMNS: tuple[Column[EvaluationSummary], ...] = (
    Column("title", tr("Set"), lambda each: short(each.title), number=False, width_px=TEXT_PX),
    Column("when", tr("When"), _when, number=False, width_px=TEXT_PX),
    Column("answers", tr("Answers"), _answers, tr("So many have ended"), width_px=TEXT_PX * 2 // 3),
    Column("arms", tr("Variants"), lambda each: short(", ".join(each.arms)), number=False, width_px=2 * TEXT_PX),
)


class StudiesPage(QWidget):
    """`opened` and `deleted` with an Earlier, `restored` with what `offer_back` was given."""

    opened, deleted = Signal(object), Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._model = TableModel(COLUMNS)
        told = tr("Earlier studies, the latest first")
        self._table = Table(theme, self._model, "sets_studies", tr("Earlier studies"), told=told)
        widths = {each.name: each.width_px for each in COLUMNS}
        Measured(
            theme, self._table, lambda table: table.set_widths({name: theme.scaled(px) for name, px in widths.items()})
        )
        self._table.activated.connect(self._open)
        self._table.selectionModel().selectionChanged.connect(self._allow)
        tip = tr("Look at what came of the chosen one; Start goes on from there")
        self._opens = push_button("sets_study_open", tr("Open"), tip, press=self._open)
        tip = tr("Delete the sessions that have its answers; they can be brought back")
        self._deletes = push_button("sets_study_delete", tr("Delete"), tip, press=self._delete)
        self.undo = UndoStrip("sets_study", tr("Bring its answers back"))
        self.restored = self.undo.restored
        self._pages = QStackedWidget()
        self._pages.addWidget(plain_label("sets_studies_empty", EMPTY, muted=True, wraps=True))
        self._pages.addWidget(held(in_column((self._table, 1), in_row(self._opens, self._deletes, ...), gap=GRID_PX)))
        in_column((self._pages, 1), self.undo, on=self, margins=(0, GAP_PX, 0, 0))

    def show_studies(self, studies: Sequence[EvaluationSummary]) -> None:
        """All there are."""
        self._model.show_rows(studies)
        self._pages.setCurrentIndex(1 if studies else 0)
        self._allow()

    def offer_back(self, gone: object, title: str) -> None:
        """It was deleted just now."""
        self.undo.offer(gone, tr("Deleted “{title}”").format(title=short(title)))

    @property
    def _chosen(self) -> EvaluationSummary | None:
        index = self._table.currentIndex()
        return self._model.rows[index.row()] if index.isValid() else None

    @Slot()
    def _allow(self) -> None:
        for button in (self._opens, self._deletes):
            button.setEnabled(self._chosen is not None)

    @Slot()
    def _open(self) -> None:
        if (chosen := self._chosen) is not None:
            self.opened.emit(chosen)

    @Slot()
    def _delete(self) -> None:
        if (chosen := self._chosen) is not None:
            self.deleted.emit(chosen)
